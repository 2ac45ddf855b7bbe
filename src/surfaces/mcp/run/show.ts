import { basename } from "node:path";
import { keptOfSession } from "../../../features/history/kept.ts";
import { findMemory } from "../../../core/ledger/find.ts";
import type { IndexedMemory } from "../../../core/index/corpus.ts";
import { isSelected, readMemories } from "../../../core/memory/list.ts";
import { type Memory, type MemoryFile, transcriptCommand } from "../../../core/memory/memory.ts";
import { projectAt } from "../../../core/memory/project.ts";
import { isSuspectMemory } from "../../../core/memory/provenance.ts";
import { mayRead } from "../../../core/memory/trust.ts";
import { nearestTo } from "../../../core/recall/search.ts";
import { folded } from "../../../core/text/nearest.ts";
import { neutralise } from "../../../core/text/neutralise.ts";
import { findTranscript } from "../../../core/transcript/find.ts";
import { readTurns } from "../../../core/transcript/turns.ts";
import { MemoError } from "../../../errors.ts";
import type { ToolContext } from "../methods.ts";
import { cut, heading, listing, NOTE, withoutSecrets } from "../present.ts";
import type { InputOf } from "../tools.ts";

/** Maximum characters of a memory, and of a conversation. */
const TEXT_CHARS = 8000;
const SAID_CHARS = 6000;
const RELATED = 5;

/** `memory_expand`: a whole memory, what is near it, and the conversation that it came from. */
export async function expand(
  { name, conversation }: InputOf<"memory_expand">,
  context: ToolContext,
): Promise<string> {
  const { folders, place: { cwd }, withIndex } = context;
  const { memory, folder } = findMemory(name, folders, { cwd });
  if (isSuspectMemory(memory) || !mayRead(folder, memory.digest)) {
    throw new MemoError(
      "not-found",
      `Cannot show \`${memory.name}\`: it needs the user's review`,
      { hint: "Ask the user to run `memo show` and, for a repository's memory, `memo trust`" },
    );
  }
  const near = await withIndex((index) =>
    nearestTo(memory.path, { index, folders, limit: RELATED })
  );
  const similar = near.filter((each) => !isSuspectMemory(each.memory))
    .map((each) => `- ${heading(each.memory, context)}`);
  const said = conversation ? await saidIn(memory, context) : undefined;
  const transcript = memory.source && transcriptCommand(memory.source);
  return [
    NOTE,
    `## ${heading(memory, context)}\n${cut(neutralise(memory.body), TEXT_CHARS)}`,
    `File: ${memory.path}`,
    ...memory.supersedes.length === 0
      ? []
      : [`Replaces ${memory.supersedes.map((file) => neutralise(file)).join(", ")}`],
    ...similar.length === 0 ? [] : [`Similar:\n${similar.join("\n")}`],
    ...said === undefined ? [] : [`Source:\n${cut(said, SAID_CHARS)}`],
    ...transcript === undefined ? [] : [`Conversation: \`${transcript}\``],
  ].join("\n\n");
}

/** What was said in the turn that a memory came from; a file's own path of a transcript is not followed. */
async function saidIn(
  { source, scope }: MemoryFile,
  context: ToolContext,
): Promise<string | undefined> {
  const { session, turn } = source ?? {};
  if (session === undefined || turn === undefined) return undefined;
  const kept = () => keptOfSession(context.paths, session).find((each) => each.turn === turn);
  const told = await fromTranscript(session, turn, context) ??
    (scope === "project" ? kept() : undefined);
  if (told === undefined) return undefined;
  const said = neutralise(`User: ${told.prompt}\n\nReply: ${told.reply}`);
  return (await withoutSecrets({ said }, context)).value.said;
}

async function fromTranscript(session: string, id: string, { place }: ToolContext) {
  try {
    for await (const turn of readTurns(await findTranscript(session, place))) {
      if (turn.id !== id) continue;
      // One of the user's own memories may come from another project, whose conversations stay there.
      const from = projectAt({ ...place, cwd: turn.cwd, projectDir: turn.cwd });
      if (from?.root !== projectAt(place)?.root) return undefined;
      const replies = turn.steps.flatMap((step) => step.kind === "text" ? [step.text] : []);
      return { prompt: turn.prompt, reply: replies.join("\n\n") };
    }
  } catch {
    // Claude Code has deleted it
  }
  return undefined;
}

