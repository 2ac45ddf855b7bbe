import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { skipTo } from "../../../core/capture/cursor.ts";
import type { Change } from "../../../core/change/change.ts";
import { finish, readJobs } from "../../../core/capture/queue.ts";
import { readTurns, type Turn } from "../../../core/transcript/turns.ts";
import type { Engine } from "../../../core/engine/engine.ts";
import { MemoError, messageOf } from "../../../errors.ts";
import { refuseIrregular } from "../../../core/files/bounded.ts";
import { diffOf } from "../init/install.ts";
import { type Log, openLog } from "../../../core/files/log.ts";
import { textAt } from "../../../core/files/there.ts";
import { tilde } from "../../../paths.ts";
import { findTranscript } from "../../../core/transcript/find.ts";
import type { ImportOptions } from "../import.ts";
import { captureNow, takeCapture } from "../shared/capture_now.ts";
import { notifyDaemon } from "../shared/change.ts";
import { type CliContext, contextIn } from "../shared/command.ts";
import { withEngine } from "../shared/local.ts";
import { out, outJson, say } from "../shared/output.ts";
import { progressBar } from "../shared/progress.ts";

/** Captures a conversation now, as the end of a session does. */
export async function importConversation(
  name: string,
  options: ImportOptions,
  context: CliContext,
): Promise<void> {
  const transcript = await transcriptNamed(name, context);
  const first = await firstTurn(transcript);
  if (first === undefined) {
    throw new MemoError("not-found", `Cannot find a conversation in \`${transcript}\``, {
      hint: "Pass a Claude Code transcript, or a session id from `memo recall --log`",
    });
  }
  const there = contextIn(context.env, first.cwd);
  const found = await withEngine(
    there,
    (engine) => capture(transcript, options, { engine, context: there }),
  );
  await notifyDaemon(there);
  if (options.json) {
    outJson({ transcript, turns: found.turns, changes: found.changes.map(shown) });
  } else out(found.diffs.join(""));
  if (found.turns === 0 && !options.again) {
    say("Already captured; pass `--again` to capture it again");
  } else if (found.changes.length === 0) say("Nothing new to remember");
}

async function transcriptNamed(name: string, { cwd, paths }: CliContext): Promise<string> {
  const path = resolve(cwd, name);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return await findTranscript(name, paths);
  try {
    refuseIrregular(stats);
  } catch (error) {
    throw new MemoError("usage", `Cannot capture \`${path}\`: ${messageOf(error)}`, {
      hint: "Run `memo import conversations` to capture the past conversations of this project",
    });
  }
  return path;
}

/** Leaves conversations out that wait for capture: the named one, or all whose capture has failed. */
export async function dropConversations(
  name: string | undefined,
  { json }: ImportOptions,
  context: CliContext,
): Promise<void> {
  const state = context.paths.capture;
  const named = name === undefined ? undefined : await transcriptNamed(name, context);
  const release = await takeCapture(state);
  let dropped: string[];
  try {
    const jobs = readJobs(state).filter(({ transcript, failure }) =>
      named === undefined ? failure !== undefined : transcript === named
    );
    for (const job of jobs) {
      skipTo(state, job);
      finish(state, job);
    }
    dropped = jobs.map(({ transcript }) => transcript);
  } finally {
    release();
  }
  if (json) return outJson({ dropped });
  out(dropped.map((path) => `Left out \`${tilde(path, context.env)}\`\n`).join(""));
  if (dropped.length > 0) say("`memo import conversations FILE --again` captures one anyway");
  else say(named === undefined ? "No capture has failed" : "It is not in the capture queue");
}

async function firstTurn(transcript: string): Promise<Turn | undefined> {
  for await (const turn of readTurns(transcript)) return turn;
  return undefined;
}

/** The result of a transcript, captured or only planned. */
interface Found {
  turns: number;
  readonly changes: Change[];
  readonly diffs: string[];
}

/** Captures a transcript from where the daemon stopped, and moves the shared cursor. */
async function capture(
  transcript: string,
  { again, dryRun }: ImportOptions,
  { engine, context }: { readonly engine: Engine; readonly context: CliContext },
): Promise<Found> {
  const { paths, cwd } = context;
  const found: Found = { turns: 0, changes: [], diffs: [] };
  using bar = progressBar("Reading the conversation");
  let before = 0;
  await captureNow({ transcript, cwd }, {
    ...{ context, engine, log: printingLog(openLog(paths.logs)), again, dryRun },
    onProgress(done, pieces) {
      bar.update(before + done, before + pieces);
      if (done === pieces) before += pieces;
    },
    onPlan({ changes }, turns) {
      found.turns += turns.length;
      found.changes.push(...changes);
      found.diffs.push(...changes.map((change) => render(change, context)));
    },
  });
  return found;
}

/** A log that also prints failures as warnings. */
function printingLog(log: Log): Log {
  return (event, details = {}) => {
    log(event, details);
    const { failed, dropped, because } = details;
    const what = [dropped, failed, because].filter((each) => each !== undefined).join(", ");
    if (what !== "") say(`warning: ${what}`);
  };
}

/** An action, for `--json`. */
function shown(change: Change): Record<string, unknown> {
  const { kind } = change;
  const path = pathOf(change);
  return kind === "archive" ? { kind, path } : { kind, path, text: change.text };
}

function render(change: Change, { env }: CliContext): string {
  const path = pathOf(change);
  const before = textAt(path);
  const after = change.kind === "archive"
    ? undefined
    : change.kind === "journal"
    ? `${before ?? ""}\n${change.text}`
    : String(change.text);
  return diffOf({ before, after }, tilde(path, env));
}

/** The file that a change is about. */
function pathOf(change: Change): string {
  return change.kind === "add" ? join(change.folder.path, change.file) : change.path;
}
