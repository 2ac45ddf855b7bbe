// A second look before a memory is archived as wrong. A model that reads a whole conversation takes a rule for void because
// another resembles it ("start variable names with `n_`" for "include `chx` in variable names"), and overlooks notes that
// the same change has made wrong. Of a large store it has seen only a part: what is alike in the rest is asked about, too.
// Here it sees nothing but the notes concerned, and what was said.

import { UnusableAnswer } from "../llm/provider.ts";
import { mayChange } from "../memory/memory.ts";
import { valuesIn } from "../memory/same.ts";
import { ownPatterns } from "../redact/own_patterns.ts";
import { beginningOf } from "../redact/redact.ts";
import { redactTexts } from "../redact/texts.ts";
import { analyze } from "../text/analyze.ts";
import { neutralise, neutraliseLine } from "../text/neutralise.ts";
import { withoutPrivate } from "../text/private.ts";
import { type AskContext, askModel } from "./ask.ts";
import { type Candidate, candidateOf, mapOf } from "./candidate.ts";
import prompt from "./confirm_prompt.md" with { type: "text" };
import { findTold, nearest } from "./dedupe.ts";
import type { Comparable } from "./drafts.ts";
import type { Piece } from "./pieces.ts";

/** A candidate, and what else goes wrong by it. */
export interface Confirmed {
  readonly candidate: Candidate;
  /** Memories that nothing is left of, besides `contradicts`. */
  readonly misled: readonly Comparable[];
  /** Memories that are right again in these words. */
  readonly corrections: readonly Correction[];
}

/** A memory in other words, which `replaces` names by its file. */
export interface Correction {
  readonly of: Comparable;
  readonly candidate: Candidate;
}

/** The memories that there are. */
export interface Beside {
  /** Those that the model was shown, by the names used there. */
  readonly offered: ReadonlyMap<string, Comparable>;
  readonly known: readonly Comparable[];
  /** The conversation. */
  readonly piece: Pick<Piece, "text">;
}

interface Pair {
  readonly candidate: Candidate;
  readonly old: Comparable;
  /** Whether the candidate names the old one as wrong; else they are only alike. */
  readonly isNamed: boolean;
  /** Other memories that name what the old one names, each with its letter in the question. */
  readonly mentions: readonly { readonly note: string; readonly of: Comparable }[];
}

const MAX_TOKENS = 2000;
/** Maximum characters of a note's text, and of what was said. */
const BODY_CHARS = 1200;
const SAID_CHARS = 800;
/** Maximum further notes for a pair; a name in more than `COMMON` of them is the project's or a person's, not a thing's. */
const MOST_MENTIONS = 4;
const COMMON = 6;

/**
 * Asks about each memory that a candidate contradicts, or is like without having been offered, whether it must go, and
 * which others are wrong now. Without a valid answer, or calls left for one, the first word stands. Rejects with the
 * provider's error if no model answers.
 */
