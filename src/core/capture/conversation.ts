// What a conversation shows that tells whose a text is: what the user typed, what the model ran, and what tools showed.

import { setImmediate } from "node:timers/promises";
import { isChat } from "../memory/memory.ts";
import type { ReadMark } from "../memory/provenance.ts";
import { contentTerms } from "../text/language/stopwords.ts";
import { entriesOf, type Entry } from "../transcript/entries.ts";
import { isMemoTool, isUsersWord, resultText } from "../transcript/tool_line.ts";
import { lastPart, transcriptStats } from "../transcript/lines.ts";
import type { Step, Turn } from "../transcript/turns.ts";
import { splitPaste } from "../text/paste.ts";
import { isProse } from "../text/prose.ts";

/** The parts of a turn that somebody has said, or that were read. */
export type Spoken = Pick<Turn, "prompt" | "steps">;

/** A part of what a tool showed. */
export type Excerpt = { readonly reading: ReadMark; readonly terms: ReadonlySet<string> };

/** The end of a transcript that is read, the length of an excerpt, and how many are kept: the last ones. */
const TAIL_BYTES = 16 * 1024 * 1024, EXCERPT_CHARS = 2000, MOST_EXCERPTS = 500;
/** Excerpts to take in before others have their turn. */
const BATCH = 50;
/** Tools whose result comes from outside the machine. */
const OUTSIDE_TOOL = /^(?:WebFetch|WebSearch|mcp__)/;
const OUTSIDE_COMMAND =
  /\b(?:curl|wget|xh|httpie|lynx|w3m|gh (?:api|issue|pr|release))\b|https?:\/\//;
const SHELL = "Bash";

/** What is proof of something in turns, and in a transcript, each line of which is read once, however often it is asked. */
export class ConversationProof {
  readonly typed: string[] = [];
  readonly run: string[] = [];
  /** What tools showed, the last of it. */
  readonly excerpts: Excerpt[] = [];
  readonly #transcript: string | undefined;
  readonly #calls = new Map<string, { readonly name: string; readonly input: string }>();
  #end: number | undefined;

  constructor(transcript?: string) {
    this.#transcript = transcript;
  }

  /** Takes in a turn, whose results are cut. */
  async add({ prompt, steps }: Spoken): Promise<void> {
    this.typed.push(typedIn(prompt));
    for (const step of steps) if (step.kind === "tool") await this.#take(step);
  }

  /** Takes in what the transcript has by now; returns whether it is there. */
  async read(): Promise<boolean> {
    const path = this.#transcript;
    // A chat is no file: it is there as far as its turns were taken in.
    if (path === undefined || isChat(path)) return this.typed.length > 0;
    if (transcriptStats(path) === undefined) return false;
    const from = this.#end ?? lastPart(path, TAIL_BYTES);
    for await (const entry of entriesOf(path, from)) {
      // What cannot be read is no evidence; the turn that it is in is told without it.
      await this.#enter(entry).catch(() => {});
      this.#end = entry.end;
    }
    return true;
  }

  async #enter(entry: Entry): Promise<void> {
    if (entry.kind === "prompt") this.typed.push(typedIn(entry.text));
    const report = entry.kind === "report" || entry.kind === "prompt" ? entry.report : undefined;
    if (report !== undefined) await this.#note(report.text, "read-tool");
    for (const block of entry.kind === "reply" ? entry.blocks : []) {
      if (block.kind !== "call") continue;
      const { id, name, input } = block;
      const told = name === SHELL ? String(input["command"] ?? "") : JSON.stringify(input);
      this.#calls.set(id, { name, input: told });
    }
    for (const { call, content, failed } of entry.kind === "results" ? entry.results : []) {
      const { name = "", input = "" } = this.#calls.get(call) ?? {};
      const result = resultText(content).slice(0, MOST_EXCERPTS * EXCERPT_CHARS);
      await this.#take({ kind: "tool", name, input, result, failed });
    }
  }

  async #take(call: ToolStep): Promise<void> {
    if (call.name === SHELL) this.run.push(call.input);
    this.typed.push(answerIn(call));
    const reading = readingIn(call);
    if (reading !== undefined) await this.#note(call.result, reading);
  }

  async #note(text: string, reading: ReadMark): Promise<void> {
    const { excerpts } = this, count = excerpts.length;
    for (let at = 0; at < text.length; at += EXCERPT_CHARS) {
      excerpts.push({ reading, terms: contentTerms(text.slice(at, at + EXCERPT_CHARS)) });
    }
    if (excerpts.length > 2 * MOST_EXCERPTS) excerpts.splice(0, MOST_EXCERPTS);
    if (excerpts.length % BATCH < count % BATCH) await setImmediate();
  }
}

/** Whether a turn has read something from outside the machine, which the model may put into any words. */
export function hasReadOutside({ steps }: Spoken): boolean {
  return steps.some((step) => step.kind === "tool" && readingIn(step) === "read-web");
}

type ToolStep = Extract<Step, { kind: "tool" }>;

/** What the user has answered, or said in refusing a call. */
function answerIn(step: ToolStep): string {
  if (!isUsersWord(step)) return "";
  const answers = [...step.result.matchAll(ANSWER)].map(([, answer]) => answer);
  return answers.length > 0 ? answers.join("\n") : step.name === ASKING ? "" : step.result;
}

/** A question of the model's with the user's answer, in the result of a call that asks. */
const ANSWER = /"="((?:[^"\\]|\\.)*)"/g;
const ASKING = "AskUserQuestion";

/** Where a call's result comes from; undefined if from the user, from memo or from nowhere. */
function readingIn(step: ToolStep): ReadMark | undefined {
  if (isUsersWord(step) || isMemoTool(step.name)) return undefined;
  const isOutside = OUTSIDE_TOOL.test(step.name) ||
    (step.name === SHELL && OUTSIDE_COMMAND.test(step.input));
  return isOutside ? "read-web" : "read-tool";
}

/** From the first fence to the last, since what is pasted may have fences of its own; without an end, to the end. */
const FENCED =
  /^[ \t]*(?:`{3,}|~{3,})[^]*(?:^[ \t]*(?:`{3,}|~{3,})[^\n]*$)|^[ \t]*(?:`{3,}|~{3,})[^]*/m;
/** A line that is quoted, and a quotation of some length. */
const QUOTED = /^[ \t]*>.*$|["“«„][^"“”«»„]{80,}["”»“]/gm;
/** A longer prompt may hold a pasted log or file. */
const LONG = 2000;

/** What a person has typed in a prompt, without blocks that they have pasted or quoted from elsewhere. */
export function typedIn(prompt: string): string {
  const own = splitPaste(prompt).typed.replace(FENCED, "\n").replace(QUOTED, "\n");
  if (own.length <= LONG) return own;
  return own.split("\n").filter(isProse).join("\n");
}
