import { type Place, placeIn, projectAt } from "../../core/memory/project.ts";
import { entriesOf } from "../../core/transcript/entries.ts";
import { sessionOf } from "../../core/transcript/find.ts";
import { matchesCall, readCall } from "./call.ts";
import type { Pattern } from "./pattern.ts";

/** A call of a past session that a guard would have stopped. */
export interface TrialStop {
  readonly session: string;
  readonly at: string;
  /** The command line, or the file that was changed. */
  readonly call: string;
}

/** What a guard would have done in past sessions. */
export interface Trial {
  readonly sessions: number;
  /** Commands and changes of files that it would have looked at. */
  readonly calls: number;
  readonly stopped: readonly TrialStop[];
}

/** Tries patterns on the calls in transcripts; one that cannot be read is skipped. */
export async function tryOn(
  patterns: readonly Pattern[],
  transcripts: readonly string[],
  place: Place,
): Promise<Trial> {
  const stopped: TrialStop[] = [];
  let calls = 0;
  for (const transcript of transcripts) {
    try {
      for await (const entry of entriesOf(transcript)) {
        if (entry.kind !== "reply") continue;
        const { cwd = place.cwd, at, session = sessionOf(transcript) } = entry;
        for (const block of entry.blocks) {
          if (block.kind !== "call") continue;
          const read = readCall({ tool: block.name, input: block.input, cwd });
          if (read === undefined) continue;
          calls++;
          const root = projectAt(placeIn(place, cwd, cwd))?.top ?? cwd;
          if (!patterns.some((pattern) => matchesCall(pattern, read, { root }))) continue;
          stopped.push({
            session,
            at,
            call: read.files.join(" ") || String(block.input["command"]),
          });
        }
      }
    } catch {
      // deleted meanwhile
    }
  }
  return { sessions: transcripts.length, calls, stopped };
}
