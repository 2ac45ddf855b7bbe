import { join } from "node:path";
import { namesIn } from "../files/there.ts";

/** The transcripts of a session's subagents, in a folder beside its own. */
export function subagentTranscripts(transcript: string): string[] {
  const folder = join(transcript.replace(/\.jsonl$/, ""), "subagents");
  return namesIn(folder).filter((name) => name.endsWith(".jsonl")).map((name) =>
    join(folder, name)
  );
}
