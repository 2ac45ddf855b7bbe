// Kills the real executable at random moments, round after round, and looks whether anything was lost or is only half
// there: `memo add`, `memo edit`, the daemon while it is asked, and capture while it writes.

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { generateMemories } from "../../bench/generate.ts";
import { seededRandom } from "../../bench/random.ts";
import { readJobs } from "../../src/core/capture/queue.ts";
import { projectOf } from "../../src/core/memory/project.ts";
import { readFixture } from "../../test/support/fixtures.ts";
import {
  daemonPid,
  type Home,
  makeHome,
  MEMO,
  PATIENCE,
  runMemo,
} from "../../test/support/home.ts";
import {
  type MessagesRequest,
  type ReplyBlock,
  serveMessagesApi,
  textOf,
} from "../../test/support/messages_api.ts";
import { filesIn } from "../../test/support/files.ts";

/** What many rounds have come to. */
export interface Kills {
  readonly what: string;
  readonly rounds: number;
  /** The rounds in which the process was killed before its end. */
  readonly killed: number;
  /** What was promised and is not there, or stands there twice. */
  readonly lost: readonly string[];
  /** Files that are only half there. */
  readonly torn: readonly string[];
}

/** Each kind of work, by its name in the report. */
export const KILLS: Readonly<Record<string, (rounds: number) => Promise<Kills>>> = {
  "`memo add`": killAdd,
  "`memo edit`, after the editor": killEdit,
  "the daemon, at a prompt and a turn's end": killDaemon,
  "capture (`memo import conversations`)": killCapture,
};

/** A process is killed at a moment up to so many times as late as it takes when it is left alone. */
const LATEST = 1.1;

async function killAdd(rounds: number): Promise<Kills> {
  await using home = makeHome({}, { hasModel: true });
  const random = seededRandom(rounds);
  const text = (round: number) => `Round ${round} of the kiln. `.repeat(60).trim();
  const add = (round: number, killAfterMs?: number) =>
    run(home, ["add", text(round), "--name", `Round ${round}`, "--scope", "user"], killAfterMs);
  const wholeMs = await timed(() => add(0));
  const said = new Set([0]);
  let killed = 0;
  for (let round = 1; round <= rounds; round++) {
    if (await add(round, random() * wholeMs * LATEST) === 0) said.add(round);
    else killed++;
  }
  const files = memoriesIn(join(home.claude, "memory"));
  const isThere = (round: number) => files.some(({ body }) => body.includes(text(round)));
  return {
    what: "`memo add`",
    rounds,
    killed,
    lost: [...said].filter((round) => !isThere(round)).map((round) => `Round ${round}`),
    torn: files.filter(({ body }) =>
      !/(Round \d+ of the kiln\. ){59}Round \d+ of the kiln\./.test(body)
    )
      .map(({ name }) => name),
  };
}

/** Kills `memo edit` within 50 ms after its editor has ended; the text is in the memory or in a copy. */
async function killEdit(rounds: number): Promise<Kills> {
  await using home = makeHome({ MEMO_LLM_PROVIDER: "none" }, { hasModel: true });
  const memory = home.write("tool_kiln.md", "---\nname: Kiln\ntype: tool\n---\nRound 0\n");
  const [text, ended] = [join(home.root, "text"), join(home.root, "ended")];
  const editor = `sh -c 'cat "${text}" > "$1"; touch "${ended}"' editor`;
  const random = seededRandom(rounds);
  const [lost, torn]: [string[], string[]] = [[], []];
  let killed = 0;
  for (let round = 1; round <= rounds; round++) {
    const body = `Round ${round} of the kiln. `.repeat(60).trim();
    writeFileSync(text, `---\nname: Kiln\ntype: tool\n---\n${body}\n`);
    rmSync(ended, { force: true });
    const child = spawn(MEMO, ["edit", "Kiln"], {
      ...{ cwd: home.project, stdio: "ignore", env: { ...home.env, EDITOR: editor } },
    });
    const close = new Promise<number | null>((done) => child.on("close", done));
    while (!existsSync(ended) && child.exitCode === null) await sleep(1);
    await sleep(random() * 50);
    child.kill("SIGKILL");
    if (await close !== 0) killed++;
    const copies = Object.values(filesIn(join(home.memoHome, "edits")));
    const live = readFileSync(memory, "utf8");
    if (![live, ...copies].some((found) => found.includes(body))) lost.push(`Round ${round}`);
    if (!/Round \d+( of the kiln\.)?\n$/.test(live)) torn.push(`Round ${round}`);
  }
  return { what: "`memo edit`, after the editor", rounds, killed, lost, torn };
}

