import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startDaemon, stopDaemon } from "../src/core/daemon/lifecycle.ts";
import { MemoError } from "../src/errors.ts";
import type { DaemonStatus } from "../src/core/daemon/methods.ts";
import { serializeMemory } from "../src/core/memory/file.ts";
import { fileName } from "../src/core/memory/title.ts";
import { isPrompt, readReceipts } from "../src/core/recall/receipts.ts";
import { isCompiled } from "../src/core/link/self.ts";
import { call } from "../src/core/link/socket.ts";
import { Index, syncFolder } from "../src/core/index/mod.ts";
import { changeSettingsFile } from "../src/core/settings/config_file.ts";
import { BUILTIN, openEmbedder } from "../src/core/embed/mod.ts";
import type { MemoryFolder } from "../src/core/memory/memory.ts";
import type { Paths } from "../src/paths.ts";
import { generateMemories, memoriesAskedFor } from "./generate.ts";
import { ANCHORED, type HookRun, HookRunner, memo, mustSucceed } from "./hook_runner.ts";
import { spreadOf } from "./latency.ts";
import { describeMachine, type Machine } from "./machine.ts";
import { makeUpVectors } from "./made_up_vectors.ts";
import { type Sandbox, type SandboxHome, withSandbox } from "./sandbox.ts";
import { runTimed, type TimedRun } from "./timed_process.ts";

export interface HookBenchOptions {
  /** Sizes of the store; each is measured on its own. */
  readonly memories: readonly number[];
  /** Prompts in each series; slow series have fewer. */
  readonly runs: number;
  /** Numbers of sessions at once. */
  readonly sessions: readonly number[];
  /** Embed stores of any size; else vectors of large ones are made up. */
  readonly embed?: boolean;
  /** The setting `model`. */
  readonly model: string;
  /** Where memo's own parts and the pulled models are. */
  readonly paths: Paths;
  /** Called once with all results: deleting many files takes a while. */
  readonly onReport: (report: HookReport) => void | Promise<void>;
  readonly onProgress?: (what: string, done: number, total: number) => void;
  /** Receives messages for the user. */
  readonly say?: (line: string) => void;
}

export interface HookReport {
  /** Interrupted: the rest was not measured. */
  readonly isStopped?: true;
  readonly machine: Machine;
  readonly runs: number;
  readonly stores: readonly StoreReport[];
}

/** The results for a store of one size; times in milliseconds. */
export interface StoreReport {
  readonly memories: number;
  /** The model that made its vectors; older results lack it. */
  readonly model?: string | undefined;
  /** The first index, spawn to exit; with made-up vectors only that of the words. */
  readonly index?: {
    readonly ms: number;
    readonly passages: number;
    readonly bytes: number;
    readonly vectors: "embedded" | "made up";
  };
  readonly series: readonly Series[];
  /** How many different texts sessions started with while nothing changed. */
  readonly startTexts?: number;
  /** Warm hooks, by number of concurrent sessions, and as many empty runs: what no daemon could save. */
  readonly atOnce: readonly {
    readonly sessions: number;
    readonly ms: readonly number[];
    /** Older results lack it. */
    readonly emptyMs?: readonly number[];
  }[];
  /** How the warm prompts ended, by the receipts. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** The median of each step inside the daemon for the warm prompts, by the receipts. */
  readonly steps: Readonly<Record<string, number>>;
  /** The daemon's memory after all of it, once it has come to rest. */
  readonly rssBytes?: number;
}

export interface Series {
  readonly name: SeriesName;
  readonly ms: readonly number[];
  /** Of hooks that answer prompts: how many answers carried a block. */
  readonly blocks?: number;
}

/** Every series, in display order, with its row heading. */
export const SERIES = {
  node: "`node -e 0`",
  empty: "empty run of memo",
  warm: "prompt, warm",
  unanchored: "file read, no memory about it",
  atFile: "file read, with a memory about it",
  atError: "failing command, mostly a known error",
  cold: "prompt, no daemon",
  sessionStart: "session start, nothing changed",
  edited: "edited memory, until found",
} as const;
export type SeriesName = keyof typeof SERIES;

/** A series that starts daemons has one run per this many warm ones, within these bounds. */
const SLOW = { share: 20, fewest: 3, most: 10 };
/** Prompts before measuring, so that the daemon has everything in memory. */
const WARM_UP = 5;
const STATUS_MS = 5000;
/** Maximum wait for the daemon to release the memory that the burst of prompts took, and interval of the looks. */
const REST = { mostMs: 60_000, everyMs: 500 };

