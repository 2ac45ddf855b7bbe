import { join } from "node:path";
import type { Command } from "commander";
import { MemoError } from "../../errors.ts";
import { bytesOf, originalPath, relativePathOf } from "../../core/ledger/archive.ts";
import { CHANGES, type Logged, readChanges } from "../../core/ledger/change_log.ts";
import { memoryFolders, realPath } from "../../core/memory/scopes.ts";
import { digestOf } from "../../core/memory/trust.ts";
import { counted, localTime } from "../../core/text/counted.ts";
import { visible } from "../../core/text/neutralise.ts";
import { changesNamed, withGroups } from "../../features/verbs/undo.ts";
import type { CliContext } from "./shared/command.ts";
import { findOne, NAMES } from "./shared/find.ts";
import { daysIn, type Flags, momentOf, wholeNumber } from "./shared/options.ts";
import { columns, out, outJson, paint, printFound, printNothing, say } from "./shared/output.ts";
import { carryOut } from "../../core/change/carry_out.ts";
import { readIfExists } from "../../core/files/there.ts";
import {
  type Journal,
  journalDays,
  journalFile,
  journalOf,
  readAnchor,
  readDay,
  readSummary,
} from "../../core/journal/journal.ts";
import { complete } from "../../core/llm/mod.ts";
import { tilde } from "../../paths.ts";
import { whyNotSent } from "../../core/settings/purposes.ts";
import { configHere } from "./shared/config_here.ts";
import { surroundings } from "./shared/change.ts";
import { transcriptCommand } from "../../core/memory/memory.ts";

interface LogOptions extends Flags<"journal" | "list" | "summary" | "json"> {
  readonly lines: number;
  readonly since?: Date;
}

const NEIGHBOURS = `
To see what past prompts got: \`memo recall --log\`
To see a memory's versions: \`memo show --history NAME\`
To read the daemon's log: \`memo daemon logs\``;

/** `memo log`: shows what memo has changed, newest first, or the journal of a day. */
export function define(command: Command, context: CliContext): void {
  command
    .argument("[name...]", `Only changes to this memory: ${NAMES}; with \`--journal\`: a date`)
    .option("-n, --lines <number>", "Show at most this many changes", wholeNumber, 20)
    .option("--journal", "Show the journal of a day (`2026-11-21`, `1d`; default: today) instead")
    .option("--list", "With `--journal`: list the days with entries")
    .option(
      "--summary",
      "With `--journal`: have a language model summarise the last days, and save it",
    )
    .option("--since <date>", "With `--summary`: from this date, or a time ago (`7d`)", momentOf)
    .addHelpText("after", NEIGHBOURS)
    .action(async (words: string[], options: LogOptions) => {
      if (options.journal) return await showJournal(words.join(" ") || undefined, options, context);
      const changes = await changesFor(words.join(" "), context);
      const shown = changes.slice(0, options.lines);
      if (options.json) return outJson(shown.map(toJson));
      if (shown.length === 0) return printNothing("memo has changed nothing here yet");
      out(columns(shown.map(row)));
      if (words.length > 0) printByHand(shown[0]!);
      if (changes.length > shown.length) {
        say(`${changes.length - shown.length} more of ${changes.length}: \`memo log -n NUMBER\``);
      }
    });
}

/** The changes in the folders that apply here, or those of one memory; newest first. */
export async function changesFor(name: string, context: CliContext): Promise<Logged[]> {
  const all = readChanges(memoryFolders(context.place)).reverse();
  if (name === "") return all;
  const named = changesNamed(name, all);
  return withGroups(named.length > 0 ? named : await changesOfFound(name, all, context), all);
}

/** The changes of a memory that is found by its name, and may be in the archive. */
async function changesOfFound(
  name: string,
  all: readonly Logged[],
  context: CliContext,
): Promise<Logged[]> {
  const { memory, folder, archived } = await findOne([name], context, { among: "both" });
  const path = archived ? originalPath(memory.path, folder) : memory.path;
  const file = relativePathOf(realPath(path), realPath(folder.path));
  const own = all.filter((change) => change.folder.path === folder.path && change.file === file);
  if (own.length > 0) return own;
  throw new MemoError("not-found", `Cannot show changes to \`${memory.name}\`: there are none`, {
    hint: "Run `memo show NAME` to read it; memo never changed it",
  });
}

/** Says when the newest version is not what memo wrote. */
function printByHand({ folder, file, after, name, key }: Logged): void {
  const there = key === undefined ? bytesOf(join(folder.path, file), folder.path) : undefined;
  if (there === undefined || after === undefined || digestOf(there) === after) return;
  say(`\`${name}\` was changed by hand after that`);
}

function row(change: Logged): string[] {
  const { at, what, name, id, undone, because } = change;
  const { day, seconds } = localTime(new Date(at));
  const marks = [...because === undefined ? [] : [because], ...undone ? ["undone"] : []];
  const mark = marks.length === 0 ? "" : paint("dim", ` (${marks.map(visible).join("; ")})`);
  return [`${day} ${seconds}`, paint("dim", id), CHANGES[what], visible(name) + mark];
}