async function killDaemon(rounds: number): Promise<Kills> {
  await using home = makeHome({ ...PATIENCE, MEMO_LLM_PROVIDER: "none" }, { hasModel: true });
  home.write("tool_kiln.md", "---\nname: Kiln\ntype: tool\n---\nThe kiln's port is 7070.\n");
  await run(home, ["config", "set", "llm.provider=none"]);
  await run(home, ["index"]);
  const random = seededRandom(rounds);
  const lost: string[] = [];
  let killed = 0;
  const prompt = async (round: number) => {
    if (!/7070/.test(await hook(home, "UserPromptSubmit", { session_id: `p${round}` }))) {
      lost.push(`the answer to prompt ${round}`);
    }
  };
  const turns: string[] = [];
  const askMs = await timed(() => prompt(0));
  for (let round = 1; round <= rounds; round++) {
    await run(home, ["daemon", "start"]);
    const pid = daemonPid(home.memoHome);
    const transcript_path = writeTranscript(home, round);
    turns.push(transcript_path);
    const asked = [
      prompt(round),
      hook(home, "Stop", { session_id: `round-${round}`, transcript_path }),
    ];
    await sleep(random() * askMs * LATEST);
    if (pid !== undefined && daemonPid(home.memoHome) === pid) {
      process.kill(pid, "SIGKILL");
      killed++;
    }
    await Promise.all(asked);
  }
  await prompt(rounds + 1);
  const waiting = new Set(readJobs(join(home.memoHome, "capture")).map((job) => job.transcript));
  lost.push(...turns.filter((path) => !waiting.has(path)).map((path) => `the turn in ${path}`));
  return {
    what: "the daemon, at a prompt and a turn's end",
    rounds,
    killed,
    lost,
    torn: tornState(home),
  };
}

async function killCapture(rounds: number): Promise<Kills> {
  const facts = generateMemories(rounds + 2);
  await using api = await serveMessagesApi((request) => extraction(request, facts));
  await using home = makeHome({
    ANTHROPIC_API_KEY: "sk-ant-loopback",
    ANTHROPIC_BASE_URL: api.url,
  }, { hasModel: true });
  await run(home, ["config", "set", "llm.provider=anthropic"]);
  const random = seededRandom(rounds);
  const extract = (round: number, killAfterMs?: number) =>
    run(home, ["import", "conversations", writeTranscript(home, round)], killAfterMs);
  await extract(0); // unpacks the model
  const wholeMs = await timed(() => extract(1));
  let killed = 0;
  for (let round = 2; round < rounds + 2; round++) {
    if (await extract(round, random() * wholeMs * LATEST) !== 0) killed++;
    await extract(round); // as the next daemon would
  }
  const [lost, torn]: [string[], string[]] = [[], []];
  for (let round = 0; round < rounds + 2; round++) {
    const { folder } = projectOf(projectIn(home, round), home.claude);
    const files = memoriesIn(folder);
    if (files.length !== 1) lost.push(`the memory of round ${round}, ${files.length} times there`);
    torn.push(...files.filter(({ body }) => !/K\d+K\n*$/.test(body)).map(({ name }) => name));
    const journal = memoriesIn(join(folder, "journal")).map(({ body }) => body).join("\n");
    const entries = journal.split(markOf(round)).length - 1;
    if (entries !== 1) lost.push(`the journal of round ${round}, ${entries} times there`);
  }
  return { what: "capture (`memo import conversations`)", rounds, killed, lost, torn };
}

