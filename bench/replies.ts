// What strategies that ask a language model get to hear in the bench: a real model, once it is clear what that costs, or
// replies that were recorded from one before.

import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { Completed } from "../src/llm/provider.ts";
import type { Ask, Question } from "../strategies/strategy.ts";
import { readJsonLines } from "./suite.ts";
import { type Judged, readVerdicts } from "./verdicts.ts";

/** One recorded reply: one line of `bench/recorded/<suite>.jsonl`. */
export interface Reply extends Judged {
  /** Hash of the question: another wording, or another list of memories, is another question. */
  readonly key: string;
}

/** The cost of some calls. */
export interface Toll {
  /** Questions put to a language model, now or when they were recorded. */
  readonly calls: number;
  /** US dollars, as far as the price is known. */
  readonly usd: number;
  /** Milliseconds of recorded waiting, which a replay skips. */
  readonly recordedMs: number;
  /** How many of the questions were answered by a recording. */
  readonly recorded: number;
  /** Tokens that the model read and wrote. */
  readonly tokens: number;
}

/** Answers questions and keeps account. */
export interface Respondent {
  readonly ask: Ask;
  /** Whether the answer to a question is at hand, so that asking it costs nothing. */
  knows(question: Question): boolean;
  /** The cost of the calls since the last `settle`. */
  settle(): Toll;
}

/** Names a question by the text that the model sees. */
export function keyOf({ system, prompt, schema }: Question): string {
  const seen = JSON.stringify([system, prompt, schema]);
  return createHash("sha256").update(seen).digest("hex").slice(0, 32);
}

/** Finds the recorded reply to a question. */
export type Recording = (question: Question) => Reply | undefined;

/** The replies in a file, by the key of their question; empty if the file does not exist. */
export function readReplies(path: string): Map<string, Reply> {
  if (!existsSync(path)) return new Map();
  const replies = readJsonLines<Reply>(path).filter((line) => "answer" in line);
  return new Map(replies.map((reply) => [reply.key, reply]));
}

/** The replies and verdicts in a file. */
export function readRecording(path: string): Recording {
  const replies = readReplies(path), verdicts = readVerdicts(path);
  return (question) => {
    const key = keyOf(question), reply = replies.get(key);
    if (reply !== undefined) return reply;
    const judged = verdicts.answerTo(question);
    return judged && { key, ...judged };
  };
}

/** Answers from a recording alone; a question that was not recorded is a failure of the model. */
export function replaying(recording: Recording): Respondent {
  const account = new Account();
  return {
    knows: (question) => recording(question) !== undefined,
    settle: () => account.settle(),
    ask(question) {
      const reply = recording(question);
      if (reply === undefined) return Promise.reject(new Error("No reply to this was recorded"));
      account.add({
        calls: 1,
        usd: reply.usd ?? 0,
        recordedMs: reply.ms,
        recorded: 1,
        tokens: reply.input + reply.output,
      });
      return Promise.resolve(reply.answer);
    },
  };
}

/** Puts a question to a language model. */
export type Complete = (question: Question, signal: AbortSignal | undefined) => Promise<Completed>;

/**
 * Asks a real model. With a file, each reply is written to it at once, and recorded ones are not asked for again:
 * a run that was interrupted goes on where it stopped.
 */
export function asking(complete: Complete, record?: string): Respondent {
  const account = new Account();
  const replies = record === undefined ? new Map<string, Reply>() : readReplies(record);
  const recorded = replaying((question) => replies.get(keyOf(question)));
  return {
    knows: (question) => recorded.knows(question),
    settle: () => add(account.settle(), recorded.settle()),
    async ask(question, signal) {
      if (recorded.knows(question)) return await recorded.ask(question, signal);
      const start = performance.now();
      const { json, model, inputTokens, outputTokens, costUsd } = await complete(question, signal);
      account.add({
        calls: 1,
        usd: costUsd ?? 0,
        recordedMs: 0,
        recorded: 0,
        tokens: inputTokens + outputTokens,
      });
      if (json === undefined) throw new Error("The language model's answer is no JSON");
      const reply: Reply = {
        key: keyOf(question),
        answer: json,
        model,
        at: new Date().toISOString(),
        ms: Math.ceil(performance.now() - start),
        input: inputTokens,
        output: outputTokens,
        usd: costUsd,
      };
      if (record !== undefined) {
        mkdirSync(dirname(record), { recursive: true });
        appendFileSync(record, JSON.stringify(reply) + "\n", { mode: 0o600 });
        replies.set(reply.key, reply);
      }
      return json;
    },
  };
}

/** Sums up costs. */
class Account {
  #toll = NOTHING;

  add(toll: Toll): void {
    this.#toll = add(this.#toll, toll);
  }

  settle(): Toll {
    const toll = this.#toll;
    this.#toll = NOTHING;
    return toll;
  }
}

const NOTHING: Toll = { calls: 0, usd: 0, recordedMs: 0, recorded: 0, tokens: 0 };

function add(a: Toll, b: Toll): Toll {
  return {
    calls: a.calls + b.calls,
    usd: a.usd + b.usd,
    recordedMs: a.recordedMs + b.recordedMs,
    recorded: a.recorded + b.recorded,
    tokens: a.tokens + b.tokens,
  };
}
