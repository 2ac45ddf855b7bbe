// Whose words a text has, by the whole conversation: what its transcript shows that the user typed, and that tools showed.
// A text is the user's where its telling words were typed. What cannot be proven to be the user's is not taken for it:
// text that was read can be cut, reworded or translated until no comparison finds where it was read.

import { existsSync, statSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { Reading } from "../memory/provenance.ts";
import { valuesIn } from "../memory/same.ts";
import { contentTerms } from "../text/content_terms.ts";
import { entriesOf } from "../transcript/entries.ts";
import { isMemoTool } from "../transcript/memo_tools.ts";
import { isUsersWord, resultText } from "../transcript/tool_line.ts";
import type { Step, Turn } from "../transcript/turn.ts";
import { typedIn } from "./typed.ts";

/** The parts of a turn that somebody has said, or that were read. */
export type Spoken = Pick<Turn, "prompt" | "steps">;

/** A part of what a tool showed. */
interface Excerpt {
  readonly reading: Reading;
  readonly terms: ReadonlySet<string>;
}

/** The user's word has at least this share of its telling words typed by the user … */
const TYPED = 0.3, TYPED_BESIDE_READING = 0.5;
/** … unless one excerpt has so many of them, untyped ones or this share more than was typed. */
const FOREIGN = 0.6, MORE = 0.25;
/** With this share of what the whole needs, one sentence that was typed is enough. */
const SOME = 2 / 3;
/** A sentence with fewer telling words is no proof; and one typed word makes nobody's choice of a command. */
const FEW = 3, SOME_TYPED = 2;
const IN_BRACKETS = /\([^()]*\)/g, SENTENCE_END = /[.!?。！？;](?=\s|$)/;
/** The end of a transcript that is read, the length of an excerpt, and how many are kept: the last ones. */
const TAIL_BYTES = 16 * 1024 * 1024, EXCERPT_CHARS = 2000, MOST_EXCERPTS = 500;
/** Excerpts to take in before others have their turn. */
const BATCH = 50;
/** Tools whose result comes from outside the machine. */
const OUTSIDE_TOOL = /^(?:WebFetch|WebSearch|mcp__)/;
const OUTSIDE_COMMAND =
  /\b(?:curl|wget|xh|httpie|lynx|w3m|gh (?:api|issue|pr|release))\b|https?:\/\//;

/** What a text is about. */
interface About {
  /** The turn that it is from. */
  readonly turn?: Spoken | undefined;
  /** The user's note that it is to replace. */
  readonly replaced?: string | undefined;
}

const NO_TERMS: ReadonlySet<string> = new Set();

/** What a conversation shows of who has said what. */
export class Evidence {
  /** What the user typed, in one text. */
  readonly typed: string;
  readonly #typed: ReadonlySet<string>;
  /** Words of commands that the model ran and the user did not type: "take that one" means them. */
  readonly #run: ReadonlySet<string>;
  readonly #excerpts: readonly Excerpt[];
  /** There is no conversation to look at: another client keeps none, or it has only begun. What is asked for counts. */
  readonly #isBlind: boolean;

  constructor(
    { typed, run, excerpts }: Conversation,
    { isBlind }: { readonly isBlind: boolean },
  ) {
    this.#isBlind = isBlind;
    this.typed = typed.join("\n");
    this.#typed = contentTerms(this.typed);
    this.#run = contentTerms(run.join("\n")).difference(this.#typed);
    this.#excerpts = excerpts.slice(-MOST_EXCERPTS);
  }

  /**
   * Whether a text is the user's word: by its telling words, by those of its first sentence, which the model may explain,
   * or by those that are new in it where it replaces a note of the user's. In a turn that has read from outside, more of
   * them must be typed.
   */
  hasSaid(text: string, { turn, replaced }: About = {}): boolean {
    if (this.#isBlind) return true;
    const least = turn !== undefined && hasReadOutside(turn) ? TYPED_BESIDE_READING : TYPED;
    const words = this.#withoutCommands(tellingIn(text)), typed = shareIn(words, this.#typed);
    const [heart = NO_TERMS, ...others] = text.replace(IN_BRACKETS, " ").split(SENTENCE_END)
      .map(tellingIn).filter(({ size }) => size >= FEW).map((each) => this.#withoutCommands(each));
    const fresh = replaced === undefined ? NO_TERMS : words.difference(contentTerms(replaced));
    return typed >= least || shareIn(heart, this.#typed) >= least ||
      shareIn(fresh, this.#typed) >= least ||
      (typed >= SOME * least &&
        others.some((sentence) => shareIn(sentence, this.#typed) >= TYPED_BESIDE_READING));
  }

  /** Words without those of commands that the model ran, where some of the others were typed. */
  #withoutCommands(words: ReadonlySet<string>): ReadonlySet<string> {
    const left = words.difference(this.#run);
    return left.intersection(this.#typed).size >= SOME_TYPED ? left : words;
  }

  /** Where a text's content was read and not typed: most of its words, much more than the user typed, or a fact's value. */
  readingOf(
    text: string,
    { isFact = false, replaced = "" }: About & { isFact?: boolean } = {},
  ): Reading | undefined {
    const words = tellingIn(text), fresh = words.difference(contentTerms(replaced));
    const typed = shareIn(words, this.#typed), unsaid = fresh.difference(this.#typed);
    const values = isFact ? contentTerms([...valuesIn(text)].join(" ")) : new Set<string>();
    const news = values.difference(this.#typed);
    return this.#excerpts.findLast(({ terms }) => {
      const share = shareIn(words, terms);
      return (fresh.size > 0 && unsaid.intersection(terms).size / fresh.size >= FOREIGN) ||
        (share >= FOREIGN && (share - typed >= MORE || !news.isDisjointFrom(terms)));
    })?.reading;
  }

  /** Whether nothing shows that a text is from something that was read. */
  isUnread(text: string, turn: Spoken): boolean {
    return this.readingOf(text) === undefined &&
      (this.hasSaid(text, { turn }) || !hasReadOutside(turn));
  }
}

/** Whether a turn has read something from outside the machine, which the model may put into any words. */
export function hasReadOutside({ steps }: Spoken): boolean {
  return steps.some((step) => readingIn(step) === "read-web");
}

/** What a conversation shows: some turns, and all of the transcript that they are from, if it is there. */
export async function evidenceOf(
  turns: readonly Spoken[],
  transcript?: string,
): Promise<Evidence> {
  const typed = turns.flatMap(({ prompt, steps }) => [typedIn(prompt), ...steps.map(answerIn)]);
  const excerpts = turns.flatMap(({ steps }) => steps).flatMap((step) => {
    const reading = readingIn(step);
    return reading === undefined || step.kind !== "tool" ? [] : excerptsOf(step.result, reading);
  });
  const run = turns.flatMap(({ steps }) => steps).flatMap((step) =>
    step.kind === "tool" && step.name === SHELL ? [step.input] : []
  );
  const isThere = transcript !== undefined && existsSync(transcript);
  if (isThere) await readAll(transcript, { typed, run, excerpts });
  return new Evidence({ typed, run, excerpts }, { isBlind: !isThere && turns.length === 0 });
}

/** The parts of a conversation that are proof of something. */
interface Conversation {
  /** What the user typed. */
  readonly typed: string[];
  /** The commands that the model ran. */
  readonly run: string[];
  /** What tools showed. */
  readonly excerpts: Excerpt[];
}

const SHELL = "Bash";

async function readAll(
  transcript: string,
  { typed, run, excerpts }: Conversation,
): Promise<void> {
  const calls = new Map<string, { readonly name: string; readonly input: string }>();
  const take = async (text: string, reading: Reading) => {
    const count = excerpts.length;
    excerpts.push(...excerptsOf(text, reading));
    if (excerpts.length > 2 * MOST_EXCERPTS) excerpts.splice(0, MOST_EXCERPTS);
    if (excerpts.length % BATCH < count % BATCH) await setImmediate();
  };
  const from = Math.max(0, statSync(transcript).size - TAIL_BYTES);
  for await (const entry of entriesOf(transcript, from)) {
    if (entry.kind === "prompt") typed.push(typedIn(entry.text));
    const report = entry.kind === "report" || entry.kind === "prompt" ? entry.report : undefined;
    if (report !== undefined) await take(report.text, "read-tool");
    if (entry.kind === "reply") {
      for (const block of entry.blocks) {
        if (block.kind === "call") {
          const { id, name, input } = block;
          calls.set(id, { name, input: JSON.stringify(input) });
          if (name === SHELL) run.push(String(input["command"] ?? ""));
        }
      }
    }
    if (entry.kind !== "results") continue;
    for (const { call, content, failed } of entry.results) {
      const step = { kind: "tool", ...calls.get(call) ?? NO_CALL, result: "", failed } as const;
      const result = resultText(content).slice(0, MOST_EXCERPTS * EXCERPT_CHARS);
      typed.push(answerIn({ ...step, result }));
      const reading = readingIn({ ...step, result });
      if (reading !== undefined) await take(result, reading);
    }
  }
}

const NO_CALL = { name: "", input: "" };

/** What the user has answered, or said in refusing a call. */
function answerIn(step: Step): string {
  if (step.kind !== "tool" || !isUsersWord(step)) return "";
  const answers = [...step.result.matchAll(ANSWER)].map(([, answer]) => answer);
  return answers.length > 0 ? answers.join("\n") : step.name === ASKING ? "" : step.result;
}

/** A question of the model's with the user's answer, in the result of a call that asks. */
const ANSWER = /"="((?:[^"\\]|\\.)*)"/g;
const ASKING = "AskUserQuestion";

/** Where a call's result comes from; undefined if from the user, from memo or from nowhere. */
function readingIn(step: Step): Reading | undefined {
  if (step.kind !== "tool" || isUsersWord(step) || isMemoTool(step.name)) return undefined;
  const isOutside = OUTSIDE_TOOL.test(step.name) ||
    (step.name === SHELL && OUTSIDE_COMMAND.test(step.input));
  return isOutside ? "read-web" : "read-tool";
}

function excerptsOf(text: string, reading: Reading): Excerpt[] {
  const count = Math.ceil(text.length / EXCERPT_CHARS);
  return Array.from({ length: count }, (_, i) => ({
    reading,
    terms: contentTerms(text.slice(i * EXCERPT_CHARS, (i + 1) * EXCERPT_CHARS)),
  }));
}

/** The words of a text that tell it from others; a date is the model's, who was told to make a day of "tomorrow". */
function tellingIn(text: string): Set<string> {
  return contentTerms(text.replace(DATE, " "));
}

const DATE = /\b\d{4}-\d\d-\d\d\b/g;

function shareIn(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  return words.size === 0 ? 0 : words.intersection(others).size / words.size;
}
