// Secrets in memo's existing files: memories, journal and archive, receipts, queue and logs.

import { readFileSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { carryOut } from "../../../core/change/carry_out.ts";
import { redactVersion } from "../../../core/change/incoming.ts";
import { writeFileAtomic } from "../../../core/files/atomic.ts";
import { entriesIn, parsed, statsOf, textAt } from "../../../core/files/there.ts";
import { parseMemory, serializeMemory } from "../../../core/memory/file.ts";
import { INDEX_FILE, JOURNAL, listMemoryFiles } from "../../../core/memory/folder.ts";
import { autoFolder, memoryFolders } from "../../../core/memory/scopes.ts";
import { digestOf } from "../../../core/memory/trust.ts";
import { ownPatterns } from "../../../core/redact/mod.ts";
import { redact, type Redacted, sumOf } from "../../../core/redact/redact.ts";
import { redactMemory, redactTexts } from "../../../core/redact/texts.ts";
import { configHere } from "../shared/config_here.ts";
import { surroundings } from "../shared/change.ts";
import type { CliContext } from "../shared/command.ts";

/** A file with secrets in it. */
export interface Leak {
  readonly path: string;
  /** The count of each kind. */
  readonly found: Readonly<Record<string, number>>;
  readonly state: "found" | "removed" | "not memo's to change";
}

/** Looks for secrets in all files that memo has written, and in the memories that apply here; `fix` removes them, and keeps no copy. */
export async function findLeaks(context: CliContext, fix: boolean): Promise<Leak[]> {
  const { paths, place } = context;
  const own = ownPatterns(configHere(context)["redact.patterns"]);
  const roots = [paths.userMemory, ...memoryFolders(place).map(({ path }) => path), paths.state];
  const leaks: Leak[] = [];
  for (const path of new Set(roots.flatMap((root) => filesBelow(root)))) {
    const before = textAt(path);
    if (before === undefined) continue; // not readable
    const { text, found } = await cleaned(path, before, own);
    if (!isAny(found)) continue;
    const isOthers = path.startsWith(autoFolder(place));
    if (fix && !isOthers) await fixFile(path, text, context);
    leaks.push({
      path,
      found,
      state: isOthers ? "not memo's to change" : fix ? "removed" : "found",
    });
  }
  return leaks;
}

/** A file's text without its secrets. */
async function cleaned(path: string, text: string, own: readonly RegExp[]): Promise<Redacted> {
  if (extname(path) === ".json" || path.includes(".jsonl")) return await cleanedJson(text, own);
  if (extname(path) !== ".md") return await redact(text, own);
  const { memory } = parseMemory(text, { fallbackName: "" });
  const { value, found } = await redactMemory(memory, own);
  const rest = await redact(isAny(found) ? serializeMemory(value, text) : text, own);
  return { text: rest.text, found: sumOf([{ found }, rest]) };
}

/** Redacts every string of JSON, one value or one per line, so that it stays JSON. */
async function cleanedJson(text: string, own: readonly RegExp[]): Promise<Redacted> {
  const lines: Redacted[] = [];
  for (const line of parsed(text) === undefined ? text.split("\n") : [text]) {
    const { value, found } = await redactTexts(parsed(line), own);
    lines.push({ text: isAny(found) ? JSON.stringify(value) : line, found });
  }
  return { text: lines.map(({ text }) => text).join("\n"), found: sumOf(lines) };
}

function isAny(found: Redacted["found"]): boolean {
  return Object.keys(found).length > 0;
}

/** Removes the secrets of a file, and keeps no copy; that of a memory in use is a change for the log. */
async function fixFile(path: string, text: string, context: CliContext): Promise<void> {
  const folder = memoryFolders(context.place).find((each) =>
    listMemoryFiles(each).some((file) => file.path === path)
  );
  if (folder !== undefined) {
    const before = digestOf(readFileSync(path));
    const change = { kind: "redact", what: "redact", folder, path, before, text } as const;
    return void await carryOut([change], surroundings(context));
  }
  const isVersion = extname(path) === ".md" && basename(dirname(path)) !== JOURNAL;
  return isVersion ? redactVersion(path, text) : writeFileAtomic(path, text);
}

/** Larger files are logs that rotate, or not notes. */
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_DEPTH = 6;
const KINDS = [".md", ".json", ".jsonl", ".log", ".1", ".damaged"];
const WITHOUT_TEXTS = ["models", "runtime", "bench"];

/** Text files in a folder, hidden ones too; links are not followed. */
function filesBelow(folder: string, depth = 0): string[] {
  if (depth > MAX_DEPTH) return [];
  return entriesIn(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      return WITHOUT_TEXTS.includes(entry.name) ? [] : filesBelow(path, depth + 1);
    }
    const isText = entry.isFile() && KINDS.includes(extname(path)) && entry.name !== INDEX_FILE;
    return isText && (statsOf(path)?.size ?? Infinity) <= MAX_BYTES ? [path] : [];
  });
}
