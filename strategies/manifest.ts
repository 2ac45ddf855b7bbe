// What a language model gets to see of memories, and how its picks are read: shared by the strategies that ask one.

import type { IndexedMemory } from "../src/core/index/corpus.ts";
import { ageInDays, formatAge } from "../src/core/memory/age.ts";
import { slug } from "../src/core/memory/title.ts";
import { withoutPrivate } from "../src/core/text/paste.ts";
import type { Hit, Question, RankOptions } from "./strategy.ts";

/** Most memories that the model may pick. */
export const PICKS = 5;
/** Title and description are cut after this many characters, and in a long list after fewer. */
const TOLD_CHARS = 200, SHORT_CHARS = 64;
/** A shorter slug has all of its title in it. */
const SLUG_CHARS = 55;
/** Longest manifest, in characters: about 3,000 tokens with the rest of the question. */
const MANIFEST_CHARS = 9700;
/** What was said before the request is cut to this many characters, from its end. */
const TURNS_CHARS = 1500;
/** The model says yes or no: its first pick is scored by this, each further one a little lower. */
const FIRST_SCORE = 0.95;
const STEP = 0.02;

const SCHEMA = {
  type: "object",
  properties: { selected_memories: { type: "array", items: { type: "string" }, maxItems: PICKS } },
  required: ["selected_memories"],
  additionalProperties: false,
} as const;

/** When a note counts as helpful: said to the model in the same words by every strategy. */
export const NEEDED =
  `Choose the notes without which the request would be done wrong, or would need a question back; a rule that applies
counts even where the request does not name its matter. Do not choose a note that would change nothing in what is asked
for, though it is about the same matter, nor a habit that holds whatever the request is (which language to answer in, how
to report) unless this request turns on it. Leave out whatever you are not sure of; most requests need none, one or two.`;

/** The fixed part of a strategy's question. */
export interface PromptTemplate {
  /** What the question is for, in the log of spending. */
  readonly purpose: Question["purpose"];
  readonly system: string;
}

/**
 * Asks which of some memories help with a request, and returns those the model picked as hits. Rejects where no model
 * may be asked, or it has no usable answer.
 */
export async function pickFrom(
  memories: readonly IndexedMemory[],
  { purpose, system, request, room = MANIFEST_CHARS }: PromptTemplate & {
    readonly request: string;
    /** Most characters of the list of memories; the bench asks about more of them at once. */
    readonly room?: number | undefined;
  },
  { ask, signal, now, limit, turns = [] }: RankOptions,
): Promise<Hit[]> {
  if (ask === undefined) throw new Error("No language model is available here");
  if (memories.length === 0) return [];
  const names = uniqueNames(memories);
  const prompt = promptOf(linesOf(names, { now, room }), { request, turns });
  const question: Question = { purpose, system, prompt, schema: SCHEMA, maxTokens: 256 };
  return picksOf(await ask(question, signal))
    .flatMap((name) => names.get(name) ?? []) // what it made up is dropped
    .slice(0, Math.min(PICKS, limit))
    .map((memory, i) => ({ memory: memory.id, score: FIRST_SCORE - STEP * i }));
}

/** Each memory by its file name; where two folders have the same one, by its scope too. */
function uniqueNames(memories: readonly IndexedMemory[]): Map<string, IndexedMemory> {
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
  lines: readonly string[],
  { request, turns }: { request: string; turns: readonly string[] },
): string {
  const sections = [`Notes:\n${lines.join("\n")}`];
  const before = turns.join("\n").slice(-TURNS_CHARS).toWellFormed();
  if (turns.length > 0) sections.push(`Said before:\n${before}`);
  return [...sections, `Request:\n${request}`].join("\n\n");
}

/** One line a memory; lines get shorter, and then the last ones go, where all would be too long. */
function linesOf(
  names: ReadonlyMap<string, IndexedMemory>,
  { now, room }: { now: Date; room: number },
): string[] {
  const lines = (told: (name: string, memory: IndexedMemory) => string) =>
    [...names].map(([name, memory]) =>
      `- ${name} (${memory.type}, ${formatAge(ageInDays(memory, now))})${told(name, memory)}`
    );
  const full = lines((_, memory) => tell(`${memory.name}: ${memory.description}`, TOLD_CHARS));
  const isLong = full.join("\n").length > MANIFEST_CHARS;
  const all = isLong ? lines((name, memory) => tell(untold(name, memory), SHORT_CHARS)) : full;
  return all.filter((line) => (room -= line.length + 1) >= 0);
}

/** What a file's name does not say of its memory: the end of a title that is too long for it, and the description. */
function untold(file: string, { name, description }: IndexedMemory): string {
  const said = slug(name);
  if (!file.includes(said)) return `${name}: ${description}`;
  if (said.length < SLUG_CHARS) return description;
  return `${name.slice(name.lastIndexOf(" ", said.length) + 1)}: ${description}`;
}

function tell(text: string, chars: number): string {
  const line = withoutPrivate(text).replace(/\s+/g, " ").replace(/: ?$/, "").slice(0, chars)
    .toWellFormed();
  return line === "" ? "" : `: ${line}`;
}

/** The names in an answer, each once; throws for an answer of another shape. */
function picksOf(answer: unknown): string[] {
  const picks = (answer as { selected_memories?: unknown } | null)?.selected_memories;
  if (!Array.isArray(picks)) throw new Error("The model's answer has no `selected_memories`");
  return [...new Set(picks.filter((pick) => typeof pick === "string"))];
}
