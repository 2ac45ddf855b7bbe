import { existsSync, readFileSync } from "node:fs";
import {
  addition,
  archival,
  refuseForeign,
  type Replace,
  revision,
} from "../../core/change/change.ts";
import { overLimit } from "../../core/files/bounded.ts";
import { MemoError } from "../../errors.ts";
import { parseMemory, serializeMemory } from "../../core/memory/file.ts";
import type { FoundMemory } from "../../core/ledger/find.ts";
import { LONGEST_FILE, type MemoryFolder } from "../../core/memory/memory.ts";
import { ownPatterns } from "../../core/redact/mod.ts";
import { changeAs, type Changed, type Doing, type Unchanged } from "./changed.ts";
import { basename } from "node:path";
import { retitled } from "../../core/memory/title.ts";
import { formatDays, withDays, type WrittenDay } from "../../core/memory/written_day.ts";
import { digestOf, mayRead } from "../../core/memory/trust.ts";
import { mergeMemories } from "../../core/change/merge.ts";
import { oneLine } from "../../core/text/neutralise.ts";

/** What is said of an edit: somebody may have changed or removed the memory while the person was at it. */
const SAID = {
  edited: (name: string) => `Changed “${name}”`,
  merged: (name: string) => `“${name}” changed while you edited it; it now has both changes`,
  replaced: (name: string) =>
    `“${name}” changed while you edited it; your version replaced the other, which is in its history`,
  added: (name: string) =>
    `“${name}” was removed while you edited it; your version is now a new memory`,
};

/** A memory as it was opened, and the text that a person has made of it. */
export interface EditedText {
  readonly memory: { readonly path: string; readonly name: string };
  readonly folder: MemoryFolder;
  /** The bytes that were opened; undefined: nobody has kept them, and only their digest is known. */
  readonly before: Uint8Array | undefined;
  /** SHA-256 of the bytes that were opened. */
  readonly opened: string;
  readonly after: Buffer;
}

/** An edit that was written: where, with what is wrong in its front matter. */
type EditDone = Changed & {
  readonly path: string;
  readonly text: Buffer;
  readonly problems: readonly string[];
};

/**
 * Writes the text that a person has made of a memory, together with what has changed in it since. Where both changed the
 * same words, the person's stay, and the other version is in the archive.
 */
export async function edit(
  { memory, folder, before, opened, after }: EditedText,
  doing: Doing,
): Promise<EditDone | Unchanged> {
  refuseForeign({ memory, folder }, "edit");
  if (before !== undefined && after.equals(before)) return { said: "No changes" };
  if (after.toString().trim() === "") {
    return { said: "No changes: the text is empty; `memo forget NAME` archives a memory" };
  }
  if (after.length > LONGEST_FILE) {
    const size = overLimit(after.length, LONGEST_FILE);
    throw new MemoError("usage", `Cannot save a memory of ${size}`, {
      hint: "Split it into several memories",
    });
  }
  const { text, days = [] } = before === undefined
    ? { text: after }
    : await completed(before, after, doing.now);
  let outcome: keyof typeof SAID = "edited";
  const changed = await changeAs("Changed", (group) => {
    const { path, name } = memory, common = { what: "edit", folder, group } as const;
    if (!existsSync(path)) {
      outcome = "added";
      const added = parseMemory(text.toString(), { fallbackName: name }).memory;
      return [{ ...addition(added, folder, common), file: basename(path), text }];
    }
    const now = readFileSync(path);
    const replace = { kind: "replace", path, before: digestOf(now), ...common } as const;
    if (replace.before === opened) return [{ ...replace, text }];
    const merged = before && mergedText(before, text, now);
    outcome = merged === undefined ? "replaced" : "merged";
    return [{ ...replace, text: merged ?? text }];
  }, doing);
  const { path, memory: { name } } = changed.done[0]!;
  const now = readFileSync(path);
  const { problems } = parseMemory(now.toString(), { fallbackName: name });
  return {
    ...{ ...changed, path, text: now },
    said: SAID[outcome](name) + (days.length === 0 ? "" : `; read ${formatDays(days)}`),
    problems: problems.map(({ message }) => message),
  };
}

/** Keeps a memory away from a prompt, and from others like it; it is kept without what the user's own patterns find, too. */
export async function keepAway(
  found: FoundMemory,
  prompt: string,
  { patterns, ...doing }: Doing & { readonly patterns: string },
): Promise<Changed | Unchanged> {
  const { redact } = await import("../../core/redact/redact.ts"); // its rules are slow to load
  const { text } = await redact(prompt, ownPatterns(patterns));
  const { name } = found.memory;
  if (neverFor(found, text) === undefined) {
    return { said: `“${name}” is already hidden from this prompt` };
  }
  const changed = await changeAs("Changed", (group) => [neverFor(found, text, group)!], doing);
  return { ...changed, said: `“${name}” is now hidden from prompts like this one` };
}

