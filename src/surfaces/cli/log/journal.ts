import { MemoError } from "../../../errors.ts";
import { carryOut } from "../../../core/change/carry_out.ts";
import { textIfThere } from "../../../core/files/there.ts";
import {
  type Journal,
  journalDays,
  journalFile,
  journalOf,
  readAnchor,
  readEntries,
  readSummary,
} from "../../../core/journal/journal.ts";
import { complete } from "../../../core/llm/mod.ts";
import { memoryFolders } from "../../../core/memory/scopes.ts";
import { tilde } from "../../../paths.ts";
import { whyNotSent } from "../../../core/settings/purposes.ts";
import { counted, localTime } from "../../../core/text/counted.ts";
import { visible } from "../../../core/text/neutralise.ts";
import { configHere } from "../config.ts";
import { surroundings } from "../shared/change.ts";
import type { CliContext } from "../shared/command.ts";
import { daysIn } from "../shared/moment.ts";
import { columns, out, outJson, paint, say } from "../shared/output.ts";
import { transcriptCommand } from "../../../core/memory/memory.ts";

/** What `memo log --journal` shows. */
export interface JournalOptions {
  readonly list?: boolean;
  readonly summary?: boolean;
  readonly since?: Date;
  readonly json?: boolean;
}

/** A day of the journal; `--json` prints entries as {time, bullets, session, turn, transcript} instead of the text. */
interface Day {
  readonly date: string;
  readonly path: string;
  readonly text: string;
}

/** Shows the journal of a day, lists its days, or has a language model sum the last ones up. */
export async function showJournal(
  date: string | undefined,
  options: JournalOptions,
  context: CliContext,
): Promise<void> {
  const journal = journalOf(memoryFolders(context.place))!; // the user's folder always counts
  if (options.since !== undefined && !options.summary) {
    throw new MemoError("usage", "Cannot use `--since` without `--summary`", {
      hint: "Run `memo log --journal --summary --since 30d`",
    });
  }
  if (options.summary) {
    if (date !== undefined) {
      throw new MemoError("usage", "Cannot sum up a single day", {
        hint: "Run `memo log --journal --summary --since 1d`",
      });
    }
    return await summarise(journal, options, context);
  }
  if (options.list) list(journal.path, options, context);
  else show(readDay(journal.path, dayOf(date ?? "0d"), context), options, context);
}

const WEEK_MS = 7 * 86_400_000;

async function summarise(
  journal: Journal,
  { since = new Date(Date.now() - WEEK_MS), json }: JournalOptions,
  context: CliContext,
): Promise<void> {
  const { paths, env, cwd } = context;
  const { summariseJournal } = await import("../../../features/upkeep/mod.ts");
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
    if (json) outJson(null);
    else {say(
        `No entries since ${from}; \`memo log --journal --list\` shows the days that have some`,
      );}
    process.exitCode = 1;
    return;
  }
  const { change, ...about } = summary;
  if (change !== undefined) await carryOut([change], surroundings(context));
  if (json) return outJson({ ...about, isNew: change !== undefined });
  for (const bullet of summary.bullets) out(`- ${visible(bullet)}\n`);
  const what = `${
    counted(summary.entries, "entry", "entries")
  } from ${summary.from} to ${summary.to}`;
  say(
    change === undefined
      ? `${what}, summed up before`
      : `${what}; kept in \`${tilde(change.path, env)}\``,
  );
}

function list(folder: string, { json }: JournalOptions, context: CliContext): void {
  const days = journalDays(folder).map((date) => {
    const path = journalFile(folder, date);
    return { date, path, entries: readEntries(textIfThere(path) ?? "").length };
  });
  if (json) outJson(days);
  else if (days.length === 0) say(noJournal(context));
  else out(columns(days.map(({ date, entries }) => [date, counted(entries, "turn")])));
  if (days.length === 0) process.exitCode = 1;
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

function show({ date, path, text }: Day, { json }: JournalOptions, { env }: CliContext): void {
  if (json) {
    const entries = readEntries(text).map(({ anchor, summary, ...entry }) => ({
      ...{ ...entry, ...anchor },
      ...summary !== undefined && { summary },
    }));
    outJson({ date, path, entries });
    return;
  }
  say(tilde(path, env));
  for (const line of text.trimEnd().split("\n")) {
    const anchor = readAnchor(line);
    const command = anchor && transcriptCommand(anchor);
    if (readSummary(line) !== undefined) continue; // its heading says so
    out((command === undefined ? visible(line) : paint("dim", command)) + "\n");
  }
}

/** Reads a day's journal; throws a `not-found` MemoError with the nearest day if it does not exist. */
function readDay(folder: string, date: string, context: CliContext): Day {
  const path = journalFile(folder, date);
  const text = textIfThere(path);
  if (text !== undefined) return { date, path, text };
  const distance = (day: string) => Math.abs(Date.parse(day) - Date.parse(date));
  const near = journalDays(folder).sort((a, b) => distance(a) - distance(b))[0];
  throw new MemoError("not-found", `No journal for ${date} in \`${folder}\``, {
    hint: near === undefined
      ? noJournal(context)
      : `Run \`memo log --journal ${near}\` for the nearest day`,
  });
}

/** Parses a date or a time ago as a local day. */
function dayOf(word: string): string {
  const days = daysIn(word);
  if (days !== undefined && days.from === days.to) return days.from;
  throw new MemoError("usage", `Cannot show the journal of \`${word}\`: it is no date`, {
    hint: "Pass a date such as `2026-11-21`, or a time ago such as `1d`",
  });
}