/** The project of a round: memories of one project may supersede each other. */
function projectIn(home: Home, round: number): string {
  const folder = join(home.project, `round-${round}`);
  mkdirSync(join(folder, ".git"), { recursive: true });
  return folder;
}

/** Tells the rounds of capture apart. */
function markOf(round: number): string {
  return `K${round}K`;
}

/** What a language model would make of the one turn that it is shown. */
function extraction(
  request: MessagesRequest,
  facts: ReturnType<typeof generateMemories>,
): readonly ReplyBlock[] {
  const [, turn, round] =
    [...textOf(request, "user").matchAll(/<turn number="(\d+)"[^>]*>\n(?:(?!<turn)[^])*?K(\d+)K/g)]
      .at(-1) ?? [];
  const { name, description, body } = facts[Number(round)]!;
  const mark = markOf(Number(round));
  const memory = {
    ...{ turn: Number(turn), name, description, type: "gotcha", triggers: [], origin: "user" },
    body: `${body}\n\n${mark}`,
  };
  const journal = [{ turn: Number(turn), bullets: [`Spoke of ${mark}`] }];
  return [{ type: "tool_use", name: "answer", input: { journal, memories: [memory] } }];
}

function writeTranscript(home: Home, round: number): string {
  const session = `round-${round}`;
  const fact = generateMemories(round + 1)[round]!;
  const common = {
    sessionId: session,
    cwd: projectIn(home, round),
    timestamp: "2026-11-21T11:59:00Z",
  };
  const lines = [
    {
      ...{ type: "user", uuid: `${session}-1` },
      message: {
        role: "user",
        content: `Remember this. ${fact.name}. ${fact.body} ${markOf(round)}`,
      },
    },
    {
      ...{ type: "assistant", uuid: `${session}-2`, parentUuid: `${session}-1` },
      message: { id: "m1", role: "assistant", content: [{ type: "text", text: "Understood." }] },
    },
  ];
  const text = lines.map((line) => JSON.stringify({ ...common, ...line }) + "\n").join("");
  return home.write(`.claude/projects/p/${session}.jsonl`, text);
}

/** The memory files, or days of the journal, of a folder. */
function memoriesIn(folder: string): { readonly name: string; readonly body: string }[] {
  try {
    return readdirSync(folder).filter((name) => /^[^.].*\.md$/.test(name) && name !== "MEMORY.md")
      .map((name) => ({ name, body: readFileSync(join(folder, name), "utf8") }));
  } catch {
    return [];
  }
}

/** Files of the state folder that are to be JSON and are not. */
function tornState(home: Home): string[] {
  const isWhole = (text: string) => {
    try {
      return JSON.parse(text) !== null;
    } catch {
      return false;
    }
  };
  return readdirSync(home.memoHome, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json") && !name.startsWith("runtime"))
    .filter((name) => !isWhole(readFileSync(join(home.memoHome, name), "utf8")));
}

async function hook(home: Home, event: string, fields: object): Promise<string> {
  const prompt = "which port has the kiln";
  const stdin = JSON.stringify({ ...readFixture(event), cwd: home.project, prompt, ...fields });
  const { code, stdout, stderr } = await runMemo(home, ["hook"], { stdin });
  if (code !== 0 || stderr !== "") throw new Error(`memo hook ended with ${code}: ${stderr}`);
  return stdout;
}

/** Runs memo, and kills it after a while unless it has ended; returns its exit code, null if it was killed. */
async function run(
  home: Home,
  args: readonly string[],
  killAfterMs?: number,
): Promise<number | null> {
  const { code } = await runMemo(home, args, { killAfterMs });
  if (code !== 0 && killAfterMs === undefined) {
    throw new Error(`memo ${args[0]} ended with ${code}`);
  }
  return code;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
