import type { Source } from "../memory/memory.ts";

/** A safe id: it comes from a file that anyone may write, and goes into a command that the user may run. */
const ID = /^\w[\w-]*$/;

/** The command that shows the source conversation; undefined if the session is unknown. */
export function transcriptCommand({ session, turn }: Source): string | undefined {
  if (session === undefined || !ID.test(session)) return undefined;
  const only = turn === undefined || !ID.test(turn) ? "" : ` --turn ${turn} --context 1`;
  return `memo transcript ${session}${only}`;
}
