// A year of one person, a day at a time, through the executable and its daemon: what is in the state folder at the end of
// each month, how long the daily commands take, and the daemon's RAM. The clock of every process is moved
// (`year/clock.c`); each night the day's files get that day's times.

import { spawn } from "node:child_process";
import { appendFileSync, lstatSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { generateMemories, generatePrompts } from "../../bench/generate.ts";
import { describeMachine } from "../../bench/machine.ts";
import { type JsonOption, present } from "../../src/surfaces/cli/bench.ts";
import { ALLOCATOR, HEAP, TELEMETRY_OFF } from "../../src/core/link/spawn.ts";
import { rotated } from "../../src/paths.ts";
import { daemonPid, type Home, makeHome, succeed } from "../../test/support/home.ts";
import {
  isMemos,
  type MessagesRequest,
  serveMessagesApi,
} from "../../test/support/messages_api.ts";
import { ask, buildOf } from "../reliability/raw.ts";
import { MEMO, run } from "./executable.ts";
import { endsMonth, filesIn, goBack, monthsTable, movedClock, secondsOf } from "./year/clock.ts";

export interface YearRun {
  readonly days: number;
  readonly prompts: number;
  readonly captures: number;
  /** Without vectors, which take most of the time. */
  readonly words?: boolean;
  readonly json?: JsonOption;
}

const PROJECTS = ["atlas", "harbor", "kiln"];
const SESSIONS = 5;
/** Of the facts that a person states, one in so many is new; the others are said again, every other with another value. */
const NEW_EVERY = 3;
/** One day in this many, a daemon is left until it rests and sweeps. */
const REST_EVERY = 5;
const PATIENCE = { everyMs: 100, mostMs: 180_000 };

/** What a person types each day. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  list: ["list"],
  search: ["search", "how is the retry policy of the payment worker set"],
  stats: ["stats"],
  log: ["log"],
  journal: ["log", "--journal"],
  receipts: ["recall", "--log"],
  history: ["search", "--history", "what has the user stated"],
  doctor: ["doctor", "--offline"],
  dream: ["dream", "--dry-run"],
};

/** What is seen at the end of a month: memories, MB of the daemon, KB and files by entry of the folders, ms of commands. */
type Month = Readonly<Record<string, number>>;

/** Simulates the days, and reports what has grown. */
export async function runYear(
  { days, prompts, captures, words = false, json }: YearRun,
): Promise<void> {
  const facts = generateMemories(Math.ceil(days * captures / NEW_EVERY) + 1);
  await using api = await serveMessagesApi((request) => [
    isMemos(request)
      ? { type: "tool_use", name: "answer", input: answerTo(request) }
      : { type: "text", text: "Done." },
  ]);
  await using home = makeHome({ MEMO_LLM_PROVIDER: "anthropic" }, { hasModel: !words });
  const at = movedClock(home.root);
  await succeed(home, ["config", "set", "llm.daily_calls=10000", "llm.daily_usd=1000"]);
  const person = { facts, said: 0, questions: generatePrompts(days * prompts, facts.length), api };
  const months: Month[] = [];
  for (let day = 0; day < days; day++) {
    const seconds = secondsOf(day, days), today = at(home, seconds);
    const begun = Date.now();
    await startDaemon(today);
    await live(today, person, { day, seconds, prompts, captures, words });
    if ([1, 2, 3].some((part) => day === Math.floor(days * part / 4))) {
      await succeed(today, ["index", "--rebuild"]); // as an upgrade with another schema or model does
      await startDaemon(today);
    }
    const isMonth = endsMonth(day, days);
    if (isMonth || day % REST_EVERY === 0) await until(today, ({ isAtRest }) => isAtRest === true);
    if (isMonth) months.push(await look(today));
    await succeed(today, ["daemon", "stop"]);
    goBack([home.memoHome, join(home.claude, "projects")], begun, seconds);
    if (isMonth) console.error(JSON.stringify(months.at(-1)));
  }
  await present({ machine: describeMachine(), days, prompts, captures, months }, {
    json,
    depth: 3,
    table: monthsTable(months),
  });
}

/** Starts the daemon with the moved clock, which it would not inherit from a command. */
async function startDaemon({ env, project, memoHome }: Home): Promise<void> {
  const own = { ...env, ...TELEMETRY_OFF, ...ALLOCATOR, ...HEAP };
  spawn(MEMO, ["daemon", "run"], { cwd: project, env: own, stdio: "ignore" });
  for (let waited = 0; waited < PATIENCE.mostMs; waited += PATIENCE.everyMs) {
    await sleep(PATIENCE.everyMs);
    if (daemonPid(memoHome) !== undefined) return;
  }
}

interface Person {
  readonly facts: ReturnType<typeof generateMemories>;
  readonly questions: readonly string[];
  readonly api: { readonly url: string };
  /** Facts stated so far. */
  said: number;
}

interface Day {
  readonly day: number;
  readonly seconds: number;
  readonly prompts: number;
  readonly captures: number;
  readonly words: boolean;
}

/** One day: sessions in turn in each project, with facts that are stated and questions that are asked. */
async function live(home: Home, person: Person, day: Day): Promise<void> {
  const each = day.prompts / SESSIONS, stated = day.captures / SESSIONS;
  for (let s = 0; s < SESSIONS; s++) {
    const cwd = join(home.root, PROJECTS[(day.day + s) % PROJECTS.length]!);
    const session_id = `d${day.day}-s${s}`;
    const transcript_path = join(
      home.claude,
      "projects",
      relative(home.root, cwd),
      `${session_id}.jsonl`,
    );
    for (const folder of [cwd, dirname(transcript_path)]) mkdirSync(folder, { recursive: true });
    const send = (name: string, fields: object = {}) =>
      askDaemon(home, "hook", {
        input: { hook_event_name: name, session_id, cwd, transcript_path, ...fields },
        claude: home.claude,
        variables: { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: person.api.url },
      });
    await send("SessionStart", { source: "startup" });
    for (let p = 0; p < each; p++) {
      const prompt = p < stated
        ? statement(person)
        : person.questions[day.day * day.prompts + s * each + p]!;
      const prompt_id = `${session_id}-${p}`;
      await send("UserPromptSubmit", { prompt, prompt_id });
      const line = (type: string, message: object) =>
        JSON.stringify({
          ...{ type, uuid: `${prompt_id}-${type}`, cwd, sessionId: session_id, message },
          ...type === "user" ? { promptId: prompt_id, turnOrigin: "human" } : {},
          timestamp: new Date(Date.now() + day.seconds * 1000).toISOString(),
        }) + "\n";
      const said = [{ type: "text", text: "I have noted that, and changed the code." }];
      appendFileSync(
        transcript_path,
        line("user", { content: prompt }) +
          line("assistant", { id: `m-${prompt_id}`, content: said }),
      );
      await send("Stop", { last_assistant_message: said[0]!.text });
    }
    await send("SessionEnd", { reason: "other" });
  }
  await until(
    home,
    ({ queued, capturing, pending }) => !queued && !capturing && (day.words || !pending),
  );
}

/** What a person states next, in its own words or with another number. */
function statement(person: Person): string {
  const i = person.said++;
  const isNew = i % NEW_EVERY === 0;
  const known = Math.floor(i / NEW_EVERY);
  const fact = person.facts[isNew ? known : Math.floor(known * (i * 0.618 % 1))]!;
  const text = fact.body.split("\n")[0]!;
  return `Remember: ${fact.name}. ${i % 2 === 0 ? text : text.replace(/\d+/, String(1000 + i))}`;
}

/** What a language model answers: what was stated is a memory; a dream drops one note of its first batch. */
function answerTo({ messages, tools }: MessagesRequest): object {
  const [tool] = tools as readonly { input_schema?: { properties?: object } }[];
  const wanted = Object.keys(tool?.input_schema?.properties ?? {});
  if (!wanted.includes("memories")) return Object.fromEntries(wanted.map((name) => [name, []]));
  const conversation = JSON.stringify(messages).split("Conversation:").at(-1)!;
  const stated = [...conversation.matchAll(/Remember: (.+?)\. (.+?)(?=\\n|")/g)];
  return {
    ...wanted.includes("rules") ? { rules: [] } : {},
    journal: stated.map(([, name], i) => ({ turn: i + 1, bullets: [`The user stated: ${name}`] })),
    memories: stated.slice(0, 8).map(([, name, body], i) => ({
      ...{ turn: i + 1, name, type: "project", description: `About ${name}`, body, origin: "user" },
      triggers: [`change ${name}`],
    })),
  };
}

/** Of the executable; the log that has it is rotated. */
let build: string | undefined;

function askDaemon({ memoHome }: Home, method: string, params: object): Promise<Status> {
  build ??= buildOf(memoHome);
  return ask(join(memoHome, "run", "memo.sock"), { build, method, params });
}

type Status = Readonly<Record<string, unknown>>;

/** Waits until the daemon reaches a state. */
async function until(home: Home, holds: (status: Status) => boolean): Promise<Status> {
  for (let waited = 0; waited < PATIENCE.mostMs; waited += PATIENCE.everyMs) {
    const status = await askDaemon(home, "status", {});
    if (holds(status)) return status;
    await sleep(PATIENCE.everyMs);
  }
  throw new Error("The daemon did not finish its work");
}

/** Measures everything once. */
async function look(home: Home): Promise<Month> {
  const { memories } = await until(home, () => true);
  const status = readFileSync(`/proc/${daemonPid(home.memoHome)}/status`, "utf8");
  const rssMb = Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024 / 1e6);
  const month: Record<string, number> = { memories: Number(memories), "daemon, MB": rssMb };
  const project = join(home.root, PROJECTS[0]!);
  for (const [name, args] of Object.entries(COMMANDS)) {
    const { ms, cpuMs, code } = await run(args, { ...home, project });
    if (code !== 0) console.error(`\`memo ${args.join(" ")}\` exited with ${code}`);
    Object.assign(month, { [`${name}, ms`]: Math.round(ms), [`${name}, ms CPU`]: cpuMs });
  }
  for (const path of [...filesIn(home.memoHome), ...filesIn(home.claude)]) {
    const entry = entryOf(relative(home.root, path));
    if (entry === undefined) continue;
    const add = (unit: string, more: number) =>
      month[`${entry}, ${unit}`] = (month[`${entry}, ${unit}`] ?? 0) + more;
    add("KB", lstatSync(path).size / 1024);
    add("files", 1);
  }
  return Object.fromEntries(Object.entries(month).map(([name, each]) => [name, Math.ceil(each)]));
}

/** What a file counts as: an entry of the state, or a kind of file next to the memories. */
function entryOf(path: string): string | undefined {
  const [top, first = "", second] = path.split("/");
  if (top === "state") {
    if (first === "runtime" || first === "run") return undefined; // the executable's own parts
    const whole = first.replace(/-(wal|shm)$/, "");
    const own = rotated(whole.replace(/\.1$/, "")) === whole ? whole.slice(0, -2) : whole;
    return first === "capture" && second !== undefined
      ? `capture/${second.replace(/\..*/, "")}`
      : own;
  }
  if (path.includes("/.archive/")) {
    return path.endsWith("changes.jsonl") ? "memories: changes" : "memories: archive";
  }
  if (path.includes("/journal/") || path.includes("/logs/")) return "memories: journal";
  if (path.endsWith(".jsonl")) return "(transcripts)";
  return "memories: files";
}
