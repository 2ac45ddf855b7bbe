// The conversations that a memory comes from. What replaces a memory is said in another conversation, and still is a part
// of what was decided in the first one: it keeps that one's session, so that the other parts are found with it.

import type { Memory } from "./memory.ts";
import { LIMITS } from "./limits.ts";

/** The sessions that a memory and what it replaced come from, its own last. */
export function sourceSessions({ source }: Pick<Memory, "source">): string[] {
  const { earlier = [], session } = source ?? {};
  return [...new Set([...earlier, ...session === undefined ? [] : [session]])];
}

/** A memory from a conversation with the sessions of those that it replaces; what a person has typed has none. */
export function inheriting<M extends Pick<Memory, "source">>(
  memory: M,
  replaced: readonly Pick<Memory, "source">[],
): M {
  const { source } = memory;
  if (source?.session === undefined) return memory;
  const sessions = [...replaced, memory].flatMap(sourceSessions);
  const earlier = [...new Set(sessions)].filter((session) => session !== source.session)
    .slice(-LIMITS.supersedes);
  return earlier.length === 0 ? memory : { ...memory, source: { ...source, earlier } };
}

/** Whether two memories were taken from turns of one conversation: they stand beside each other. */
export function areOfOneTalk(
  { source: a }: Pick<Memory, "source">,
  { source: b }: Pick<Memory, "source">,
): boolean {
  return a?.turn !== undefined && b?.turn !== undefined && a.session === b.session;
}
