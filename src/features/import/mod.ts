import { existsSync } from "node:fs";
import { claudeTranscripts } from "../../core/transcript/find.ts";
import { isChatExport } from "./chats/export.ts";
import { offAt } from "../../core/memory/off.ts";
import { isFolder, projectAt, realPath } from "../../core/memory/project.ts";
import { ruleFileAt } from "../../core/memory/rule_files.ts";
import { filesBelow, MARKDOWN } from "./notes.ts";
import {
  type ImportPlace,
  type ImportSource,
  readText,
  type Skipped,
  type SourceContent,
  type SourceRecord,
} from "./record.ts";
import { SOURCES } from "./sources.ts";
import { MemoError, messageOf } from "../../errors.ts";
import { statsOf } from "../../core/files/there.ts";
import { withSlashes } from "../../core/files/slashes.ts";
import { tilde } from "../../paths.ts";
import { join } from "node:path";
import { MANIFEST, readBundle } from "./bundle.ts";

export {
  collect,
  type Format,
  formatOf,
  FORMATS,
  isFree,
  readBundle,
  secretsIn,
  writeBundle,
} from "./bundle.ts";
export { isChatExport, readChats } from "./chats/export.ts";
export { kindOf } from "./notes.ts";
export {
  coveredIn,
  isOwnKey,
  keepOwnKey,
  keepWritten,
  mayBeOwn,
  sealed,
  wroteFile,
} from "./own.ts";
export {
  applyImport,
  fileIn,
  type ImportPlan,
  type ImportStep,
  planImport,
  type WrittenMemory,
} from "./plan.ts";
export type { ImportPlace, ImportSource, Skipped, SourceContent } from "./record.ts";
export { applyRestore, planRestore } from "./restore.ts";
export { OWN_SOURCES, sourceNamed, SOURCES } from "./sources.ts";

/**
 * What `memo import` can take over in a place: the stores of other tools where those keep them, CLAUDE.md, and
 * conversations. It reads them to count their records and writes nothing; it never rejects.
 */
export async function findImportable(place: ImportPlace) {
  /** The records of each are undefined where it cannot be read. */
  const found: { source: string; summary: string; path: string; records: number | undefined }[] =
    [];
  if (offAt(place) !== undefined) return found;
  for (const source of SOURCES) {
    for (const path of new Set(await source.places(place))) {
      if (!existsSync(path)) continue;
      // What cannot be read is named by the import itself.
      const reading = await orNothing(async () => await source.read(path, place));
      if (reading?.records.length === 0) continue;
      const { name, summary } = source;
      found.push({ source: name, summary, path, records: reading?.records.length });
    }
  }
  const transcripts = claudeTranscripts(place, projectAt(place)?.root ?? place.cwd);
  if (transcripts.length > 0) {
    found.push({
      source: "conversations",
      summary: "Claude Code's conversations in this project",
      path: transcripts[0]!.folder,
      records: transcripts.length,
    });
  }
  return found;
}

async function orNothing<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch {
    return undefined;
  }
}

/** The places of a tool where there is anything; throws a `not-found` MemoError that names them all if there is none. */
export async function placesThatAre(
  source: ImportSource,
  place: ImportPlace,
): Promise<readonly string[]> {
  const places = [...new Set(await source.places(place))];
  const found = places.filter((path) => statsOf(path) !== undefined);
  if (found.length > 0) return found;
  const { name } = source;
  const looked = places.map((path) => `\`${tilde(path, place.env)}\``).join(", ");
  const [kind, message] = places.length === 0
    ? ["usage", `Cannot import from ${name} without a path`] as const
    : ["not-found", `Cannot find anything from ${name}: no ${looked}`] as const;
  throw new MemoError(kind, message, { hint: `Run \`memo import ${name} PATH\`` });
}

/** Reads all places of a source; one that cannot be read is named, unless none can. */
export async function readPlaces(
  source: ImportSource,
  paths: readonly string[],
  place: ImportPlace,
): Promise<SourceContent> {
  const records = new Map<string, SourceRecord>();
  const skipped: Skipped[] = [];
  const failures: MemoError[] = [];
  for (const path of paths) {
    try {
      const reading = await source.read(path, place);
      const isOnly = paths.length === 1;
      // What two places have is one record; within one place, a repetition is a mistake that is reported.
      for (const [i, record] of reading.records.entries()) {
        const key = isOnly ? `${i}` : record.id;
        if (!records.has(key)) records.set(key, record);
      }
      skipped.push(...reading.skipped);
    } catch (error) {
      if (!(error instanceof MemoError)) throw error;
      failures.push(error);
      skipped.push({ what: tilde(path, place.env), because: messageOf(error) });
    }
  }
  if (failures.length === paths.length) throw failures[0]!;
  return { records: [...records.values()], skipped };
}

/** What tools write into their notes. */
const MARKS: readonly (readonly [source: string, mark: RegExp])[] = [
  ["basic-memory", /^---\r?\n(?:[^]*?\n)??permalink:/],
  ["memsearch", /^<!-- session:/m],
];
/** Notes of a folder that are looked at. */
const SAMPLE = 20;
/** The sources of Markdown; what one of the others can read, no other can. */
const NOTES = [...MARKS.map(([source]) => source), "auto-memory", "rules", "markdown"];

/** The name of the source that takes a file or folder: by where it lies, by its form, or by what can read it. */
export async function recognise(path: string, place: ImportPlace): Promise<string | undefined> {
  const real = realPath(path);
  const isUsual = (usual: string) => realPath(usual) === real;
  for (const source of SOURCES) {
    if ((await source.places(place)).some(isUsual)) return source.name;
  }
  if (ruleFileAt(withSlashes(real)) !== undefined) return "rules";
  if (isChatExport(path)) return "conversations";
  if (isFolder(path)) {
    if (existsSync(join(path, MANIFEST))) return "memo";
    const notes = filesBelow(path).slice(0, SAMPLE).map((note) => join(path, note));
    return sourceOfNotes(notes);
  }
  if (MARKDOWN.test(path)) return sourceOfNotes([path]);
  const bundle = await orNothing(() => readBundle(path));
  if (bundle !== undefined && bundle.folders.length > 0) return "memo";
  // What a source cannot read is of another form.
  for (const source of SOURCES.filter(({ name }) => !NOTES.includes(name))) {
    const reading = await orNothing(async () => await source.read(path, place));
    if (reading !== undefined && reading.records.length > 0) return source.name;
  }
  return readText(path).includes('"sessionId":') ? "conversations" : undefined;
}

function sourceOfNotes(notes: readonly string[]): string {
  const texts = notes.map((note) => readText(note));
  return MARKS.find(([, mark]) => texts.some((text) => mark.test(text)))?.[0] ?? "markdown";
}
