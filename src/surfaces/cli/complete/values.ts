import { basename } from "node:path";
import { STRATEGIES } from "../../../../strategies/mod.ts";
import { OWN_SOURCES, SOURCES } from "../../../features/import/sources.ts";
import { journalDays, journalOf } from "../../../core/journal/journal.ts";
import { memoryFolders } from "../../../core/memory/scopes.ts";
import { listArchive, originalName } from "../../../core/ledger/archive.ts";
import { memoryPaths } from "../../../core/memory/folder.ts";
import { TYPES } from "../../../core/memory/types.ts";
import { settingOf, SETTINGS } from "../../../core/settings/table.ts";
import type { CliContext } from "../shared/command.ts";
import { FILES } from "./scripts.ts";

/** A word that can stand at the cursor. */
export interface Candidate {
  readonly value: string;
  readonly about?: string | undefined;
}

/** What may stand where the cursor is, begun with `word`. */
type Source = (context: CliContext, word: string) => readonly Candidate[];

const TYPE_NAMES = TYPES.filter(({ name }) => name !== "*");

function memories({ place }: CliContext): Candidate[] {
  return memoryFolders(place).flatMap((folder) => memoryPaths(folder).sort())
    .map((path) => ({ value: stem(path) }));
}

function archived({ place }: CliContext): Candidate[] {
  const names = memoryFolders(place).flatMap(listArchive)
    .map(({ path }) => stem(originalName(path)));
  return [...new Set(names)].map((value) => ({ value }));
}

function stem(path: string): string {
  return basename(path).replace(/\.md$/, "");
}

function types(): Candidate[] {
  return TYPE_NAMES.map(({ name, keeps }) => ({ value: name, about: keeps }));
}

/** The last of a comma-separated list. */
function typeLists(_: CliContext, word: string): Candidate[] {
  const before = word.slice(0, word.lastIndexOf(",") + 1);
  return types().map(({ value, about }) => ({ value: before + value, about }));
}

function keys(): Candidate[] {
  return SETTINGS.flatMap(({ key, summary }) =>
    key.endsWith(".*")
      ? TYPE_NAMES.map(({ name }) => ({ value: key.replace("*", name), about: summary }))
      : [{ value: key, about: summary }]
  );
}

/** `KEY=`, and once that stands there, `KEY=VALUE`. */
function assignments(_: CliContext, word: string): Candidate[] {
  const [key = "", value] = word.split("=", 2);
  if (value === undefined) return keys().map((each) => ({ ...each, value: `${each.value}=` }));
  return valuesOf(key).map((each) => ({ value: `${key}=${each}` }));
}

function valuesOf(key: string): readonly string[] {
  if (key === "model") return ["builtin", FILES];
  const setting = settingOf(key);
  if (setting?.key === "strategy.*") return STRATEGIES.map(({ name }) => name);
  if (setting?.kind === "boolean") return ["true", "false"];
  return setting?.choices ?? [];
}

function days({ place }: CliContext): Candidate[] {
  const journal = journalOf(memoryFolders(place));
  const found = journal === undefined ? [] : journalDays(journal.path).reverse();
  return found.map((value) => ({ value }));
}

function sources(): Candidate[] {
  return [...SOURCES, ...OWN_SOURCES].map(({ name, summary }) => ({ value: name, about: summary }));
}

const files: Source = () => [{ value: FILES }];

/** What an argument or the value of an option is, by the word between its brackets. */
export const BY_PLACEHOLDER: Readonly<Record<string, Source>> = {
  name: memories,
  names: memories,
  type: types,
  types: typeLists,
  key: keys,
  settings: assignments,
  transcript: files,
  file: files,
  folder: files,
  path: files,
  old: files,
  new: files,
};

/** Where the same word means something else. */
export const BY_COMMAND: Readonly<Record<string, Readonly<Record<string, Source>>>> = {
  "memo undo": { "name[@time]": (context) => [...memories(context), ...archived(context)] },
  "memo log": { name: (context) => [...memories(context), ...days(context)] },
  "memo import": { source: sources },
};
