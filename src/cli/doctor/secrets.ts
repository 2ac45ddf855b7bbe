// Secrets in memo's existing files: memories, journal and archive, receipts, queue and logs.

import { existsSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { writeFileAtomic } from "../../files/atomic.ts";
import { wayTo } from "../../memory/archive.ts";
import { logged } from "../../memory/change_log.ts";
import { parseMemory, serializeMemory } from "../../memory/file.ts";
import { writeIndexFile } from "../../memory/index_file.ts";
import type { MemoryFolder } from "../../memory/memory.ts";
import { autoFolder, memoryFolders, placeIn } from "../../memory/scopes.ts";
import { fileName } from "../../memory/slug.ts";
import { INDEX_FILE, listMemoryFiles } from "../../memory/store.ts";
import { ownPatterns } from "../../redact/own_patterns.ts";
import { redactAll, type Redacted } from "../../redact/redact.ts";
import type { Config } from "../../settings/config.ts";
import type { CliContext } from "../command.ts";

/** A file with secrets in it. */
export interface Leak {
  readonly path: string;
  /** The count of each kind. */
  readonly found: Readonly<Record<string, number>>;
  readonly state: "found" | "removed" | "not memo's to change";
}

interface Options extends CliContext {
  readonly config: Config;
  /** Removes them, and keeps no copy. */
  readonly fix: boolean;
}

/** Larger files are logs that rotate, or not notes. */
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_DEPTH = 6;
const KINDS = [".md", ".json", ".jsonl", ".log", ".1", ".damaged"];

/** Looks for secrets in all files that memo has written, and in the memories that apply here. */
export async function findLeaks(options: Options): Promise<Leak[]> {
  const { paths, cwd, config, fix } = options;
  const own = ownPatterns(config["redact.patterns"]);
  const place = placeIn(paths, cwd);
  const folders = memoryFolders(place);
  const roots = [paths.userMemory, ...folders.map(({ path }) => path), paths.state];
  const files = new Set(roots.flatMap((root) => filesBelow(root, 0)));
  const leaks: Leak[] = [];
  for (const path of files) {
    const text = readFileSync(path, "utf8");
    const clean = await cleaned(path, text, own);
    if (clean === undefined) continue;
    const isOthers = path.startsWith(autoFolder(place));
    if (fix && !isOthers) fixFile(path, clean.text, folders);
    const state = isOthers ? "not memo's to change" : fix ? "removed" : "found";
    leaks.push({ path, found: clean.found, state });
  }
  if (fix) renewIndexFiles(folders, leaks);
  return leaks;
}

/** A file's text without its secrets; undefined if it has none. */
async function cleaned(
  path: string,
  text: string,
  own: readonly RegExp[],
): Promise<Redacted | undefined> {
  const extension = extname(path);
  const isJson = extension === ".json" || path.includes(".jsonl");
  const first = isJson
    ? await redactJson(text, own)
    : extension === ".md"
    ? await redactMemory(text, own)
    : { text, found: {} };
  const [rest] = isJson ? [first] : await redactAll([first.text], own);
  const found = { ...first.found };
  if (!isJson) {
    for (const [kind, count] of Object.entries(rest!.found)) {
      found[kind] = (found[kind] ?? 0) + count;
    }
  }
  return Object.keys(found).length === 0 ? undefined : { text: rest!.text, found };
}

/** Redacts the parts of a memory one by one: a mark in the place of a YAML value would be a list. */
async function redactMemory(text: string, own: readonly RegExp[]): Promise<Redacted> {
  const { memory } = parseMemory(text, { fallbackName: "" });
  const { name, description, body, triggers, tags } = memory;
  const redacted = await redactAll([name, description, body, ...triggers, ...tags], own);
  const found = sum(redacted);
  if (Object.keys(found).length === 0) return { text, found };
  const texts = redacted.map(({ text }) => text);
  const after = {
    ...memory,
    name: texts[0]!,
    description: texts[1]!,
    body: texts[2]!,
    triggers: texts.slice(3, 3 + triggers.length),
    tags: texts.slice(3 + triggers.length),
  };
  return { text: serializeMemory(after, text), found };
}

/** Redacts every string of JSON, one value or one per line, so that it stays JSON. */
async function redactJson(text: string, own: readonly RegExp[]): Promise<Redacted> {
  const isLines = !isParsable(text);
  const lines = isLines ? text.split("\n") : [text];
  const found: Record<string, number> = {};
  const result: string[] = [];
  for (const line of lines) {
    const strings: string[] = [];
    if (!isParsable(line)) {
      result.push(line);
      continue;
    }
    const value: unknown = JSON.parse(line, (_key, each: unknown) => {
      if (typeof each === "string") strings.push(each);
      return each;
    });
    const redacted = await redactAll(strings, own);
    const kinds = sum(redacted);
    for (const [kind, count] of Object.entries(kinds)) found[kind] = (found[kind] ?? 0) + count;
    const after = new Map(strings.map((string, i) => [string, redacted[i]!.text]));
    result.push(
      Object.keys(kinds).length === 0 ? line : JSON.stringify(
        value,
        (_key, each: unknown) => typeof each === "string" ? after.get(each) ?? each : each,
      ),
    );
  }
  return { text: result.join("\n"), found };
}

/** Rewrites a file; that of a memory in use is a change for the log, without the version before. */
function fixFile(path: string, text: string, folders: readonly MemoryFolder[]): void {
  const folder = folders.find((each) => listMemoryFiles(each).some((file) => file.path === path));
  if (folder === undefined) return replace(path, text);
  const { name, type } = parseMemory(text, { fallbackName: basename(path, ".md") }).memory;
  // A file that is named after the secret gets another name.
  const file = name.includes("[redacted:") ? fileName(type, name) : wayTo(path, folder.path);
  const change = { what: "redact", name, type, file } as const;
  logged(folder, { at: new Date().toISOString(), ...change }, () => replace(path, text));
}

/** Rewrites a file without keeping a copy, under another name if its name has a secret, too. */
function replace(path: string, text: string): void {
  writeFileAtomic(path, text);
  if (extname(path) !== ".md" || dirname(path).endsWith("journal")) return;
  const { memory } = parseMemory(text, { fallbackName: "" });
  const name = fileName(memory.type, memory.name);
  const isOwnName = basename(path).startsWith(`${memory.type}_`);
  const target = join(dirname(path), name);
  if (isOwnName && memory.name.includes("[redacted:") && !existsSync(target)) {
    renameSync(path, target);
  }
}

/** `MEMORY.md` contains the names of memories. */
function renewIndexFiles(folders: readonly MemoryFolder[], leaks: readonly Leak[]): void {
  for (const folder of folders) {
    const isTouched = leaks.some(({ path }) => path.startsWith(folder.path));
    if (isTouched && folder.scope !== "auto") writeIndexFile(folder);
  }
}

function isParsable(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function sum(redacted: readonly Redacted[]): Record<string, number> {
  const found: Record<string, number> = {};
  for (const each of redacted) {
    for (const [kind, count] of Object.entries(each.found)) {
      found[kind] = (found[kind] ?? 0) + count;
    }
  }
  return found;
}

/** Text files in a folder, hidden ones too; links are not followed. */
function filesBelow(folder: string, depth: number): string[] {
  if (depth > MAX_DEPTH || !existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      return ["models", "runtime", "bench"].includes(entry.name) ? [] : filesBelow(path, depth + 1);
    }
    const isText = entry.isFile() && KINDS.includes(extname(entry.name)) &&
      entry.name !== INDEX_FILE && readableSize(path);
    return isText ? [path] : [];
  });
}

function readableSize(path: string): boolean {
  try {
    return readFileSync(path).length <= MAX_BYTES;
  } catch {
    return false; // not readable
  }
}