/** Larger stores get random vectors, because embedding 10,000 memories takes minutes and is not measured here. */
const EMBED_AT_MOST = 2000;

/** Measures the hook as a process, on a store of each size. */
export async function benchHook(options: HookBenchOptions): Promise<void> {
  if (!isCompiled) {
    options.say?.(
      "This measures the sources run by Deno; only the executable's times count",
    );
  }
  const machine = describeMachine(), stop = new AbortController();
  const stores: StoreReport[] = [];
  const last = options.memories.length - 1;
  for (const [i, memories] of options.memories.entries()) {
    const bench: StoreBench = { memories, machine, stop: stop.signal, options };
    await withSandbox(async (sandbox) => {
      stores.push(await measureStore(sandbox, bench));
      if (i < last && !stop.signal.aborted) return;
      const isStopped = stop.signal.aborted ? { isStopped: true as const } : {};
      await options.onReport({ ...isStopped, machine, runs: options.runs, stores });
    }, stop);
    if (stop.signal.aborted) break;
  }
}

/** What is measured of a store, and who may stop it. */
interface StoreBench {
  readonly memories: number;
  readonly machine: Machine;
  readonly stop: AbortSignal;
  readonly options: HookBenchOptions;
}

/** A report that is being filled. */
type Filling = { -readonly [key in keyof StoreReport]: StoreReport[key] } & { series: Series[] };

/** Measures one store; when it is stopped, it gives what it has. */
async function measureStore(sandbox: Sandbox, bench: StoreBench): Promise<StoreReport> {
  const { memories } = bench;
  const report: Filling = { memories, series: [], atOnce: [], outcomes: {}, steps: {} };
  try {
    await fillReport(report, sandbox, bench);
  } catch (error) {
    if (!bench.stop.aborted) throw error; // else a process that was interrupted too
  }
  return report;
}

async function fillReport(
  report: Filling,
  sandbox: Sandbox,
  { memories, machine, stop, options }: StoreBench,
): Promise<void> {
  const { runs, onProgress } = options;
  const { home } = sandbox;
  const progress = (what: string) => (done: number, total: number) =>
    onProgress?.(`${memories} memories, ${what}`, done, total);
  const rounds = (times: number, what: string): Rounds => ({ times, stop, onRun: progress(what) });
  useModel(home, options);
  const install = memo("init", "--json");
  mustSucceed(install, await runTimed(install, { cwd: sandbox.cwd, env: home.env }));
  const files = await writeMemories(home, memories, { stop, onWritten: progress("writing") });
  writeAnchored(sandbox, home);
  const hooks = new HookRunner(sandbox, memories);
  const isMadeUp = memories > EMBED_AT_MOST && !options.embed;
  report.index = isMadeUp
    ? await madeUpIndex(home, files, { ...options, stop, progress })
    : await firstIndex(sandbox, home);
  stop.throwIfAborted();
  const slowRuns = Math.min(SLOW.most, Math.max(SLOW.fewest, Math.floor(runs / SLOW.share)));

  await startDaemon(home.paths, home.env);
  await hooks.sessionStart();
  await isWarm(home, stop);
  for (let i = 0; i < WARM_UP; i++) await hooks.prompt();
  await anchored(hooks);
  report.series = await sideBySide(hooks, machine, rounds(runs, "warm"));
  Object.assign(report, receiptsOf(home, seriesOf(report, "warm").length));
  stop.throwIfAborted();
  const starts = await repeat(rounds(slowRuns, "session start"), () => hooks.sessionStart());
  stop.throwIfAborted();
  const atOnce: StoreReport["atOnce"][number][] = report.atOnce = [];
  for (const sessions of options.sessions) {
    const each = rounds(Math.ceil(runs / sessions), `${sessions} at once`);
    const emptyMs: number[] = [], ms: number[] = [];
    await repeat(each, async () => {
      emptyMs.push(...await burst(sessions, () => hooks.empty()));
      ms.push(...await burst(sessions, () => hooks.prompt()));
    });
    atOnce.push({ sessions, ms, emptyMs });
    stop.throwIfAborted();
  }
  const edited = await repeat(rounds(slowRuns, "edits"), (i) => hooks.editAndFind(files[i]!));
  stop.throwIfAborted();
  const { rssBytes, model } = await statusAtRest(home);
  Object.assign(report, { rssBytes, model });
  await stopDaemon(home.paths);
  const cold = await repeat(rounds(slowRuns, "cold"), () => coldPrompt(hooks, home));
  report.series.push(
    promptSeries("cold", cold),
    { name: "sessionStart", ms: starts.map(({ ms }) => ms) },
    { name: "edited", ms: edited.map(({ ms }) => ms) },
  );
  report.startTexts = new Set(starts.map(({ stdout }) => stdout)).size;
}

