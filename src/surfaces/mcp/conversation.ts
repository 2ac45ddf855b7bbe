// What was said when a memory was saved.

import { keptOfSession } from "../../features/history/kept.ts";
import type { MemoryFile } from "../../core/memory/memory.ts";
import { projectAt } from "../../core/memory/project.ts";
import { neutralise } from "../../core/text/neutralise.ts";
import { findTranscript } from "../../core/transcript/find.ts";
import { readTurns } from "../../core/transcript/turns.ts";
import { withoutSecrets } from "./secrets.ts";
import type { ToolContext } from "./tool.ts";

/** What was said in the turn that a memory came from; a file's own path of a transcript is not followed. */
export async function saidIn(
  { source, scope }: MemoryFile,
  context: ToolContext,
): Promise<string | undefined> {
  const { session, turn } = source ?? {};
  if (session === undefined || turn === undefined) return undefined;
  const said = await fromTranscript(session, turn, context) ??
    (scope === "project" ? fromKept(session, turn, context) : undefined);
  if (said === undefined) return undefined;
  const { value } = await withoutSecrets({ said: neutralise(said) }, context);
  return value.said;
}

async function fromTranscript(
  session: string,
  id: string,
  { place }: ToolContext,
): Promise<string | undefined> {
  try {
    for await (const turn of readTurns(await findTranscript(session, place))) {
      if (turn.id !== id) continue;
      // One of the user's own memories may come from another project, whose conversations stay there.
      const from = projectAt({ ...place, cwd: turn.cwd, projectDir: turn.cwd });
      if (from?.root !== projectAt(place)?.root) return undefined;
      const replies = turn.steps.flatMap((step) => step.kind === "text" ? [step.text] : []);
      return told(turn.prompt, replies.join("\n\n"));
    }
  } catch {
    // Claude Code has deleted it
  }
  return undefined;
}

function fromKept(session: string, id: string, { paths }: ToolContext): string | undefined {
  const kept = keptOfSession(paths, session).find(({ turn }) => turn === id);
  return kept && told(kept.prompt, kept.reply);
}

function told(prompt: string, reply: string): string {
  return `The user: ${prompt}\n\nThe answer: ${reply}`;
}
