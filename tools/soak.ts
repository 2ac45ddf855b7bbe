// Soaks one daemon: many calls of every kind with edits in between, in phases with a rest after each. What it holds at
// rest, its open files and every error go to `bench/results/soak.json`.
//
//   deno run -A tools/soak.ts [--calls 25000] [--phases 5] [--memories 500] [--rest 8] [--out FILE]

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { generateMemories, generatePrompts } from "../bench/generate.ts";
import { describeMachine, sayMachine } from "../bench/machine.ts";
import { serializeMemory } from "../src/memory/file.ts";
import { daemonPid, makeHome, runMemo } from "../test/support/home.ts";
import { ask, buildOf } from "./reliability/raw.ts";

const OUT = fileURLToPath(new URL("../bench/results/soak.json", import.meta.url));
/** What a daemon may hold at rest; the weights of the built-in model are 83 MB of it, 60 more than MiniLM's. */
const MOST_MB = 350;
const { values } = parseArgs({
  options: {
    calls: { type: "string", default: "25000" },
    phases: { type: "string", default: "5" },
    memories: { type: "string", default: "500" },
    rest: { type: "string", default: "8" },
    out: { type: "string", default: OUT },
  },
});
const [calls, phases, memories, restSeconds] = [
  Number(values.calls),
  Number(values.phases),
  Number(values.memories),
  Number(values.rest),
];

await using home = makeHome({ MEMO_LLM_PROVIDER: "none" });
for (const [i, memory] of generateMemories(memories).entries()) {
  home.write(`${memory.type}_${i}.md`, serializeMemory(memory));
}
await succeed(["config", "set", "llm.provider=none"]);
await succeed(["index"]);
await succeed(["daemon", "start"]);
const processes = new Set([daemonPid(home.memoHome)!]);
const socket = join(home.memoHome, "run", "memo.sock");
const build = buildOf(home.memoHome);
const prompts = generatePrompts(500, memories);
let errors = 0;
/** Calls that came while a fresh daemon took the place of one that held too much: a hook answers these by words. */
let withoutDaemon = 0;

/** What happens in a session, by the number of the call: prompts mostly, and everything else now and then. */
function eventOf(i: number): Record<string, unknown> {
  const session = `s${Math.floor(i / 40)}`;
  const base = {
    session_id: session,
    cwd: home.project,
    transcript_path: join(home.claude, "projects", "p", `${session}.jsonl`),
  };
  switch (i % 40) {
    case 0:
      return { ...base, hook_event_name: "SessionStart", source: "startup" };
    case 39:
      return { ...base, hook_event_name: "SessionEnd", reason: "other" };
    case 20:
      return { ...base, hook_event_name: "SessionStart", source: "compact" };
  }
  if (i % 4 === 1) {
    return { ...base, hook_event_name: "UserPromptSubmit", prompt: prompts[i % prompts.length] };
  }
  if (i % 4 === 2) return { ...base, hook_event_name: "Stop", last_assistant_message: "Done." };
  const file_path = join(home.claude, "memory", "tool_edited.md");
  return { ...base, hook_event_name: "PostToolUse", tool_name: "Write", tool_input: { file_path } };
}

/** As many sessions ask at the same time. */
const AT_ONCE = 4;

function failed(error: { readonly code?: string }): void {
  if (["ENOENT", "ECONNREFUSED"].includes(error.code ?? "")) withoutDaemon++;
  else errors++;
}

interface Phase {
  readonly calls: number;
  readonly busyMb: number;
  readonly restMb: number;
  readonly openFiles: number;
  readonly walMb: number;
}

const results: Phase[] = [];
for (let phase = 0; phase < phases; phase++) {
  let busy = 0;
  const underWay = new Set<Promise<unknown>>();
  const [from, to] = [phase, phase + 1].map((n) => Math.round(n * calls / phases)) as [
    number,
    number,
  ];
  for (let i = from; i < to; i++) {
    if (i % 100 === 0) {
      home.write("tool_edited.md", `---\nname: Edited ${i}\ntype: tool\n---\nEdited ${i} times.\n`);
      busy = Math.max(busy, rssMb());
    }
    const params = { input: eventOf(i), claude: home.claude, variables: {} };
    const call = ask(socket, { build, method: "hook", params }).catch(failed)
      .finally(() => underWay.delete(call));
    underWay.add(call);
    if (underWay.size >= AT_ONCE) await Promise.race(underWay);
  }
  await Promise.all(underWay);
  await sleep(restSeconds * 1000);
  results.push({
    calls: to,
    busyMb: busy,
    restMb: rssMb(),
    openFiles: readdirSync(`/proc/${present()}/fd`).length,
    walMb: megabytes(
      statSync(join(home.memoHome, "index.db-wal"), { throwIfNoEntry: false })?.size,
    ),
  });
  console.error(JSON.stringify(results.at(-1)));
}

const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
const report = {
  machine: sayMachine({ ...describeMachine(commit), memo: build }),
  memories,
  errors,
  withoutDaemon,
  daemons: processes.size,
  phases: results,
};
rmSync(values.out, { force: true });
writeFileSync(values.out, JSON.stringify(report, null, 2) + "\n");
const worst = Math.max(...results.map(({ restMb }) => restMb));
console.log(`${calls} calls, ${errors} errors, at rest ${worst} MB at most; wrote ${values.out}`);
if (errors > 0 || worst >= MOST_MB) process.exitCode = 1;

async function succeed(args: string[]): Promise<void> {
  const { code, stderr } = await runMemo(home, args);
  if (code !== 0) throw new Error(`memo ${args.join(" ")} failed: ${stderr}`);
}

/** The daemon that serves now. */
function present(): number | string {
  const pid = daemonPid(home.memoHome);
  if (pid !== undefined) processes.add(pid);
  return pid ?? "self"; // between two: the next look finds it
}

/** What the daemon holds in memory, as the system counts it. */
function rssMb(): number {
  const status = readFileSync(`/proc/${present()}/status`, "utf8");
  return megabytes(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024);
}

function megabytes(bytes = 0): number {
  return Math.round(bytes / 1e6);
}
