import { entriesOf } from "./entries.ts";

/** A byte range of a transcript that the conversation no longer includes. */
export interface Stretch {
  readonly after: number;
  readonly before: number;
}

/**
 * The stretches that the user took back with /rewind. Claude Code deletes nothing: the next prompt follows an earlier
 * line than the one above it, or the same line as an earlier prompt, and the lines between are dead. A compaction
 * begins a new chain of lines, and the part before it stays. A prompt without a parent takes nothing back: when in
 * doubt a turn stays.
 */
export async function takenBack(path: string, from: number): Promise<Stretch[]> {
  const gone: Stretch[] = [];
  const ends = new Map<string, number>();
  /**
   * By parent line: the beginning of its first prompt, whose branch is dead once a second prompt follows the same line.
   */
  const forks = new Map<string, number>();
  for await (const { kind, uuid, parent, end } of entriesOf(path, from)) {
    if (kind === "summary") continue;
    if (kind === "compacted") {
      ends.clear();
      forks.clear();
    } else if (kind === "prompt" && parent !== undefined && !ends.has(uuid)) {
      const after = ends.get(parent) ?? forks.get(parent);
      if (after !== undefined) gone.push({ after, before: end });
      else forks.set(parent, end - 1);
    }
    ends.set(uuid, end);
  }
  return gone;
}
