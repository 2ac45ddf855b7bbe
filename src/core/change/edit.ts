import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { parseMemory, serializeMemory } from "../memory/file.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import { retitled } from "../memory/title.ts";
import { digestOf } from "../memory/trust.ts";
import { type Add, addition, type Replace } from "./change.ts";
import { mergeMemories } from "./merge_memories.ts";

/** What became of an edit: somebody may have changed or removed the memory while the person was at it. */
export type EditOutcome = "edited" | "merged" | "replaced" | "added";

/** An edit as a change, and what is to be told of it. */
export interface Edit {
  readonly change: Add | Replace;
  readonly outcome: EditOutcome;
}

/** A memory as it was opened, and the text that a person has made of it. */
export interface Edited {
  readonly memory: { readonly path: string; readonly name: string };
  readonly folder: MemoryFolder;
  /** The bytes that were opened; undefined: nobody has kept them, and only their digest is known. */
  readonly before: Uint8Array | undefined;
  /** SHA-256 of the bytes that were opened. */
  readonly opened: string;
  readonly after: string | Buffer;
  readonly group?: string | undefined;
}

/**
 * The change to the memory as it is now. Where both changed the same words, the person's stay, and the other version is
 * in the archive.
 */
export function editOf({ memory, folder, before, opened, after, group }: Edited): Edit {
  const { path, name } = memory;
  const common = { what: "edit", folder, group } as const;
  if (!existsSync(path)) {
    const edited = parseMemory(after.toString(), { fallbackName: name }).memory;
    const change = { ...addition(edited, folder, common), file: basename(path), text: after };
    return { change, outcome: "added" };
  }
  const now = readFileSync(path);
  const replace = { kind: "replace", path, before: digestOf(now), ...common } as const;
  if (replace.before === opened) return { change: { ...replace, text: after }, outcome: "edited" };
  const merged = before && mergedText(before, after, now);
  return merged === undefined
    ? { change: { ...replace, text: after }, outcome: "replaced" }
    : { change: { ...replace, text: merged }, outcome: "merged" };
}

/** The text with both changes; undefined where one of them would be lost. */
function mergedText(
  before: Uint8Array,
  after: string | Buffer,
  now: Buffer,
): string | undefined {
  const [base, ours, theirs] = [before, after, now].map((bytes) =>
    typeof bytes === "string" ? bytes : new TextDecoder().decode(bytes)
  ) as [string, string, string];
  if (ours === theirs || base === theirs) return ours;
  const { kept, text } = mergeMemories({ base, ours, theirs });
  return kept === undefined ? text : undefined;
}

/** Completes an edited text: sets `updated`, as an older date would make it look stale, and a name that was made from it. */
export function completed(before: Uint8Array, after: Buffer, now: Date): string | Buffer {
  const [old, own] = [before, after].map((bytes) =>
    parseMemory(new TextDecoder().decode(bytes), { fallbackName: "" })
  );
  const { memory, problems } = own!, { memory: former } = old!;
  const text = after.toString("utf8");
  if (problems.length > 0 || !Buffer.from(text).equals(after)) return after; // or it is not UTF-8
  const isDated = memory.created !== undefined || memory.updated !== undefined;
  const made = memory.name === former.name && memory.body !== former.body
    ? retitled(former, memory.body)
    : {};
  return serializeMemory({
    ...memory,
    ...isDated && memory.updated === former.updated && { updated: now.toISOString() },
    ...made,
    ...memory.description !== former.description && { description: memory.description },
  }, text);
}
