import { join } from "node:path";
import type { Command } from "commander";
import { MemoError } from "../../errors.ts";
import { bytesOf, originalPath, relativePathOf } from "../../core/ledger/archive.ts";
import { CHANGES, type Logged, readChanges } from "../../core/ledger/change_log.ts";
import { memoryFolders, realPath } from "../../core/memory/scopes.ts";
import { digestOf } from "../../core/memory/trust.ts";
import { localTime } from "../../core/text/counted.ts";
import { visible } from "../../core/text/neutralise.ts";
import { changesNamed, withGroups } from "../../features/verbs/undo.ts";
import { type JournalOptions, showJournal } from "./log/journal.ts";
import type { CliContext } from "./shared/command.ts";
import { findOne, NAMES } from "./shared/find.ts";
import { momentOf } from "./shared/moment.ts";
import { wholeNumber } from "./shared/options.ts";
import { columns, out, outJson, paint, printNothing, say } from "./shared/output.ts";

interface LogOptions extends JournalOptions {
  readonly lines: number;
  readonly journal?: boolean;
}

/** `memo log`: shows what memo has changed, newest first, or the journal of a day. */
export function define(command: Command, context: CliContext): void {
  command
    .argument("[name...]", `Only the changes of this memory: ${NAMES}; with \`--journal\`, a date`)
    .option("-n, --lines <number>", "Maximum changes to show", wholeNumber, 20)
    .option("--journal", "Show the journal of a day (`2026-11-21`, `1d`; default: today) instead")
    .option("--list", "With `--journal`: list the days that have entries")
    .option(
      "--summary",
      "With `--journal`: have a language model sum up the last days, and keep it",
    )
    .option("--since <date>", "With `--summary`: from this date, or a time ago (`7d`)", momentOf)
    .option("--json", "Print JSON")
    .action(async (words: string[], options: LogOptions) => {
      if (options.journal) return await showJournal(words.join(" ") || undefined, options, context);
      const changes = await changesFor(words.join(" "), context);
      const shown = changes.slice(0, options.lines);
      if (options.json) return outJson(shown.map(toJson));
      if (shown.length === 0) return printNothing("memo has changed nothing here yet");
      out(columns(shown.map(row)));
      if (words.length > 0) printByHand(shown[0]!);
      if (changes.length > shown.length) {
        say(`${changes.length - shown.length} of ${changes.length} more: \`memo log -n NUMBER\``);
      }
    });
}

/** The changes in the folders that apply here, or those of one memory; newest first. */
export async function changesFor(name: string, context: CliContext): Promise<Logged[]> {
  const { place } = context;
  const all = readChanges(memoryFolders(place)).reverse();
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
  throw new MemoError("not-found", `Cannot show changes of \`${memory.name}\`: there are none`, {
    hint: "Run `memo show NAME`: memo has not written it",
  });
}

/** Says when the newest version is not what memo wrote. */
function printByHand({ folder, file, after, name, key }: Logged): void {
  const there = key === undefined ? bytesOf(join(folder.path, file), folder.path) : undefined;
  if (there === undefined || after === undefined || digestOf(there) === after) return;
  say(`\`${name}\` has been changed by hand since`);
}

function row(change: Logged): string[] {
  const { at, what, name, id, undone, because } = change;
  const { day } = localTime(new Date(at));
  const time = new Date(at).toTimeString().slice(0, 8);
  const marks = [...because === undefined ? [] : [because], ...undone ? ["undone"] : []];
  const mark = marks.length === 0 ? "" : paint("dim", ` (${marks.map(visible).join("; ")})`);
  return [`${day} ${time}`, paint("dim", id), CHANGES[what], visible(name) + mark];
}

function toJson({ folder, ...change }: Logged) {
  return { ...change, scope: folder.scope, path: join(folder.path, change.file) };
}
