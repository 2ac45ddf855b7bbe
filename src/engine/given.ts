import type { WasGiven } from "../capture/given_rules.ts";
import { versionOf } from "../recall/shown.ts";
import { loadSession } from "../recall/session.ts";

/**
 * Whether the model had a memory in a turn of some session, by its text or its title, as the sessions' states record
 * it: given with the turn's own prompt, or at any time before. A state that a compaction has reset tells less.
 */
export function givenIn(sessions: string): WasGiven {
  const states = new Map<string, ReturnType<typeof loadSession>>();
  const stateOf = (session: string) => {
    if (!states.has(session)) states.set(session, loadSession(sessions, session));
    return states.get(session)!;
  };
  return ({ session, promptId, at }, memory) =>
    stateOf(session).delivered.some((each) => {
      const isBefore = each.at <= Date.parse(at);
      const isWith = promptId !== undefined && each.prompt === promptId;
      const version = each.memories[memory.path] ?? each.listed?.[memory.path];
      return (isBefore || isWith) && version === versionOf(memory);
    });
}
