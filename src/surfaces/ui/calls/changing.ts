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
import { keepOpened, openedText } from "../opened.ts";
import {
  type CallContext,
  defineCall,
  defineDecision,
  doingFor,
  idSchema,
  memoryOf,
  type Reply,
  replyOf,
} from "./call.ts";
import * as z from "zod";

/** What an edit has done, or the secrets that keep it from being done. */
type EditReply = Reply & { readonly id?: string; readonly problems?: readonly string[] } | {
  readonly secrets: readonly string[];
};

/**
 * `edit {id, text, digest, anyway?}`: writes another text of a memory, as `memo edit` does. `digest` is of what was
 * opened; who changed the memory since loses nothing. A text with a new secret in it is written only `anyway`.
 */
export const edit = defineCall({
  name: "edit",
  writes: true,
  params: z.strictObject({
    id: idSchema,
    text: z.string(),
    digest: z.string().regex(/^[0-9a-f]{64}$/),
    anyway: z.boolean().default(false),
  }),
  async run({ id, text, digest, anyway }, context): Promise<EditReply> {
    const { path: listed, folder } = context.listed.get(id);
    const path = existsSync(listed) ? realPathOf(listed) : listed;
    const before = openedText(digest, context) ?? presentText(path, digest);
    const { name } = parseMemory(before?.toString() ?? text, { fallbackName: "memory" }).memory;
    if (!anyway) {
      const secrets = await newSecrets(before?.toString() ?? "", text, context);
      if (secrets.length > 0) return { secrets };
    }
    const edited = { memory: { path, name }, folder, before, opened: digest };
    const done = await editText({ ...edited, after: Buffer.from(text) }, doingFor(context));
    if (done.group === undefined) return done;
    keepOpened(done.text, context);
    return {
      ...replyOf(done),
      id: context.listed.idOf({ path: done.path, folder }),
      ...done.problems.length > 0 && { problems: done.problems },
    };
  },
});

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
export const forget = defineDecision(
  "forget",
  (id, context) => forgetAll([memoryOf(id, context)], doingFor(context)),
);

/** `pin {id, on}`: keeps the title of a memory in every start block, or no longer. */
export const pin = defineCall({
  name: "pin",
  writes: true,
  params: z.strictObject({ id: idSchema, on: z.boolean() }),
  async run({ id, on }, context): Promise<Reply> {
    return replyOf(await pinAll([memoryOf(id, context)], on, doingFor(context)));
  },
});

/** Of a longer prompt its beginning says what it is about. */
const LONGEST = 20_000;

/** `never {id, prompt}`: keeps a memory away from a prompt, and from others like it. */
export const never = defineCall({
  name: "never",
  writes: true,
  params: z.strictObject({ id: idSchema, prompt: z.string().min(1).max(LONGEST) }),
  async run({ id, prompt }, context): Promise<Reply> {
    const patterns = context.engine.config(context.place)["redact.patterns"];
    return replyOf(
      await keepAway(memoryOf(id, context), prompt, { patterns, ...doingFor(context) }),
    );
  },
});

/** `undo {group}`: takes back what was done in one step. */
export const undo = defineCall({
  name: "undo",
  writes: true,
  params: z.strictObject({ group: z.string().regex(/^[0-9a-f]{10}(?:\/\d+)?$/) }),
  async run({ group }, context): Promise<Reply> {
    const { said, left: [problem] } = await undoGroup(group, foldersOf(context), {
      ...doingFor(context),
      paths: context.paths,
    });
    if (said !== undefined) return { said };
    throw new MemoError(
      problem === undefined ? "not-found" : "file",
      problem === undefined
        ? "Cannot undo: it was undone already"
        : `Cannot undo what was done to “${problem.change.name}”: ${problem.because}`,
      { hint: "`memo log NAME` shows its versions" },
    );
  },
});
