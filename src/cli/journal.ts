import { readFileSync } from "node:fs";
import { type Command, InvalidArgumentError } from "commander";
import { codeOf, MemoError } from "../errors.ts";
import {
  journalDays,
  journalFile,
  journalOf,
  readAnchor,
  readEntries,
} from "../journal/journal.ts";
import { memoryFolders } from "../memory/scopes.ts";
import { tilde } from "../paths.ts";
import { visible } from "../text/neutralise.ts";
import { parsePeriod } from "../text/period.ts";
import type { CliContext } from "./shared/command.ts";
import { counted } from "../text/counted.ts";
import { columns, out, outJson, paint, say } from "./shared/output.ts";
import { transcriptCommand } from "../transcript/command.ts";

interface JournalOptions {
  readonly list?: boolean;
  readonly json?: boolean;
}

/** A day of the journal; `--json` prints entries as {time, bullets, session, turn, transcript} instead of the text. */
interface Day {
  readonly date: string;
  readonly path: string;
  readonly text: string;
}

/** `memo journal`: shows the journal of a day. */
export function define(command: Command, context: CliContext): void {
  command
    .argument("[date]", "`YYYY-MM-DD`, `yesterday`, `monday`, `4 march`", dayOf, dayOf("today"))
    .option("--list", "List the days that have entries")
    .option("--json", "Print JSON: {date, path, entries}; with --list, an array with counts")
    .action((date: string, options: JournalOptions) => {
      const folders = memoryFolders(context.place);
      const folder = journalOf(folders)!.path; // the user's folder always counts
      if (options.list) list(folder, options);
      else show(readDay(folder, date), options, context);
    });
}

function list(folder: string, { json }: JournalOptions): void {
  const days = journalDays(folder).map((date) => {
    const path = journalFile(folder, date);
    return { date, path, entries: readEntries(textOf(path) ?? "").length };
  });
  if (json) outJson(days);
  else if (days.length === 0) say(NO_JOURNAL);
  else out(columns(days.map(({ date, entries }) => [date, counted(entries, "turn")])));
  if (days.length === 0) process.exitCode = 1;
}

const NO_JOURNAL = "No journal here yet; run `memo doctor` to check that capture works";

function show({ date, path, text }: Day, { json }: JournalOptions, { env }: CliContext): void {
  if (json) {
    const entries = readEntries(text).map(({ anchor, ...entry }) => ({ ...entry, ...anchor }));
    outJson({ date, path, entries });
    return;
  }
  say(tilde(path, env));
  for (const line of text.trimEnd().split("\n")) {
    const anchor = readAnchor(line);
    const command = anchor && transcriptCommand(anchor);
    out((command === undefined ? visible(line) : paint("dim", command)) + "\n");
  }
}

/** Reads a day's journal; throws a `not-found` MemoError with the nearest day if it does not exist. */
function readDay(folder: string, date: string): Day {
  const path = journalFile(folder, date);
  const text = textOf(path);
  if (text !== undefined) return { date, path, text };
  const distance = (day: string) => Math.abs(Date.parse(day) - Date.parse(date));
  const near = journalDays(folder).sort((a, b) => distance(a) - distance(b))[0];
  throw new MemoError("not-found", `No journal for ${date} in \`${folder}\``, {
    hint: near === undefined ? NO_JOURNAL : `Run \`memo journal ${near}\` for the nearest day`,
  });
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Parses a day, relative to the local date. */
function dayOf(word: string): string {
  const period = parsePeriod(word, new Date());
  if (period !== undefined && period.from === period.to) return period.from;
  throw new InvalidArgumentError("Expected a date such as 2026-11-21.");
}
