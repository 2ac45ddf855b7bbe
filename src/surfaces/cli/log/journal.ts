import { MemoError } from "../../../errors.ts";
import { carryOut } from "../../../core/change/carry_out.ts";
import { readIfExists } from "../../../core/files/there.ts";
import {
  type Journal,
  journalDays,
  journalFile,
  journalOf,
  readAnchor,
  readDay,
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

/** Shows the journal of a day, lists its days, or has a language model sum the last ones up. */
export async function showJournal(
  date: string | undefined,
  options: JournalOptions,
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
    throw new MemoError("usage", "Cannot sum up a single day", {
      hint: "Run `memo log --journal --summary --since 1d`",
    });
  }
  if (summary) return await summarise(journal, options, context);
  if (options.list) list(journal.path, options, context);
  else show(dayOf(date ?? "0d"), { folder: journal.path, json: options.json }, context);
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
    const days = "`memo log --journal --list` shows the days that have some";
    if (!json) say(`No entries since ${from}; ${days}`);
    process.exitCode = 1;
    return;
  }
  const { change, ...about } = summary;
  if (change !== undefined) await carryOut([change], surroundings(context));
  if (json) return outJson({ ...about, isNew: change !== undefined });
  for (const bullet of summary.bullets) out(`- ${visible(bullet)}\n`);
  const entries = counted(summary.entries, "entry", "entries");
  const kept = change === undefined
    ? ", summed up before"
    : `; kept in \`${tilde(change.path, env)}\``;
  say(`${entries} from ${summary.from} to ${summary.to}${kept}`);
}

function list(folder: string, { json }: JournalOptions, context: CliContext): void {
  const days = journalDays(folder).map((date) => {
    const path = journalFile(folder, date);
    return { date, path, entries: readDay(readIfExists(path) ?? "").entries.length };
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

/** Shows a day; throws a `not-found` MemoError with the nearest one if it has no journal. */
function show(
  date: string,
  { folder, json }: { readonly folder: string; readonly json?: boolean | undefined },
  context: CliContext,
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
    const entries = readDay(text).entries.map(({ time, bullets, anchor, summary }) => ({
      ...{ time, bullets, ...anchor },
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

/** Parses a date or a time ago as a local day. */
function dayOf(word: string): string {
  const days = daysIn(word);
  if (days !== undefined && days.from === days.to) return days.from;
  throw new MemoError("usage", `Cannot show the journal of \`${word}\`: it is no date`, {
    hint: "Pass a date such as `2026-11-21`, or a time ago such as `1d`",
  });
}