function toJson({ folder, ...change }: Logged) {
  return { ...change, scope: folder.scope, path: join(folder.path, change.file) };
}

async function showJournal(
  date: string | undefined,
  options: LogOptions,
  context: CliContext,
): Promise<void> {
  const journal = journalOf(memoryFolders(context.place))!; // the user's folder always counts
  const { since, summary } = options;
  if (!summary && since !== undefined) {
    throw new MemoError("usage", "Cannot use `--since` without `--summary`", {
      hint: "Run `memo log --journal --summary --since 30d`",
    });
  }
  if (summary && date !== undefined) {
    throw new MemoError("usage", "Cannot use a date with `--summary`", {
      hint: "Run `memo log --journal --summary --since 1d`",
    });
  }
  if (summary) return await summarise(journal, options, context);
  if (options.list) list(journal.path, options, context);
  else show(dayOf(date ?? "0d"), journal.path, { ...context, ...options });
}

const WEEK_MS = 7 * 86_400_000;

async function summarise(
  journal: Journal,
  { since = new Date(Date.now() - WEEK_MS), json }: LogOptions,
  context: CliContext,
): Promise<void> {
  const { paths, env, cwd } = context;
  const { summariseJournal } = await import("../../features/upkeep/mod.ts");
  const config = configHere(context);
  const now = new Date();
  const from = localTime(since).day;
  const summary = await summariseJournal(from, {
    journal,
    now,
    ask: async (question, signal) =>
      (await complete(question, { paths, env, cwd, config, signal })).json,
  });
  if (summary === undefined) {
    process.exitCode = 1;
    if (json) return outJson(null);
    const days = "`memo log --journal --list` lists the days with entries";
    return say(`No entries since ${from}; ${days}`);
  }
  const { change, ...about } = summary;
  if (change !== undefined) await carryOut([change], surroundings(context));
  if (json) return outJson({ ...about, isNew: change !== undefined });
  for (const bullet of summary.bullets) out(`- ${visible(bullet)}\n`);
  const entries = counted(summary.entries, "entry");
  const kept = change === undefined
    ? ", already summarised"
    : `; saved in \`${tilde(change.path, env)}\``;
  say(`${entries} from ${summary.from} to ${summary.to}${kept}`);
}

function list(folder: string, { json }: LogOptions, context: CliContext): void {
  const days = journalDays(folder).map((date) => {
    const path = journalFile(folder, date);
    return { date, path, entries: readDay(readIfExists(path) ?? "").entries.length };
  });
  printFound(days, {
    json,
    text: () => columns(days.map(({ date, entries }) => [date, counted(entries, "turn")])),
    nothing: () => noJournal(context),
  });
}

/** That there is no journal, and why: nothing may be captured, or nothing was yet. */
function noJournal(context: CliContext): string {
  const config = configHere(context);
  const why = config["capture.enabled"]
    ? whyNotSent("capture", config)
    : "`capture.enabled` is `false`";
  return why === undefined
    ? "No journal here yet; run `memo doctor` to check that capture works"
    : `No journal here: ${why}`;
}

/** Shows a day; throws a `not-found` MemoError with the nearest one if it has no journal. */
function show(
  date: string,
  folder: string,
  { json, ...context }: CliContext & LogOptions,
): void {
  const path = journalFile(folder, date);
  const text = readIfExists(path);
  if (text === undefined) {
    const distance = (day: string) => Math.abs(Date.parse(day) - Date.parse(date));
    const [near] = journalDays(folder).sort((a, b) => distance(a) - distance(b));
    throw new MemoError("not-found", `No journal for ${date} in \`${folder}\``, {
      hint: near === undefined
        ? noJournal(context)
        : `Run \`memo log --journal ${near}\` for the nearest day`,
    });
  }
  if (json) {
    const entries = readDay(text).entries.map((
      { anchor, summary, heading: _, text: __, ...entry },
    ) => ({
      ...{ ...entry, ...anchor },
      ...summary !== undefined && { summary },
    }));
    return outJson({ date, path, entries });
  }
  say(tilde(path, context.env));
  for (const line of text.trimEnd().split("\n")) {
    if (readSummary(line) !== undefined) continue; // its heading says so
    const anchor = readAnchor(line);
    const command = anchor && transcriptCommand(anchor);
    out((command === undefined ? visible(line) : paint("dim", command)) + "\n");
  }
}

function dayOf(word: string): string {
  const days = daysIn(word);
  if (days !== undefined && days.from === days.to) return days.from;
  throw new MemoError("usage", `Cannot show the journal of \`${word}\`: it is not a date`, {
    hint: "Pass a date such as `2026-11-21`, or a time ago such as `1d`",
  });
}
