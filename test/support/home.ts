import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { projectOf } from "../../src/core/memory/project.ts";
import { digestOf, grant } from "../../src/core/memory/trust.ts";
import { pathsFor } from "../../src/paths.ts";
import { changeSettingsFile } from "../../src/core/settings/config_file.ts";
import { variableOf } from "../../src/core/settings/table.ts";
import { runTogether } from "./commands.ts";
import { type Finished, run, type RunOptions } from "./run.ts";

/** A temporary home with everything that memo and Claude Code touch in it. */
export interface Home extends AsyncDisposable {
  readonly root: string;
  /** Claude Code's configuration folder. */
  readonly claude: string;
  /** memo's state. */
  readonly memoHome: string;
  /** A working directory, and a project of its own. */
  readonly project: string;
  /** The folder of the project's private memories, which need not exist. */
  readonly privately: string;
  /** The whole environment for a process in this home: nothing of the caller's but the search path. */
  readonly env: Readonly<Record<string, string>>;
  /** Writes a user memory, or another file at a path from the root, and returns its path. */
  write(name: string, text: string): string;
  /** Writes a private memory of the project, or another file in its folder, and returns its path. */
  keep(name: string, text: string): string;
  /** Ends whatever runs in this home, waits for its end, and deletes everything. */
  dispose(): Promise<void>;
}

/** Has a file of the home's project count, as `memo trust` does. */
export async function trustIn(home: Home, path: string): Promise<void> {
  const file = join(home.memoHome, "trust.json");
  await grant({ file, project: home.project }, [digestOf(readFileSync(path))], "you");
}

/** Settings that no variable may set. */
const OF_THE_FILE = ["llm.claude_path", "llm.key_file", "embed.key_file"];

/** Puts those of some variables that may not set anything into the home's settings; returns the others. */
export function settle(
  home: Home,
  variables: Readonly<Record<string, string>>,
): Record<string, string> {
  const rest = { ...variables };
  for (const key of OF_THE_FILE) {
    const { [variableOf(key)]: value } = rest;
    if (value !== undefined) changeSettingsFile(pathsFor(home.env).config, { [key]: value });
    delete rest[variableOf(key)];
  }
  return rest;
}

/** The compiled executable, which the test task builds first. */
export const MEMO: string = fileURLToPath(
  new URL(`../../dist/memo${process.platform === "win32" ? ".exe" : ""}`, import.meta.url),
);

/** The servers of tests are here, and variables of a session name them. */
const HOSTS = "127.0.0.1";

