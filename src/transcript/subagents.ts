import { readdirSync } from "node:fs";
import { join } from "node:path";

/** The transcripts of a session's subagents, in a folder beside its own. */
export function subagentTranscripts(transcript: string): string[] {
  const folder = join(transcript.replace(/\.jsonl$/, ""), "subagents");
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".jsonl"))
      .map((name) => join(folder, name));
  } catch {
    return []; // no subagents
  }
}
