import { readFileSync } from "node:fs";
import { changedOn } from "../../../core/memory/age.ts";
import type { Found } from "../../../core/ledger/find.ts";
import {
  journalDays,
  type JournalEntry,
  journalFile,
  journalOf,
  readDay,
} from "../../../core/journal/journal.ts";
import { newestFirst, readMemories } from "../../../core/memory/list.ts";
import {
  type MemoryFile,
  type MemoryFolder,
  transcriptCommand,
} from "../../../core/memory/memory.ts";
import { listArchive, originalName } from "../../../core/ledger/archive.ts";
import { memoryFolders } from "../../../core/memory/scopes.ts";
import { shorten } from "../../../core/memory/title.ts";
import { type Env, tilde } from "../../../paths.ts";
import { visible } from "../../../core/text/neutralise.ts";
import type { CliContext } from "../shared/command.ts";
import { describe } from "../shared/describe.ts";
import { printFacts } from "../show.ts";
import { out, outJson, paint } from "../shared/output.ts";

/** Maximum characters of what a version says otherwise. */
const MAX_CHANGES = 80;

/** Another version of a memory. */
interface Version {
  /** Its file name before it was archived. */
  readonly file: string;
  /** Its present path; undefined if the file is gone. */
  readonly path: string | undefined;
  readonly name: string | undefined;
}

/** The fields that `--json` adds to those of a memory. */
interface Versions {
  /** The command that shows its conversation; undefined if unknown. */
  readonly sourceCommand: string | undefined;
  readonly supersedes: readonly Version[];
  readonly supersededBy: readonly Version[];
  /** What the journal says of the turn that it was written from. */
  readonly journal: readonly Noted[];
}

/** An entry of the journal. */
interface Noted extends Pick<JournalEntry, "time" | "bullets"> {
  readonly date: string;
}

/** `memo show --history`: prints a memory with its source, its other versions and its turn in the journal. */
export function showVersions(found: Found, json: boolean, context: CliContext): void {
  const { env } = context;
  const { memory, folder, archived } = found;
  const sourceCommand = memory.source && transcriptCommand(memory.source);
  const journal = notedOf(memory.source?.turn, context);
  const { others, ...named } = versionsOf(memory, folder);
  const versions = { sourceCommand, ...named, journal };
  const { days, problems: _, ...described } = describe(memory, folder, new Date());
  if (json) {
    const { body, triggers, tags, confidence, source } = memory;
    const facts = { days, archived, body, triggers, tags, confidence, source };
    return outJson({ ...described, ...facts, ...versions });
  }
  printFacts(found, context);
  out(visible(readFileSync(memory.path, "utf8")).trimEnd() + "\n");
  const lines = others.map((other) => versionLine(other, memory, env));
  out(render(versions, { own: originalName(memory.path), lines }, env));
}

/** The older and newer versions of a memory, in its folder and in the archive; `others`: those of its own file. */
function versionsOf(
  memory: MemoryFile,
  folder: MemoryFolder,
): Pick<Versions, "supersedes" | "supersededBy"> & { readonly others: readonly MemoryFile[] } {
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
    return { file, path: found?.path, name: found?.name };
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

function toVersion({ path, name }: MemoryFile): Version {
  return { file: originalName(path), path, name };
}

/** The entries about a turn in the journal here. */
function notedOf(turn: string | undefined, { place }: CliContext): Noted[] {
  const folder = journalOf(memoryFolders(place))?.path;
  if (turn === undefined || folder === undefined) return [];
  return journalDays(folder).flatMap((date) =>
    readDay(readFileSync(journalFile(folder, date), "utf8")).entries
      .filter(({ anchor }) => anchor?.turn === turn)
      .map(({ time, bullets }) => ({ date, time, bullets }))
  );
}

/** A version in a line: its day, and what it says otherwise than another one. */
function versionLine(version: MemoryFile, other: MemoryFile, env: Env): string {
  const said = new Set(other.body.split("\n"));
  const text = version.body.split("\n").find((line) => !said.has(line)) ??
    (version.body === other.body ? undefined : "(some lines fewer)");
  const about = text === undefined ? ["description"] as const : [];
  const fields = (["name", "type", "tags", "triggers", ...about] as const)
    .filter((field) => String(version[field]) !== String(other[field]) && version[field] !== text)
    .map((field) => `${field} ${[version[field]].flat().join(", ") || "none"}`);
  const changes = [...text === undefined ? [] : [text], ...fields].join("; ") || "the same";
  const path = paint("dim", tilde(version.path, env));
  return `${changedOn(version)}  ${shorten(visible(changes), MAX_CHANGES)}  ${path}`;
}

function render(
  { sourceCommand, supersedes, supersededBy, journal }: Versions,
  { own, lines }: { readonly own: string; readonly lines: readonly string[] },
  env: Env,
): string {
  const isOfOther = ({ file }: Version) => file !== own;
  const version = ({ file, path, name }: Version) =>
    path === undefined
      ? `${visible(file)} (not in the archive)`
      : `${visible(name ?? file)}  ${paint("dim", tilde(path, env))}`;
  const sections: readonly [title: string, lines: readonly string[]][] = [
    ["Source", sourceCommand === undefined ? [] : [sourceCommand]],
    ["Versions", lines],
    ["Supersedes", supersedes.filter(isOfOther).map(version)],
    ["Superseded by", supersededBy.filter(isOfOther).map(version)],
    [
      "Journal",
      journal.flatMap(({ date, time, bullets }) => [
        `${date} ${time}`,
        ...bullets.map((bullet) => `- ${visible(bullet)}`),
      ]),
    ],
  ];
  return sections.filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => `\n${paint("bold", title)}\n${lines.join("\n")}\n`).join("");
}