function seriesOf({ series }: Pick<StoreReport, "series">, name: SeriesName): readonly number[] {
  return series.find((each) => each.name === name)?.ms ?? [];
}

/** Waits until the daemon has loaded the model and a large store's vectors, so the first prompts do not count. */
async function isWarm(home: SandboxHome, stop: AbortSignal): Promise<void> {
  for (let waited = 0; waited < REST.mostMs; waited += REST.everyMs) {
    stop.throwIfAborted();
    if ((await daemonStatus(home)).isAtRest) return;
    await sleep(REST.everyMs);
  }
}

/** Gives a home the model to measure. */
function useModel({ paths }: SandboxHome, { model }: HookBenchOptions): void {
  if (model !== BUILTIN) changeSettingsFile(paths.config, { model });
}

/** Writes generated memories to the user's folder, and returns their paths. */
export async function writeMemories(
  { paths }: Pick<SandboxHome, "paths">,
  count: number,
  { stop, onWritten }: {
    readonly stop: AbortSignal;
    readonly onWritten: (done: number, total: number) => void;
  },
): Promise<string[]> {
  mkdirSync(paths.userMemory, { recursive: true });
  const files: string[] = [];
  for (const memory of generateMemories(count)) {
    const name = fileName(memory.type, memory.name).replace(/\.md$/, `-${files.length}.md`);
    const path = join(paths.userMemory, name);
    writeFileSync(path, serializeMemory(memory));
    onWritten(files.push(path), count);
    if (files.length % WRITTEN_AT_ONCE === 0) await signalsGoFirst();
    stop.throwIfAborted();
  }
  return files;
}

/** Files after which an interrupt is noticed. */
const WRITTEN_AT_ONCE = 200;

/** Writes a file of the project, and a memory that names it. */
function writeAnchored({ cwd }: Sandbox, { paths }: SandboxHome): void {
  writeFileSync(join(cwd, ANCHORED), "export const degrees = [600, 1040];\n");
  const name = `Degrees in ${ANCHORED} are Celsius`;
  const body =
    "The controller takes Fahrenheit: convert where it is called, never in the schedule.";
  const text = `---\nname: ${name}\ndescription: ${name}\ntype: gotcha\n---\n${body}\n`;
  writeFileSync(join(paths.userMemory, "gotcha_kiln_schedule.md"), text);
}

/** Waits until the daemon knows what is anchored, which it checks after the first session starts. */
async function anchored(hooks: HookRunner): Promise<void> {
  for (let tries = 0; tries < ANCHORED_TRIES; tries++) {
    if ((await hooks.read()).block !== undefined) return;
    await sleep(100);
  }
  throw new MemoError("timeout", "Reading a file a memory mentions did not show that memory");
}

const ANCHORED_TRIES = 100;

async function firstIndex(
  { cwd }: Sandbox,
  { env }: SandboxHome,
): Promise<NonNullable<StoreReport["index"]>> {
  const command = memo("index", "--json");
  const run = mustSucceed(command, await runTimed(command, { cwd, env, showStderr: true }));
  const { passages, bytes } = JSON.parse(run.stdout) as { passages: number; bytes: number };
  return { ms: run.ms, passages, bytes, vectors: "embedded" };
}

/** The same index, with made-up vectors. */
export async function madeUpIndex(
  { paths }: Pick<SandboxHome, "paths">,
  files: readonly string[],
  { stop, progress, ...options }: Pick<HookBenchOptions, "model" | "paths" | "runs"> & {
    readonly stop: AbortSignal;
    readonly progress: (what: string) => (done: number, total: number) => void;
  },
): Promise<NonNullable<StoreReport["index"]>> {
  const start = performance.now();
  const index = await Index.open(paths.db);
  const embedder = await openEmbedder(options.model, options.paths);
  try {
    const folder: MemoryFolder = { scope: "user", path: paths.userMemory };
    const { added } = await syncFolder(index, folder, {
      onProgress: progress("reading"),
      pause: signalsGoFirst,
      isEnough: () => stop.aborted,
    });
    const ms = performance.now() - start;
    stop.throwIfAborted();
    const asked = memoriesAskedFor(options.runs, files.length);
    const wanted = new Set([...asked].map((i) => files[i]!));
    const onMade = progress("making up vectors");
    await makeUpVectors(index, embedder, {
      isAskedFor: (path) => wanted.has(path),
      onProgress: (done) => onMade(done, added),
      pause: signalsGoFirst,
      signal: stop,
    });
    const { passages, bytes } = await index.statistics();
    return { ms, passages, bytes, vectors: "made up" };
  } finally {
    await embedder.close();
    index.close();
  }
}

