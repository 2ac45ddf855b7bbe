// MemoryCode's dialogues (for-ai/MemoryCode, Apache-2.0), read from a folder: sessions in which a mentor gives a mentee
// coding rules and changes them. They become conversations of a developer with Claude Code.

import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Conversation } from "../sessions/conversation.ts";
import { type Patterns, patternsOf } from "./rules.ts";

/** A rule that a session gave. */
export interface Rule {
  /** In the words of the data. */
  readonly topic: string;
  readonly patterns: Patterns;
  /** Rules of one group replace each other in their order. */
  readonly group: string;
  /** The number of its session. */
  readonly session: number;
}

/** One dialogue: a project of its own. */
export interface Dialogue {
  readonly id: string;
  /** Oldest first. */
  readonly conversations: readonly Conversation[];
  readonly inForce: readonly Rule[];
  readonly outdated: readonly Rule[];
  /** What is asked for in a later session. */
  readonly prompts: readonly string[];
}

/** The parts of a file that are used here. */
interface Raw {
  readonly context: { readonly mentor: string; readonly mentee: string };
  /** Group and version of each rule about code, by session; -1: none. */
  readonly instructions: readonly (readonly (readonly [group: number, version: number] | -1)[])[];
  /** The group of each session's other topic; -1: none. */
  readonly fillers: readonly number[];
  readonly sessions: readonly {
    readonly text: string;
    readonly topic: readonly string[];
    readonly type: readonly string[];
    readonly history_eval_query: readonly string[];
  }[];
}

/** When the first session is held, and the days between two. */
const FIRST = Date.parse("2026-01-05T09:00:00Z");
const DAYS = 3;
const DAY_MS = 24 * 60 * 60_000;

/** The dialogues in a folder, by name. */
export function readDialogues(folder: string): Dialogue[] {
  return readdirSync(folder).filter((name) => /^dialogue_\d+\.json$/.test(name)).sort()
    .map((name) =>
      dialogueOf(basename(name, ".json"), JSON.parse(readFileSync(join(folder, name), "utf8")))
    );
}

/** A time after all sessions of a dialogue. */
export function defer({ conversations }: Dialogue): Date {
  return new Date(Date.parse(conversations.at(-1)!.at) + DAYS * DAY_MS);
}

function dialogueOf(id: string, raw: Raw): Dialogue {
  const project = id.replace("_", "-");
  const conversations = raw.sessions.map(({ text }, i): Conversation => ({
    ...{ id: `${id}-${String(i).padStart(2, "0")}`, project },
    at: new Date(FIRST + i * DAYS * DAY_MS).toISOString(),
    turns: turnsOf(text, raw.context),
  }));
  const rules = raw.sessions.flatMap((_, session) => rulesOf(raw, session));
  const last = new Map(rules.map((rule) => [rule.group, rule]));
  return {
    ...{ id, conversations },
    inForce: rules.filter((rule) => last.get(rule.group) === rule),
    outdated: rules.filter((rule) => last.get(rule.group)!.topic !== rule.topic),
    prompts: raw.sessions.at(-1)!.history_eval_query.map((query) => `Write a ${query} in Python`),
  };
}

function rulesOf({ instructions, fillers, sessions }: Raw, session: number): Rule[] {
  const { topic: topics, type: types } = sessions[session]!;
  const groups = instructions[session]!.filter((each) => each !== -1);
  return topics.flatMap((topic, i): Rule[] => {
    const type = types[i]!;
    if (!type.includes("instruction")) return [];
    const group = type.startsWith("filler")
      ? `work ${fillers[session]}`
      : `code ${groups.shift()![0]}`;
    return [{ topic, group, session, patterns: patternsOf(topic) }];
  });
}

/** What the mentor says is the user's, what the mentee answers the assistant's. */
function turnsOf(text: string, { mentor, mentee }: Raw["context"]): Conversation["turns"] {
  const speaker = new RegExp(`^(${mentor}|${mentee}): ?`, "mu");
  const [, ...parts] = text.split(speaker);
  const turns: { user: string; steps: { say: string }[] }[] = [];
  for (let i = 0; i < parts.length; i += 2) {
    const [who, said] = [parts[i]!, parts[i + 1]!.trim()];
    const turn = turns.at(-1);
    if (said === "") continue;
    if (who === mentee) turn?.steps.push({ say: said });
    else if (turn === undefined || turn.steps.length > 0) turns.push({ user: said, steps: [] });
    else turn.user += `\n\n${said}`;
  }
  return turns;
}
