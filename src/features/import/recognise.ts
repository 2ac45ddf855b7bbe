import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { isFolder, realPath } from "../../core/memory/project.ts";
import { MANIFEST, readBundle } from "./bundle.ts";
import { filesBelow, MARKDOWN } from "./notes.ts";
import { readText } from "./read_text.ts";
import type { ImportPlace } from "./record.ts";
import { SOURCES } from "./sources.ts";

/** Files that instruct an agent. */
const INSTRUCTIONS = /^(?:CLAUDE(?:\.local)?|AGENTS)\.md$/i;
/** What tools write into their notes. */
const MARKS: readonly (readonly [source: string, mark: RegExp])[] = [
  ["basic-memory", /^---\r?\n(?:[^]*?\n)??permalink:/],
  ["memsearch", /^<!-- session:/m],
];
/** Notes of a folder that are looked at. */
const SAMPLE = 20;
/** The sources of Markdown; what one of the others can read, no other can. */
const NOTES = [...MARKS.map(([source]) => source), "auto-memory", "claude-md", "markdown"];

/** The name of the source that takes a file or folder: by where it lies, by its form, or by what can read it. */
export async function recognise(path: string, place: ImportPlace): Promise<string | undefined> {
  const real = realPath(path);
  const isUsual = (usual: string) => realPath(usual) === real;
  const usual = SOURCES.find((source) => source.places(place).some(isUsual));
  if (usual !== undefined) return usual.name;
  if (isFolder(path)) {
    if (existsSync(join(path, MANIFEST))) return "memo";
    const notes = filesBelow(path).slice(0, SAMPLE).map((note) => join(path, note));
    return sourceOfNotes(notes);
  }
  if (INSTRUCTIONS.test(basename(path))) return "claude-md";
  if (MARKDOWN.test(path)) return sourceOfNotes([path]);
  if (await holds(async () => (await readBundle(path)).folders)) return "memo";
  for (const source of SOURCES.filter(({ name }) => !NOTES.includes(name))) {
    if (await holds(async () => (await source.read(path, place)).records)) return source.name;
  }
  return readText(path).includes('"sessionId":') ? "conversations" : undefined;
}

function sourceOfNotes(notes: readonly string[]): string {
  const texts = notes.map((note) => readText(note));
  return MARKS.find(([, mark]) => texts.some((text) => mark.test(text)))?.[0] ?? "markdown";
}

/** Whether a reader finds anything; what it cannot read is of another form. */
async function holds(read: () => readonly unknown[] | Promise<readonly unknown[]>) {
  try {
    return (await read()).length > 0;
  } catch {
    return false;
  }
}
