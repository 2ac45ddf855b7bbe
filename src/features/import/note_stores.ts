// Stores of other tools that are Markdown: daily files, notes with observations, an index with facts.

import { basename, dirname, join } from "node:path";
import type { Memory } from "../../core/memory/memory.ts";
import { projectAt } from "../../core/memory/project.ts";
import {
  allOf,
  contentOf,
  dateOf,
  type ImportPlace,
  type ImportSource,
  readingOf,
  readJson,
  readText,
  shortId,
  type Skipped,
  type SourceContent,
  type SourceRecord,
  textOf,
} from "./record.ts";
import { filesBelow, type ImportedNote, notesAt, notesPrefix, readNotes } from "./notes.ts";
import { orNothing } from "../../core/files/there.ts";
import { fieldsOf } from "../../core/link/parse.ts";
import { DEFAULT_TYPE, KNOWN_TYPES, policyOf } from "../../core/memory/types.ts";
import { statSync } from "node:fs";
import { INDEX_FILE } from "../../core/memory/folder.ts";
import { autoFolder, isOfOthers } from "../../core/memory/scopes.ts";
import { rulesOf } from "./rules.ts";
import { linesOf } from "../../core/text/markdown.ts";

/** zilliztech/memsearch: one file a day, an entry a turn, in `.memsearch/memory/` of the project. */
export const memsearch: ImportSource = {
  name: "memsearch",
  summary: "memsearch's `.memsearch/memory/`",
  where: "`.memsearch/memory/`",
  gives:
    "each daily entry, with its session and turn; entries fade like any `context` memory but stay searchable",
  places: (place) => [join(projectAt(place)?.root ?? place.cwd, ".memsearch", "memory")],
  read(path) {
    const { root, relativePaths } = notesAt(path);
    return allOf(relativePaths.map((relativePath) => {
      const [file, day] = [join(root, relativePath), DAY.exec(relativePath)?.[1]];
      if (day !== undefined) return readDay(file, day);
      // Beside the daily files: a person or a maintenance task has written it.
      const type = /^user/i.test(basename(file)) ? "user" : "project";
      return readNotes(file, { scope: "project", refine: () => ({ type }) });
    }));
  },
};

const DAY = /(?:^|\/)(\d{4}-\d\d-\d\d)\.md$/;
const ENTRY = /^###[ \t]+(\d{1,2}:\d\d)[ \t]*$/;
const ANCHOR = /^<!--[ \t]*(session:.*?)[ \t]*-->[ \t]*$/;
/** What memsearch writes in place of a summary that it could not make. */
const FAILED = /^- Memory summary unavailable:/;

function readDay(path: string, day: string): SourceContent {
  const turns = new Map<string, number>();
  return readingOf(
    entriesOf(readText(path)).map(({ time, lines }): SourceRecord | Skipped => {
      const anchor = lines.map((line) => ANCHOR.exec(line)?.[1]).find((each) => each !== undefined);
      const body = lines.filter((line) => !ANCHOR.test(line)).join("\n").trim();
      const what = `${day} ${time}`;
      if (body === "" || FAILED.test(body)) {
        return { what, because: body === "" ? "it is empty" : "it has no summary" };
      }
      const source = sourceOf(anchor ?? "");
      const id = source?.turn ?? shortId(`${what}\n${body}`);
      const given: Partial<Memory> = {
        type: "context",
        created: dateOf(`${day}T${time.padStart(5, "0")}:00`),
        source,
      };
      const entry = (turns.get(id) ?? 0) + 1;
      turns.set(id, entry);
      const content = contentOf(body, given);
      return { id: entry === 1 ? id : `${id}#${entry}`, scope: "project", content };
    }),
  );
}

