// A second look before a memory is archived as wrong. A model that reads a whole conversation takes a rule for void because
// another resembles it ("start variable names with `n_`" for "include `chx` in variable names"), and overlooks notes that
// the same change has made wrong. Here it sees nothing but the notes concerned.

import { UnusableAnswer } from "../llm/provider.ts";
import { mayChange } from "../memory/memory.ts";
import { beginningOf } from "../redact/redact.ts";
import { neutralise, neutraliseLine } from "../text/neutralise.ts";
import { withoutPrivate } from "../text/private.ts";
import { askModel, callsLeft } from "./ask.ts";
import type { AskContext } from "./ask.ts";
import type { Candidate } from "./candidate.ts";
import prompt from "./confirm_prompt.md" with { type: "text" };
import type { Comparable } from "./drafts.ts";

/** A candidate, and the memories besides `contradicts` that mislead now that it holds. */
export interface Confirmed {
  readonly candidate: Candidate;
  readonly misled: readonly Comparable[];
}

/** The memories that there are. */
export interface Beside {
  /** Those that the model was shown, by the names used there. */
  readonly offered: ReadonlyMap<string, Comparable>;
  readonly known: readonly Comparable[];
}

interface Pair {
  readonly candidate: Candidate;
  readonly old: Comparable;
  /** Other memories that name what the old one names. */
  readonly mentions: readonly Comparable[];
}

const MAX_TOKENS = 1000;
/** Maximum characters of a note's text. */
const BODY_CHARS = 600;
/** Maximum further notes for a pair; a name in more than `COMMON` of them is the project's or a person's, not a thing's. */
const MOST_MENTIONS = 4;
const COMMON = 6;

/**
 * Asks about each memory that a candidate contradicts whether it must go, and which others mislead now. Without a valid
 * answer, or calls left for one, the first word stands. Rejects with the provider's error if no model answers.
 */
export async function confirm(
  candidates: readonly Candidate[],
  { offered, known }: Beside,
  context: AskContext,
): Promise<Confirmed[]> {
  const pairs = candidates.flatMap((candidate): Omit<Pair, "mentions">[] => {
    const old = offered.get(candidate.contradicts ?? "");
    // What a tool's result says takes no memory's place.
    return old === undefined || candidate.fromTool ? [] : [{ candidate, old }];
  });
  const asIs = () => candidates.map((candidate) => ({ candidate, misled: [] }));
  if (pairs.length === 0 || callsLeft(context) <= 0) return asIs();
  const listed = new Set(pairs.map(({ old }) => old));
  const whole = pairs.map(({ candidate, old }) => {
    const mentions = mentionsOf(old, known).filter((each) => !listed.has(each));
    for (const each of mentions) listed.add(each);
    return { candidate, old, mentions };
  });
  const answer = await ask(whole, context);
  if (answer === undefined) return asIs();
  const mentions = whole.flatMap(({ mentions }) => mentions);
  return candidates.map((candidate) => {
    const i = whole.findIndex((pair) => pair.candidate === candidate);
    const pair = whole[i];
    if (pair === undefined) return { candidate, misled: [] };
    if (answer.stays.has(i + 1)) {
      return { candidate: { ...candidate, contradicts: undefined }, misled: [] };
    }
    const misled = pair.mentions.filter((each) => answer.misleading.has(mentions.indexOf(each)));
    return { candidate, misled };
  });
}

interface Answer {
  /** Numbers of pairs, from 1, whose older note still holds. */
  readonly stays: ReadonlySet<number>;
  /** Indexes of further notes that mislead. */
  readonly misleading: ReadonlySet<number>;
}

async function ask(pairs: readonly Pair[], context: AskContext): Promise<Answer | undefined> {
  try {
    return await askModel({
      purpose: "confirm",
      system: prompt,
      prompt: questionOf(pairs),
      schema: SCHEMA,
      maxTokens: MAX_TOKENS,
      read: readAnswer,
    }, { ...context, tries: 1 });
  } catch (error) {
    if (error instanceof UnusableAnswer) return undefined;
    throw error;
  }
}

