import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { MemoError } from "../../errors.ts";
import { basisOf } from "../../core/memory/provenance.ts";
import { changedOn, formatAge } from "../../core/memory/age.ts";
import type { FoundMemory } from "../../core/ledger/find.ts";
import { newestFirst, readMemories, withCommitDates } from "../../core/memory/list.ts";
import { formatDrift, formatStatus, type Standing } from "../../core/relation/standing.ts";
import { visible } from "../../core/text/neutralise.ts";
import type { CliContext } from "./shared/command.ts";
import { describe, kindColumns, standingsHere } from "./shared/describe.ts";
import { findEach, findOne, idHere, lookUpHere, NAMES, settled } from "./shared/find.ts";
import { type Flags, wholeNumberOrNone } from "./shared/options.ts";
import { out, outJson, outSection, paint, say } from "./shared/output.ts";
import { journalDays, journalFile, journalOf, readDay } from "../../core/journal/journal.ts";
import { type MemoryFile, type MemoryFolder, transcriptCommand } from "../../core/memory/memory.ts";
import { listArchive, originalName } from "../../core/ledger/archive.ts";
import { memoryFolders } from "../../core/memory/scopes.ts";
import { shorten } from "../../core/memory/title.ts";
import { type Env, tilde } from "../../paths.ts";

interface ShowOptions extends Flags<"source" | "history" | "json"> {
  readonly turn?: string;
  readonly context?: number;
}

/** `memo show`: prints memories, archived or not, their versions, and the conversations that they come from. */
export function define(command: Command, context: CliContext): void {
  command
    .argument("<names...>", `Memories, each by ${NAMES}; or the id of a turn or session`)
    .option("--source", "Show the conversation it came from")
    .option("--turn <id>", "With `--source` and a session: only this turn")
    .option(
      "--context <number>",
      "With `--source`: how many turns before and after it",
      wholeNumberOrNone,
    )
    .option("--history", "Show its source, other versions and journal entry")
    .addHelpText("after", "\nTo see when it changed: `memo log NAME`")
    .action(async (words: string[], options: ShowOptions) => {
      const { source, history, turn, context: around, json = false } = options;
      if (source) {
        const { showConversation } = await import("./search/history.ts");
        return await showConversation(words.join(" "), { turn, around, json }, context);
      }
      if (turn !== undefined || around !== undefined) {
        throw new MemoError("usage", "Cannot use `--turn` or `--context` without `--source`", {
          hint: "Run `memo show --source SESSION --turn ID`",
        });
      }
      const found = await memoriesOrTurn(words, options, context);
      if (found === undefined) return;
      if (history) return found.forEach((each) => showVersions(each, json, context));
      const shown = await Promise.all(found.map(async (each) => {
        const [memory = each.memory] = await withCommitDates(each.folder, [each.memory]);
        return { ...each, memory };
      }));
      const standings = await standingsHere(context);
      const standingOf = ({ memory: { path } }: FoundMemory) => standings.get(path);
      if (!json) return shown.forEach((each) => print(each, standingOf(each), context));
      const all = shown.map((each) => ({ ...toJson(each), ...standingOf(each) }));
      outJson(all.length === 1 ? all[0] : all);
    });
}

/** The memories of these names; undefined if it is no memory but a turn, which is then shown. */
async function memoriesOrTurn(
  words: readonly string[],
  { history, json = false }: ShowOptions,
  context: CliContext,
): Promise<readonly FoundMemory[] | undefined> {
  const options = { among: "both" } as const;
  if (words.length === 1) {
    const lookup = lookUpHere(words, context, options);
    if (lookup.kind === "missing") {
      const { showTurn } = await import("./search/history.ts");
      if (await showTurn(words[0]!, json, context)) return undefined;
    }
    return [await settled(lookup)];
  }
  if (history) return [await findOne(words, context, options)];
  return await findEach(words, context, options);
}

function toJson({ memory, folder, archived }: FoundMemory) {
  const { days, problems, ...described } = describe(memory, folder, new Date());
  const { body, triggers, confidence, supersedes, source } = memory;
  return { ...described, days, archived, body, triggers, confidence, supersedes, source, problems };
}

function print(found: FoundMemory, standing: Standing | undefined, context: CliContext): void {
  printFacts(found, context);
  const ofBranch = standing && { ...standing, drift: [] };
  for (const fact of formatStatus({ standing: ofBranch })) say(fact);
  for (const drift of standing?.drift ?? []) say(formatDrift(drift));
  for (const { message } of found.memory.problems) say(`warning: ${message}`);
  const text = readFileSync(found.memory.path, "utf8");
  // A program gets the file unchanged; a terminal gets it without control characters.
  const shown = process.stdout.isTTY ? visible(text) : text;
  out(shown.endsWith("\n") || shown === "" ? shown : shown + "\n");
}

