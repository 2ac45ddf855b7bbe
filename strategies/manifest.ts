// What a language model gets to see of memories, and how its picks are read: shared by the strategies that ask one.

import type { IndexedMemory } from "../src/index/corpus.ts";
import { ageInDays, sayAge } from "../src/memory/age.ts";
import type { Hit, Question, RankOptions } from "./strategy.ts";

/** Most memories that the model may pick. */
export const PICKS = 5;
/** A description is cut after this many characters. */
const DESCRIPTION_CHARS = 200;
/** Longest manifest, in characters: about 3,000 tokens with the rest of the question. */
const MANIFEST_CHARS = 10_000;
/** What was said before the request is cut to this many characters, from its end. */
const TURNS_CHARS = 1500;
/** The model says yes or no: its first pick is scored by this, each further one a little lower. */
const FIRST_SCORE = 0.95;
const STEP = 0.03;

const SCHEMA = {
  type: "object",
  properties: { selected_memories: { type: "array", items: { type: "string" }, maxItems: PICKS } },
  required: ["selected_memories"],
  additionalProperties: false,
} as const;

export interface ManifestOptions {
  /** What the question is for, in the log of spending. */
  readonly purpose: string;
  readonly system: string;
  readonly request: string;
}

/**
 * Asks which of some memories help with a request, and returns those the model picked as hits. Rejects where no model
 * may be asked, or it has no usable answer.
 */
export async function pickFrom(
  memories: readonly IndexedMemory[],
  { purpose, system, request }: ManifestOptions,
  { ask, signal, now, limit, turns = [] }: RankOptions,
): Promise<Hit[]> {
  if (ask === undefined) throw new Error("No language model may be asked here");
  if (memories.length === 0) return [];
  const names = nameApart(memories);
  const question: Question = {
    purpose,
    system,
    prompt: promptOf(names, { request, turns, now }),
    schema: SCHEMA,
    maxTokens: 256,
  };
  return picksOf(await ask(question, signal))
    .flatMap((name) => names.get(name) ?? []) // what it made up is dropped
    .slice(0, Math.min(PICKS, limit))
    .map((memory, i) => ({ memory: memory.id, score: FIRST_SCORE - STEP * i }));
}

/** Each memory by its file name; where two folders have the same one, by its scope too. */
function nameApart(memories: readonly IndexedMemory[]): Map<string, IndexedMemory> {
  const names = new Map<string, IndexedMemory>();
  for (const memory of memories) {
    const name = memory.path.slice(memory.path.lastIndexOf("/") + 1);
    const free = [name, `${memory.scope}/${name}`, `${name}#${memory.id}`].find((each) =>
      !names.has(each)
    );
    names.set(free!, memory);
  }
  return names;
}

function promptOf(
  names: ReadonlyMap<string, IndexedMemory>,
  { request, turns, now }: { request: string; turns: readonly string[]; now: Date },
): string {
  const sections = [`Notes:\n${linesOf(names, now).join("\n")}`];
  if (turns.length > 0) sections.push(`Said before:\n${endOf(turns.join("\n"), TURNS_CHARS)}`);
  return [...sections, `Request:\n${request}`].join("\n\n");
}

/** One line a memory; descriptions get shorter, and then the last lines go, where all would be too long. */
function linesOf(names: ReadonlyMap<string, IndexedMemory>, now: Date): string[] {
  const lines = (chars: number) =>
    [...names].map(([name, memory]) => {
      const about = memory.description === "" ? "" : `: ${memory.description}`;
      const told = `${memory.name}${about}`.replace(/\s+/g, " ").slice(0, chars).toWellFormed();
      return `- ${name} (${memory.type}, ${sayAge(ageInDays(memory, now))}): ${told}`;
    });
  const [full, short] = [lines(DESCRIPTION_CHARS), lines(DESCRIPTION_CHARS / 3)];
  let room = MANIFEST_CHARS;
  const all = full.join("\n").length <= room ? full : short;
  return all.filter((line) => (room -= line.length + 1) >= 0);
}

function endOf(text: string, chars: number): string {
  return text.slice(-chars).toWellFormed();
}

/** The names in an answer, each once; throws for an answer of another shape. */
function picksOf(answer: unknown): string[] {
  const picks = (answer as { selected_memories?: unknown } | null)?.selected_memories;
  if (!Array.isArray(picks)) throw new Error("The model's answer has no `selected_memories`");
  return [...new Set(picks.filter((pick) => typeof pick === "string"))];
}
