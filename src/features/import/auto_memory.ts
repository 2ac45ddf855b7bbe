import { statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { INDEX_FILE } from "../../core/memory/folder.ts";
import { autoFolder, isOfOthers } from "../../core/memory/scopes.ts";
import { filesBelow, kindOf, notesPrefix, readNotes } from "./notes.ts";
import { readText } from "./read_text.ts";
import { dateOf, type ImportSource, type Reading, type Skipped } from "./record.ts";
import { rulesOf } from "./rules.ts";
import { linesOf } from "./split.ts";

/** Claude Code's own auto memory of this project. memo reads its notes where they lie; a copy is memo's to change. */
export const autoMemory: ImportSource = {
  name: "auto-memory",
  summary: "Claude Code's own auto memory of this project",
  where: "Claude Code's own memory of this project",
  gives:
    "each fact that stands in MEMORY.md itself, and a copy of each note, which memo may change; memo reads the notes in any case",
  places: (place) => [autoFolder(place)].filter((auto) => !isOfOthers(auto, place)),
  read(path) {
    const isFile = kindOf(path) === "file";
    const indexes = (isFile ? [basename(path)] : filesBelow(path)).filter(isIndex)
      .map((way) => join(isFile ? dirname(path) : path, way));
    const notes = isFile && indexes.length > 0
      ? { records: [], skipped: [] }
      : readNotes(path, { scope: "project", isNote: (way) => !isIndex(way) });
    const facts = indexes.map(factsOf);
    return {
      records: [...notes.records, ...facts.flatMap(({ records }) => records)],
      skipped: [...notes.skipped, ...facts.flatMap(({ skipped }) => skipped)],
    };
  },
};

function isIndex(relativePath: string): boolean {
  return basename(relativePath) === INDEX_FILE;
}

/** What stands in an index itself: its lines that are not about a note of their own, of which some may be gone. */
function factsOf(path: string): Reading {
  const notes = new Set(filesBelow(dirname(path)));
  const skipped: Skipped[] = [];
  const isPointer = (line: string) => {
    const ways = [...line.matchAll(/\]\(\s*<?([^)>\s]+)>?\s*\)/g)].map(([, way]) => decoded(way!));
    if (ways.some((way) => notes.has(way))) return true;
    // An index has a line for a note, which begins with its link.
    const gone = /^[-*+][ \t]+\[[^\]]*\]\(/.test(line) && /^[^:#]+\.md$/.test(ways[0] ?? "");
    if (gone) {
      skipped.push({
        what: ways[0]!,
        because: `there is no such file; \`${INDEX_FILE}\` has a line for it`,
      });
    }
    return gone;
  };
  const lines = [...linesOf(readText(path))].flatMap(({ line, isCode }) => {
    if (isCode) return [line];
    // Claude Code writes a fact a line, with or without the mark of an item.
    const isFact = /^(?:[\p{Lu}\p{Lo}\p{N}`"“]|\*\*)/u.test(line);
    return isPointer(line) ? [] : [isFact ? `- ${line}` : line];
  });
  const created = dateOf(statSync(path).mtimeMs);
  const prefix = `${notesPrefix(dirname(path))}/${INDEX_FILE}`;
  const records = rulesOf(lines.join("\n"), { prefix, scope: "project" })
    .map((record) => ({ ...record, content: { ...record.content, created } }));
  return { records, skipped };
}

function decoded(way: string): string {
  try {
    return decodeURIComponent(way).replace(/^\.\//, "");
  } catch {
    return way;
  }
}
