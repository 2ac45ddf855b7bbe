// The fault matrix: every hook event, with the daemon and the index in every bad state that was thought of, through the real
// executable as an ordinary user. A cell passes when the hook ends with 0, prints one JSON object or nothing, says nothing
// on stderr, and changes no memory file.

import {
  chmodSync,
  chownSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { HOOK_EVENTS } from "../../hooks/events.ts";
import { codeOf } from "../../src/errors.ts";
import { INDEX_FILE } from "../../src/core/memory/folder.ts";
import { mark } from "../../src/features/guard/moments.ts";
import { readFixture } from "../../test/support/fixtures.ts";
import {
  daemonPid,
  type Home,
  makeHome,
  PATIENCE,
  runMemo,
  succeed,
} from "../../test/support/home.ts";
import type { Finished } from "../../test/support/run.ts";

/** What a cell has at hand. */
interface Cell {
  readonly home: Home;
  readonly run: string;
  readonly db: string;
  /** Runs memo in the home. */
  memo(args: readonly string[], stdin?: string): Promise<Finished>;
  /** Has something done when the cell is over. */
  later(work: () => void): void;
}

type Spoil = (cell: Cell) => Promise<void> | void;

const socketOf = ({ run }: Cell) => join(run, "memo.sock");

/** States of the daemon. */
const DAEMONS: Readonly<Record<string, Spoil>> = {
  absent: () => {},
  warm: async ({ memo }) => void await memo(["daemon", "start"]),
  killed: async ({ memo, home }) => {
    await memo(["daemon", "start"]);
    process.kill(daemonPid(home.memoHome)!, "SIGKILL");
  },
  stopped: async ({ memo, home }) => {
    await memo(["daemon", "start"]);
    process.kill(daemonPid(home.memoHome)!, "SIGSTOP");
  },
  mute: (cell) => listen(cell, () => {}),
  "hangs up": (cell) => listen(cell, (say) => say("")),
  "not JSON": (cell) => listen(cell, (say) => say("HTTP/1.1 400 Bad Request\r\n\r\n")),
  null: (cell) => listen(cell, (say) => say("null\n")),
  "another build": (cell) => listen(cell, (say) => say(reply({ build: "9.9.9" }))),
  "another protocol": (cell) => listen(cell, (say) => say(reply({ protocol: 99 }))),
  "socket a file": (cell) => writeFileSync(socketOf(cell), "no socket"),
  "socket a folder": (cell) => mkdirSync(socketOf(cell)),
  "folder open to others": ({ run }) => chmodSync(run, 0o777),
  "lock held": ({ run }) => writeFileSync(join(run, "start.lock"), `${process.pid}\n`),
  "run unwritable": ({ run }) => chmodSync(run, 0o500),
};

/** States of the index and of what it lies in. */
const INDEXES: Readonly<Record<string, Spoil>> = {
  ok: () => {},
  absent: ({ db }) => rmSync(db),
  empty: ({ db }) => truncateSync(db),
  cut: ({ db }) => truncateSync(db, lstatSync(db).size / 2),
  garbage: ({ db }) => writeFileSync(db, "no database ".repeat(1000)),
  "a folder": ({ db }) => {
    rmSync(db);
    mkdirSync(join(db, "something"), { recursive: true });
  },
  "read-only": ({ db }) => chmodSync(db, 0o400),
  "not readable": ({ db }) => chmodSync(db, 0o000),
  "of a newer memo": async ({ db }) => {
    const client = createClient({ url: `file:${db}` });
    await client.execute("PRAGMA user_version = 99");
    client.close();
  },
  "with a foreign log": ({ db }) => writeFileSync(`${db}-wal`, "no log ".repeat(1000)),
  "state unwritable": ({ home }) => chmodSync(home.memoHome, 0o500),
  "sessions unwritable": ({ home }) => {
    mkdirSync(join(home.memoHome, "sessions"), { recursive: true });
    chmodSync(join(home.memoHome, "sessions"), 0o500);
  },
  "moments unwritable": ({ home }) => chmodSync(momentsOf(home), 0o500),
  "moments unreadable": ({ home }) => chmodSync(momentsOf(home), 0o000),
  "moments a file": ({ home }) => {
    rmSync(momentsOf(home), { recursive: true });
    writeFileSync(momentsOf(home), "no folder");
  },
  "settings broken": ({ home }) => writeFileSync(join(home.memoHome, "config.yaml"), "a: [b\n: c"),
};

const EVENTS: Readonly<Record<string, string>> = {
  SessionStart: "SessionStart.startup",
  UserPromptSubmit: "UserPromptSubmit",
  SubagentStart: "SubagentStart",
  PreToolUse: "PreToolUse.Read",
  "PreToolUse, guarded": "PreToolUse.Bash",
  "PreSkillShellCommand, guarded": "PreSkillShellCommand",
  PostToolUse: "PostToolUse.Write",
  PostToolUseFailure: "PostToolUseFailure.Bash",
  PostToolBatch: "PostToolBatch",
  Stop: "Stop",
  SessionEnd: "SessionEnd.other",
};
/** Every recorded event of other agents. */
const OTHERS = readdirSync(new URL("../../test/fixtures/agents/", import.meta.url))
  .filter((name) => name.endsWith(".json")).map((name) => name.replace(/\.json$/, ""));
/** Those that the short form is about. */
const SHORT_EVENTS = [
  "UserPromptSubmit",
  "Stop",
  "PreToolUse",
  "PreToolUse, guarded",
  "PostToolUseFailure",
  "gemini.BeforeAgent",
  "copilot.Stop",
];

/** What the events of tools are about, and what they get; the hook asks a daemon because the project has something. */
const TOOLS: Readonly<Record<string, { input: (home: Home) => object; gets: string }>> = {
  PreToolUse: {
    input: ({ project }) => ({ tool_input: { file_path: join(project, "a.txt") } }),
    gets: "Heat it first",
  },
  "PreToolUse, guarded": {
    input: () => ({ tool_input: { command: "git push --force origin main" } }),
    gets: '"permissionDecision":"ask"',
  },
  "PreSkillShellCommand, guarded": {
    input: () => ({ tool_input: { command: "git push --force origin main" } }),
    gets: '"permissionDecision":"ask"',
  },
  PostToolUseFailure: {
    input: () => ({ error: "Exit code 1\nError: EKILN 7070 the kiln is cold" }),
    gets: "Heat it first",
  },
};

/** One combination. */
export interface Combination {
  readonly event: string;
  readonly daemon: string;
  readonly index: string;
}

/** What came of one. */
export interface Outcome extends Combination {
  readonly ms: number;
  /** What was wrong; undefined: nothing. */
  readonly fault?: string | undefined;
}

/** Every daemon with a sound index, every index with a warm and with no daemon; `isShort`: for the main events alone. */
export function combinations(isShort: boolean): Combination[] {
  const known = new Set<string>(HOOK_EVENTS.map(({ name }) => name));
  const own = Object.keys(EVENTS).filter((event) => known.has(event.split(",")[0]!));
  const events = [...own, ...OTHERS].filter((event) => !isShort || SHORT_EVENTS.includes(event));
  const pairs = [
    ...Object.keys(DAEMONS).map((daemon) => ({ daemon, index: "ok" })),
    ...Object.keys(INDEXES).slice(1).flatMap((index) =>
      (isShort ? ["absent"] : ["absent", "warm"]).map((daemon) => ({ daemon, index }))
    ),
  ];
  return pairs.flatMap((pair) => events.map((event) => ({ event, ...pair })));
}

/** Nobody has this id: modes bite an ordinary user. */
const USER = process.getuid?.() === 0 ? 64_001 : undefined;
const KILN =
  "---\nname: Kiln\ndescription: Kiln\ntype: tool\n---\nThe kiln service has port 7070.\n";
const NEVER = "---\nname: Never force-push\ntype: feedback\n---\nNever run git push --force.\n";
const COLD =
  "---\nname: EKILN 7070 in a.txt means that the kiln is cold\ntype: gotcha\n---\nHeat it first.\n";

/** Writes the memories of a cell, and the file that one of them names. */
function furnish(home: Home): void {
  home.write("tool_kiln.md", KILN);
  home.write("gotcha_cold.md", COLD);
  home.write("feedback_never.md", NEVER);
  writeFileSync(join(home.project, "a.txt"), "one\n");
}

const momentsOf = ({ memoHome }: Home) => join(memoHome, "moments");

/** A home with memories and an index, which cells get a copy of. */
export async function makeTemplate(): Promise<Home> {
  const home = makeHome({}, { isUnpacked: false, hasModel: true });
  furnish(home);
  own(home.root);
  await succeed(home, ["index"], { user: USER });
  return home;
}

/** Tries one combination in a copy of the template. */
export async function tryCell(template: Home, combination: Combination): Promise<Outcome> {
  const entry = entryOf(combination);
  // A busy machine may take longer than a tool's event waits.
  await using home = makeHome(entry === undefined ? {} : PATIENCE, {
    isUnpacked: false,
    hasModel: true,
  });
  furnish(home);
  const place = { claude: home.claude, moments: momentsOf(home), projectDir: home.project };
  mark(place, { file: true, error: true, guard: true }, new Date());
  cpSync(join(template.memoHome, "index.db"), join(home.memoHome, "index.db"));
  symlinkSync(join(template.memoHome, "runtime"), join(home.memoHome, "runtime"));
  const folder = join(home.memoHome, "run");
  mkdirSync(folder, { mode: 0o700 });
  own(home.root);
  const afterwards: (() => void)[] = [];
  const cell: Cell = {
    home,
    run: folder,
    db: join(home.memoHome, "index.db"),
    memo: (args, stdin) => run(home, args, stdin),
    later: (work) => void afterwards.push(work),
  };
  if (combination.event.endsWith("guarded")) {
    await succeed(home, ["guard", "Never force-push", "--yes"], { user: USER });
  }
  await DAEMONS[combination.daemon]!(cell);
  if (combination.daemon === "warm" && TOOLS[combination.event] !== undefined) {
    const start = { ...readFixture("SessionStart.startup"), cwd: home.project };
    await run(home, ["hook"], JSON.stringify(start)); // tools run in a session that has begun
  }
  await INDEXES[combination.index]!(cell);
  own(home.root);
  const before = memoriesOf(home);
  const input = {
    ...readFixture(EVENTS[combination.event] ?? `../agents/${combination.event}`),
    cwd: home.project,
    ...TOOLS[combination.event]?.input(home),
  };
  const started = performance.now();
  const [agent, isOther] = combination.event.split(".");
  const args = isOther === undefined ? [] : ["--agent", agent!];
  const finished = await run(home, ["hook", ...args], JSON.stringify(input));
  const ms = Math.round(performance.now() - started);
  const isSilent = entry !== undefined && !finished.stdout.includes(entry);
  const fault = faultOf(finished) ?? (isSilent ? "it gave nothing" : undefined) ??
    (memoriesOf(home) === before ? undefined : "a memory changed");
  const pid = daemonPid(home.memoHome);
  if (pid !== undefined) process.kill(pid, "SIGCONT");
  for (const work of afterwards) work();
  for (const path of [home.memoHome, folder, join(home.memoHome, "sessions"), momentsOf(home)]) {
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) chmodSync(path, 0o700);
  }
  return { ...combination, ms, fault };
}

