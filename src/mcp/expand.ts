import { keptOfSession } from "../history/kept.ts";
import { findMemory } from "../memory/find.ts";
import type { MemoryFile } from "../memory/memory.ts";
import { projectAt } from "../memory/project.ts";
import { isSuspectMemory, provenanceOf } from "../memory/provenance.ts";
import { mayRead } from "../memory/trust.ts";
import { MemoError } from "../errors.ts";
import { nearestTo } from "../recall/related.ts";
import { neutralise } from "../text/neutralise.ts";
import { transcriptCommand } from "../transcript/command.ts";
import { findTranscript } from "../transcript/find.ts";
import { readTurns } from "../transcript/turns.ts";
import { pathOf } from "./address.ts";
import { NOTE, referenceTo } from "./present.ts";
import type { InputOf, OutputOf } from "./schemas.ts";
import { withoutSecrets } from "./secrets.ts";
import type { ToolContext, ToolResult } from "./tool.ts";

/** Maximum characters of a memory, and of a conversation. */
const TEXT_CHARS = 8000;
const SAID_CHARS = 6000;
const RELATED = 5;

/** `memory_expand`: a whole memory, what is near it, and the conversation that it came from. */
export async function run(
  { name, conversation }: InputOf<"memory_expand">,
  context: ToolContext,
): Promise<ToolResult<OutputOf<"memory_expand">>> {
  const { folders, place, withIndex } = context;
  const { memory, folder } = findMemory(pathOf(name, folders), folders, { cwd: place.cwd });
  if (isSuspectMemory(memory) || !mayRead(folder, memory.digest)) {
    throw new MemoError(
      "not-found",
      `Cannot show \`${memory.name}\`: the user has still to review it`,
      {
        hint: "Ask the user to run `memo show` and, for a memory of the repository, `memo trust`",
      },
    );
  }
  const near = await withIndex((index) =>
    nearestTo(memory.path, { index, folders, limit: RELATED })
  );
  const provenance = provenanceOf(memory);
  const said = conversation && memory.source !== undefined
    ? await saidIn(memory, context)
    : undefined;
  const transcript = memory.source && transcriptCommand(memory.source);
  const data = {
    note: NOTE,
    ...referenceTo(memory, context),
    text: cut(neutralise(memory.body), TEXT_CHARS),
    ...provenance === undefined ? {} : { provenance },
    supersedes: memory.supersedes.map((file) => neutralise(file)),
    related: near.filter((each) => !isSuspectMemory(each.memory)).map((each) => ({
      ...referenceTo(each.memory, context),
      similarity: Math.round(each.cosine * 1000) / 1000,
    })),
    ...said === undefined ? {} : { conversation: said },
    ...transcript === undefined ? {} : { transcript },
  };
  return { data, text: textOf(data) };
}

/** What was said in the turn that a memory came from; a file's own path of a transcript is not followed. */
async function saidIn(
  { source, scope }: MemoryFile,
  context: ToolContext,
): Promise<string | undefined> {
  const { session, turn } = source ?? {};
  if (session === undefined || turn === undefined) return undefined;
  const said = await fromTranscript(session, turn, context) ??
    (scope === "project" ? fromKept(session, turn, context) : undefined);
  if (said === undefined) return undefined;
  const { value } = await withoutSecrets({ said: neutralise(said) }, context);
  return cut(value.said, SAID_CHARS);
}

async function fromTranscript(
  session: string,
  id: string,
  { place }: ToolContext,
): Promise<string | undefined> {
  try {
    for await (const turn of readTurns(findTranscript(session, place.claude))) {
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

function textOf(
  { name, text, related, conversation, transcript }: OutputOf<"memory_expand">,
): string {
  const near = related.map((each) => `- ${each.name} (${each.similarity}) ${each.path}`);
  return [
    NOTE,
    `## ${name}\n\n${text}`,
    ...near.length === 0 ? [] : [`Similar:\n${near.join("\n")}`],
    ...conversation === undefined ? [] : [`Where it comes from:\n${conversation}`],
    ...transcript === undefined ? [] : [`The conversation: \`${transcript}\``],
  ].join("\n\n");
}

function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest).toWellFormed().trimEnd()}…`;
}
