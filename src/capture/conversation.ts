// What a conversation shows that tells whose a text is: what the user typed, what the model ran, and what tools showed.

import { existsSync, statSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { Reading } from "../memory/provenance.ts";
import { contentTerms } from "../text/content_terms.ts";
import { entriesOf } from "../transcript/entries.ts";
import type { Entry } from "../transcript/entry.ts";
import { isMemoTool } from "../transcript/memo_tools.ts";
import { isUsersWord, resultText } from "../transcript/tool_line.ts";
import type { Step, Turn } from "../transcript/turn.ts";
import { typedIn } from "./typed.ts";

/** The parts of a turn that somebody has said, or that were read. */
export type Spoken = Pick<Turn, "prompt" | "steps">;

/** A part of what a tool showed. */
export interface Excerpt {
  readonly reading: Reading;
  readonly terms: ReadonlySet<string>;
}

/** The parts of a conversation that are proof of something. */
export interface Shown {
  /** What the user typed. */
  readonly typed: readonly string[];
  /** The commands that the model ran. */
  readonly run: readonly string[];
  /** What tools showed, the last of it. */
  readonly excerpts: readonly Excerpt[];
}

/** The end of a transcript that is read, the length of an excerpt, and how many are kept: the last ones. */
const TAIL_BYTES = 16 * 1024 * 1024, EXCERPT_CHARS = 2000, MOST_EXCERPTS = 500;
/** Excerpts to take in before others have their turn. */
const BATCH = 50;
/** Tools whose result comes from outside the machine. */
const OUTSIDE_TOOL = /^(?:WebFetch|WebSearch|mcp__)/;
const OUTSIDE_COMMAND =
  /\b(?:curl|wget|xh|httpie|lynx|w3m|gh (?:api|issue|pr|release))\b|https?:\/\//;
const SHELL = "Bash";

/** A transcript, each line of which is read once, however often somebody asks what it shows. */
export class Conversation {
  readonly #transcript: string;
  #end: number | undefined;
  readonly #calls = new Map<string, { readonly name: string; readonly input: string }>();
  readonly #typed: string[] = [];
  readonly #run: string[] = [];
  readonly #excerpts: Excerpt[] = [];

  constructor(transcript: string) {
    this.#transcript = transcript;
  }

  /** What all of it shows by now, as far as it is kept; undefined if it is not there. */
  async read(): Promise<Shown | undefined> {
    if (!existsSync(this.#transcript)) return undefined;
    const from = this.#end ?? Math.max(0, statSync(this.#transcript).size - TAIL_BYTES);
    for await (const entry of entriesOf(this.#transcript, from)) {
      await this.#take(entry);
      this.#end = entry.end;
    }
    return { typed: this.#typed, run: this.#run, excerpts: this.#excerpts };
  }

  async #take(entry: Entry): Promise<void> {
    if (entry.kind === "prompt") this.#typed.push(typedIn(entry.text));
    const report = entry.kind === "report" || entry.kind === "prompt" ? entry.report : undefined;
    if (report !== undefined) await this.#note(report.text, "read-tool");
    for (const block of entry.kind === "reply" ? entry.blocks : []) {
      if (block.kind !== "call") continue;
      const { id, name, input } = block;
      this.#calls.set(id, { name, input: JSON.stringify(input) });
      if (name === SHELL) this.#run.push(String(input["command"] ?? ""));
    }
    for (const { call, content, failed } of entry.kind === "results" ? entry.results : []) {
      const { name = "", input = "" } = this.#calls.get(call) ?? {};
      const result = resultText(content).slice(0, MOST_EXCERPTS * EXCERPT_CHARS);
      const step = { kind: "tool", name, input, result, failed } as const;
      this.#typed.push(answerIn(step));
      const reading = readingIn(step);
      if (reading !== undefined) await this.#note(result, reading);
    }
  }

  async #note(text: string, reading: Reading): Promise<void> {
    const count = this.#excerpts.length;
    this.#excerpts.push(...excerptsOf(text, reading));
    if (this.#excerpts.length > 2 * MOST_EXCERPTS) this.#excerpts.splice(0, MOST_EXCERPTS);
    if (this.#excerpts.length % BATCH < count % BATCH) await setImmediate();
  }
}

/** What a turn shows, whose results are cut. */
export function shownIn({ prompt, steps }: Spoken): Shown {
  const calls = steps.filter((step) => step.kind === "tool");
  return {
    typed: [typedIn(prompt), ...calls.map(answerIn)],
    run: calls.filter(({ name }) => name === SHELL).map(({ input }) => input),
    excerpts: calls.flatMap((step) => {
      const reading = readingIn(step);
      return reading === undefined ? [] : excerptsOf(step.result, reading);
    }),
  };
}

/** What parts of a conversation show together. */
export function merged(parts: readonly Shown[]): Shown {
  return {
    typed: parts.flatMap(({ typed }) => typed),
    run: parts.flatMap(({ run }) => run),
    excerpts: parts.flatMap(({ excerpts }) => excerpts).slice(-MOST_EXCERPTS),
  };
}

/** Whether a turn has read something from outside the machine, which the model may put into any words. */
export function hasReadOutside({ steps }: Spoken): boolean {
  return steps.some((step) => step.kind === "tool" && readingIn(step) === "read-web");
}

type Call = Extract<Step, { kind: "tool" }>;

/** What the user has answered, or said in refusing a call. */
function answerIn(step: Call): string {
  if (!isUsersWord(step)) return "";
  const answers = [...step.result.matchAll(ANSWER)].map(([, answer]) => answer);
  return answers.length > 0 ? answers.join("\n") : step.name === ASKING ? "" : step.result;
}

/** A question of the model's with the user's answer, in the result of a call that asks. */
const ANSWER = /"="((?:[^"\\]|\\.)*)"/g;
const ASKING = "AskUserQuestion";

/** Where a call's result comes from; undefined if from the user, from memo or from nowhere. */
function readingIn(step: Call): Reading | undefined {
  if (isUsersWord(step) || isMemoTool(step.name)) return undefined;
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
