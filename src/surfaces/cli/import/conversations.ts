// The cold start: what past conversations on disk have to say, captured as if memo had been there.

import { basename, join, resolve } from "node:path";
import { capturedBeside, isRunning, knownCursor, skipTo } from "../../../core/capture/cursor.ts";
import { MemoError, messageOf } from "../../../errors.ts";
import { type Log, openLog } from "../../../core/files/log.ts";
import { isWithin, projectAt } from "../../../core/memory/project.ts";
import { refuseOff } from "../../../core/memory/off.ts";
import { autoName, placeIn } from "../../../core/memory/scopes.ts";
import { pausedPrompts } from "../../../core/transcript/pause.ts";
import { findTranscript, listTranscripts } from "../../../core/transcript/find.ts";
import { readTurns, type Turn } from "../../../core/transcript/turns.ts";
import { captureNow, takeCapture } from "../shared/capture_now.ts";
import { notifyDaemon } from "../shared/change.ts";
import { type CliContext, contextIn } from "../shared/command.ts";
import { momentOf } from "../shared/options.ts";
import type { ImportOptions } from "../import.ts";
import { capturePast, type PastConversation } from "./past.ts";
import { withEngine } from "../shared/local.ts";
import { out, outJson, say } from "../shared/output.ts";
import { progressBar } from "../shared/progress.ts";
import { questionsAbout } from "../../../core/capture/work.ts";
import { statSync } from "node:fs";
import type { Change } from "../../../core/change/change.ts";
import { finish, readJobs } from "../../../core/capture/queue.ts";
import { refuseIrregular } from "../../../core/files/bounded.ts";
import { diffOf } from "../init/install.ts";
import { textAt } from "../../../core/files/there.ts";
import { tilde } from "../../../paths.ts";

/** Captures the past conversations of this project, or of all. */
export async function importConversations(
  options: ImportOptions,
  context: CliContext,
): Promise<void> {
  const { last = "30d" } = options;
  const conversations = await newConversations(momentOf(last).getTime(), options, context);
  const command = "memo import conversations";
  await capturePast({ conversations, where: `in the last ${last}`, command }, options, context);
}

/** The conversations since a time with turns that were not captured, oldest first. */
async function newConversations(
  since: number,
  { all }: ImportOptions,
  context: CliContext,
): Promise<PastConversation[]> {
  const { paths, cwd, place } = context;
  const root = projectAt(place)?.root ?? cwd;
  const name = autoName(root);
  const found: PastConversation[] = [];
  using bar = progressBar("Reading");
  // Only the names of Claude Code's folders tell whose conversations they have.
  const files = (await listTranscripts(paths)).filter(({ folder, mtimeMs }) =>
    mtimeMs >= since &&
    (all || !isWithin(folder, paths.claude) || basename(folder).startsWith(name))
  );
  for (const [i, file] of files.entries()) {
    bar.update(i, files.length);
    if (isRunning(paths.capture, file.path, new Date())) continue; // captured as it goes on
    const each = await newIn(file.path, context);
    const isHere = all || each === undefined ||
      (projectAt(placeIn(paths, each.cwd, each.cwd))?.root ?? each.cwd) === root;
    if (each !== undefined && isHere) found.push(each);
  }
  return found;
}

/** What is new in a transcript, in LLM calls; undefined: nothing. */
async function newIn(
  transcript: string,
  { paths }: CliContext,
): Promise<PastConversation | undefined> {
  const cursor = knownCursor(paths.capture, transcript);
  const known = capturedBeside(paths.capture, transcript);
  const turns: Turn[] = [];
  const paused = pausedPrompts(paths.capture, paths);
  try {
    for await (const turn of readTurns(transcript, { from: cursor?.offset ?? 0, paused })) {
      if (!known.has(turn.id)) turns.push(turn);
    }
  } catch {
    return undefined; // deleted meanwhile
  }
  const cwd = turns[0]?.cwd;
  const sums = questionsAbout(turns);
  return cwd === undefined || sums.questions === 0 ? undefined : { transcript, cwd, ...sums };
}

/** Captures a conversation now, as the end of a session does, from where the daemon has stopped. */
export async function importConversation(
  name: string,
  { again, dryRun, json }: ImportOptions,
  context: CliContext,
): Promise<void> {
  const transcript = await transcriptNamed(name, context);
  const cwd = await folderOf(transcript);
  if (cwd === undefined) {
    throw new MemoError("not-found", `Cannot find a conversation in \`${transcript}\``, {
      hint: "Pass a Claude Code transcript, or a session id from `memo recall --log`",
    });
  }
  const there = contextIn(context.env, cwd);
  refuseOff(there.place);
  const changes: ReturnType<typeof shown>[] = [];
  const diffs: string[] = [];
  let turns = 0;
  await withEngine(there, async (engine) => {
    using bar = progressBar("Reading the conversation");
    let before = 0;
    await captureNow({ transcript, cwd }, {
      ...{ context: there, engine, log: printingLog(openLog(there.paths.logs)), again, dryRun },
      onProgress(done, pieces) {
        bar.update(before + done, before + pieces);
        if (done === pieces) before += pieces;
      },
      onPlan(plan, some) {
        turns += some.length;
        changes.push(...plan.changes.map(shown));
        diffs.push(...plan.changes.map((change) => diffFor(change, there)));
      },
    });
  });
  await notifyDaemon(there);
  if (json) outJson({ transcript, turns, changes });
  else out(diffs.join(""));
  if (turns === 0 && !again) say("Already captured; pass `--again` to capture it again");
  else if (changes.length === 0) say("Nothing new to remember");
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

/** Drops conversations that are queued for capture: the named one, or all whose capture has failed. */
export async function dropConversations(
  name: string | undefined,
  { json }: ImportOptions,
  context: CliContext,
): Promise<void> {
  const state = context.paths.capture;
  const named = name === undefined ? undefined : await transcriptNamed(name, context);
  const release = await takeCapture(state);
  using _ = { [Symbol.dispose]: release };
  const jobs = readJobs(state).filter(({ transcript, failure }) =>
    named === undefined ? failure !== undefined : transcript === named
  );
  for (const job of jobs) {
    skipTo(state, job);
    finish(state, job);
  }
  const dropped = jobs.map(({ transcript }) => transcript);
  if (json) return outJson({ dropped });
  out(dropped.map((path) => `Dropped \`${tilde(path, context.env)}\`\n`).join(""));
  if (dropped.length > 0) say("`memo import conversations FILE --again` captures one anyway");
  else say(named === undefined ? "No capture has failed" : "It is not in the capture queue");
}

async function folderOf(transcript: string): Promise<string | undefined> {
  for await (const { cwd } of readTurns(transcript)) return cwd;
  return undefined;
}

function printingLog(log: Log): Log {
  return (event, details = {}) => {
    log(event, details);
    const { failed, dropped, because } = details;
    const what = [dropped, failed, because].filter((each) => each !== undefined).join(", ");
    if (what !== "") say(`warning: ${what}`);
  };
}

function shown(change: Change) {
  const { kind } = change;
  const path = kind === "add" ? join(change.folder.path, change.file) : change.path;
  return kind === "archive" ? { kind, path } : { kind, path, text: String(change.text) };
}

function diffFor(change: Change, { env }: CliContext): string {
  const { kind, path, text } = shown(change);
  const before = textAt(path);
  const after = kind === "journal" ? `${before ?? ""}\n${text}` : text;
  return diffOf({ before, after }, tilde(path, env));
}
