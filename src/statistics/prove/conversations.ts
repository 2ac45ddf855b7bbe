// One's own conversations as an older part, which memories are made from, and a newer one, which is looked at for what
// had to be said again.

import type { TranscriptFile } from "../../transcript/find.ts";
import { type ReadOptions, readTurns } from "../../transcript/turns.ts";
import type { Turn } from "../../transcript/turn.ts";
import { typedIn, type TypedTurn } from "./session.ts";

/** A session of Claude Code. */
export interface Conversation {
  readonly transcript: string;
  readonly turns: readonly Turn[];
}

/** Sessions before and after a time. */
export interface Parts {
  /** Oldest first, without what was said after that time. */
  readonly older: readonly Conversation[];
  /** Oldest first; each session's prompts. */
  readonly newer: readonly (readonly TypedTurn[])[];
  /** The time, ISO 8601. */
  readonly at: string;
}

/** Reads the conversations since a time in which a person typed something, oldest first. */
export async function readConversations(
  files: readonly TranscriptFile[],
  { since, paused }: { readonly since: Date } & Pick<ReadOptions, "paused">,
  onProgress?: (done: number, total: number) => void,
): Promise<Conversation[]> {
  const known = new Set<string>();
  const found: Conversation[] = [];
  for (const [i, { path, mtimeMs }] of files.entries()) {
    onProgress?.(i, files.length);
    if (mtimeMs < since.getTime()) continue;
    const turns: Turn[] = [];
    try {
      for await (const turn of readTurns(path, { paused })) {
        // A fork begins with a copy of the turns before it.
        if (Date.parse(turn.at) >= since.getTime() && !known.has(turn.id)) turns.push(turn);
      }
    } catch {
      continue; // deleted meanwhile
    }
    for (const { id } of turns) known.add(id);
    if (typedIn(turns).length > 0) found.push({ transcript: path, turns });
  }
  return found.sort((a, b) => a.turns[0]!.at < b.turns[0]!.at ? -1 : 1);
}

/**
 * Splits conversations where half of the prompts have been typed: sessions that begin later are the newer part. Of an
 * older session what was said later is left out, so that no memory knows more than one could have had.
 */
export function split(conversations: readonly Conversation[]): Parts | undefined {
  const times = conversations.flatMap(({ turns }) => typedIn(turns).map(({ at }) => at)).sort();
  const at = times[Math.floor(times.length / 2)];
  if (at === undefined) return undefined;
  const begun = ({ turns }: Conversation) => turns[0]!.at;
  const older = conversations.filter((each) => begun(each) < at).map((each) => ({
    ...each,
    turns: each.turns.filter((turn) => turn.at < at),
  }));
  const newer = conversations.filter((each) => begun(each) >= at)
    .map(({ turns }) => typedIn(turns));
  return older.length === 0 || newer.length === 0 ? undefined : { older, newer, at };
}
