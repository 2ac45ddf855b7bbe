import type { Source } from "../memory/memory.ts";
import { oneLine } from "../text/one_line.ts";

/** A safe id: it comes from a file that anyone may write, and goes into a command that the user may run. */
const ID = /^\w[\w-]*$/;

/** The command that shows the source conversation; undefined if the session is unknown. */
export function transcriptCommand(
  { session, turn }:
    | Readonly<Record<keyof Pick<Source, "session" | "turn">, string | undefined>>
    | Pick<Source, "session" | "turn" | "transcript">,
): string | undefined {
  if (session === undefined || !ID.test(session)) return undefined;
  const only = turn === undefined || !ID.test(turn) ? "" : ` --turn ${turn} --context 1`;
  return `memo show --source ${session}${only}`;
}

/** Ids that Claude Code makes; the beginning of one is enough. */
const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/** What an entry of history is, in a word. */
export function kindWord(kind: "journal" | "turn" | "commit"): string {
  return kind === "turn" ? "conversation" : kind;
}

/** The command that shows an entry of history whole; the day's journal if it is about no turn or commit. */
export function expandCommand(
  { turn, day, kind }: {
    readonly turn?: string | undefined;
    readonly day: string;
    readonly kind?: string;
  },
): string {
  if (kind === "commit" && COMMIT.test(turn ?? "")) return `git show ${turn!.slice(0, 10)}`;
  if (turn === undefined || !ID.test(turn)) return `memo log --journal ${day}`;
  return `memo show ${UUID.test(turn) ? turn.slice(0, 8) : turn}`;
}

/** git's id of a commit. */
const COMMIT = /^[0-9a-f]{40,64}$/;

/** A journal entry on one line. */
export function withoutBullets(text: string): string {
  return oneLine(text.replace(/^\s*[-*] +/, "").replace(/\n\s*[-*] +/g, " · "));
}
