// What a person changes in a memory, each in the one step that `undo` takes back.

import { existsSync, readFileSync } from "node:fs";
import { realPathOf } from "../../../core/files/real_path.ts";
import { parseMemory } from "../../../core/memory/file.ts";
import { digestOf } from "../../../core/memory/trust.ts";
import { MemoError } from "../../../errors.ts";
import { secretsIn } from "../../../core/redact/mod.ts";
import {
  edit as editText,
  forget as forgetAll,
  keepAway,
  pin as pinAll,
} from "../../../features/verbs/edit.ts";
import { undo as undoGroup } from "../../../features/verbs/undo.ts";
import { foldersOf } from "../catalogue.ts";
import { type CallContext, change, decision, doingFor, idSchema, look, memoryOf } from "./call.ts";
import * as z from "zod";

/**
 * `edit {id, text, digest, anyway?}`: writes another text of a memory, as `memo edit` does. `digest` is of what was
 * opened; who changed the memory since loses nothing. A text with a new secret in it is written only `anyway`.
 */
export const edit = look(
  {
    id: idSchema,
    text: z.string(),
    digest: z.string().regex(/^[0-9a-f]{64}$/),
    anyway: z.boolean().default(false),
  },
  async ({ id, text, digest, anyway }, context) => {
    const { listed } = context, { path: file, folder } = listed.get(id);
    const path = existsSync(file) ? realPathOf(file) : file;
    const before = listed.opened(digest) ?? presentText(path, digest);
    const { name } = parseMemory(before?.toString() ?? text, { fallbackName: "memory" }).memory;
    if (!anyway) {
      const secrets = await newSecrets(before?.toString() ?? "", text, context);
      if (secrets.length > 0) return { secrets };
    }
    const edited = { memory: { path, name }, folder, before, opened: digest };
    const done = await editText({ ...edited, after: Buffer.from(text) }, doingFor(context));
    if (done.group === undefined) return done;
    const { said, group, problems } = done;
    listed.keepOpened(done.text);
    return {
      ...{ said, group, id: listed.idOf({ path: done.path, folder }) },
      ...problems.length > 0 && { problems },
    };
  },
);

/** The text of a file, if it has a digest. */
function presentText(path: string, digest: string): Buffer | undefined {
  const bytes = existsSync(path) ? readFileSync(path) : undefined;
  return bytes !== undefined && digestOf(bytes) === digest ? bytes : undefined;
}

/** The kinds of secrets that a text has and another had not. */
async function newSecrets(
  before: string,
  after: string,
  { engine, place }: CallContext,
): Promise<string[]> {
  const own = engine.config(place)["redact.patterns"];
  const found = await secretsIn(after, own);
  if (found.length === 0) return [];
  const known = await secretsIn(before, own);
  return found.filter((kind) => !known.includes(kind));
}

/** `forget {id}`: moves a memory to the archive. */
export const forget = decision((id, context) =>
  forgetAll([memoryOf(id, context)], doingFor(context))
);

/** `pin {id, on}`: keeps the title of a memory in every start block, or no longer. */
export const pin = change(
  { id: idSchema, on: z.boolean() },
  ({ id, on }, context) => pinAll([memoryOf(id, context)], on, doingFor(context)),
);

/** Of a longer prompt its beginning says what it is about. */
const LONGEST = 20_000;

/** `never {id, prompt}`: keeps a memory away from a prompt, and from others like it. */
export const never = change(
  { id: idSchema, prompt: z.string().min(1).max(LONGEST) },
  ({ id, prompt }, context) => {
    const patterns = context.engine.config(context.place)["redact.patterns"];
    return keepAway(memoryOf(id, context), prompt, { patterns, ...doingFor(context) });
  },
);

/** `undo {group}`: takes back what was done in one step. */
export const undo = change(
  { group: z.string().regex(/^[0-9a-f]{10}(?:\/\d+)?$/) },
  async ({ group }, context) => {
    const { said, left: [problem] } = await undoGroup(group, await foldersOf(context), {
      ...doingFor(context),
      paths: context.paths,
    });
    if (said !== undefined) return { said };
    throw new MemoError(
      problem === undefined ? "not-found" : "file",
      problem === undefined
        ? "Cannot undo: already undone"
        : `Cannot undo the change to “${problem.change.name}”: ${problem.because}`,
      { hint: "`memo log NAME` shows its versions" },
    );
  },
);
