import { spawnSync } from "node:child_process";
import type { Command } from "commander";
import { stuckJob } from "../../core/capture/queue.ts";
import { readLastLines } from "../../core/files/jsonl.ts";
import { readStdin } from "../../core/link/io.ts";
import { parseBounded } from "../../core/link/parse.ts";
import { mayChange } from "../../core/memory/memory.ts";
import { changeLog, type LogEntry } from "../../core/ledger/change_log.ts";
import { offAt } from "../../core/memory/off.ts";
import { memoryFolders, placeIn } from "../../core/memory/scopes.ts";
import { loadSession } from "../../core/recall/session.ts";
import { isPaused } from "../../core/transcript/pause.ts";
import { localTime } from "../../core/text/counted.ts";
import { textOf } from "../../core/transcript/lines.ts";
import type { CliContext } from "./shared/command.ts";
import { out, outJson, paint } from "./shared/output.ts";

/** Claude Code writes its JSON at once; without any, the line is still printed. */
const STDIN_MS = 500;
/** Another program's line is waited for this long. */
const OTHER_MS = 5000;
/** Changes to look through, newest first; a session rarely makes more. */
const LOOKED_AT = 300;

/** `memo statusline`: one short line, from Claude Code's JSON on stdin; never an error, which would be shown for good. */
export function define(command: Command, context: CliContext): void {
  command
    .option("--with <command>", "Run another status line command and append to its line")
    .option("--json", "Print JSON: {off, paused, recalled, saved, unsavedSince}")
    .action(async ({ with: other, json }: { readonly with?: string; readonly json?: boolean }) => {
      const stdin = process.stdin.isTTY ? "" : String(await readStdin(STDIN_MS).catch(() => ""));
      const tally = tallyOf(stdin, context);
      if (json) return outJson(tally);
      const own = paint("dim", inWords(tally));
      const before = other === undefined ? "" : lineOf(other, stdin, context);
      out((before === "" ? own : `${before} ${paint("dim", "·")} ${own}`) + "\n");
    });
}

function inWords({ off, paused, recalled, saved, unsavedSince }: ReturnType<typeof tallyOf>) {
  const parts = [
    off !== undefined && "off here",
    paused && "paused",
    unsavedSince !== undefined && `not saving since ${unsavedSince} (memo doctor)`,
    recalled > 0 && `${recalled} recalled`,
    saved > 0 && `${saved} saved`,
  ].filter(Boolean);
  return `memo ${parts.join(" · ") || "ready"}`;
}

/** What a session has had of memo. */
function tallyOf(stdin: string, { paths, cwd }: CliContext) {
  const none = {
    off: undefined,
    paused: undefined,
    recalled: 0,
    saved: 0,
    unsavedSince: undefined,
  };
  try {
    const input = parseBounded(stdin) as Readonly<Record<string, unknown>> & {
      readonly workspace?: { readonly project_dir?: unknown };
    };
    const { session_id: session, workspace } = input;
    if (typeof session !== "string") return none;
    const here = textOf(input["cwd"]) ?? cwd;
    const place = placeIn(paths, here, textOf(workspace?.project_dir) ?? here);
    const off = offAt(place);
    if (off !== undefined) return { ...none, off };
    const transcript = textOf(input["transcript_path"]);
    const job = transcript === undefined ? undefined : stuckJob(paths.capture, transcript);
    return {
      ...none,
      paused: isPaused(paths, session, place) || undefined,
      // Given to the model with prompts and at tools, in full or by title.
      recalled: recalledIn(paths.sessions, session),
      // Left by the session, and still there.
      saved: savedIn(session, place),
      unsavedSince: job && localTime(new Date(job.since)).time,
    };
  } catch {
    return none; // not Claude Code's JSON
  }
}

function recalledIn(sessions: string, session: string): number {
  const { delivered } = loadSession(sessions, session);
  const given = delivered.filter(({ event }) => event !== "SessionStart");
  return new Set(given.flatMap(({ memories, listed }) => Object.keys({ ...memories, ...listed })))
    .size;
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
