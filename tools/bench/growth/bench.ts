import { captureAll } from "../sessions/capture.ts";
import { serveRecorded } from "../sessions/recorded_model.ts";
import { serveAll } from "../sessions/serve.ts";
import { makeWorld, type World } from "../sessions/world.ts";
import type { Log } from "../../../src/core/files/log.ts";
import { scoreServed, type ServedScore } from "../retention/score.ts";
import { type RetentionSuite, states } from "../retention/suite.ts";
import { type Filled, fillProject } from "./fill.ts";
import { type Judge, type Needless, needlessOf } from "./judged.ts";
import { type CapturedNote, splitOf, textsOf, type TypedSuite } from "./notes.ts";
import { copyFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { memoriesWithFewTriggers } from "../../../src/features/upkeep/enrich.ts";

export interface GrowthOptions {
  readonly typed: TypedSuite;
  readonly retention: RetentionSuite;
  /** Memories of another project. */
  readonly captured: readonly CapturedNote[];
  /** The recorded replies of the suite `retention`. */
  readonly replies: string;
  /** The recorded triggers of the notes of the suite `typed`. */
  readonly triggers: string;
  /** Where vectors of passages are kept from run to run. */
  readonly vectors: string;
  /** Judges what prompts got that need nothing. */
  readonly judge: Judge;
  /** Notes in a project, for each suite. */
  readonly sizes: Readonly<Record<Suite, readonly number[]>>;
  /** Values of `recall.start_chars`, each of which is measured. */
  readonly startChars: readonly number[];
  readonly log: Log;
  readonly onProgress?: (what: string, done: number, total: number) => void;
}

/** The facts that prompts need come from notes that were typed, or from conversations. */
export type Suite = "typed" | "retention";

/** One size of one suite. */
export interface GrowthRow {
  readonly suite: Suite;
  /** Notes that apply in a project, on average; and of those, added typed and imported. */
  readonly notes: number;
  readonly typed: number;
  readonly imported: number;
  readonly triggers: Triggers;
  /** Maximum characters of a session's start. */
  readonly startChars: number;
  readonly split: Split;
  readonly served: ServedScore;
  readonly needless: Needless;
}

/** The triggers of notes: those they came with, or also those that a language model wrote for all of them. */
export type Triggers = "own" | "suggested";

/** Whose triggers each suite is measured with; extraction writes its own. */
const TRIGGERS: Readonly<Record<Suite, readonly Triggers[]>> = {
  typed: ["own", "suggested"],
  retention: ["own"],
};

/** Settings are chosen on one half of the prompts, and reported on the other; the suite retention has one part. */
export type Split = "all" | "dev" | "test";

const SETTINGS = { MEMO_RECALL_PRESET: "local", MEMO_RECALL_DEADLINE_MS: "1000" };
const NOW = new Date("2026-11-21T09:00:00Z");

/** What prompts have in context while the store of their project grows. */
export async function benchGrowth(options: GrowthOptions): Promise<GrowthRow[]> {
  const rows: GrowthRow[] = [];
  for (const suite of ["typed", "retention"] as const) {
    for (const size of options.sizes[suite]) {
      for (const triggers of TRIGGERS[suite]) {
        rows.push(...await benchSize({ suite, size, triggers }, options));
      }
    }
  }
  return rows;
}

/** One store to measure. */
interface Store {
  readonly suite: Suite;
  readonly size: number;
  readonly triggers: Triggers;
}

async function benchSize(store: Store, options: GrowthOptions): Promise<GrowthRow[]> {
  const { suite, size, triggers } = store;
  const { typed, retention, replies, vectors, log, onProgress } = options;
  const { prompts, facts } = suite === "typed" ? typed : retention;
  await using model = await serveRecorded({ replies });
  await using world = makeWorld({ model: model.url, settings: SETTINGS, log, vectors });
  if (suite === "retention") await captureAll(retention.conversations, world, { log });
  if (triggers === "suggested") giveTriggers(world, options.triggers);
  const filled = await fill(world, store, options);
  if (triggers === "suggested") {
    for (const { project } of filled) await checkTriggers(world, project);
  }
  const average = (of: (each: Filled) => number) =>
    Math.round(filled.reduce((sum, each) => sum + of(each), 0) / filled.length);
  const counts = {
    notes: average(({ notes }) => notes),
    typed: average(({ typed }) => typed),
    imported: average(({ imported }) => imported),
  };
  const memories = world.memories();
  // Nobody asks a small store for what it does not have yet.
  const isThere = (id: string) => {
    const fact = facts.find((each) => each.id === id)!;
    return memories.some((text) => states(text, fact));
  };
  const asked = prompts.filter(({ needs }) => needs.every(isThere));
  const splits: readonly Split[] = suite === "typed" ? ["dev", "test"] : ["all"];
  const rows: GrowthRow[] = [];
  for (const startChars of options.startChars) {
    const env = { ...world.env, MEMO_RECALL_START_CHARS: String(startChars) };
    const contexts = await serveAll(asked, { ...world, env }, {
      ...{ now: NOW, log, settleMs: 0 },
      onProgress: (done) => onProgress?.(`Asking (${suite}, ${size})`, done, asked.length),
    });
    rows.push(...splits.map((split): GrowthRow => {
      const its = contexts.filter(({ prompt }) => split === "all" || splitOf(prompt) === split);
      return {
        ...{ suite, ...counts, triggers, startChars, split },
        served: scoreServed({ facts, memories }, its),
        needless: needlessOf(its, options.judge),
      };
    }));
  }
  return rows;
}

/** Fills every project that prompts belong to. */
async function fill(
  world: World,
  { suite, size }: Store,
  { typed, retention, captured, onProgress }: GrowthOptions,
): Promise<(Filled & { readonly project: string })[]> {
  const { prompts, facts } = suite === "typed" ? typed : retention;
  const projects = [...new Set(prompts.map(({ project }) => project))];
  const filled: (Filled & { readonly project: string })[] = [];
  for (const [i, project] of projects.entries()) {
    onProgress?.(`Filling (${suite}, ${size})`, i, projects.length);
    const own = suite === "typed"
      ? textsOf(typed.projects.find((each) => each.project === project))
      : new Set<string>();
    const needed = facts.filter(({ scope }) => scope === project || scope === "user");
    const isAllowed = (text: string) => own.has(text) || !needed.some((fact) => states(text, fact));
    const pool = { suite: typed, captured, isAllowed };
    filled.push({ project, ...await fillProject(project, size, world, pool) });
  }
  return filled;
}

// The triggers that a language model wrote for the notes of the suite `typed`, recorded as memo keeps them itself, so
// that they count in stores of every size, whichever notes memo would ask about together.

/** Gives a world the recorded triggers, before its notes are indexed. */
export function giveTriggers({ engine }: World, recording: string): void {
  mkdirSync(dirname(engine.paths.triggers), { recursive: true });
  copyFileSync(recording, engine.paths.triggers);
}

/** Throws where notes of a project have no recorded triggers. */
export async function checkTriggers({ engine, sync }: World, project: string): Promise<void> {
  const { folders } = await sync(project);
  const suggestions = engine.paths.triggers;
  const left = await engine.withIndex((index) =>
    memoriesWithFewTriggers({ index, folders, suggestions })
  );
  if (left.length === 0) return;
  throw new Error(
    `${left.length} memories of ${project} have no recorded triggers, for example "${
      left[0]!.name
    }"`,
  );
}