export async function confirm(
  candidates: readonly Candidate[],
  { offered, known, piece }: Beside,
  context: AskContext,
): Promise<Confirmed[]> {
  const shown = new Set(offered.values());
  const unseen = known.filter((each) => !shown.has(each) && mayChange(each.folder.scope));
  const pairs = candidates.flatMap((candidate): Omit<Pair, "mentions">[] => {
    // What a tool's result says takes no memory's place.
    if (candidate.fromTool) return [];
    const named = offered.get(candidate.contradicts ?? "");
    const alike = nearest(candidate, unseen);
    const isTold = alike !== undefined && findTold(candidate, [alike]) !== undefined;
    return [
      ...named === undefined ? [] : [{ candidate, old: named, isNamed: true }],
      ...alike === undefined || isTold ? [] : [{ candidate, old: alike, isNamed: false }],
    ];
  });
  const asIs = () => candidates.map((candidate) => unchanged(candidate));
  if (pairs.length === 0) return asIs();
  // What a candidate replaces is written anew already.
  const listed = new Set(
    candidates.flatMap(({ contradicts, replaces }) =>
      [contradicts, replaces].flatMap((name) => offered.get(name ?? "") ?? [])
    ),
  );
  let letters = 0;
  const whole = pairs.map((pair): Pair => {
    const mentioned = pair.isNamed
      ? mentionsOf(pair.old, known).filter((each) => !listed.has(each))
      : [];
    for (const each of mentioned) listed.add(each);
    return { ...pair, mentions: mentioned.map((of) => ({ note: letter(letters++), of })) };
  });
  const raw = await ask(whole, { ...context, piece });
  if (raw === undefined) return asIs();
  // The model can put a split secret back together.
  const { value: answer } = await redactTexts(raw, ownPatterns(context.config["redact.patterns"]));
  const numbered = (numbers: readonly number[]) => whole.filter((_, i) => numbers.includes(i + 1));
  const gone = numbered(answer.gone), staying = numbered(answer.stays);
  return candidates.map((candidate) => {
    const named = whole.find((pair) => pair.candidate === candidate && pair.isNamed);
    const stays = named !== undefined && staying.includes(named);
    const alike = gone.filter((pair) => pair.candidate === candidate && !pair.isNamed);
    const further = (stays ? [] : named?.mentions ?? []).flatMap(({ note, of }) =>
      answer.further.filter((each) => each.note === note).map(({ now }) => ({ of, now }))
    );
    return {
      candidate: stays ? { ...candidate, contradicts: undefined } : candidate,
      misled: [
        ...alike.map(({ old }) => old),
        ...further.filter(({ now }) => now === null).map(({ of }) => of),
      ],
      corrections: further.flatMap(({ of, now }) =>
        now === null ? [] : [{ of, candidate: correctionOf(of, now, candidate.turn) }]
      ),
    };
  });
}

function unchanged(candidate: Candidate): Confirmed {
  return { candidate, misled: [], corrections: [] };
}

function correctionOf(
  { memory, fileName }: Comparable,
  now: Saying,
  turn: number | undefined,
): Candidate {
  const { description, type, triggers, tags, confidence } = memory;
  return {
    ...{ turn, ...now, description, type, triggers, tags, confidence },
    ...{ scope: undefined, replaces: fileName, contradicts: undefined, fromTool: false },
  };
}

type Saying = Pick<Candidate, "name" | "body">;

interface Answer {
  /** Numbers of pairs, from 1, by what becomes of the older note. */
  readonly gone: readonly number[];
  readonly stays: readonly number[];
  /** Further notes by their letters, and what is right in their place. */
  readonly further: readonly { readonly note: string; readonly now: Saying | null }[];
}

