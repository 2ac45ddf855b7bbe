import { spawnSync } from "node:child_process";
import type { Command } from "commander";
import { readLastLines } from "../files/jsonl.ts";
import { readStdin } from "../link/io.ts";
import { parseBounded } from "../link/parse.ts";
import { changeLog, type LogEntry } from "../memory/change_log.ts";
import { memoryFolders, placeIn } from "../memory/scopes.ts";
import { loadSession } from "../recall/session.ts";
import type { CliContext } from "./shared/command.ts";
import { out, outJson, paint } from "./shared/output.ts";

interface StatuslineOptions {
  readonly with?: string;
  readonly json?: boolean;
}

/** What a session has had of memo. */
interface Tally {
  /** Memories whose text was given to the model. */
  readonly recalled: number;
  /** Memories that the session has left, and that are still there. */
  readonly saved: number;
}

/** Claude Code writes its JSON at once; without any, the line is still printed. */
const STDIN_MS = 500;
/** Another program's line is waited for this long. */
const OTHER_MS = 5000;
/** Changes to look through, newest first; a session rarely makes more. */
const LOOKED_AT = 300;

/** `memo statusline`: one short line, from Claude Code's JSON on stdin; never an error, which would be shown for good. */
export function define(command: Command, context: CliContext): void {
  command
    .option("--with <command>", "Run another status line's command, and add to its line")
    .option("--json", "Print JSON: {recalled, saved}")
    .action(async ({ with: other, json }: StatuslineOptions) => {
      const stdin = process.stdin.isTTY ? "" : String(await readStdin(STDIN_MS).catch(() => ""));
      const tally = tallyOf(stdin, context);
      if (json) return outJson(tally);
      const own = paint("dim", inWords(tally));
      const before = other === undefined ? "" : lineOf(other, stdin, context);
      out((before === "" ? own : `${before} ${paint("dim", "·")} ${own}`) + "\n");
    });
}

function inWords({ recalled, saved }: Tally): string {
  const parts = [
    ...recalled > 0 ? [`${recalled} recalled`] : [],
    ...saved > 0 ? [`${saved} saved`] : [],
  ];
  return `memo ${parts.length === 0 ? "ready" : parts.join(" · ")}`;
}

function tallyOf(stdin: string, { paths, cwd }: CliContext): Tally {
  try {
    const input = parseBounded(stdin) as {
      readonly session_id?: unknown;
      readonly cwd?: unknown;
      readonly workspace?: { readonly project_dir?: unknown };
    };
    const { session_id: session, workspace } = input;
    if (typeof session !== "string") return { recalled: 0, saved: 0 };
    const here = textOf(input.cwd) ?? cwd;
    const place = placeIn(paths, here, textOf(workspace?.project_dir) ?? here);
    return { recalled: recalledIn(paths.sessions, session), saved: savedIn(session, place) };
  } catch {
    return { recalled: 0, saved: 0 }; // not Claude Code's JSON
  }
}

function recalledIn(sessions: string, session: string): number {
  const { handed } = loadSession(sessions, session);
  const given = handed.filter(({ event }) => event !== "SessionStart");
  return new Set(given.flatMap(({ memories }) => Object.keys(memories))).size;
}

function savedIn(session: string, place: Parameters<typeof memoryFolders>[0]): number {
  const folders = memoryFolders(place).filter(({ scope }) => scope !== "auto");
  return folders.map((folder) => {
    const changes = readLastLines(changeLog(folder), LOOKED_AT) as Partial<LogEntry>[];
    const saved = changes.filter(({ session: its, what }) =>
      its === session && (what === "add" || what === "supersede")
    );
    const isThere = (file: unknown) =>
      changes.find((change) => change.file === file)?.after !== undefined; // newest first
    return new Set(saved.map(({ file }) => file).filter(isThere)).size;
  }).reduce((sum, count) => sum + count, 0);
}

/** The line of another status line's command, which gets the same JSON. */
function lineOf(command: string, input: string, { env }: CliContext): string {
  const { stdout } = spawnSync(command, {
    ...{ shell: true, input, env, encoding: "utf8", timeout: OTHER_MS, maxBuffer: 64 * 1024 },
    stdio: ["pipe", "pipe", "ignore"],
  });
  return (stdout ?? "").trimEnd();
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
