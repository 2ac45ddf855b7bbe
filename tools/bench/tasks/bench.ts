// From old conversations to memories to a bug report in a new session: which parts of the rule are in context, and
// whether a coding agent then fixes the bug at the first try. What a language model answers is recorded.

import { MemoError } from "../../../src/errors.ts";
import type { Log } from "../../../src/core/files/log.ts";
import { readMemoryFile } from "../../../src/core/memory/folder.ts";
import { captureDays } from "../sessions/capture.ts";
import { type RecordedModel, serveRecorded } from "../sessions/recorded_model.ts";
import { serveAll } from "../sessions/serve.ts";
import { sessionOf } from "../sessions/transcript.ts";
import { makeWorld, type World } from "../sessions/world.ts";
import type { Share } from "../../../bench/share.ts";
import { type Arm, ARMS } from "./arms.ts";
import { type Delivered, type Delivery, deliveryOf } from "./delivery.ts";
import type { Grader } from "./grade.ts";
import { KEYS, strangeParts } from "./keys.ts";
import { digestOf, type Patch, patchesFor } from "./patches.ts";
import { daysOf, LATER, PROJECT } from "./story.ts";
import type { Task, TaskSuite } from "./suite.ts";
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { serializeMemory } from "../../../src/core/memory/file.ts";
import type { Memory, MemoryFolder } from "../../../src/core/memory/memory.ts";
import { fileName } from "../../../src/core/memory/title.ts";
import { generateMemories } from "../../../bench/generate.ts";
import { memoryOf } from "../../../bench/store.ts";
import { readJsonLines, type SuiteDocument } from "../../../bench/suite.ts";

export interface TasksOptions {
  /** The file of a language model's recorded replies. */
  readonly replies: string;
  /** Where questions without a reply are written. */
  readonly questions?: string | undefined;
  readonly patches: readonly Patch[];
  /** undefined: nothing is graded. */
  readonly grader: Grader | undefined;
  /** The folder of the bench's suites. */
  readonly suites: string;
  /** Names of the arms that are compared. */
  readonly arms: readonly string[];
  readonly log: Log;
  readonly onProgress?: ((what: string, done: number, total: number) => void) | undefined;
  /** Called once the memories are there and all sessions have been held. */
  readonly onServed?: ((served: Served) => Promise<void> | void) | undefined;
}

/** The sessions of all arms, for those who want to look at them. */
export interface Served {
  readonly world: World;
  readonly model: RecordedModel;
  readonly contexts: ReadonlyMap<string, readonly TaskContext[]>;
}

/** What one task's session has before the model. */
export interface TaskContext extends Delivered {
  readonly task: Task;
}

/** One task in one arm. */
export interface TaskRow {
  readonly task: string;
  readonly category: string;
  /** undefined where nobody has written down the parts of the rule. */
  readonly delivery: Delivery | undefined;
  /** Characters before the model: at the start, and with the request. */
  readonly chars: { readonly start: number; readonly given: number };
  /** Patches, and those that passed all tests; undefined: not graded, or none recorded. */
  readonly solved: Share | undefined;
  /** Patches that broke the rule. */
  readonly brokenRules: number;
  /** Whether the patches were made from exactly this context. */
  readonly isExact: boolean;
}

/** One arm. */
export interface ArmRow {
  readonly arm: string;
  readonly what: string;
  readonly tasks: readonly TaskRow[];
  /** Parts of all rules. */
  readonly parts: Share;
  /** Tasks of which all parts were there. */
  readonly whole: Share;
  /** Both, counting only what was added to the request. */
  readonly withRequest: { readonly parts: Share; readonly whole: Share };
  /** Tasks with a part of an outdated rule. */
  readonly outdated: number;
  /** Tasks that were solved at the first try, in each sample; one that has patches of fewer tasks is left out. */
  readonly samples: readonly Share[];
}

/** The whole run; as long as a question is open, it says only that. */
export interface TasksRun {
  readonly tasks: number;
  readonly conversations: number;
  readonly decoys: number;
  /** The embedding model. */
  readonly model: string;
  readonly memories: number;
  readonly isGraded: boolean;
  readonly agents: readonly string[];
  readonly arms: readonly ArmRow[];
  /** Questions to the language model without a recorded reply, by key. */
  readonly open: readonly string[];
  /** Contexts that no patch was recorded for, as `arm/task`. */
  readonly unpatched: readonly string[];
}

