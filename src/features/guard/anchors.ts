// Which files the memories of a project name: what they mention, compared with what the work tree has.

import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Index, MentionRow } from "../../core/index/mod.ts";
import type { MemoryFolder } from "../../core/memory/memory.ts";
import { filesOf } from "../../core/files/work_tree.ts";
import { isForFile } from "../../core/memory/applies.ts";
import { typesThat } from "../../core/memory/types.ts";
import { definitionsOf } from "./definitions.ts";

/** A memory that names a file. */
interface FileAnchor {
  /** Id of the memory. */
  readonly memory: number;
  /** The words that name it. */
  readonly text: string;
  /** How much the memory is about this file, compared with others. */
  readonly weight: number;
}

/** What leads from a project's files to its memories. */
export interface Anchors {
  /** The files that memories name, by path from the work tree's top, the strongest anchor first. */
  readonly files: ReadonlyMap<string, readonly FileAnchor[]>;
  /** The files that memories say they are for, as globs. */
  readonly globs: readonly FileAnchor[];
}

/** Whether no file leads to a memory. */
export function isEmpty({ files, globs }: Anchors): boolean {
  return files.size + globs.length === 0;
}

/** The memories for a file: those that name it, then those that are for it and others. */
export function anchorsOf({ files, globs }: Anchors, file: string): readonly FileAnchor[] {
  const byMemory = Map.groupBy(globs, ({ memory }) => memory).values();
  const fit = byMemory.filter((its) => isForFile(its.map(({ text }) => text), file));
  return [...files.get(file) ?? [], ...fit.map((its) => its[0]!)];
}

/** How closely each way of naming a file is bound to it. */
const CLOSENESS = { file: 3, symbol: 2, folder: 1 } as const;
/** What a name in the title counts more than one in the text. */
const IN_TITLE = 1.5;
/** A memory that names more files in its text is about none of them. */
const MOST_FILES = 6;
/** A folder with more files says nothing about each of them. */
const MOST_IN_FOLDER = 30;
/** Names that nearly every project has, and many memories mention by the way. */
const COMMON =
  /^(?:package(?:-lock)?\.json|README\.\w+|CHANGELOG\.\w+|CONTRIBUTING\.\w+|CLAUDE\.md|AGENTS\.md|LICENSE\S*|tsconfig\.json|deno\.jsonc?|Cargo\.toml|go\.mod|pyproject\.toml|requirements\.txt|setup\.py|Makefile|Dockerfile|\.gitignore|\.env\S*|\.npmrc|docker-compose\.ya?ml|settings\.json|config\.\w+|index\.\w+|main\.\w+|mod\.\w+)$/i;

