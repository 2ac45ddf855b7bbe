import type { Source } from "../memory/memory.ts";

/** What an id may be made of to stand in a command that somebody will run: it comes from a file that anybody may write. */
const ID = /^\w[\w-]*$/;

/** The command that shows the conversation something comes from; undefined when its session is not known. */
export function transcriptCommand({ session, turn }: Source): string | undefined {
  if (session === undefined || !ID.test(session)) return undefined;
  const only = turn === undefined || !ID.test(turn) ? "" : ` --turn ${turn} --context 1`;
  return `memo transcript ${session}${only}`;
}