function entriesOf(text: string): { readonly time: string; readonly lines: string[] }[] {
  const entries: { readonly time: string; readonly lines: string[] }[] = [];
  let isOpen = false;
  for (const line of text.replace(/\r\n?/g, "\n").split("\n")) {
    const time = ENTRY.exec(line)?.[1];
    if (time !== undefined) {
      entries.push({ time, lines: [] });
      isOpen = true;
    } else if (/^#{1,2}[ \t]/.test(line)) isOpen = false;
    else if (isOpen) entries.at(-1)!.lines.push(line);
  }
  return entries;
}

/** `session:… turn:… transcript:…` of an anchor. */
function sourceOf(anchor: string): Memory["source"] {
  const [session, turn, transcript] = [/\bsession:(\S+)/, /\bturn:(\S+)/, /\btranscript:(.+)$/]
    .map((form) => form.exec(anchor)?.[1]);
  if (session === undefined) return undefined;
  return { session, ...turn && { turn }, ...transcript && { transcript: transcript.trim() } };
}

/** basic-memory: Markdown notes with `permalink`, and observations as `- [category] text #tag`. */
export const basicMemory: ImportSource = {
  name: "basic-memory",
  summary: "basic-memory's Markdown files",
  where: "the projects in its `config.json`, `~/basic-memory`",
  gives: "each file",
  places: (place) => [...configured(place), join(place.home, "basic-memory")],
  read: (path) => readNotes(path, { scope: "user", refine }),
};

const OBSERVATION = /^[ \t]*[-*][ \t]+\[([\p{L}][\p{L}\p{N} _-]{0,40})\][ \t]/gmu;
const TITLE = /^title:[ \t]*(.+)$/m;
/** Categories of observations that are no types of memo's, and the type that most of them make. */
const TYPE_OF: Readonly<Record<string, string>> = {
  preference: "user",
  design: "architecture",
  convention: "pattern",
  issue: "gotcha",
  bug: "gotcha",
  setup: "tool",
};

function refine({ text, memory }: ImportedNote) {
  const type = memory.type.toLowerCase();
  const known = type !== DEFAULT_TYPE && KNOWN_TYPES.includes(type);
  return {
    name: titleOf(text) ?? memory.name,
    type: known ? type : byCategory(memory.body) ?? "reference",
  };
}

function titleOf(text: string): string | undefined {
  const title = /^---[ \t]*\n([^]*?)\n---/.exec(text.replace(/\r\n/g, "\n"))?.[1];
  const value = TITLE.exec(title ?? "")?.[1]?.trim().replace(/^(["'])(.*)\1$/, "$2");
  return value === "" ? undefined : value;
}

/** The type that the first observation with a known category names. */
function byCategory(body: string): string | undefined {
  for (const [, category] of body.matchAll(OBSERVATION)) {
    const word = category!.trim().toLowerCase();
    const own = KNOWN_TYPES.find((name) => name === word);
    if (TYPE_OF[word] !== undefined) return TYPE_OF[word];
    // basic-memory forgets nothing with time.
    if (own !== undefined && policyOf(own).lifespanDays === null) return own;
  }
  return undefined;
}

/** The folders of its projects, by its configuration. */
function configured({ env, home }: ImportPlace): string[] {
  const folder = env["BASIC_MEMORY_CONFIG_DIR"] ?? join(home, ".basic-memory");
  try {
    const config = fieldsOf(readJson(join(folder, "config.json")));
    const paths = Object.values(fieldsOf(config["projects"]))
      .map((each) => textOf(each) || textOf(fieldsOf(each)["path"]));
    return paths[0] ? paths.filter((path) => path !== "") : [];
  } catch {
    return []; // not installed
  }
}

/** Claude Code's own auto memory of this project. memo reads its notes where they lie; a copy is memo's to change. */
export const autoMemory: ImportSource = {
  name: "auto-memory",
  summary: "Claude Code's auto memory for this project",
  where: "Claude Code's auto memory for this project",
  gives:
    "each fact in MEMORY.md itself, and an editable copy of each other file; memo reads the originals anyway",
  places: (place) => [autoFolder(place)].filter((auto) => !isOfOthers(auto, place)),
  read(path) {
    const { root, relativePaths } = notesAt(path);
    const indexes = relativePaths.filter(isIndex).map((way) => join(root, way));
    const isNote = (way: string) => !isIndex(way);
    const notes = indexes.includes(path) ? [] : [readNotes(path, { scope: "project", isNote })];
    return allOf([...notes, ...indexes.map(factsOf)]);
  },
};

function isIndex(relativePath: string): boolean {
  return basename(relativePath) === INDEX_FILE;
}

/** What stands in an index itself: its lines that are not about a note of their own, of which some may be gone. */
function factsOf(path: string): SourceContent {
  const notes = new Set(filesBelow(dirname(path)));
  const skipped: Skipped[] = [];
  const isPointer = (line: string) => {
    const ways = [...line.matchAll(/\]\(\s*<?([^)>\s]+)>?\s*\)/g)].map(([, way]) =>
      (orNothing(() => decodeURIComponent(way!)) ?? way!).replace(/^\.\//, "")
    );
    if (ways.some((way) => notes.has(way))) return true;
    // An index has a line for a note, which begins with its link.
    const gone = /^[-*+][ \t]+\[[^\]]*\]\(/.test(line) && /^[^:#]+\.md$/.test(ways[0] ?? "");
    if (gone) {
      skipped.push({
        what: ways[0]!,
        because: `no such file, but \`${INDEX_FILE}\` lists it`,
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