const SCHEMA = {
  type: "object",
  properties: {
    pairs: {
      type: "array",
      items: {
        type: "object",
        properties: {
          pair: { type: "integer" },
          older: { type: "string", enum: ["gone", "stays"] },
        },
        required: ["pair", "older"],
      },
    },
    misleading: { type: "array", items: { type: "string" } },
  },
  required: ["pairs", "misleading"],
} as const;

function readAnswer(json: unknown): Answer | undefined {
  const { pairs, misleading } = Object(json) as Readonly<Record<string, unknown>>;
  if (!Array.isArray(pairs) || !Array.isArray(misleading)) return undefined;
  const stays = pairs.map((each) => Object(each) as { pair?: unknown; older?: unknown })
    .flatMap(({ pair, older }) => older === "stays" ? [Number(pair)] : []);
  return { stays: new Set(stays), misleading: new Set(misleading.map(indexOf)) };
}

function questionOf(pairs: readonly Pair[]): string {
  const asked = pairs.map(({ candidate, old }, i) =>
    `Pair ${i + 1}\nOlder: ${noteOf(old.memory)}\nNewer: ${noteOf(candidate)}`
  );
  const further = pairs.flatMap(({ mentions }) => mentions)
    .map(({ memory }, i) => `${letter(i)}: ${noteOf(memory)}`);
  return [...asked, `Further notes:\n${further.length === 0 ? "(none)" : further.join("\n")}`]
    .join("\n\n").toWellFormed();
}

function noteOf({ name, body }: Pick<Candidate, "name" | "body">): string {
  const text = beginningOf(neutralise(body), BODY_CHARS).trim();
  const lines = text.split("\n").filter((line) => line.trim() !== "").map((line) => `    ${line}`);
  return [withoutPrivate(neutraliseLine(name)), ...lines].join("\n");
}

/** `A`, `B`, … `Z`, `AA`, … */
function letter(i: number): string {
  return i < 26 ? String.fromCharCode(65 + i) : letter(Math.floor(i / 26) - 1) + letter(i % 26);
}

function indexOf(letters: unknown): number {
  const text = String(letters).trim();
  if (!/^[A-Z]{1,2}$/.test(text)) return -1;
  return [...text].reduce((sum, each) => sum * 26 + each.charCodeAt(0) - 64, 0) - 1;
}

/** Memories that name a thing which the title of another names, and few others do. */
function mentionsOf(old: Comparable, known: readonly Comparable[]): Comparable[] {
  const others = known.filter((each) => each !== old && mayChange(each.folder.scope));
  const found = new Map<Comparable, number>();
  for (const name of namesIn(old.memory.name)) {
    const naming = others.filter(({ memory }) => hasWord(memory, name));
    // "Use" at the start of a title is a word like others, as somebody will have written it small.
    if (
      naming.length > COMMON || others.some(({ memory }) => hasWord(memory, name.toLowerCase()))
    ) {
      continue;
    }
    for (const each of naming) found.set(each, (found.get(each) ?? 0) + 1);
  }
  return [...found].toSorted(([, a], [, b]) => b - a).slice(0, MOST_MENTIONS).map(([each]) => each);
}

/** The words of a title that are written as names: with a capital letter, which no sentence asks for when it is inside. */
function namesIn(title: string): Set<string> {
  return new Set(title.match(/(?<![\p{L}\p{N}_])\p{Lu}[\p{L}\p{N}]{2,}(?![\p{L}\p{N}_])/gu) ?? []);
}

function hasWord({ name, body }: Pick<Candidate, "name" | "body">, word: string): boolean {
  return new RegExp(`(?<![\\p{L}\\p{N}_])${word}(?![\\p{L}\\p{N}_])`, "u").test(`${name}\n${body}`);
}