/** An interrupt is noticed between two steps of work that waits for nothing. */
function signalsGoFirst(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** `node`, the empty run, the warm prompt and the hooks of tools in turns, so that all meet the same machine. */
async function sideBySide(
  hooks: HookRunner,
  machine: Machine,
  rounds: Rounds,
): Promise<Series[]> {
  const node: HookRun[] = [], empty: HookRun[] = [], warm: HookRun[] = [];
  const unanchored: HookRun[] = [], atFile: HookRun[] = [], atError: HookRun[] = [];
  await repeat(rounds, async () => {
    if (machine.node !== undefined) {
      node.push(await hooks.run({ command: "node", args: ["-e", "0"] }));
    }
    empty.push(await hooks.empty());
    const answer = await hooks.prompt();
    warm.push(answer);
    unanchored.push(await hooks.read({ isElsewhere: true }));
    atFile.push(await hooks.read());
    atError.push(await hooks.fail());
    return answer;
  });
  return [
    ...machine.node === undefined ? [] : [{ name: "node" as const, ms: node.map(({ ms }) => ms) }],
    { name: "empty", ms: empty.map(({ ms }) => ms) },
    promptSeries("warm", warm),
    { name: "unanchored", ms: unanchored.map(({ ms }) => ms) },
    promptSeries("atFile", atFile),
    promptSeries("atError", atError),
  ];
}

/** The times of `sessions` runs at the same moment. */
async function burst(sessions: number, run: () => Promise<TimedRun>): Promise<number[]> {
  return (await Promise.all(Array.from({ length: sessions }, run))).map(({ ms }) => ms);
}

/** A prompt that finds no daemon and starts one, which is stopped again. */
async function coldPrompt(hooks: HookRunner, { paths, env }: SandboxHome): Promise<HookRun> {
  const answer = await hooks.prompt();
  await startDaemon(paths, env); // it may still be on its way, and could not be stopped
  await stopDaemon(paths);
  return answer;
}

function promptSeries(name: SeriesName, runs: readonly HookRun[]): Series {
  return {
    name,
    ms: runs.map(({ ms }) => ms),
    blocks: runs.filter(({ block }) => block !== undefined).length,
  };
}

/** The receipts of the last `count` prompts. */
function receiptsOf(
  { paths }: SandboxHome,
  count: number,
): Pick<StoreReport, "outcomes" | "steps"> {
  const receipts = readReceipts(paths.receipts, Infinity).filter(isPrompt).slice(0, count);
  const outcomes: Record<string, number> = {};
  const times: Record<string, number[]> = {};
  for (const { outcome, ms } of receipts) {
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    for (const [step, time] of Object.entries(ms)) (times[step] ??= []).push(time);
  }
  const medians = Object.entries(times).map(([step, of]) => [step, spreadOf(of).p50] as const);
  return { outcomes, steps: Object.fromEntries(medians) };
}

/** The daemon's status at rest, as it is for most of its life. */
async function statusAtRest(home: SandboxHome): Promise<DaemonStatus> {
  for (let waited = 0; waited < REST.mostMs; waited += REST.everyMs) {
    const status = await daemonStatus(home);
    if (status.isAtRest) return status;
    await sleep(REST.everyMs);
  }
  throw new MemoError("timeout", `The daemon was still busy after ${REST.mostMs} ms`);
}

async function daemonStatus({ paths }: SandboxHome): Promise<DaemonStatus> {
  const options = { socket: paths.socket, timeoutMs: STATUS_MS };
  return await call("status", {}, options) as DaemonStatus;
}

/** How often something is measured. */
interface Rounds {
  readonly times: number;
  /** Ends it early. */
  readonly stop: AbortSignal;
  readonly onRun: (done: number, total: number) => void;
}

async function repeat<T>(
  { times, stop, onRun }: Rounds,
  work: (i: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  for (let i = 0; i < times && !stop.aborted; i++) {
    try {
      results.push(await work(i));
    } catch (error) {
      if (!stop.aborted) throw error; // a process of this round was interrupted too
    }
    onRun(i + 1, times);
  }
  return results;
}