/** Runs the suite. Throws if the parts of a rule, as they are known here, are not those of the task. */
export async function benchTasks(suite: TaskSuite, options: TasksOptions): Promise<TasksRun> {
  refuseStrangeKeys(suite);
  await using model = await serveRecorded(options);
  const days = daysOf(suite);
  const conversations = days.flat().length;
  const facts = {
    tasks: suite.tasks.length,
    conversations,
    decoys: suite.decoys.length,
    isGraded: options.grader !== undefined,
  };
  await using world = makeWorld({ model: model.url, settings: SETTINGS, log: options.log });
  try {
    await captureDays(days, world, {
      log: options.log,
      onProgress: (done) => options.onProgress?.("Capturing", done, conversations),
    });
  } catch (error) {
    if (model.open.size === 0) throw error;
    const nothing = { model: "", memories: 0, agents: [], arms: [], unpatched: [] };
    return { ...facts, ...nothing, open: [...model.open] };
  }
  const embedding = (await world.engine.model.embedder()).id;
  const memories = world.memories().length;
  const contexts = await contextsOf(suite, world, options);
  await options.onServed?.({ world, model, contexts });
  const arms: ArmRow[] = [];
  for (const [name, sessions] of contexts) {
    const arm = ARMS.find((each) => each.name === name)!;
    arms.push(
      await judge(arm, sessions, {
        ...options,
        onProgress: (what, done, total) => options.onProgress?.(`${what} (${name})`, done, total),
      }),
    );
  }
  const names = new Set(suite.tasks.map(({ name }) => name));
  return {
    ...facts,
    model: embedding,
    memories,
    agents: [
      ...new Set(options.patches.filter(({ task }) => names.has(task)).map(({ agent }) => agent)),
    ],
    arms,
    open: [...model.open],
    unpatched: arms.flatMap(({ arm, tasks }) =>
      tasks.filter(({ solved }) => facts.isGraded && solved === undefined).map(({ task }) =>
        `${arm}/${task}`
      )
    ),
  };
}

const SETTINGS = { MEMO_RECALL_DEADLINE_MS: "1000" };

/** The sessions of each arm; those with further memories come last, because these stay. */
async function contextsOf(
  suite: TaskSuite,
  world: World,
  { arms: chosen, suites, log, onProgress }: TasksOptions,
): Promise<Map<string, TaskContext[]>> {
  const contexts = new Map<string, TaskContext[]>();
  const arms: readonly Arm[] = ARMS.filter(({ name }) => chosen.includes(name));
  const facts = decoyFacts(suite, world);
  for (const arm of arms.toSorted((a, b) => (a.further ?? 0) - (b.further ?? 0))) {
    if (arm.further !== undefined) {
      const { folders } = await world.sync(PROJECT);
      const folder = folders.find(({ scope }) => scope === "project") ?? folders[0]!;
      addFurther(folder, { suites, count: arm.further, now: LATER });
    }
    contexts.set(arm.name, await sessionsOf(arm));
  }
  return new Map(arms.map(({ name }) => [name, contexts.get(name)!]));

  async function sessionsOf({ name, preset, file }: Arm): Promise<TaskContext[]> {
    const { tasks } = suite;
    if (preset === undefined) {
      const start = file?.(tasks, facts) ?? "";
      return tasks.map((task) => ({ task, start, given: [] }));
    }
    const env = { ...world.env, MEMO_RECALL_PRESET: preset };
    const prompts = tasks.map((task) => ({
      ...{ id: `${name}-${task.name}`, project: PROJECT, text: task.request },
      task,
    }));
    const served = await serveAll(prompts, { ...world, env }, {
      now: LATER,
      log,
      onProgress: (done) => onProgress?.(`Asking (${name})`, done, tasks.length),
    });
    const shown = (text: string) => anywhere(text.replaceAll(world.home, "/home/dev")).trim();
    return served.map(({ prompt: { task }, start, blocks }) => ({
      task,
      start: shown(start),
      given: blocks.map(shown).filter((block) => block !== ""),
    }));
  }
}

/** A text whose paths are the same wherever the project is: its folder's name ends with a hash of where. */
function anywhere(text: string): string {
  return text.replaceAll(new RegExp(`/projects/${PROJECT}-[0-9a-f]+`, "g"), `/projects/${PROJECT}`);
}

