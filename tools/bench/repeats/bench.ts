// How far `memo prove` is right, on conversations of our own: the older part is that of the suite `retention`, with its
// recorded replies; the newer part has repeats that were planted in it.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse } from "yaml";
import { type Proven, proveSession, typedIn } from "../../../src/prove/session.ts";
import type { Log } from "../../../src/files/log.ts";
import { placeIn } from "../../../src/memory/scopes.ts";
import { readTurns } from "../../../src/transcript/turns.ts";
import { captureAll } from "../../../bench/sessions/capture.ts";
import type { Conversation } from "../../../bench/sessions/conversation.ts";
import { serveRecorded, since, type Toll } from "../../../bench/sessions/recorded_model.ts";
import { sessionOf, transcriptOf } from "../../../bench/sessions/transcript.ts";
import { makeWorld, type World } from "../../../bench/sessions/world.ts";

/** A conversation of the newer part, whose turns name what they repeat. */
export interface NewerConversation extends Conversation {
  readonly turns: readonly (Conversation["turns"][number] & {
    /** Regular expressions: each is found in the name of the memory that says it already. */
    readonly repeats?: readonly string[];
  })[];
}

export interface RepeatsOptions {
  /** Conversations of the older part, oldest first. */
  readonly older: readonly Conversation[];
  readonly newer: readonly NewerConversation[];
  /** Files of recorded replies: of the older part's capture, and of the newer part's questions. */
  readonly replies: readonly string[];
  readonly questions?: string | undefined;
  readonly log: Log;
}

/** One prompt that was found to repeat something, or planted. */
export interface RepeatRow {
  readonly conversation: string;
  readonly prompt: string;
  /** The memory's name; undefined: nobody found the planted repeat. */
  readonly memory?: string;
  readonly stood?: Proven["stood"];
  readonly verdict: "right" | "wrong" | "missed";
}

export interface RepeatsRun {
  readonly prompts: number;
  readonly planted: number;
  readonly found: number;
  readonly right: number;
  readonly precision: number;
  /** The share of planted repeats that were found. */
  readonly share: number;
  readonly before: number;
  readonly withIt: number;
  readonly asked: Toll;
  readonly rows: readonly RepeatRow[];
  readonly open: readonly string[];
}

/** Reads the conversations of a folder, oldest first. */
export function readNewer(folder: string): NewerConversation[] {
  return readdirSync(folder).filter((name) => name.endsWith(".yaml")).map((name) => ({
    id: basename(name, ".yaml"),
    ...parse(readFileSync(join(folder, name), "utf8")),
  })).sort((a, b) => a.at < b.at ? -1 : 1);
}

/** Captures the older part, asks about the newer one, and judges what comes back by what was planted. */
export async function benchRepeats(
  { older, newer, replies, questions, log }: RepeatsOptions,
): Promise<RepeatsRun> {
  await using model = await serveRecorded({ replies, questions });
  const settings = { MEMO_RECALL_PRESET: "local", MEMO_RECALL_DEADLINE_MS: "1000" };
  await using world = makeWorld({ model: model.url, settings, log });
  await captureAll(older, world, { log });
  const before = model.answered;
  const rows: RepeatRow[] = [];
  let prompts = 0;
  for (const conversation of newer) {
    prompts += conversation.turns.length;
    rows.push(...await judge(conversation, world, log));
  }
  const count = (verdict: RepeatRow["verdict"]) =>
    rows.filter((row) => row.verdict === verdict).length;
  const right = rows.filter(({ verdict }) => verdict === "right");
  const found = right.length + count("wrong"), planted = right.length + count("missed");
  return {
    ...{ prompts, planted, found, right: right.length },
    precision: found === 0 ? 0 : right.length / found,
    share: planted === 0 ? 0 : right.length / planted,
    before: right.filter(({ stood }) => stood === "before").length,
    withIt: right.filter(({ stood }) => stood === "with it").length,
    asked: since(before, model.answered),
    rows,
    open: [...model.open.keys()],
  };
}

async function judge(
  conversation: NewerConversation,
  world: World,
  log: Log,
): Promise<RepeatRow[]> {
  const { engine, env, claude } = world;
  const cwd = world.project(conversation.project);
  const transcript = join(
    claude,
    "projects",
    conversation.project,
    `${sessionOf(conversation)}.jsonl`,
  );
  mkdirSync(join(transcript, ".."), { recursive: true });
  writeFileSync(transcript, transcriptOf(conversation, { cwd }));
  const typed = typedIn(await Array.fromAsync(readTurns(transcript)));
  const ask = engine.askFor(env, placeIn(engine.paths, cwd))!;
  const proven = await proveSession(typed, { engine, env, claude, log }, ask).catch((error) => {
    log("bench", { failed: String(error) });
    return []; // the question is open
  });
  const open = conversation.turns.map(({ repeats = [] }) => new Set(repeats));
  const rows = proven.map(({ prompt, memory: { name }, typed, stood }): RepeatRow => {
    const planted = [...open[prompt] ?? []].find((says) => new RegExp(says, "i").test(name));
    if (planted !== undefined) open[prompt]!.delete(planted);
    const verdict = planted === undefined ? "wrong" : "right";
    return { conversation: conversation.id, prompt: typed.text, memory: name, stood, verdict };
  });
  const missed = open.flatMap((left, i) =>
    [...left].map((): RepeatRow => ({
      conversation: conversation.id,
      prompt: conversation.turns[i]!.user,
      verdict: "missed",
    }))
  );
  return [...rows, ...missed];
}
