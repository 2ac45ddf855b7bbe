import { spawnSync } from "node:child_process";
import type { Command } from "commander";
import { readLastLines } from "../files/jsonl.ts";
import { readStdin } from "../link/io.ts";
import { parseBounded } from "../link/parse.ts";
import { mayChange } from "../memory/memory.ts";
import { changeLog, type LogEntry } from "../memory/change_log.ts";
import { memoryFolders, placeIn } from "../memory/scopes.ts";
import { billOf } from "../recall/bill.ts";
import { loadSession } from "../recall/session.ts";
import { statsOf } from "../files/stats.ts";
import type { CliContext } from "./shared/command.ts";
import { out, outJson, paint } from "./shared/output.ts";
import { percent } from "./shared/say_bill.ts";

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
  /** The share of the session's input tokens that was memo's, such as `1.9 %`. */
  readonly share?: string | undefined;
}

/** Claude Code writes its JSON at once; without any, the line is still printed. */
const STDIN_MS = 500;
/** Another program's line is waited for this long. */
const OTHER_MS = 5000;
/** Changes to look through, newest first; a session rarely makes more. */
const LOOKED_AT = 300;
/** A longer transcript is not read for a line that is printed again and again. */
const READ_BYTES = 8 * 1024 * 1024;

/** `memo statusline`: one short line, from Claude Code's JSON on stdin; never an error, which would be shown for good. */
export function define(command: Command, context: CliContext): void {
  command
    .option("--with <command>", "Run another status line's command, and add to its line")
    .option("--json", "Print JSON: {recalled, saved, share}")
    .action(async ({ with: other, json }: StatuslineOptions) => {
      const stdin = process.stdin.isTTY ? "" : String(await readStdin(STDIN_MS).catch(() => ""));
      const tally = await tallyOf(stdin, context);
      if (json) return outJson(tally);
      const own = paint("dim", inWords(tally));
      const before = other === undefined ? "" : lineOf(other, stdin, context);
      out((before === "" ? own : `${before} ${paint("dim", "·")} ${own}`) + "\n");
    });
}

function inWords({ recalled, saved, share }: Tally): string {
  const parts = [
    ...recalled > 0 ? [`${recalled} recalled`] : [],
    ...saved > 0 ? [`${saved} saved`] : [],
    ...share !== undefined ? [`${share} of input`] : [],
  ];
  return `memo ${parts.length === 0 ? "ready" : parts.join(" · ")}`;
}

async function tallyOf(stdin: string, { paths, cwd }: CliContext): Promise<Tally> {
  try {
    const input = parseBounded(stdin) as {
      readonly session_id?: unknown;
      readonly cwd?: unknown;
      readonly transcript_path?: unknown;
      readonly workspace?: { readonly project_dir?: unknown };
    };
    const { session_id: session, workspace } = input;
    if (typeof session !== "string") return { recalled: 0, saved: 0 };
    const here = textOf(input.cwd) ?? cwd;
    const place = placeIn(paths, here, textOf(workspace?.project_dir) ?? here);
    return {
      recalled: recalledIn(paths.sessions, session),
      saved: savedIn(session, place),
      share: await shareIn(textOf(input.transcript_path)),
    };
  } catch {
    return { recalled: 0, saved: 0 }; // not Claude Code's JSON
  }
}

/** memo's share of a session's input; undefined where the transcript does not tell, or is too long to read each time. */
async function shareIn(transcript: string | undefined): Promise<string | undefined> {
  if (transcript === undefined || (statsOf(transcript)?.size ?? Infinity) > READ_BYTES) return;
  const bill = await billOf(transcript);
  return bill === undefined || !bill.isMeasured ? undefined : percent(bill);
}

function recalledIn(sessions: string, session: string): number {
  const { handed } = loadSession(sessions, session);
  const given = handed.filter(({ event }) => event !== "SessionStart");
  return new Set(given.flatMap(({ memories }) => Object.keys(memories))).size;
}

function savedIn(session: string, place: Parameters<typeof memoryFolders>[0]): number {
  const folders = memoryFolders(place).filter(({ scope }) => mayChange(scope));
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