/** What the conversations that decide nothing left, by name. */
function decoyFacts({ decoys }: TaskSuite, world: World): string[] {
  const sessions = new Set(decoys.map(({ name }) => sessionOf({ id: name })));
  return world.paths().map((path) => readMemoryFile(path, "project"))
    .filter(({ source }) => sessions.has(source?.session ?? ""))
    .map(({ name }) => name);
}

function refuseStrangeKeys({ tasks }: TaskSuite): void {
  const strange = tasks.flatMap(({ name, policy }) => {
    const key = KEYS[name];
    return key === undefined ? [] : strangeParts(key, policy).map((part) => `${name}: ${part}`);
  });
  if (strange.length === 0) return;
  throw new MemoError("file", `The suite's rules lack these parts: ${strange.join(", ")}`, {
    hint: "Check out the benchmark at the commit given in bench/README.md",
  });
}

/** Judges the sessions of an arm, and what agents made of them. */
async function judge(
  { name, what }: Arm,
  sessions: readonly TaskContext[],
  { patches: recorded, grader, onProgress }: TasksOptions,
): Promise<ArmRow> {
  let done = 0;
  const samples: { n: number; of: number }[] = [];
  const rows = await Promise.all(sessions.map(async (context): Promise<TaskRow> => {
    const { task } = context;
    const delivery = deliveryOf(task.name, context);
    const { patches, isExact } = patchesFor({
      key: digestOf(task, context),
      ...{ task: task.name, arm: name, parts: delivery?.parts.n ?? 0 },
    }, recorded);
    const grades = grader === undefined
      ? []
      : await Promise.all(patches.map(({ module }) => grader.grade(task, module)));
    for (const [i, { isSolved }] of grades.entries()) {
      const sample = samples[i] ??= { n: 0, of: 0 };
      sample.of++;
      if (isSolved) sample.n++;
    }
    onProgress?.("Grading", ++done, sessions.length);
    return {
      task: task.name,
      category: task.category,
      delivery,
      chars: {
        start: context.start.length,
        given: context.given.reduce((sum, { length }) => sum + length, 0),
      },
      solved: grades.length === 0
        ? undefined
        : { n: grades.filter(({ isSolved }) => isSolved).length, of: grades.length },
      brokenRules: grades.filter(({ breaksRule }) => breaksRule).length,
      isExact,
    };
  }));
  const judged = rows.flatMap(({ delivery }) => delivery ?? []);
  return {
    ...{ arm: name, what, tasks: rows },
    samples: samples.filter(({ of }) => of === samples[0]!.of),
    ...sums(judged.map(({ parts }) => parts)),
    withRequest: sums(judged.map(({ withRequest }) => withRequest)),
    outdated: judged.filter(({ outdated }) => outdated.length > 0).length,
  };
}

/** The parts of all rules, and the rules of which there are all parts. */
function sums(shares: readonly Share[]): { readonly parts: Share; readonly whole: Share } {
  return {
    parts: {
      n: shares.reduce((sum, { n }) => sum + n, 0),
      of: shares.reduce((sum, { of }) => sum + of, 0),
    },
    whole: { n: shares.filter(({ n, of }) => n === of).length, of: shares.length },
  };
}

/** Of the notes of memo's own suite, which are about other work in the same field. */
const SUITE = "coding-agent";

interface FurtherOptions {
  /** The folder of the bench's suites. */
  readonly suites: string;
  readonly count: number;
  /** When they were last written, at the latest. */
  readonly now: Date;
}

/** Writes notes that no task needs into a memory folder: those of memo's own suite first, then generated ones. */
function addFurther(folder: MemoryFolder, { suites, count, now }: FurtherOptions): void {
  const documents = readJsonLines<SuiteDocument>(join(suites, SUITE, "corpus.jsonl"));
  const written: Memory[] = documents.map((document, number) =>
    memoryOf(document, { folder, number, now })
  );
  const notes = [...written, ...generateMemories(Math.max(0, count - written.length))];
  for (const [i, note] of notes.slice(0, count).entries()) {
    const name = fileName(note.type, note.name).replace(/\.md$/, `-${i}.md`);
    const path = join(folder.path, "further", name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, serializeMemory(note), { mode: 0o600 });
    const at = new Date(Math.min(now.getTime(), Date.parse(note.updated ?? now.toISOString())));
    utimesSync(path, at, at);
  }
}
