// A second look before a memory is archived as wrong. A model that reads a whole conversation takes a rule for void because
// another resembles it ("start variable names with `n_`" for "include `chx` in variable names"), and overlooks notes that
// the same change has made wrong. Of a large store it has seen only a part: what is alike in the rest is asked about, too.
// Here it sees nothing but the notes concerned, and what was said.

import prompt from "./confirm_prompt.md" with { type: "text" };
import { fieldsOf } from "../link/parse.ts";
import { list, object, oneOf, TEXT, UnusableAnswer, WHOLE } from "../llm/mod.ts";
import { mayChange } from "../memory/memory.ts";
import { contradicting, contradictsByWords, CUTOFFS, rivalryIn } from "../relation/relate.ts";
import { contentTerms, valuesIn } from "../text/language/stopwords.ts";
import { ownPatterns } from "../redact/mod.ts";
import { beginningOf } from "../redact/redact.ts";
import { redactTexts } from "../redact/texts.ts";
import { analyze } from "../text/analyze.ts";
import { neutralise, neutraliseLine } from "../text/neutralise.ts";
import { withoutPrivate } from "../text/paste.ts";
import { type AskContext, askModel } from "./ask.ts";
import { type Candidate, candidateOf } from "./candidate.ts";
import { findDuplicate, nearest } from "./dedupe.ts";
import type { Comparable } from "./drafts.ts";
import { fileOf, isFile } from "./known.ts";
import { type ConversationPiece, indented } from "./pieces.ts";
import type { Similar } from "./remember.ts";

/** A candidate, and what else goes wrong by it. */
export interface Confirmed {
  readonly candidate: Candidate;
  /** Memories that nothing is left of, besides `contradicts`. */
  readonly invalidated: readonly Comparable[];
  /** Memories that are right again in these words. */
  readonly corrections: readonly { readonly of: Comparable; readonly candidate: Candidate }[];
}

interface Beside {
  /** Those that the model was shown, by the names used there. */
  readonly offered: ReadonlyMap<string, Comparable>;
  readonly known: readonly Comparable[];
  /** The memories near a candidate, with how it stands to each. */
  readonly similar: (candidate: Candidate) => readonly Similar[];
}

interface Pair {
  /** Its number in the question. */
  readonly key: string;
  readonly candidate: Candidate;
  readonly old: Comparable;
  /** Whether the candidate names the old one as wrong; else they are only alike. */
  readonly isNamed: boolean;
  /** Other memories that name what the old one names, each with its letter in the question. */
  readonly mentions: readonly { readonly key: string; readonly of: Comparable }[];
}

type CandidateText = Pick<Candidate, "name" | "body">;

/** What becomes of a note: these words, nothing (it is gone), or that it stays. */
type Now = CandidateText | null | "stays";

/** Maximum characters of a note's text, and of what was said. */
const BODY_CHARS = 1200, SAID_CHARS = 800, MAX_TOKENS = 2000;
/** Maximum further notes for a pair; a name in more than `COMMON` of them is the project's or a person's, not a thing's. */
const MOST_MENTIONS = 4, COMMON = 6;

/**
 * Asks about each memory that a candidate contradicts, or is like without having been offered, whether it must go, and
 * which others are wrong now. Both stand where no valid answer says otherwise, or no call is left for one, and one
 * that was named as wrong makes a pair with the candidate then. Rejects with the provider's error if no model answers.
 */
export async function confirm(
  candidates: readonly Candidate[],
  { piece, ...beside }: Beside & { readonly piece: ConversationPiece },
  context: AskContext,
): Promise<Confirmed[]> {
  const pairs = pairsOf(candidates, beside);
  if (pairs.length === 0) {
    return candidates.map((candidate) => ({ candidate, invalidated: [], corrections: [] }));
  }
  // The model can put a split secret back together.
  const { value: answers } = await redactTexts(
    await ask(pairs, piece.text, context),
    ownPatterns(context.config["redact.patterns"]),
  );
  const answer = new Map(answers.toReversed().map(({ of, now }) => [of, now]));
  return candidates.map((candidate) => {
    const said = [textOf(candidate), ...saidOf(candidate, piece.text)].join("\n");
    const own = pairs.filter((pair) => pair.candidate === candidate);
    const named = own.find(({ isNamed }) => isNamed);
    const decided = own.flatMap(({ key, old, mentions }) => {
      const about = `${said}\n${textOf(old.memory)}`;
      const decision = decisionOn(old, answer.get(key), said);
      return decision.length === 0 ? [] : [
        ...decision,
        ...mentions.flatMap(({ key, of }) => decisionOn(of, answer.get(key), about)),
      ];
    });
    const verdict = decided.find(({ of }) => of === named?.old);
    return {
      candidate: named === undefined || verdict?.now === null ? candidate : besideOld(
        candidate,
        named.old,
        verdict !== undefined || answer.get(named.key) === "stays",
      ),
      invalidated: decided.flatMap(({ of, now }) => now === null && of !== named?.old ? [of] : []),
      corrections: decided.flatMap(({ of, now }) =>
        now === null ? [] : [{ of, candidate: correctionOf(of, now, candidate.turn) }]
      ),
    };
  });
}