/** Memories to look through for a tag. */
const MOST = 10_000;

/** `memory_related`: what is near a memory, or has a tag. */
export async function related(
  { name, tag, limit }: InputOf<"memory_related">,
  context: ToolContext,
): Promise<string> {
  if ((name === undefined) === (tag === undefined)) {
    throw new MemoError("usage", "Cannot list related memories: pass either a name or a tag", {
      hint: "Call memory_search to find the name of a memory",
    });
  }
  const near = name === undefined
    ? await tagged(tag!, context)
    : await relatedTo(name, limit, context);
  const memories = near.slice(0, limit).map(({ memory }) => ({ memory, passage: memory.body }));
  return listing(memories, { nothing: "No related memories.", now: context.now });
}

/** A memory that is near another one, or joined with it. */
interface Related {
  readonly memory: IndexedMemory;
  readonly similarity?: number;
  readonly linked?: true;
}

/** The memories that a link joins with one, then those most similar to it, nearest first. */
export async function relatedTo(
  name: string,
  limit: number,
  { folders, place: { cwd }, withIndex }: ToolContext,
): Promise<Related[]> {
  const { memory } = findMemory(name, folders, { cwd });
  const linked = linkedWith(memory, folders.flatMap((folder) => readMemories(folder).memories))
    .slice(0, limit).map(({ path }) => path);
  return await withIndex(async (index) => {
    const near = await nearestTo(memory.path, { index, folders, limit: limit + linked.length });
    const cosines = new Map(near.map(({ memory, cosine }) => [memory.path, cosine]));
    const all = [
      ...await index.byPath(linked),
      ...near.map(({ memory }) => memory).filter(({ path }) => !linked.includes(path)),
    ];
    return all.filter((memory) => !isSuspectMemory(memory)).map((memory): Related => {
      const cosine = cosines.get(memory.path);
      return {
        memory,
        ...cosine !== undefined && { similarity: Math.round(cosine * 1000) / 1000 },
        ...linked.includes(memory.path) && { linked: true },
      };
    });
  });
}

/** The memories with a tag, newest first. */
async function tagged(tag: string, { folders, withIndex }: ToolContext): Promise<Related[]> {
  return await withIndex(async (index) => {
    const memories = await (await index.corpus(folders)).newest(MOST);
    return memories.filter((memory) =>
      !isSuspectMemory(memory) && isSelected(memory, { tag: [tag] })
    ).map((memory) => ({ memory }));
  });
}

/** A link of a note: `[[Note]]`, `[[folder/Note#Heading|shown as]]`, `![[Note]]`; a memory keeps those of its text. */
const LINK = /\[\[([^[\]|#^\n]+)(?:[#^][^[\]|\n]*)?(?:\|[^[\]\n]*)?\]\]/g;

type Linkable = Pick<Memory, "name" | "body" | "source"> & { readonly path: string };

/** The memories that a memory links to, and those that link to it, in their order. */
export function linkedWith<T extends Linkable>(memory: Linkable, all: readonly T[]): T[] {
  const targets = linksIn(memory.body);
  const own = new Set(namesOf(memory));
  return all.filter((other) =>
    other.path !== memory.path &&
    (namesOf(other).some((name) => targets.has(name)) || !own.isDisjointFrom(linksIn(other.body)))
  );
}

function linksIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(LINK)].map(([, target]) => fold(basename(target!))));
}

/** What a link calls a memory: its name, its file, or the note that it was imported from. */
function namesOf({ name, path, source }: Linkable): string[] {
  const note = source?.id?.replace(/#\d+$/, "");
  return [name, path, ...note === undefined ? [] : [note]].map((each) => fold(basename(each)));
}

function fold(text: string): string {
  return folded(text).replace(/\.(?:md|markdown)$/, "").trim();
}