/** The text with both changes; undefined where one of them would be lost. */
function mergedText(before: Uint8Array, after: string | Buffer, now: Buffer): string | undefined {
  const [base, ours, theirs] = [before, after, now].map((bytes) =>
    typeof bytes === "string" ? bytes : new TextDecoder().decode(bytes)
  ) as [string, string, string];
  if (ours === theirs || base === theirs) return ours;
  const { kept, text } = mergeMemories({ base, ours, theirs });
  return kept === undefined ? text : undefined;
}

/**
 * Completes an edited text: sets `updated`, as an older date would make it look stale, a name that was made from it, and
 * the dates of relative days that it did not name before.
 */
export async function completed(
  before: Uint8Array,
  after: Buffer,
  now: Date,
): Promise<{ readonly text: string | Buffer; readonly days?: readonly WrittenDay[] }> {
  const [old, own] = [before, after].map((bytes) =>
    parseMemory(new TextDecoder().decode(bytes), { fallbackName: "" })
  );
  const { memory, problems } = own!, { memory: former } = old!;
  const text = after.toString("utf8");
  if (problems.length > 0 || !Buffer.from(text).equals(after)) return { text: after }; // or it is not UTF-8
  const isDated = memory.created !== undefined || memory.updated !== undefined;
  const isRetitled = memory.name === former.name && memory.body !== former.body;
  const edited = {
    ...memory,
    ...isDated && memory.updated === former.updated && { updated: now.toISOString() },
    ...isRetitled && retitled(former, memory.body),
    ...memory.description !== former.description && { description: memory.description },
  };
  const dated = await withDays(edited, { at: now, before: former });
  return { text: serializeMemory(dated.memory, text), days: dated.days };
}

/** Maximum prompts that a memory is not for, and maximum length of one in UTF-16 units: a longer one is cut. */
const MOST = 20;
const LONGEST = 300;

/**
 * Notes with a memory a prompt that it is not for, without its secrets; undefined if it is noted already. Throws a `usage` MemoError for a
 * memory that others read too: a prompt is the person's own.
 */
function neverFor(found: FoundMemory, prompt: string, group?: string): Replace | undefined {
  refuseForeign(found, "change");
  const { memory: { name, never = [] }, folder: { scope } } = found;
  const example = oneLine(prompt).slice(0, LONGEST).toWellFormed();
  const refuse = (because: string, hint: string) =>
    new MemoError("usage", `Cannot hide \`${name}\` from such prompts: ${because}`, { hint });
  if (scope === "shared") {
    throw refuse(
      "it is in the repository, and your prompt would be too",
      "Run `memo share --undo NAME` first, or say in its text when it applies",
    );
  }
  if (example === "") {
    throw refuse("the prompt is empty", "Pass a prompt to hide it from");
  }
  if (never.includes(example)) return undefined;
  if (never.length >= MOST) {
    const hint = "Run `memo edit NAME` to say when it applies, or to shorten the list";
    throw refuse(`it already has ${MOST} such prompts`, hint);
  }
  const because = `never for “${example}”`;
  return revision(found, { never: [...never, example] }, { what: "edit", because, group });
}

/** Shows the titles of memories in every start block, or no longer; that is no consent to a repository's file. */
export async function pin(
  found: readonly FoundMemory[],
  pinned: boolean,
  doing: Doing,
): Promise<Changed | Unchanged> {
  for (const each of found) refuseForeign(each, "pin");
  const others = found.filter(({ memory }) => memory.pinned !== pinned);
  if (others.length === 0) return { said: pinned ? "Already pinned" : "Not pinned" };
  return await changeAs(pinned ? "Pinned" : "Unpinned", (group) =>
    others.map((each) => {
      const change = revision(each, { pinned }, { what: pinned ? "pin" : "unpin", group });
      const keepsTrust = !mayRead(each.folder, each.memory.digest);
      return keepsTrust ? { ...change, keepsTrust } : change;
    }), doing);
}

/** Moves memories to the archive. */
export async function forget(found: readonly FoundMemory[], doing: Doing): Promise<Changed> {
  for (const each of found) refuseForeign(each, "forget");
  const forgotten = await changeAs(
    "Forgot",
    (group) => found.map((each) => archival(each, { what: "forget", group })),
    doing,
  );
  const isShared = found.some(({ folder }) => folder.scope === "shared");
  const more = isShared ? "; commit the deletion to remove it for everyone" : "";
  return { ...forgotten, said: forgotten.said + more };
}