/** Each candidate with the memory that it names as wrong, and with another that it may contradict. */
function pairsOf(candidates: readonly Candidate[], { offered, known, similar }: Beside): Pair[] {
  const shown = new Set(offered.values());
  const mine = known.filter(({ folder }) => mayChange(folder.scope));
  const unseen = mine.filter((each) => !shown.has(each));
  const namedIn = (candidate: Candidate) =>
    [candidate.contradicts, candidate.replaces].map((name) => offered.get(name ?? ""));
  // What a candidate replaces is written anew already.
  const listed = new Set(candidates.flatMap(namedIn));
  let letters = 0;
  // What a tool's result says takes no memory's place.
  const pairs = candidates.filter(({ fromTool }) => !fromTool).flatMap((candidate) => {
    const [named, replaced] = namedIn(candidate);
    // What it contradicts by its words, though the model that wrote it has not named it; else as the judge says.
    const sure = new Set(
      similar(candidate).filter(({ relation }) => relation && rivalryIn(relation) === "overtaken")
        .map(({ path }) => path),
    );
    const others = mine.filter((each) => each !== named && each !== replaced);
    const rival = others.find(({ memory }) => contradictsByWords(memory, candidate)) ??
      others.find((each) => isFile(each) && sure.has(each.memory.path));
    const alike = rival ?? nearest(candidate, unseen);
    const other = alike && findDuplicate(candidate, [alike]) === undefined ? alike : undefined;
    return [{ candidate, old: named, isNamed: true }, { candidate, old: other, isNamed: false }];
  });
  return pairs.filter(({ old }) => old !== undefined).map((pair, i): Pair => {
    const old = pair.old!;
    const of = pair.isNamed ? mentionsOf(old, known).filter((each) => !listed.has(each)) : [];
    for (const each of of) listed.add(each);
    const mentions = of.map((of) => ({ key: letter(letters++), of }));
    return { ...pair, key: String(i + 1), old, mentions };
  });
}

/** The candidate, which leaves the memory that it names; what nobody has settled is kept as a pair. */
function besideOld(candidate: Candidate, { memory }: Comparable, isSettled: boolean): Candidate {
  const { contradicts, replaces, tags = [] } = candidate;
  return {
    ...candidate,
    contradicts: undefined,
    replaces: replaces === contradicts ? undefined : replaces,
    ...!isSettled && "path" in memory && { tags: [...tags, contradicting(memory.path)] },
  };
}

/** What becomes of a note by an answer; one in other words must have kept what was not taken back. */
function decisionOn(of: Comparable, now: Now | undefined, said: string) {
  if (now === undefined || now === "stays") return [];
  const isValid = now === null ||
    (of.memory.body.length <= BODY_CHARS && isCorrection(of.memory, now, said));
  return isValid ? [{ of, now }] : [];
}

function correctionOf(of: Comparable, now: CandidateText, turn: number | undefined): Candidate {
  const { description, type, triggers, tags, confidence } = of.memory;
  return {
    ...{ turn, ...now, description, type, triggers, tags, confidence },
    ...{ scope: undefined, replaces: fileOf(of), contradicts: undefined, fromTool: false },
  };
}

/** What becomes of notes, by the number of their pair or their letter. */
type NoteDecisions = readonly { readonly of: string; readonly now: Now }[];

async function ask(
  pairs: readonly Pair[],
  conversation: string,
  context: AskContext,
): Promise<NoteDecisions> {
  try {
    return await askModel({
      ...{ purpose: "confirm", system: prompt, prompt: questionOf(pairs, conversation) },
      ...{ schema: SCHEMA, maxTokens: MAX_TOKENS, read: readAnswer },
    }, { ...context, tries: 1 });
  } catch (error) {
    if (error instanceof UnusableAnswer) return [];
    throw error;
  }
}

/** Decisions, each with the note's new words if it is corrected. */
const decisions = (fields: Parameters<typeof object>[0]) =>
  list(object({ ...fields, name: TEXT, body: TEXT }, "name", "body"));

const SCHEMA = object({
  pairs: decisions({ pair: WHOLE, older: oneOf(["gone", "corrected", "stays"]) }),
  further: decisions({ note: TEXT, now: oneOf(["gone", "corrected"]) }),
});

function readAnswer(json: unknown): NoteDecisions | undefined {
  const { pairs, further } = fieldsOf(json);
  if (!Array.isArray(pairs) || !Array.isArray(further)) return undefined;
  return [...pairs, ...further].map(fieldsOf).flatMap((each): NoteDecisions => {
    const { pair, older, note, now, name, body } = each;
    const of = String(pair ?? note), decision = older ?? now;
    if (decision === "gone") return [{ of, now: null }];
    if (decision === "stays") return [{ of, now: decision }];
    const isNamed = typeof name === "string" && name.trim() !== "";
    const [said] = decision === "corrected" && isNamed ? candidateOf({ name, body }) : [];
    return said === undefined ? [] : [{ of, now: { name: said.name, body: said.body } }];
  });
}

