// Replies of a language model that were recorded, so that an experiment can be repeated without one.

import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { Account, asking, type Complete, type Respondent, sum } from "./replies.ts";
import { readJsonLines } from "./suite.ts";
import type { Question } from "../strategies/strategy.ts";
import { type Judged, readVerdicts } from "./verdicts.ts";

/** One recorded reply: one line of `bench/recorded/<suite>.jsonl`. */
export interface Reply extends Judged {
  /** Hash of the question: another wording, or another list of memories, is another question. */
  readonly key: string;
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

/**
 * Asks a real model and writes each reply to a file at once; recorded ones are not asked for again, so a run that was
 * interrupted goes on where it stopped.
 */
export function recordingTo(path: string, complete: Complete): Respondent {
  const replies = readReplies(path);
  const recorded = replaying((question) => replies.get(keyOf(question)));
  const live = asking(async (question, signal) => {
    const start = performance.now();
    const completed = await complete(question, signal);
    const { json: answer, model, inputTokens, outputTokens, costUsd } = completed;
    if (answer === undefined) return completed;
    const key = keyOf(question);
    const [at, ms] = [new Date().toISOString(), Math.ceil(performance.now() - start)];
    const facts = { input: inputTokens, output: outputTokens, usd: costUsd };
    const reply: Reply = { key, answer, model, at, ms, ...facts };
    mkdirSync(dirname(path), { recursive: true });
    appendFileSync(path, JSON.stringify(reply) + "\n", { mode: 0o600 });
    replies.set(key, reply);
    return completed;
  });
  return {
    knows: recorded.knows,
    settle: () => sum(live.settle(), recorded.settle()),
    ask: (question, signal) => (recorded.knows(question) ? recorded : live).ask(question, signal),
  };
}