async function ask(
  pairs: readonly Pair[],
  { piece, ...context }: AskContext & Pick<Beside, "piece">,
): Promise<Answer | undefined> {
  try {
    return await askModel({
      purpose: "confirm",
      system: prompt,
      prompt: questionOf(pairs, piece.text),
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
    further: {
      type: "array",
      items: {
        type: "object",
        properties: {
          note: { type: "string" },
          now: { type: "string", enum: ["gone", "corrected"] },
          name: { type: "string" },
          body: { type: "string" },
        },
        required: ["note", "now"],
      },
    },
  },
  required: ["pairs", "further"],
} as const;

function readAnswer(json: unknown): Answer | undefined {
  const { pairs, further } = mapOf(json);
  if (!Array.isArray(pairs) || !Array.isArray(further)) return undefined;
  return {
    gone: numbersOf(pairs, "gone"),
    stays: numbersOf(pairs, "stays"),
    further: further.map(mapOf).flatMap(furtherOf),
  };
}

function numbersOf(pairs: readonly unknown[], fate: string): number[] {
  return pairs.map(mapOf).flatMap(({ pair, older }) => older === fate ? [Number(pair)] : []);
}

function furtherOf({ note, now, name, body }: ReturnType<typeof mapOf>): Answer["further"] {
  if (now === "gone") return [{ note: String(note), now: null }];
  const [said] = candidateOf({ name, body });
  if (now !== "corrected" || said === undefined || typeof name !== "string" || name.trim() === "") {
    return [];
  }
  return [{ note: String(note), now: { name: said.name, body: said.body } }];
}

function questionOf(pairs: readonly Pair[], conversation: string): string {
  const asked = pairs.map(({ candidate, old, isNamed }, i) =>
    [
      `Pair ${i + 1}${isNamed ? "" : " (alike in their words; nobody has compared them yet)"}`,
      `Older: ${noteOf(old.memory)}`,
      `Newer: ${noteOf({ ...candidate, body: ruleOf(candidate.body) })}`,
      `Said: ${saidOf(candidate, conversation)}`,
    ].join("\n")
  );
  const further = pairs.flatMap(({ mentions }) => mentions)
    .map(({ note, of }) => `${note}: ${noteOf(of.memory)}`);
  return [...asked, `Further notes:\n${further.length === 0 ? "(none)" : further.join("\n")}`]
    .join("\n\n").toWellFormed();
}

/** A note's first paragraph: what follows is the model's own wording of reasons. */
function ruleOf(body: string): string {
  return body.trim().split(/\n\s*\n/, 1)[0]!;
}

/** The sentences of a conversation that a candidate may come from, in their order. */
function saidOf({ name, body }: Saying, conversation: string): string {
  const wanted = new Set(analyze(`${name}\n${ruleOf(body)}`));
  const sentences = conversation.replace(TURN_TAG, "\n").split(SENTENCE_END);
  const scored = sentences.map((text, i) => ({
    ...{ text: neutraliseLine(text).trim(), i },
    score: new Set(analyze(text).filter((term) => wanted.has(term))).size,
  }));
  const taken: typeof scored = [];
  let chars = 0;
  for (const each of scored.toSorted((a, b) => b.score - a.score)) {
    if (each.score < 2 || chars + each.text.length > SAID_CHARS) continue;
    taken.push(each);
    chars += each.text.length;
  }
  return taken.sort((a, b) => a.i - b.i).map(({ text }) => text).join(" … ") || "(not found)";
}

/** What marks a turn in a piece. */
const TURN_TAG = /<\/?turn\b[^>]*>/g;
const SENTENCE_END = /(?<=[.!?;])\s+|\n+|(?<=[。！？；])/u;

function noteOf({ name, body }: Saying): string {
  const text = beginningOf(neutralise(body), BODY_CHARS).trim();
  const lines = text.split("\n").filter((line) => line.trim() !== "").map((line) => `    ${line}`);
  return [withoutPrivate(neutraliseLine(name)), ...lines].join("\n");
}

/** `A`, `B`, … `Z`, `AA`, … */
function letter(i: number): string {
  return i < 26 ? String.fromCharCode(65 + i) : letter(Math.floor(i / 26) - 1) + letter(i % 26);
}

/** Memories that name a thing which the title of another names, and few others do. */
function mentionsOf(old: Comparable, known: readonly Comparable[]): Comparable[] {
  // What a person wrote is the person's to correct.
  const others = known.filter(({ memory, folder }) =>
    memory !== old.memory && memory.source !== undefined && mayChange(folder.scope)
  );
  const found = new Map<Comparable, number>();
  for (const name of namesIn(old.memory.name, others)) {
    const naming = others.filter(({ memory }) => hasWord(memory, name));
    if (naming.length > COMMON) continue;
    for (const each of naming) found.set(each, (found.get(each) ?? 0) + 1);
  }
  return [...found].toSorted(([, a], [, b]) => b - a).slice(0, MOST_MENTIONS).map(([each]) => each);
}

/** What a title names: values, such as `_i`, and words with a capital letter that nobody has written small. */
function namesIn(title: string, others: readonly Comparable[]): Set<string> {
  const words = title.match(/(?<![\p{L}\p{N}_])\p{Lu}[\p{L}\p{N}]{2,}(?![\p{L}\p{N}_])/gu) ?? [];
  const isName = (word: string) =>
    !others.some(({ memory }) => hasWord(memory, word.toLowerCase()));
  return new Set([...valuesIn(title), ...words.filter(isName)]);
}

function hasWord({ name, body }: Saying, word: string): boolean {
  const literal = RegExp.escape(word);
  return new RegExp(`(?<![\\p{L}\\p{N}_])${literal}(?![\\p{L}\\p{N}_])`, "u")
    .test(`${name}\n${body}`);
}