/** Says which memory is shown: its id, what is known of it, and its file. */
function printFacts({ memory, folder, archived }: FoundMemory, context: CliContext): void {
  const { days } = describe(memory, folder, new Date());
  const { type, scope } = memory, basis = basisOf(memory);
  const facts = [
    ...[...kindColumns(type, scope), formatAge(days)],
    ...basis === "said" ? [] : [basis],
    ...archived ? ["archived"] : [],
  ];
  say(`${idHere(memory, context)}  ${facts.join(", ")}  ${memory.path}`);
}

/** Maximum characters of how a version differs. */
const MAX_CHANGES = 80;

/** `memo show --history`: prints a memory with its source, its other versions and its turn in the journal. */
function showVersions(found: FoundMemory, json: boolean, context: CliContext): void {
  const { memory, folder } = found, { env } = context;
  const sourceCommand = memory.source && transcriptCommand(memory.source);
  const journal = notedOf(memory.source?.turn, context);
  const { others, supersedes, supersededBy } = versionsOf(memory, folder);
  if (json) {
    const { problems: _, supersedes: __, ...facts } = toJson(found);
    return outJson({ ...facts, sourceCommand, supersedes, supersededBy, journal });
  }
  printFacts(found, context);
  out(visible(readFileSync(memory.path, "utf8")).trimEnd() + "\n");
  const own = originalName(memory.path);
  const ofOthers = (versions: readonly ShownVersion[]) =>
    versions.filter(({ file }) => file !== own).map(({ file, path, name }) =>
      path === undefined
        ? `${visible(file)} (not in the archive)`
        : `${visible(name ?? file)}  ${paint("dim", tilde(path, env))}`
    );
  outSection("Source", sourceCommand === undefined ? [] : [sourceCommand]);
  outSection("Versions", others.map((other) => versionLine(other, memory, env)));
  outSection("Replaces", ofOthers(supersedes));
  outSection("Replaced by", ofOthers(supersededBy));
  outSection(
    "Journal",
    journal.flatMap(({ date, time, bullets }) => [
      `${date} ${time}`,
      ...bullets.map((bullet) => `- ${visible(bullet)}`),
    ]),
  );
}

/** Another version of a memory: its file name before it was archived, and where it is now, unless it is gone. */
type ShownVersion = ReturnType<typeof toVersion> | {
  file: string;
  path: undefined;
  name: undefined;
};

/** The older and newer versions of a memory, in its folder and in the archive; `others`: those of its own file. */
function versionsOf(
  memory: MemoryFile,
  folder: MemoryFolder,
) {
  const inUse = readMemories(folder).memories;
  const archived = readMemories(folder, { list: listArchive }).memories;
  const own = originalName(memory.path);
  const others = [...archived, ...inUse].filter(({ path }) => path !== memory.path);
  // Versions of one file are in the archive under its name.
  const versions = others.filter(({ path }) => originalName(path) === own).sort(newestFirst);
  const isOlder = (other: MemoryFile) => newestFirst(memory, other) < 0 && !inUse.includes(other);
  const isInUse = inUse.some(({ path }) => path === memory.path);
  const older = versions.filter((other) => isInUse || isOlder(other));
  const named = memory.supersedes.filter((file) => file !== own).map((file) => {
    const found = others.find(({ path }) => originalName(path) === file);
    return found === undefined ? { file, path: undefined, name: undefined } : toVersion(found);
  });
  const successors = others.filter(({ path, supersedes }) =>
    originalName(path) !== own && supersedes.includes(own)
  );
  return {
    others: versions,
    supersedes: [...named, ...older.map(toVersion)],
    supersededBy: [...versions.filter((other) => !older.includes(other)).reverse(), ...successors]
      .map(toVersion),
  };
}

function toVersion({ path, name }: MemoryFile) {
  return { file: originalName(path), path, name };
}

function notedOf(turn: string | undefined, { place }: CliContext) {
  const folder = journalOf(memoryFolders(place))?.path;
  if (turn === undefined || folder === undefined) return [];
  return journalDays(folder).flatMap((date) =>
    readDay(readFileSync(journalFile(folder, date), "utf8")).entries
      .filter(({ anchor }) => anchor?.turn === turn)
      .map(({ time, bullets }) => ({ date, time, bullets }))
  );
}

/** A version in a line: its day, and how it differs from another one. */
function versionLine(version: MemoryFile, other: MemoryFile, env: Env): string {
  const said = new Set(other.body.split("\n"));
  const text = version.body.split("\n").find((line) => !said.has(line)) ??
    (version.body === other.body ? undefined : "(lines removed)");
  const about = text === undefined ? ["description"] as const : [];
  const fields = (["name", "type", "tags", "triggers", ...about] as const)
    .filter((field) => String(version[field]) !== String(other[field]) && version[field] !== text)
    .map((field) => `${field} ${[version[field]].flat().join(", ") || "none"}`);
  const changes = [...text === undefined ? [] : [text], ...fields].join("; ") || "identical";
  const path = paint("dim", tilde(version.path, env));
  return `${changedOn(version)}  ${shorten(visible(changes), MAX_CHANGES)}  ${path}`;
}