function faultOf({ code, stdout, stderr }: Finished): string | undefined {
  if (code !== 0) return `it ended with ${code}`;
  if (stderr !== "") return `it said: ${stderr.slice(0, 200)}`;
  if (stdout === "") return undefined;
  try {
    const value: unknown = JSON.parse(stdout);
    return typeof value === "object" && value !== null ? undefined : "it printed no object";
  } catch {
    return `it printed no JSON: ${stdout.slice(0, 200)}`;
  }
}

/** What a tool's event gets where nothing is wrong: without it all other cells of it would show nothing. */
function entryOf({ event, daemon, index }: Combination): string | undefined {
  return daemon === "warm" && index === "ok" ? TOOLS[event]?.gets : undefined;
}

/** The memories themselves; a journal and their list may be written beside them. */
function memoriesOf(home: Home): string {
  const folder = join(home.claude, "memory");
  return readdirSync(folder).filter((name) => name.endsWith(".md") && name !== INDEX_FILE).sort()
    .map((name) => `${name}\n${readFileSync(join(folder, name), "utf8")}`).join("\n");
}

/** Gives everything below a folder to the ordinary user; a daemon at work there moves its files meanwhile. */
function own(folder: string): void {
  if (USER === undefined) return;
  chownSync(folder, USER, USER);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) own(path);
    else if (!entry.isSymbolicLink()) giveAway(path, USER);
  }
}

function giveAway(path: string, user: number): void {
  try {
    chownSync(path, user, user);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

function run(home: Home, args: readonly string[], stdin = ""): Promise<Finished> {
  return runMemo(home, args, { stdin, user: USER });
}

/** Listens on the socket in the daemon's place. */
function listen(cell: Cell, answer: (say: (text: string) => void) => void): Promise<void> {
  const server: Server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => answer((text) => void socket.end(text)));
  });
  cell.later(() => void server.close());
  return new Promise((done) =>
    server.listen(socketOf(cell), () => {
      if (USER !== undefined) chownSync(socketOf(cell), USER, USER);
      done();
    })
  );
}

function reply(fields: object): string {
  return JSON.stringify({ protocol: 1, build: "", ok: true, result: {}, ...fields }) + "\n";
}
