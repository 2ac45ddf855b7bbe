import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as afterwards } from "node:timers/promises";
import { capturePipeline } from "../../../src/engine/capture_pipeline.ts";
import type { Log } from "../../../src/files/log.ts";
import { serializeMemory } from "../../../src/memory/file.ts";
import type { Memory } from "../../../src/memory/memory.ts";
import { fileName } from "../../../src/memory/slug.ts";
import type { Judgement, Verdict } from "../../../src/obedience/verdicts.ts";
import { readTurns } from "../../../src/transcript/turns.ts";
import { type RecordedModel, serveRecorded } from "../../../bench/sessions/recorded_model.ts";
import { hooksOf } from "../../../bench/sessions/serve.ts";
import { promptIdOf, sessionOf, transcriptOf } from "../../../bench/sessions/transcript.ts";
import { makeWorld } from "../../../bench/sessions/world.ts";
import type { JudgedConversation, Rule } from "./suite.ts";

export interface ObedienceOptions {
  /** The file of recorded replies. */
  readonly replies: string;
  /** Where questions without a reply are written. */
  readonly questions?: string | undefined;
  readonly log: Log;
  readonly onProgress?: (what: string, done: number, total: number) => void;
}

/** A verdict that is not what the truth says. */
export interface Miss {
  readonly conversation: string;
  /** From 1. */
  readonly turn: number;
  readonly rule: string;
  readonly truth: Verdict | undefined;
  readonly said: Verdict | undefined;
}

/** How right the verdicts are. */
export interface ObedienceResult {
  readonly conversations: number;
  readonly turns: number;
  readonly rules: number;
  /** Questions without a recorded reply. */
  readonly open: readonly string[];
  /** Verdicts given, those of them that are right, and verdicts that the truth asks for. */
  readonly said: number;
  readonly right: number;
  readonly wanted: number;
  readonly found: number;
  /** The same of `broken` and `corrected` together, where either counts as the other. */
  readonly breaches: Pick<ObedienceResult, "said" | "right" | "wanted" | "found">;
  readonly misses: readonly Miss[];
}

/** Judges the obedience in every conversation by capture's own question, and compares it with the truth. */
export async function benchObedience(
  conversations: readonly JudgedConversation[],
  options: ObedienceOptions,
): Promise<ObedienceResult> {
  await using model = await serveRecorded(options);
  const compared: Compared[] = [];
  for (const [i, conversation] of conversations.entries()) {
    options.onProgress?.("Judging", i, conversations.length);
    const judged = await judge(conversation, model, options);
    if (judged !== undefined) compared.push(...compare(conversation, judged));
  }
  const breaches = compared.map((each) => ({
    ...each,
    truth: each.truth && { ...each.truth, verdict: asBreach(each.truth.verdict) },
    said: each.said && asBreach(each.said),
  })).filter(({ truth, said }) => truth?.verdict === "broken" || said === "broken");
  return {
    conversations: conversations.length,
    turns: conversations.reduce((sum, { turns }) => sum + turns.length, 0),
    rules: new Set(conversations.flatMap(({ rules }) => [...rules.keys()])).size,
    open: [...model.open.keys()],
    ...countsOf(compared),
    breaches: countsOf(breaches),
    misses: compared.filter((each) => !isRight(each)).map(({ truth, ...each }) => ({
      ...each,
      truth: truth?.verdict,
    })),
  };
}

interface Compared extends Omit<Miss, "truth"> {
  readonly truth: { readonly verdict: Verdict; readonly isOptional: boolean } | undefined;
}

/** Sends the session's start through memo's hook and the conversation through its capture; undefined if a reply lacks. */
async function judge(
  conversation: JudgedConversation,
  model: RecordedModel,
  { log }: ObedienceOptions,
): Promise<
  { readonly judged: readonly Judgement[]; readonly pathOf: (id: string) => string } | undefined
> {
  const { project, at, rules } = conversation;
  await using world = makeWorld({
    model: model.url,
    settings: {},
    log,
    withoutVectors: true,
  });
  const cwd = world.project(project);
  const { folders } = await world.sync(project);
  const folder = folders.find(({ scope }) => scope === "project")!;
  mkdirSync(folder.path, { recursive: true });
  const paths = new Map([...rules].map(([id, rule]) => {
    const memory = memoryOf(rule, at);
    const path = join(folder.path, fileName(memory.type, memory.name));
    writeFileSync(path, serializeMemory(memory));
    return [id, path];
  }));
  await world.sync(project);

  const before = new Date(Date.parse(at) - 60_000);
  const send = hooksOf(world, { now: before, log });
  const session = sessionOf(conversation);
  await send({ session_id: session, cwd, hook_event_name: "SessionStart", source: "startup" });
  await afterwards();

  const transcript = join(world.claude, "projects", project, `${session}.jsonl`);
  mkdirSync(join(transcript, ".."), { recursive: true });
  writeFileSync(transcript, transcriptOf(conversation, { cwd }));
  const now = () => new Date(Date.parse(at) + 60 * 60_000);
  const pipeline = capturePipeline(world.engine, log, { envFor: () => world.env, now });
  const turns = await Array.fromAsync(readTurns(transcript));
  const open = model.open.size;
  const plan = await pipeline.plan(turns, {
    ...{ transcript, cwd, claude: world.claude, signal: new AbortController().signal },
  }).catch((error) => {
    if (model.open.size === open) throw error;
  });
  if (plan === undefined) return undefined;
  return { judged: plan.judged ?? [], pathOf: (id) => paths.get(id)! };
}

function compare(
  conversation: JudgedConversation,
  { judged, pathOf }: NonNullable<Awaited<ReturnType<typeof judge>>>,
): Compared[] {
  const { id, rules, truths, turns } = conversation;
  return turns.flatMap((_, i) =>
    [...rules.keys()].flatMap((rule): Compared[] => {
      const verdicts = judged.filter(({ path }) => path === pathOf(rule)).flatMap(({ turns }) =>
        turns
      );
      const said = verdicts.find(({ prompt }) => prompt === promptIdOf(conversation, i))?.verdict;
      const truth = truths[i]!.get(rule);
      if (said === undefined && truth === undefined) return [];
      return [{ conversation: id, turn: i + 1, rule, truth, said }];
    })
  );
}

function isRight({ truth, said }: Compared): boolean {
  return truth?.verdict === said || (truth?.isOptional === true && said === undefined);
}

function countsOf(compared: readonly Compared[]) {
  // A verdict that may be left out counts only where it is given and wrong.
  const sure = compared.filter((each) => !(each.truth?.isOptional && isRight(each)));
  const right = sure.filter((each) => each.said !== undefined && isRight(each)).length;
  const wanted = sure.filter(({ truth }) => truth !== undefined && !truth.isOptional);
  return {
    said: sure.filter(({ said }) => said !== undefined).length,
    right,
    wanted: wanted.length,
    found: wanted.filter(isRight).length,
  };
}

function asBreach(verdict: Verdict): Verdict {
  return verdict === "corrected" ? "broken" : verdict;
}

function memoryOf({ name, body }: Rule, at: string): Memory {
  const created = new Date(Date.parse(at) - 7 * 86_400_000).toISOString();
  return {
    ...{ name, description: "", type: "feedback", body, triggers: [], tags: [], confidence: 0.9 },
    ...{ pinned: false, created, updated: undefined, supersedes: [], source: undefined },
  };
}