function questionOf(pairs: readonly Pair[], conversation: string): string {
  const asked = pairs.map(({ key, candidate, old, isNamed }) =>
    [
      `Pair ${key}${isNamed ? "" : " (alike in their words; nobody has compared them yet)"}`,
      `Older: ${noteOf(old.memory)}`,
      `Newer: ${noteOf({ ...candidate, body: ruleOf(candidate.body) })}`,
      ["Said:", ...saidOf(candidate, conversation)].join("\n    "),
    ].join("\n")
  );
  const further = pairs.flatMap(({ mentions }) => mentions)
    .map(({ key, of }) => `${key}: ${noteOf(of.memory)}`);
  return [...asked, `Further notes:\n${further.length === 0 ? "(none)" : further.join("\n")}`]
    .join("\n\n").toWellFormed();
}

/** A note's first paragraph: what follows is the model's own wording of reasons. */
function ruleOf(body: string): string {
  return body.trim().split(/\n\s*\n/, 1)[0]!;
}

/** The sentences of a conversation that a candidate may come from, each with its speaker, in their order. */
function saidOf(candidate: CandidateText, conversation: string): string[] {
  const wanted = new Set(analyze(textOf(candidate)));
  const sentences = conversation.replace(TURN_TAG, "\n").split(MESSAGE).flatMap((message) => {
    const [label = "", speaker = "Somebody"] = LABEL.exec(message) ?? [];
    return message.slice(label.length).split(SENTENCE_END).map((text) => ({ speaker, text }));
  });
  const scored = sentences.map(({ speaker, text }) => ({
    text: `${speaker}: ${neutraliseLine(text).trim()}`,
    score: new Set(analyze(text).filter((term) => wanted.has(term))).size,
  }));
  let left = SAID_CHARS;
  const taken = new Set(
    scored.toSorted((a, b) => b.score - a.score).filter(({ score, text }) => {
      const fits = score >= 2 && text.length <= left;
      if (fits) left -= text.length;
      return fits;
    }),
  );
  return taken.size === 0
    ? ["(not found)"]
    : scored.filter((each) => taken.has(each)).map(({ text }) => text);
}

const TURN_TAG = /<\/?turn\b[^>]*>/g;
const LABEL = /^(User(?=:)|Assistant(?=:)|Tool)\b[^:\n]{0,100}: /;
const MESSAGE = new RegExp(`(?=${LABEL.source})`, "m");
/** A line that goes on in small letters was only wrapped. */
const SENTENCE_END = /(?<=[.!?])\s+|\n\s*\n|\n(?!\s*\p{Ll})|(?<=[。！？])/u;

function textOf({ name, body }: CandidateText): string {
  return `${name}\n${ruleOf(body)}`;
}

function noteOf({ name, body }: CandidateText): string {
  const lines = indented(beginningOf(neutralise(body), BODY_CHARS));
  return [withoutPrivate(neutraliseLine(name)), ...lines].join("\n");
}

/** `A`, `B`, … `Z`, `AA`, … */
function letter(i: number): string {
  const before = i < 26 ? "" : letter(Math.floor(i / 26) - 1);
  return before + String.fromCharCode(65 + i % 26);
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

function hasWord({ name, body }: CandidateText, word: string): boolean {
  const literal = RegExp.escape(word);
  return new RegExp(`(?<![\\p{L}\\p{N}_])${literal}(?![\\p{L}\\p{N}_])`, "u")
    .test(`${name}\n${body}`);
}

const CLAUSE_END = /[.;!?](?=\s|$)(?<!\be\.g\.)|[。；]|\n|\s(?:and|but|und|aber|y|pero)\s/u;

/**
 * Whether `now` keeps each clause of a note that what was said is not about, and has no value that nobody has named: a
 * model that writes a note anew drops a port or a rule on the way. A clause that shares a word with what was said may be
 * in other words; to lose a value, it alone must have the word.
 */
function isCorrection(old: CandidateText, now: CandidateText, said: string): boolean {
  const present = contentTerms(wholeOf(now)), about = contentTerms(said);
  const values = figuresIn(wholeOf(now));
  const clauses = old.body.split(CLAUSE_END);
  const terms = clauses.map(contentTerms);
  const count = (word: string) => terms.filter((each) => each.has(word)).length;
  return values.isSubsetOf(figuresIn(`${wholeOf(old)}\n${said}`)) &&
    [old.name, ...clauses].every((text) => {
      const words = contentTerms(text), shared = [...words.intersection(about)];
      if (shared.length === 0 && words.intersection(present).size < CUTOFFS.kept * words.size) {
        return false;
      }
      return shared.some((word) => count(word) <= 1) || figuresIn(text).isSubsetOf(values);
    });
}

/** The values in a text; a word before a colon is none. */
function figuresIn(text: string): Set<string> {
  return new Set([...valuesIn(text)].filter((value) => !/^\p{L}+$/u.test(value)));
}

function wholeOf({ name, body }: CandidateText): string {
  return `${name}\n${body}`;
}
