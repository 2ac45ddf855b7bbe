// Soaks one daemon: prompts and everything between them, edits too, and the daemon's RAM at rest and asleep every so many
// prompts. That, its open files and every error go to `bench/results/soak.json`.
//
//   deno run -A tools/soak.ts [--prompts 10000] [--memories 1000] [--out FILE]

import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { generateMemories, generatePrompts } from "../bench/generate.ts";
import { describeMachine, formatMachine } from "../bench/machine.ts";
import { serializeMemory } from "../src/core/memory/file.ts";
import { daemonPid, makeHome, succeed } from "../test/support/home.ts";
import { ask, buildOf } from "./reliability/raw.ts";
import { commit } from "./compile/compile.ts";

const OUT = fileURLToPath(new URL("../bench/results/soak.json", import.meta.url));
/** Most RAM of a daemon at rest, in MB. */
const MOST_MB = 270;
/** After this many prompts it is left to rest, and measured. */
const POINTS = [100, 500, 1000, 2500, 5000, 10_000];
/** One call in so many is a prompt. */
const PROMPT_EVERY = 2;
/** As many sessions ask at the same time. */
const AT_ONCE = 4;
/** How long it may take to come to rest. */
const REST = { everyMs: 500, mostMs: 120_000 };
/** In the end it is put to sleep sooner than in life: after a third of so many minutes. */
const IDLE_MINUTES = 0.3;

const { values } = parseArgs({
  options: {
    prompts: { type: "string", default: "10000" },
    memories: { type: "string", default: "1000" },
    out: { type: "string", default: OUT },
  },
});
const [most, memories] = [Number(values.prompts), Number(values.memories)];

await using home = makeHome({ MEMO_LLM_PROVIDER: "none" }, { hasModel: true });
for (const [i, memory] of generateMemories(memories).entries()) {
  home.write(`${memory.type}_${i}.md`, serializeMemory(memory));
}
await succeed(home, ["config", "set", "llm.provider=none"]);
await succeed(home, ["index"]);
await succeed(home, ["daemon", "start"]);
const processes = new Set([daemonPid(home.memoHome)!]);
const socket = join(home.memoHome, "run", "memo.sock");
const build = buildOf(home.memoHome);
const prompts = generatePrompts(most, memories);
let errors = 0;
/** Calls that came while a fresh daemon took the place of one that held too much: a hook answers these by words. */
let withoutDaemon = 0;

/** What happens in a session, by the number of the call: a prompt, and something else before the next one. */
function eventOf(i: number): Record<string, unknown> {
  const session = `s${Math.floor(i / 40)}`;
  const base = {
    session_id: session,
    cwd: home.project,
    transcript_path: join(home.claude, "projects", "p", `${session}.jsonl`),
  };
  if (i % PROMPT_EVERY === 1) {
    const prompt = prompts[Math.floor(i / PROMPT_EVERY)];
    return { ...base, hook_event_name: "UserPromptSubmit", prompt };
  }
  switch (i % 40) {
    case 0:
      return { ...base, hook_event_name: "SessionStart", source: "startup" };
    case 20:
      return { ...base, hook_event_name: "SessionStart", source: "compact" };
    case 38:
      return { ...base, hook_event_name: "SessionEnd", reason: "other" };
  }
  if (i % 4 === 0) return { ...base, hook_event_name: "Stop", last_assistant_message: "Done." };
  const file_path = join(home.claude, "memory", "tool_edited.md");
  return { ...base, hook_event_name: "PostToolUse", tool_name: "Write", tool_input: { file_path } };
}

function failed(error: { readonly code?: string }): void {
  if (["ENOENT", "ECONNREFUSED"].includes(error.code ?? "")) withoutDaemon++;
  else errors++;
}

interface Point {
  readonly prompts: number;
  /** The most that was seen on the way. */
  readonly busyMb: number;
  readonly restMb: number;
  readonly ownMb: number;
  readonly openFiles: number;
  readonly walMb: number;
}

const points: Point[] = [];
let calls = 0;
for (const until of [...POINTS.filter((point) => point < most), most]) {
  let busy = 0;
  const underWay = new Set<Promise<unknown>>();
  for (; calls < until * PROMPT_EVERY; calls++) {
    if (calls % 100 === 0) {
      const text = `---\nname: Edited ${calls}\ntype: tool\n---\nEdited ${calls} times.\n`;
      home.write("tool_edited.md", text);
      busy = Math.max(busy, resident().all);
    }
    const params = { input: eventOf(calls), claude: home.claude, variables: {} };
    const call = ask(socket, { build, method: "hook", params }).catch(failed)
      .finally(() => underWay.delete(call));
    underWay.add(call);
    if (underWay.size >= AT_ONCE) await Promise.race(underWay);
  }
  await Promise.all(underWay);
  await hasCome("to rest", async () => {
    const status = await ask(socket, { build, method: "status", params: {} }).catch(() => ({}));
    return "isAtRest" in status && status.isAtRest === true;
  });
  const { all, own } = resident();
  const wal = statSync(join(home.memoHome, "index.db-wal"), { throwIfNoEntry: false });
  points.push({
    prompts: until,
    busyMb: busy,
    restMb: all,
    ownMb: own,
    openFiles: readdirSync(`/proc/${present()}/fd`).length,
    walMb: Math.round((wal?.size ?? 0) / 1e6),
  });
  console.error(JSON.stringify(points.at(-1)));
}

// A session stays open, so that the daemon does.
const input = { ...eventOf(1), session_id: "open", hook_event_name: "Stop" };
const params = { input, claude: home.claude, variables: {}, pid: process.pid };
await ask(socket, { build, method: "hook", params });
await succeed(home, ["config", "set", `daemon.idle_minutes=${IDLE_MINUTES}`]);
const log = join(home.memoHome, "logs", "daemon.log");
await hasCome("to sleep", () => readFileSync(log, "utf8").includes('"dropped"'));
await sleep(REST.everyMs * 4); // what it has let go of returns to the system
const asleep = resident();

const report = {
  machine: formatMachine({ ...describeMachine(commit()), memo: build }),
  memories,
  calls,
  errors,
  withoutDaemon,
  daemons: processes.size,
  points,
  asleep: { mb: asleep.all, ownMb: asleep.own },
};
rmSync(values.out, { force: true });
writeFileSync(values.out, JSON.stringify(report, null, 2) + "\n");
const worst = Math.max(...points.map(({ restMb }) => restMb));
console.log(`${most} prompts, ${errors} errors, at most ${worst} MB at rest; wrote ${values.out}`);
if (errors > 0 || worst > MOST_MB) process.exitCode = 1;

/** Waits until the daemon reaches a state. */
async function hasCome(where: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let waited = 0; waited < REST.mostMs; waited += REST.everyMs) {
    await sleep(REST.everyMs);
    if (await holds()) return;
  }
  throw new Error(`The daemon did not go ${where}`);
}

/** The daemon that serves now. */
function present(): number | string {
  const pid = daemonPid(home.memoHome);
  if (pid !== undefined) processes.add(pid);
  return pid ?? "self"; // between two: the next look finds it
}

function resident() {
  const status = readFileSync(`/proc/${present()}/status`, "utf8");
  const megabytes = (name: string) =>
    Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) * 1024 / 1e6);
  return { all: megabytes("VmRSS"), own: megabytes("RssAnon") };
}
