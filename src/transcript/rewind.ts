import { entriesOf } from "./entries.ts";

/** A part of a transcript that the conversation no longer goes through, between two bytes. */
export interface Stretch {
  readonly after: number;
  readonly before: number;
}

/**
 * What the user took back with /rewind. Claude Code deletes nothing then: the next prompt follows an earlier line than
 * the one above it, or the same line as an earlier prompt, and what lies between is dead. A compaction begins a new
 * chain of lines, and what came before it stays. A prompt that follows no line takes nothing back: when in doubt a turn
 * stays.
 */
export async function takenBack(path: string, from: number): Promise<Stretch[]> {
  const gone: Stretch[] = [];
  const ends = new Map<string, number>();
  /** Where the first prompt after a line begins the stretch that a second one after it makes dead. */
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
