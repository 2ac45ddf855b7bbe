// Secrets in memo's existing files: memories, journal and archive, receipts, queue and logs.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { carryOut } from "../../../core/change/carry_out.ts";
import { redactVersion } from "../../../core/change/incoming.ts";
import type { Surroundings } from "../../../core/change/follow.ts";
import { writeFileAtomic } from "../../../core/files/atomic.ts";
import { parseMemory, serializeMemory } from "../../../core/memory/file.ts";
import type { MemoryFolder } from "../../../core/memory/memory.ts";
import { autoFolder, memoryFolders } from "../../../core/memory/scopes.ts";
import { INDEX_FILE, JOURNAL, listMemoryFiles } from "../../../core/memory/folder.ts";
import { digestOf } from "../../../core/memory/trust.ts";
import { ownPatterns } from "../../../core/redact/mod.ts";
import { redact, type Redacted, sumOf } from "../../../core/redact/redact.ts";
import { redactMemory, redactTexts } from "../../../core/redact/texts.ts";
import type { Config } from "../../../core/settings/config.ts";
import { surroundings } from "../shared/change.ts";
import type { CliContext } from "../shared/command.ts";

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
  const { paths, config, fix, place } = options;
  const own = ownPatterns(config["redact.patterns"]);
  const folders = memoryFolders(place);
  const roots = [paths.userMemory, ...folders.map(({ path }) => path), paths.state];
  const files = new Set(roots.flatMap((root) => filesBelow(root, 0)));
  const leaks: Leak[] = [];
  const here = surroundings(options);
  for (const path of files) {
    const text = readFileSync(path, "utf8");
    const clean = await cleaned(path, text, own);
    if (clean === undefined) continue;
    const isOthers = path.startsWith(autoFolder(place));
    if (fix && !isOthers) await fixFile(path, clean.text, { folders, surroundings: here });
    const state = isOthers ? "not memo's to change" : fix ? "removed" : "found";
    leaks.push({ path, found: clean.found, state });
  }
  return leaks;
}

/** A file's text without its secrets; undefined if it has none. */
async function cleaned(
  path: string,
  text: string,
  own: readonly RegExp[],
): Promise<Redacted | undefined> {
  const isJson = extname(path) === ".json" || path.includes(".jsonl");
  if (isJson) return await cleanedJson(text, own);
  const memory = extname(path) === ".md" ? await cleanedMemory(text, own) : { text, found: {} };
  const rest = await redact(memory.text, own);
  const found = sumOf([memory, rest]);
  return Object.keys(found).length === 0 ? undefined : { text: rest.text, found };
}

async function cleanedMemory(text: string, own: readonly RegExp[]): Promise<Redacted> {
  const { memory } = parseMemory(text, { fallbackName: "" });
  const { value, found } = await redactMemory(memory, own);
  return { text: Object.keys(found).length === 0 ? text : serializeMemory(value, text), found };
}

/** Redacts every string of JSON, one value or one per line, so that it stays JSON. */
async function cleanedJson(text: string, own: readonly RegExp[]): Promise<Redacted | undefined> {
  const lines: Redacted[] = [];
  for (const line of isParsable(text) ? [text] : text.split("\n")) {
    if (!isParsable(line)) lines.push({ text: line, found: {} });
    else {
      const { value, found } = await redactTexts(JSON.parse(line) as unknown, own);
      lines.push({ text: Object.keys(found).length === 0 ? line : JSON.stringify(value), found });
    }
  }
  const found = sumOf(lines);
  if (Object.keys(found).length === 0) return undefined;
  return { text: lines.map(({ text }) => text).join("\n"), found };
}

/** Removes the secrets of a file, and keeps no copy; that of a memory in use is a change for the log. */
async function fixFile(
  path: string,
  text: string,
  { folders, surroundings }: {
    readonly folders: readonly MemoryFolder[];
    readonly surroundings: Surroundings;
  },
): Promise<void> {
  const folder = folders.find((each) => listMemoryFiles(each).some((file) => file.path === path));
  if (folder === undefined) {
    const isVersion = extname(path) === ".md" && !dirname(path).endsWith(JOURNAL);
    return isVersion ? redactVersion(path, text) : writeFileAtomic(path, text);
  }
  const before = digestOf(readFileSync(path));
  const change = { kind: "redact", what: "redact", folder, path, before, text } as const;
  await carryOut([change], surroundings);
}

function isParsable(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
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