/** What a work tree has. */
interface WorkTree {
  readonly files: readonly string[];
  /** The files that define each symbol. */
  readonly definitions: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The files that memories name, as far as the work tree has them and the name leads to one alone. */
export function anchorsIn(
  mentions: readonly MentionRow[],
  { files, definitions }: WorkTree,
): Anchors {
  const byName = Map.groupBy(files, (file) => basename(file));
  const anchors = new Map<string, FileAnchor[]>(), globs: FileAnchor[] = [];
  for (const [memory, its] of Map.groupBy(mentions, ({ memory }) => memory)) {
    const own = new Map<string, { kind: keyof typeof CLOSENESS; text: string; weight: number }>();
    for (const { kind, text, isTitle } of its) {
      if (kind === "glob") globs.push({ memory, text, weight: 0 });
      if (kind === "command" || kind === "glob" || !isTitle && COMMON.test(text)) continue;
      const weight = CLOSENESS[kind] * (isTitle ? IN_TITLE : 1);
      for (const file of filesNamed({ kind, text }, { files, byName, definitions })) {
        if (weight > (own.get(file)?.weight ?? 0)) own.set(file, { kind, text, weight });
      }
    }
    const count = [...own.values()].filter(({ kind }) => kind !== "folder").length;
    for (const [file, { kind, text, weight }] of own) {
      if (count > MOST_FILES && weight < IN_TITLE * CLOSENESS[kind]) continue;
      const list = anchors.get(file) ?? [];
      anchors.set(file, list);
      list.push({ text, memory, weight: weight / Math.sqrt(Math.max(1, count)) });
    }
  }
  for (const list of anchors.values()) list.sort((a, b) => b.weight - a.weight);
  return { files: anchors, globs };
}

function filesNamed(
  { kind, text }: Pick<MentionRow, "kind" | "text">,
  { files, byName, definitions }: WorkTree & { readonly byName: ReadonlyMap<string, string[]> },
): readonly string[] {
  if (kind === "symbol") return onlyOne([...definitions.get(text) ?? []].filter(isOwnCode));
  const path = text.replace(/^[~/]+/, "");
  if (kind === "folder") {
    const below = files.filter((file) => file.startsWith(path + "/"));
    return below.length <= MOST_IN_FOLDER ? below : [];
  }
  const same = byName.get(basename(path)) ?? [];
  const exact = same.filter((file) => file === path);
  if (exact.length > 0 && path.includes("/")) return exact;
  return onlyOne(same.filter((file) => file === path || file.endsWith("/" + path)));
}

const onlyOne = (files: readonly string[]) => files.length === 1 ? files : [];

/** Whether a file is neither a test nor a declaration of what is defined elsewhere. */
function isOwnCode(file: string): boolean {
  return !/(?:^|\/)(?:tests?|__tests__|spec|fixtures|examples?)\/|[._-](?:test|spec)\.\w+$|\.d\.[cm]?ts$/
    .test(file);
}

/** A work tree that nobody has looked at for so long may have other files. */
const MAX_AGE_MS = 10 * 60_000;
/** Projects that are kept; a machine rarely works on more at once. */
const KEPT = 8;

/** The anchors of each project, found in the background, and those that are being looked for. */
const found = new Map<string, { stamp: string; at: number; anchors: Anchors }>();
const looking = new Map<string, Promise<Anchors>>();

/** The anchors as they were last found; undefined if nobody has looked. */
export function knownAnchors(top: string, folders: readonly MemoryFolder[]): Anchors | undefined {
  return found.get(keyOf(top, folders))?.anchors;
}

const NONE: Anchors = { files: new Map(), globs: [] };

/** Looks again if the memories or the work tree may have changed. */
export async function followAnchors(
  index: Index,
  top: string,
  folders: readonly MemoryFolder[],
): Promise<Anchors> {
  const key = keyOf(top, folders);
  const now = looking.get(key) ?? look(key, index, top, folders)
    .finally(() => looking.delete(key));
  looking.set(key, now);
  return await now;
}

async function look(
  key: string,
  index: Index,
  top: string,
  folders: readonly MemoryFolder[],
): Promise<Anchors> {
  const stamp = `${await index.generation()} ${await stampOf(top)}`;
  const known = found.get(key);
  if (known?.stamp === stamp && performance.now() - known.at < MAX_AGE_MS) return known.anchors;
  const mentions = await index.mentions(folders, typesThat("work"));
  const symbols = mentions.filter(({ kind }) => kind === "symbol").map(({ text }) => text);
  const anchors = mentions.length === 0 ? NONE : anchorsIn(mentions, {
    files: await filesOf(top),
    definitions: await definitionsOf(top, [...new Set(symbols)]),
  });
  found.delete(key);
  found.set(key, { stamp, at: performance.now(), anchors });
  for (const oldest of [...found.keys()].slice(0, -KEPT)) found.delete(oldest);
  return anchors;
}

function keyOf(top: string, folders: readonly MemoryFolder[]): string {
  return [top, ...folders.map(({ path }) => path)].join("\n");
}

/** The times of what git writes when files come and go. */
async function stampOf(top: string): Promise<string> {
  const times = [".git/index", ".git/HEAD", ".git", ""].map(async (name) =>
    (await stat(join(top, name)).catch(() => undefined))?.mtimeMs ?? 0
  );
  return (await Promise.all(times)).join(" ");
}
