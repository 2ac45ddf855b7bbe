import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive } from "../../src/core/files/lock.ts";
import { claudeExecutable, QUIET } from "./claude.ts";
import { unpackDebian } from "./debian.ts";
import type { Home } from "./home.ts";

const TMUX = tmuxHere();

/** Whether a program can be driven in a terminal here. */
export const HAS_TERMINAL: boolean = TMUX !== undefined;

/** A program in a terminal, as a person has it. */
export interface Terminal extends AsyncDisposable {
  /** Types a text, without sending it. */
  type(text: string): Promise<void>;
  /** Presses keys, by tmux's names for them. */
  press(...keys: readonly string[]): Promise<void>;
  /** Types a prompt or a command and sends it. */
  send(text: string): Promise<void>;
  /** What the screen shows now; `isJoined`: with the lines that the terminal has broken in one. */
  screen(isJoined?: boolean): string;
  /** The same with its colors, as ANSI sequences. */
  styled(): string;
  /** Waits until the screen shows something. */
  shows(what: RegExp): Promise<void>;
  /** Waits until the program has ended; returns its exit code. */
  ends(): Promise<number>;
}

/** Columns and lines. */
export interface TerminalSize {
  readonly width?: number;
  readonly height?: number;
}

let servers = 0;

const STEP_MS = 400;
/** A busy machine takes its time. */
const TRIES = 300;

/** Starts Claude Code in a terminal, past its first questions. */
export async function openTerminal(
  home: Home,
  { api, model, args = [], size }: {
    readonly api: string;
    readonly model: string;
    readonly args?: readonly string[];
    readonly size?: TerminalSize;
  },
): Promise<Terminal> {
  writeFileSync(join(home.claude, ".claude.json"), JSON.stringify(answeredQuestions(home)));
  const claude = [await claudeExecutable(), "--model", model, ...args];
  const env = { ...home.env, ...QUIET, ANTHROPIC_BASE_URL: api };
  const terminal = runInTerminal({ ...home, env }, claude, size);
  await terminal.shows(/❯/);
  await sleep(1000); // it takes keys a moment after it shows where
  return terminal;
}

/** Runs a command in a terminal, in the project of a home. */
export function runInTerminal(
  home: Home,
  command: readonly string[],
  { width = 150, height = 50 }: TerminalSize = {},
): Terminal {
  // A server of its own: others may be running on this machine, and the last one of this home may be about to end.
  const server = ["-S", join(home.root, `tmux${++servers}.sock`)];
  const tmux = (...command: string[]) =>
    execFileSync(TMUX!.path, ["-u", ...server, ...command], { encoding: "utf8", env: TMUX!.env });
  const env = { ...home.env, TERM: "xterm-256color" };
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const size = ["-x", `${width}`, "-y", `${height}`];
  const ended = join(home.root, `tmux${servers}.code`);
  // tmux itself does not always learn how a program ended, and scrolls what it said last out of a dead pane.
  const noting = ["sh", "-c", `"$@"; echo $? > '${ended}'; read _`, "sh", ...command];
  const program = ["env", "-i", ...variables, ...noting];
  const keep = ["start-server", ";", "set-option", "-g", "remain-on-exit", "on", ";"]; // what it says last can be read
  tmux(...keep, "new-session", "-d", ...size, "-c", home.project, ...program);
  const screen = (isJoined = false) => tmux("capture-pane", "-p", ...isJoined ? ["-J"] : []);
  const terminal: Terminal = {
    screen,
    styled: () => tmux("capture-pane", "-p", "-e", "-N"),
    async type(text) {
      tmux("send-keys", "-l", text);
      await sleep(STEP_MS);
    },
    async press(...keys) {
      for (const key of keys) {
        tmux("send-keys", key);
        await sleep(STEP_MS);
      }
    },
    async send(text) {
      await terminal.type(text);
      await terminal.press("Enter");
    },
    async shows(what) {
      for (let tries = 0; tries < TRIES; tries++) {
        if (what.test(screen())) return await sleep(STEP_MS);
        await sleep(100);
      }
      throw new Error(`The screen never showed ${what}:\n${screen()}`);
    },
    async ends() {
      for (let tries = 0; tries < TRIES; tries++) {
        const code = existsSync(ended) ? readFileSync(ended, "utf8") : "";
        if (code.endsWith("\n")) return Number(code);
        await sleep(100);
      }
      throw new Error(`The program never ended:\n${screen()}`);
    },
    async [Symbol.asyncDispose]() {
      const pid = Number(tmux("list-panes", "-F", "#{pane_pid}"));
      spawnSync(TMUX!.path, [...server, "kill-server"], { env: TMUX!.env });
      for (let tries = 0; tries < 100 && isAlive(pid); tries++) await sleep(50);
    },
  };
  return terminal;
}

/** The machine's tmux, or Debian's unpacked beside it, and the environment that it needs. */
function tmuxHere() {
  const own = { path: "tmux", env: process.env };
  if (spawnSync(own.path, ["-V"]).status === 0) return own;
  const root = unpackDebian("tmux", join(tmpdir(), "memo-test-tmux"));
  if (root === undefined) return undefined;
  const env = {
    ...process.env,
    LD_LIBRARY_PATH: globSync(join(root, "usr/lib/*-linux-*")).join(":"),
  };
  const unpacked = { path: join(root, "usr/bin/tmux"), env };
  return spawnSync(unpacked.path, ["-V"], { env }).status === 0 ? unpacked : undefined;
}

/** What Claude Code asks a new user, answered: theme, the folder's trust, the key in the environment. */
function answeredQuestions(home: Home): unknown {
  return {
    hasCompletedOnboarding: true,
    theme: "dark",
    customApiKeyResponses: { approved: [QUIET.ANTHROPIC_API_KEY.slice(-20)], rejected: [] },
    projects: { [home.project]: { hasTrustDialogAccepted: true } },
  };
}
