import { existsSync, readFileSync } from "node:fs";
import * as z from "zod";
import { dated, editOf, type EditOutcome } from "../../change/edit.ts";
import { refuseForeign } from "../../change/own.ts";
import { MemoError } from "../../errors.ts";
import { realPathOf } from "../../files/real_path.ts";
import { parseMemory } from "../../memory/file.ts";
import { LONGEST_FILE } from "../../memory/limits.ts";
import { digestOf } from "../../memory/trust.ts";
import { secretsIn } from "../../redact/secrets_in.ts";
import { changeAs, type Changed, idSchema } from "../memories/changing.ts";
import { keepOpened, openedText } from "../memories/opened.ts";
import { type CallContext, defineCall } from "./call.ts";

/** What is said of an edit. */
const SAID: Readonly<Record<EditOutcome, (name: string) => string>> = {
  edited: (name) => `Changed “${name}”`,
  merged: (name) => `“${name}” changed while you edited it; both changes are in it now`,
  replaced: (name) =>
    `“${name}” changed while you edited it; your version replaced the other, which is in its history`,
  added: (name) => `“${name}” was removed while you edited it; your version is a new memory`,
};

/** What an edit has done, or the secrets that keep it from being done. */
type Edited = Changed & { readonly id?: string; readonly problems?: readonly string[] } | {
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
  async run({ id, text, digest, anyway }, context): Promise<Edited> {
    const { path: listed, folder } = context.listed.get(id);
    const path = existsSync(listed) ? realPathOf(listed) : listed;
    const before = openedText(digest, context) ?? presentText(path, digest);
    const { name } = parseMemory(before?.toString() ?? text, { fallbackName: "memory" }).memory;
    const memory = { path, name };
    refuseForeign({ memory: { ...memory } as never, folder, archived: false }, "edit");
    const after = Buffer.from(text);
    if (before?.equals(after)) return { said: "No changes" };
    if (after.length > LONGEST_FILE) {
      throw new MemoError(
        "usage",
        `Cannot keep a memory of ${after.length} bytes: it has at most ${LONGEST_FILE}`,
        { hint: "Split it into several" },
      );
    }
    if (!anyway) {
      const secrets = await newSecrets(before?.toString() ?? "", text, context);
      if (secrets.length > 0) return { secrets };
    }
    let outcome: EditOutcome = "edited";
    const { group, done } = await changeAs("Changed", (group) => {
      const written = before === undefined ? after : dated(before, after, context.now());
      const edit = editOf({ memory, folder, before, opened: digest, after: written, group });
      outcome = edit.outcome;
      return [edit.change];
    }, context);
    const at = done[0]!;
    const now = readFileSync(at.path);
    keepOpened(now, context);
    const { problems } = parseMemory(now.toString(), { fallbackName: name });
    return {
      said: SAID[outcome](at.memory.name),
      group: group!,
      id: context.listed.idOf({ path: at.path, folder }),
      ...problems.length > 0 && { problems: problems.map(({ message }) => message) },
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
