// How long a person waits for each command in stores of a thousand to a hundred thousand notes.

import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { madeUpIndex, writeMemories } from "../../bench/hook.ts";
import { spreadOf } from "../../bench/latency.ts";
import { describeMachine } from "../../bench/machine.ts";
import { type SandboxHome, withSandbox } from "../../bench/sandbox.ts";
import { type JsonOption, present } from "../../src/surfaces/cli/bench.ts";
import type { CliContext } from "../../src/surfaces/cli/shared/command.ts";
import { columns } from "../../src/surfaces/cli/shared/output.ts";
import { BUILTIN } from "../../src/core/embed/mod.ts";
import { pathsFor } from "../../src/paths.ts";
import { MEMO, run as runMemo } from "./executable.ts";

export interface LargeRun {
  readonly notes: readonly number[];
  readonly runs: number;
  readonly only?: readonly string[];
  /** Where stores are kept from run to run. */
  readonly home?: string;
  readonly memo?: string;
  readonly json?: JsonOption;
}

/** What is timed: the arguments of memo in a store that has a note about `E1003`. */
const COMMANDS: Readonly<Record<string, (run: number) => readonly string[]>> = {
  list: () => ["list"],
  "list -n 50": () => ["list", "-n", "50"],
  "list --tag redis -n 50": () => ["list", "--tag", "redis", "-n", "50"],
  "show WORD": () => ["show", "in", "e1003"],
  search: () => ["search", "getting E1003 again, what is it"],
  "search --like": () => ["search", "--like", "in e1003"],
  add: (run) => ["add", `The kiln of shed ${Date.now() % 1e7 + run} is fired on Tuesdays`],
  "forget WORD": (run) => ["forget", "in", `e${1007 + 4 * run}`],
  completions: () => ["completions", "--words", "--", "show", "gotcha_error-e1003"],
  stats: () => ["stats", "--json"],
  doctor: () => ["doctor", "--offline"],
  import: () => ["import", "markdown", NOTE, "--dry-run"],
  dream: () => ["dream", "--dry-run"],
  export: (run) => ["export", `out-${run}`],
};

/** A file to import. */
const NOTE = "kiln.md";

/** What one command took in one store. */
interface Row {
  readonly notes: number;
  readonly command: string;
  /** Without and with a warm daemon. */
  readonly alone: Taken;
  readonly warm: Taken;
}

/** Seconds, at the median. */
interface Taken {
  readonly wall: number;
  /** Of the processor, for the command itself and not for the daemon; 0 where the system does not tell. */
  readonly cpu: number;
}

/** Times the commands in stores of several sizes. */
export async function runLarge(run: LargeRun, context: CliContext): Promise<void> {
  const rows: Row[] = [];
  for (const notes of run.notes) {
    await withSandbox(async ({ cwd, home }) => {
      const kept = run.home === undefined ? undefined : resolve(run.home, String(notes));
      const own = kept === undefined ? home : { ...home, ...homeIn(kept, home) };
      if (kept !== undefined) mkdirSync(kept, { recursive: true });
      await fill(own, notes, context);
      rows.push(...await timeAll(own, { cwd, notes, run }));
    });
  }
  const table = columns([
    ["memories", "command", "no daemon, s", "CPU s", "with daemon, s", "CPU s"],
    ...rows.map(({ notes, command, alone, warm }) => [
      ...[String(notes), command, seconds(alone.wall), seconds(alone.cpu)],
      ...[seconds(warm.wall), seconds(warm.cpu)],
    ]),
  ]);
  await present({ machine: describeMachine(), rows }, { json: run.json, depth: 2, table });
}

function seconds(value: number): string {
  return value.toFixed(2);
}

/** The same home in another folder. */
function homeIn(root: string, { env }: SandboxHome): SandboxHome {
  const own = {
    ...env,
    ...{ HOME: root, CLAUDE_CONFIG_DIR: join(root, ".claude"), MEMO_HOME: join(root, "state") },
  };
  return { env: own, paths: pathsFor(own) };
}

/** Writes and indexes the notes of a store, unless it is there. */
async function fill(home: SandboxHome, notes: number, { paths }: CliContext): Promise<void> {
  if (existsSync(home.paths.db)) return;
  console.error(`Writing and indexing ${notes} memories`);
  const stop = new AbortController().signal;
  const quiet = { stop, onWritten: () => {} };
  const files = await writeMemories(home, notes, quiet);
  mkdirSync(home.paths.state, { recursive: true, mode: 0o700 });
  await madeUpIndex(home, files, {
    model: BUILTIN,
    paths,
    runs: 0,
    stop,
    progress: () => () => {},
  });
}

/** Times every command without a daemon, then with a warm one. */
async function timeAll(
  { env }: SandboxHome,
  { cwd, notes, run }: { readonly cwd: string; readonly notes: number; readonly run: LargeRun },
): Promise<Row[]> {
  const program = run.memo === undefined ? MEMO : resolve(run.memo);
  const memo = async (...args: readonly string[]) => {
    const { ms, cpuMs, code } = await runMemo(args, { env, project: cwd, memo: program });
    if (code !== 0) console.error(`\`memo ${args.join(" ")}\` exited with ${code}`);
    return { wall: ms / 1000, cpu: cpuMs / 1000 };
  };
  writeFileSync(join(cwd, NOTE), "The kiln is fired on Tuesdays\n");
  let ran = 0;
  const time = async (what: string): Promise<Taken> => {
    const times: Taken[] = [];
    for (let i = 0; i < run.runs; i++) {
      const args = COMMANDS[what]!(ran++);
      times.push(await memo(...args));
      if (what === "export") rmSync(join(cwd, args[1]!), { recursive: true, force: true });
    }
    const median = (of: keyof Taken) => spreadOf(times.map((each) => each[of])).p50;
    const taken = { wall: median("wall"), cpu: median("cpu") };
    console.error(`${notes} memories, ${what}: ${seconds(taken.wall)} s`);
    return taken;
  };
  await memo("daemon", "stop");
  await memo("list", "-n", "1"); // the caches of the disk
  const commands = Object.keys(COMMANDS).filter((each) => run.only?.includes(each) ?? true);
  const alone = new Map<string, Taken>();
  for (const what of commands) alone.set(what, await time(what));
  await memo("daemon", "start");
  await memo("search", "kiln");
  await sleep(SETTLED_MS);
  await memo("search", "kiln");
  const rows: Row[] = [];
  for (const command of commands) {
    rows.push({ notes, command, alone: alone.get(command)!, warm: await time(command) });
  }
  await memo("daemon", "stop");
  return rows;
}

/** A daemon has read a large store's vectors by then. */
const SETTLED_MS = 20_000;
