// One session of the newer part: which of its prompts say again what an earlier session said, and whether that would
// have stood in context.

import type { Ask } from "../../../strategies/strategy.ts";
import type { IndexedMemory } from "../../index/corpus.ts";
import { memoryFolders, placeIn } from "../../memory/scopes.ts";
import { isSuspectMemory } from "../../memory/provenance.ts";
import { search } from "../../recall/search.ts";
import type { Turn } from "../../transcript/turn.ts";
import { PROMPTS_ASKED, type Repeat, repeatsAmong, type Said } from "./repeats.ts";
import { replay, type Stage, type TypedPrompt } from "./replay.ts";

/** A repeat with where its memory would have been. */
export interface Proven extends Repeat {
  readonly typed: TypedPrompt;
  /** In context before it was typed, with it, or not at all. */
  readonly stood: "before" | "with it" | "not";
}

/** What a person typed in a session, with what the assistant had said before it. */
export interface TypedTurn extends TypedPrompt, Said {}

/** A store of so many memories is compared whole; of a larger one, what is nearest to each prompt. */
const ALL = 40, NEAREST = 4;

/** The prompts of a session that a person typed. */
export function typedIn(turns: readonly Turn[]): TypedTurn[] {
  return turns.flatMap(({ id, session, cwd, at, prompt }, i): TypedTurn[] => {
    if (prompt === "" || prompt.startsWith("/")) return [];
    const before = turns[i - 1]?.steps.filter((step) => step.kind === "text").at(-1);
    return [{ turn: id, session, cwd, at, text: prompt, reply: before?.text ?? "" }];
  });
}

/** Questions to the language model that prompts take. */
export function questionsFor(prompts: number): number {
  return Math.ceil(prompts / PROMPTS_ASKED);
}

/** Holds a session again and finds its repeats, oldest first. */
export async function proveSession(
  prompts: readonly TypedTurn[],
  stage: Stage,
  ask: Ask,
): Promise<Proven[]> {
  const stood = await replay(prompts, stage);
  const found: Proven[] = [];
  const told = new Set<string>();
  for (let from = 0; from < prompts.length; from += PROMPTS_ASKED) {
    const some = prompts.slice(from, from + PROMPTS_ASKED);
    const repeats = await repeatsAmong(some, await notesFor(some, stage), ask);
    for (const repeat of repeats) {
      const { path } = repeat.memory;
      if (told.has(path)) continue; // said in an earlier part of the session
      told.add(path);
      const at = from + repeat.prompt, { before, withIt } = stood[at]!;
      found.push({
        ...repeat,
        prompt: at,
        typed: prompts[at]!,
        stood: before.has(path) ? "before" : withIt.has(path) ? "with it" : "not",
      });
    }
  }
  return found.sort((a, b) => a.prompt - b.prompt);
}

/** The memories that some prompts may repeat, in the order of their paths. */
async function notesFor(
  prompts: readonly TypedTurn[],
  { engine, env, claude }: Stage,
): Promise<IndexedMemory[]> {
  const place = placeIn({ ...engine.paths, claude }, prompts[0]!.cwd);
  const folders = memoryFolders(place);
  for (const folder of folders) await engine.sync(folder);
  await engine.embedded();
  const notes = new Map<string, IndexedMemory>();
  await engine.withIndex(async (index) => {
    const newest = await (await index.corpus(folders)).newest(ALL + 1);
    if (newest.length <= ALL) return newest.forEach((memory) => notes.set(memory.path, memory));
    for (const { text } of prompts) {
      const { hits } = await search(text, { limit: NEAREST, only: "hybrid" }, {
        index,
        folders,
        config: engine.config(place, env),
        now: new Date(prompts[0]!.at),
        embed: (text) => engine.embed(text),
      });
      for (const { memory } of hits) notes.set(memory.path, memory);
    }
  });
  return [...notes.values()].filter((memory) => !isSuspectMemory(memory))
    .sort((a, b) => a.path < b.path ? -1 : 1);
}