/** Makes a home; `await using` disposes of it. Processes in it are given `more` variables. */
export function makeHome(
  more: Readonly<Record<string, string>> = {},
  { isUnpacked = true, hasModel = false, mayBeSent = true }: HomeOptions = {},
): Home {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "memo-home-")));
  const folders = {
    claude: join(root, ".claude"),
    memoHome: join(root, "state"),
    project: join(root, "project"),
    temporary: join(root, "tmp"),
  };
  for (const folder of Object.values(folders)) mkdirSync(folder, { mode: 0o700 });
  if (isUnpacked) linkParts(folders.memoHome);
  const settings = (mayBeSent ? `send: on\nllm.hosts: ${HOSTS}\n` : "") +
    (hasModel ? "" : `model: ${NO_MODEL}\n`);
  if (settings !== "") {
    writeFileSync(join(folders.memoHome, "config.yaml"), settings, { mode: 0o600 });
  }
  const dispose = async () => {
    await endAll({ root, memoHome: folders.memoHome });
    rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  const privately = projectOf(folders.project, folders.claude).folder;
  return {
    root,
    privately,
    keep(name, text) {
      const path = join(privately, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      return path;
    },
    claude: folders.claude,
    memoHome: folders.memoHome,
    project: folders.project,
    env: {
      PATH: process.env["PATH"] ?? "",
      ...(process.env["SystemRoot"] ? { SystemRoot: process.env["SystemRoot"] } : {}),
      HOME: root,
      USERPROFILE: root,
      CLAUDE_CONFIG_DIR: folders.claude,
      MEMO_HOME: folders.memoHome,
      TMPDIR: folders.temporary,
      NO_COLOR: "1",
      ...more,
    },
    write(name, text) {
      const path = name.includes("/") ? join(root, name) : join(folders.claude, "memory", name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      return path;
    },
    dispose,
    [Symbol.asyncDispose]: dispose,
  };
}

/** What a home has when it is made. */
export interface HomeOptions {
  /**
   * The parts of the executable, as a memo that has run before leaves them; default: yes. Other homes have the same
   * files, so no home whose files change their owner may have them.
   */
  readonly isUnpacked?: boolean;
  /**
   * Whether processes embed; default: no, and all goes by words, since loading the model takes a command or a daemon two
   * thirds of its processor time. A test whose outcome a vector has a part in asks for it.
   */
  readonly hasModel?: boolean;
  /** Whether the person has said yes to all that may be sent to a language model; default: yes. */
  readonly mayBeSent?: boolean;
}

/** An endpoint at which nobody is. */
const NO_MODEL = "http://127.0.0.1:9/v1#none";

const PARTS = fileURLToPath(new URL("../../node_modules/.cache/memo-parts/", import.meta.url));

/**
 * Gives a home the executable's parts as second names of files that one run has unpacked: unpacking them takes more
 * than twice what most commands do. memo replaces such a file and never writes into it.
 */
function linkParts(memoHome: string): void {
  if (!existsSync(MEMO)) return;
  const unpacked = unpackedParts();
  const entries = readdirSync(unpacked, { recursive: true, withFileTypes: true });
  try {
    for (const entry of [...entries.filter((one) => one.isDirectory()), ...entries]) {
      const from = join(entry.parentPath, entry.name);
      const to = join(memoHome, "runtime", relative(unpacked, from));
      if (entry.isDirectory()) mkdirSync(to, { recursive: true, mode: 0o700 });
      else linkSync(from, to);
    }
  } catch { // on another disk: each home unpacks its own
    rmSync(join(memoHome, "runtime"), { recursive: true, force: true });
  }
}

/** The folder of the unpacked parts; of files that are run at once the first one fills it. */
function unpackedParts(): string {
  const { size, mtimeMs } = statSync(MEMO);
  const folder = join(PARTS, `${size}-${Math.round(mtimeMs)}`);
  const parts = join(folder, "runtime");
  if (existsSync(parts)) return parts;
  const before = existsSync(PARTS) ? readdirSync(PARTS) : [];
  mkdirSync(PARTS, { recursive: true });
  const fresh = mkdtempSync(join(PARTS, "fresh-"));
  const own = { HOME: fresh, USERPROFILE: fresh, CLAUDE_CONFIG_DIR: fresh, MEMO_HOME: fresh };
  const env = { ...process.env, ...own };
  const { status, stderr } = spawnSync(MEMO, ["index"], { cwd: fresh, env, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  try {
    renameSync(fresh, folder);
  } catch {
    rmSync(fresh, { recursive: true, force: true }); // another file was faster
  }
  for (const old of before.filter((name) => !name.startsWith("fresh-"))) {
    if (old !== basename(folder)) rmSync(join(PARTS, old), { recursive: true, force: true });
  }
  return parts;
}

let forAll: string | undefined;

/** The executable in a folder that every user may enter, which those above the checkout need not be. */
export function memoForAll(): string {
  if (forAll !== undefined) return forAll;
  const folder = mkdtempSync(join(tmpdir(), "memo-for-all-"));
  chmodSync(folder, 0o755);
  globalThis.addEventListener("unload", () => rmSync(folder, { recursive: true, force: true }));
  forAll = join(folder, "memo");
  try {
    linkSync(MEMO, forAll);
  } catch { // on another disk
    copyFileSync(MEMO, forAll);
  }
  return forAll;
}

/**
 * Runs memo in a home: the compiled one, or where that makes no difference, since it is given no more than words, and
 * finds neither a model nor a daemon, the sources, in a process that others have run in before.
 */
export async function runMemo(
  home: Home,
  args: readonly string[],
  options: Omit<RunOptions, "cwd"> & { executable?: string } = {},
): Promise<Finished> {
  const { executable = options.user === undefined ? MEMO : memoForAll(), ...rest } = options;
  const isPlain = Object.values(options).every((option) => option === "") && isWithoutModel(home) &&
    daemonPid(home.memoHome) === undefined;
  return await (isPlain ? runTogether({ args, env: home.env, cwd: home.project }) : undefined) ??
    await run(executable, args, { cwd: home.project, env: home.env, ...rest });
}

function isWithoutModel({ memoHome }: Home): boolean {
  const path = join(memoHome, "config.yaml");
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile();
  return isFile === true && readFileSync(path, "utf8").includes(NO_MODEL);
}

/** Runs memo, which must end with 0, and gives what it prints. */
export async function succeed(
  home: Home,
  args: readonly string[],
  options: Parameters<typeof runMemo>[2] = {},
): Promise<string> {
  const { code, stdout, stderr } = await runMemo(home, args, options);
  if (code !== 0) throw new Error(`memo ${args.join(" ")} ended with ${code}: ${stderr}`);
  return stdout;
}

/** On a busy machine a prompt is to wait as long as it may. */
export const PATIENCE = { MEMO_RECALL_DEADLINE_MS: "1000", MEMO_HOOK_DEADLINE_MS: "4500" } as const;

/** Starts the daemon of a home, unless it runs, and waits until its model is loaded: a prompt would not wait for that. */
export async function warmUp(home: Home): Promise<void> {
  await succeed(home, ["daemon", "start"]);
  const log = join(home.memoHome, "logs", "daemon.log");
  for (let tries = 0; tries < 600; tries++) {
    const last = readFileSync(log, "utf8").split('"started"').at(-1)!;
    if (last.includes('"event":"model"')) return;
    await sleep(50);
  }
  throw new Error("The daemon's model has not been loaded");
}

/** memo's executable in the home itself, so that it can be moved or taken away. */
export function copyOfMemo(home: Home): string {
  const executable = join(home.root, basename(MEMO));
  try {
    linkSync(MEMO, executable); // it is large
  } catch {
    copyFileSync(MEMO, executable); // on another disk
  }
  return executable;
}

/** The process id of the daemon of a home, if one is alive. */
export function daemonPid(memoHome: string): number | undefined {
  try {
    const pid = Number(/\d+/.exec(readFileSync(join(memoHome, "run", "memo.pid"), "utf8"))?.[0]);
    return pid > 1 && isOf(pid, memoHome) ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** Ends the daemon of a home, at once with `SIGKILL`, and waits until it is gone. */
export async function endDaemon(
  memoHome: string,
  signal: "SIGTERM" | "SIGKILL" = "SIGTERM",
): Promise<void> {
  const pid = daemonPid(memoHome);
  if (pid === undefined) return;
  process.kill(pid, signal);
  for (let tries = 0; tries < 100; tries++) {
    await sleep(50);
    if (!isOf(pid, memoHome)) return;
  }
  process.kill(pid, "SIGKILL");
  await sleep(100);
}

/**
 * Ends every daemon of a home, those too that a hook has started and that have no pid file yet, and waits until
 * they are gone.
 */
export async function endDaemons(memoHome: string): Promise<void> {
  await endDaemon(memoHome);
  for (let quiet = 0; quiet < 2;) {
    const left = daemonsOf(memoHome);
    for (const pid of left) process.kill(pid, "SIGKILL");
    quiet = left.length === 0 ? quiet + 1 : 0;
    await sleep(30);
  }
}

/** The processes started as a daemon in a home; only Linux tells. */
export function daemonsOf(memoHome: string): number[] {
  return processesOf(memoHome).filter(isDaemon);
}

/** The processes with a folder in their environment; only Linux tells. */
function processesOf(folder: string): number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc").map(Number).filter((pid) => pid > 1 && isOf(pid, folder));
}

/**
 * Ends at once whatever runs in a home, and waits until it is gone: one that is about to be deleted needs no daemon that
 * loads its model first and says goodbye. One that is just being started has no environment yet: where there may be a
 * daemon, it looks again.
 */
export async function endAll({ root, memoHome }: Pick<Home, "root" | "memoHome">): Promise<void> {
  if (process.platform !== "linux") return await endDaemon(memoHome);
  let looks = existsSync(join(memoHome, "run")) ? 3 : 1;
  while (true) {
    const left = processesOf(root);
    for (const pid of left) kill(pid);
    if (left.length > 0) looks = 3;
    else if (--looks === 0) return;
    await sleep(25);
  }
}

/** Kills a process, unless it is faster. */
function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch { /* it has ended */ }
}

function isDaemon(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("daemon\0run");
  } catch {
    return false;
  }
}

/** Whether a process is alive and, where the system tells, was started in this home: pids are used again. */
function isOf(pid: number, folder: string): boolean {
  try {
    process.kill(pid, 0);
    if (process.platform !== "linux") return true;
    return readFileSync(`/proc/${pid}/environ`, "utf8").includes(folder);
  } catch {
    return false;
  }
}
