import { readFileSync } from "node:fs";
import { completed, type Edited, editOf, type EditOutcome } from "../../core/change/edit.ts";
import { neverFor } from "../../core/change/never.ts";
import { refuseForeign } from "../../core/change/own.ts";
import { MemoError } from "../../errors.ts";
import { parseMemory } from "../../core/memory/file.ts";
import type { Found } from "../../core/ledger/find.ts";
import { LONGEST_FILE } from "../../core/memory/limits.ts";
import { ownPatterns } from "../../core/redact/mod.ts";
import { changeAs, type Changed, type Doing, type Unchanged } from "./changed.ts";

/** What is said of an edit: somebody may have changed or removed the memory while the person was at it. */
const SAID: Readonly<Record<EditOutcome, (name: string) => string>> = {
  edited: (name) => `Changed “${name}”`,
  merged: (name) => `“${name}” changed while you edited it; both changes are in it now`,
  replaced: (name) =>
    `“${name}” changed while you edited it; your version replaced the other, which is in its history`,
  added: (name) => `“${name}” was removed while you edited it; your version is a new memory`,
};

/** An edit that was written: where, with what is wrong in its front matter. */
export type EditDone = Changed & {
  readonly outcome: EditOutcome;
  readonly path: string;
  readonly text: Buffer;
  readonly problems: readonly string[];
};

/** Writes the text that a person has made of a memory, together with what has changed in it since. */
export async function edit(
  edited: Omit<Edited, "group"> & { readonly after: Buffer },
  doing: Doing,
): Promise<EditDone | Unchanged> {
  const { memory, folder, before, after } = edited;
  refuseForeign({ memory, folder }, "edit");
  if (before !== undefined && after.equals(before)) return { said: "No changes" };
  if (after.toString().trim() === "") {
    return { said: "No changes: the text is empty; `memo forget NAME` archives a memory" };
  }
  if (after.length > LONGEST_FILE) {
    throw new MemoError(
      "usage",
      `Cannot keep a memory of ${after.length} bytes: it has at most ${LONGEST_FILE}`,
      { hint: "Split it into several" },
    );
  }
  const text = before === undefined ? after : completed(before, after, doing.now);
  let outcome: EditOutcome = "edited";
  const changed = await changeAs("Changed", (group) => {
    const { change, ...found } = editOf({ ...edited, after: text, group });
    outcome = found.outcome;
    return [change];
  }, doing);
  const { path, memory: { name } } = changed.done[0]!;
  const now = readFileSync(path);
  const { problems } = parseMemory(now.toString(), { fallbackName: name });
  return {
    ...{ ...changed, said: SAID[outcome](name), outcome, path, text: now },
    problems: problems.map(({ message }) => message),
  };
}

/** Keeps a memory away from a prompt, and from others like it. */
export async function keepAway(
  found: Found,
  prompt: string,
  { patterns, ...doing }: Doing & {
    /** The user's own patterns of secrets: a prompt is kept without them. */
    readonly patterns: string;
  },
): Promise<Changed | Unchanged> {
  const { redact } = await import("../../core/redact/redact.ts"); // its rules are slow to load
  const { text } = await redact(prompt, ownPatterns(patterns));
  const { name } = found.memory;
  if (neverFor(found, text) === undefined) return { said: `“${name}” is away already` };
  const changed = await changeAs("Changed", (group) => [neverFor(found, text, group)!], doing);
  return { ...changed, said: `“${name}” stays away from prompts like this one` };
}
