import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse } from "yaml";
import type { Conversation } from "../sessions/conversation.ts";
import { readJsonLines } from "../../../bench/suite.ts";

/** A fact in a conversation, and the memory that it should leave. */
export interface Fact {
  readonly id: string;
  /** The conversation that it comes from. */
  readonly in: string;
  /** The project it is true in, `user` for all of them; a fact that must never be kept has none. */
  readonly scope?: string;
  readonly keep: "must" | "may" | "never";
  /** Regular expressions, without regard to case; a text that states the fact matches all of them. */
  readonly says: readonly string[];
  /** The fact that is out of date once this one is known. */
  readonly replaces?: string;
}

/** A later prompt, in its own session. */
export interface LaterPrompt {
  readonly id: string;
  readonly project: string;
  readonly lang: string;
  /** `named`, `plain`, `hidden` and `order` need facts; `off-topic`, `near-topic` and `continue` need none. */
  readonly category: string;
  /** The facts without which the answer is wrong. */
  readonly needs: readonly string[];
  readonly text: string;
}

/** Conversations, their facts, and later prompts. */
export interface RetentionSuite {
  /** Oldest first. */
  readonly conversations: readonly Conversation[];
  readonly facts: readonly Fact[];
  readonly prompts: readonly LaterPrompt[];
}

/** Reads a suite from its folder. Throws for a prompt or fact that refers to something missing. */
export function readRetentionSuite(folder: string): RetentionSuite {
  const stories = join(folder, "conversations");
  const conversations = readdirSync(stories).filter((name) => name.endsWith(".yaml"))
    .map((name): Conversation => ({
      id: basename(name, ".yaml"),
      ...parse(readFileSync(join(stories, name), "utf8")),
    }))
    .sort((a, b) => a.at.localeCompare(b.at));
  const facts: Fact[] = parse(readFileSync(join(folder, "facts.yaml"), "utf8"));
  const prompts = readJsonLines<LaterPrompt>(join(folder, "prompts.jsonl"));
  const suite = { conversations, facts, prompts };
  refuseLooseEnds(suite);
  return suite;
}

/** Whether a text states a fact. */
export function states(text: string, { says }: Pick<Fact, "says">): boolean {
  return says.every((pattern) => new RegExp(pattern, "i").test(text));
}

function refuseLooseEnds({ conversations, facts, prompts }: RetentionSuite): void {
  const known = new Set(facts.map(({ id }) => id));
  const told = new Set(conversations.map(({ id }) => id));
  const loose = [
    ...facts.flatMap(({ id, in: from }) => told.has(from) ? [] : [`${id}: ${from}`]),
    ...facts.flatMap(({ id, replaces }) =>
      !replaces || known.has(replaces) ? [] : [`${id}: ${replaces}`]
    ),
    ...prompts.flatMap(({ id, needs }) =>
      needs.filter((need) => !known.has(need)).map((need) => `${id}: ${need}`)
    ),
  ];
  if (loose.length > 0) {
    throw new Error(`The suite refers to missing conversations or facts: ${loose.join(", ")}`);
  }
}
