import { basename, join } from "node:path";
import type { Memory } from "../../core/memory/memory.ts";
import { projectAt } from "../../core/memory/project.ts";
import {
  contentOf,
  dateOf,
  type ImportSource,
  type Reading,
  readingOf,
  shortId,
  type Skipped,
  type SourceRecord,
} from "./record.ts";
import { filesBelow, kindOf, readNotes } from "./notes.ts";
import { readText } from "./read_text.ts";

/** zilliztech/memsearch: one file a day, an entry a turn, in `.memsearch/memory/` of the project. */
export const memsearch: ImportSource = {
  name: "memsearch",
  summary: "memsearch's `.memsearch/memory/`",
  where: "`.memsearch/memory/`",
  gives:
    "each entry of a day, with its session and turn; they fade like any `context`, and stay searchable",
  places: (place) => [join(projectAt(place)?.root ?? place.cwd, ".memsearch", "memory")],
  read(path) {
    const isFile = kindOf(path) === "file";
    const root = isFile ? join(path, "..") : path;
    const found = (isFile ? [basename(path)] : filesBelow(path)).map((relativePath) => {
      const day = DAY.exec(relativePath)?.[1];
      return day === undefined
        ? readOther(join(root, relativePath))
        : readDay(join(root, relativePath), day);
    });
    return readingOf(found.flatMap(({ records, skipped }) => [...records, ...skipped]));
  },
};

const DAY = /(?:^|\/)(\d{4}-\d\d-\d\d)\.md$/;
/** The beginning of an entry. */
const ENTRY = /^###[ \t]+(\d{1,2}:\d\d)[ \t]*$/;
const ANCHOR = /^<!--[ \t]*(session:.*?)[ \t]*-->[ \t]*$/;
/** What memsearch writes in place of a summary that it could not make. */
const FAILED = /^- Memory summary unavailable:/;

/** The notes beside the daily files that a person or a maintenance task has written. */
function readOther(path: string): Reading {
  const isUser = /^user/i.test(basename(path));
  return readNotes(path, {
    scope: "project",
    refine: () => ({ type: isUser ? "user" : "project" }),
  });
}

function readDay(path: string, day: string): Reading {
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

/** The entries of a day; headings of sessions separate them. */
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
  const [, session] = /\bsession:(\S+)/.exec(anchor) ?? [];
  const [, turn] = /\bturn:(\S+)/.exec(anchor) ?? [];
  const [, transcript] = /\btranscript:(.+)$/.exec(anchor) ?? [];
  if (session === undefined) return undefined;
  return { session, ...turn && { turn }, ...transcript && { transcript: transcript.trim() } };
}
