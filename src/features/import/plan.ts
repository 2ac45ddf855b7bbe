// Compares the records of a source with the memories that are here, and decides what to do with each.

import { createHash } from "node:crypto";
import {
  addition,
  archival,
  type FileChange,
  type NewMemory,
  revision,
} from "../../core/change/change.ts";
import { tooLarge } from "../../core/files/bounded.ts";
import { globsIn, withGlobs, withoutGlobs } from "../../core/memory/applies.ts";
import { parseMemory, serializeMemory } from "../../core/memory/file.ts";
import { readMemories } from "../../core/memory/list.ts";
import { LONGEST_FILE, type Memory, type MemoryFolder } from "../../core/memory/memory.ts";
import { listArchive } from "../../core/ledger/archive.ts";
import {
  asMarked,
  asSuspect,
  isSuspect,
  markOf,
  marksIn,
  withoutMarks,
} from "../../core/memory/provenance.ts";
import { DEFAULT_TYPE } from "../../core/memory/types.ts";
import { ownDate } from "../../core/memory/age.ts";
import { withDays } from "../../core/memory/written_day.ts";
import { withoutDates } from "../../core/text/relative_day.ts";
import { countOf } from "../../core/redact/redact.ts";
import { redactMemory } from "../../core/redact/texts.ts";
import { oneLine, visible } from "../../core/text/neutralise.ts";
import { LONGEST, parts } from "./split.ts";
import { shortId, type Skipped, type SourceContent, type SourceRecord } from "./record.ts";
import { carryOut } from "../../core/change/carry_out.ts";
import type { Surroundings } from "../../core/change/follow.ts";
import { messageOf } from "../../errors.ts";
import { newChangeId } from "../../core/ledger/change_log.ts";

/** What is done with a record. */
export interface ImportStep {
  readonly kind: "add" | "update" | "archive" | "retire";
  readonly memory: Memory;
  readonly folder: MemoryFolder;
  /** The file that it updates or retires, or has written. */
  readonly path?: string;
}

/** A memory that an import has written. */
export type WrittenMemory = ImportStep & { readonly path: string };

/** What an import will do. */
export interface ImportPlan {
  readonly steps: readonly ImportStep[];
  /** Records that are here already. */
  readonly same: number;
  readonly skipped: readonly Skipped[];
  /** Secrets that were taken out. */
  readonly redacted: number;
}

export interface PlanOptions {
  /** Name of the source, and what it was called before. */
  readonly source: string;
  readonly formerly?: string | undefined;
  /** The folder of a new memory. */
  readonly folderFor: (memory: NewMemory) => MemoryFolder;
  /** All folders in which an earlier import may have put them. */
  readonly known: readonly MemoryFolder[];
  /** Overrides every record's type. */
  readonly type?: string | undefined;
  /** Updates memories that were edited here since, too. */
  readonly overwrite?: boolean | undefined;
  /** Whether a record is what the person has written themselves. */
  readonly isOwn?: (record: SourceRecord) => boolean;
  /** The user's own patterns of secrets. */
  readonly patterns: readonly RegExp[];
  readonly now: Date;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Plans the import of a reading. Nothing is written. */
export async function planImport(
  reading: SourceContent,
  options: PlanOptions,
): Promise<ImportPlan> {
  const { source, known, onProgress } = options;
  const here = known.flatMap(inFolder);
  const byId = new Map(
    here.flatMap((each) => {
      const { source: from } = each.memory;
      const isIts = from?.import === source || from?.import === (options.formerly ?? source);
      return isIts && from?.id !== undefined ? [[from.id, each] as const] : [];
    }).toReversed(),
  ); // a memory in use counts before its archived versions
  const inUse = here.filter(({ isArchived }) => !isArchived);
  const said = new Set(inUse.map(({ memory }) => sayingOf(memory)));
  const seen = new Set<string>();
  /** What this reading says, and the folder of each file of rules in it. */
  const sayings = new Set<string>(), filesIn = new Set<string>();
  const steps: ImportStep[] = [];
  const skipped = [...reading.skipped];
  let same = 0;
  let redacted = 0;
  const records = reading.records.flatMap(inParts);
  for (const [i, record] of records.entries()) {
    onProgress?.(i, records.length);
    const clean = await redactMemory(memoryOf(record, options), options.patterns);
    redacted += countOf([clean]);
    const id = oneLine(record.id) || shortId(record.content.body);
    const written = withSource(asWritten(await dated(clean.value, record)), source, id);
    const isOwn = options.isOwn?.(record) ?? false;
    const memory = isOwn ? asMarked(written, "confirmed") : fromElsewhere(written);
    const { type, name, body } = memory;
    const folder = options.folderFor({ type, text: `${name}\n${body}`, proposed: record.scope });
    sayings.add(sayingOf(memory));
    if (record.file !== undefined) filesIn.add(`${folder.path}\n${fileIn(id)}`);
    const existing = byId.get(id);
    const bytes = Buffer.byteLength(serializeMemory(memory));
    const skip = (because: string) => skipped.push({ what: memory.name, because });
    if (seen.has(id)) skip(`its id \`${id}\` occurs twice`);
    else if (memory.body === "" && memory.description === "") skip("it is empty");
    else if (bytes > LONGEST_FILE) skip(tooLarge(LONGEST_FILE));
    else if (existing === undefined) {
      if (said.has(sayingOf(memory))) same++;
      else {
        steps.push({ kind: record.isOld ? "archive" : "add", memory, folder });
        if (!record.isOld) said.add(sayingOf(memory));
      }
    } else if (existing.isArchived && !record.isOld) {
      if (options.overwrite) steps.push({ kind: "add", memory, folder });
      else skip("it is archived here; `--overwrite` restores it");
    } else if (
      existing.isArchived || (existing.memory.source?.digest === memory.source?.digest &&
        !(isOwn && markOf(existing.memory)?.tag === "elsewhere"))
    ) same++;
    else if (digestOf(existing.memory) !== existing.memory.source?.digest && !options.overwrite) {
      skip("it was edited here; `--overwrite` takes the source's version");
    } else {
      const { folder, memory: { path, created, tags, triggers } } = existing;
      const updated = memory.updated ?? options.now.toISOString();
      const ownTags = withoutMarks(memory.tags);
      const kept = {
        created: memory.created ?? created,
        tags: [...ownTags.length > 0 ? ownTags : withoutMarks(tags), ...marksIn(memory.tags)],
        triggers: memory.triggers.length > 0 ? memory.triggers : triggers,
      };
      steps.push({ kind: "update", memory: { ...memory, updated, ...kept }, folder, path });
    }
    seen.add(id);
  }
  // What a file of rules no longer says, below any heading, and nobody has edited here, goes into the archive.
  for (const [id, { memory, folder, isArchived }] of byId) {
    const isGone = !isArchived && !seen.has(id) && !sayings.has(sayingOf(memory)) &&
      filesIn.has(`${folder.path}\n${fileIn(id)}`);
    if (isGone && digestOf(memory) === memory.source?.digest) {
      steps.push({ kind: "retire", memory, folder, path: memory.path });
    }
  }
  onProgress?.(records.length, records.length);
  return { steps, same, skipped, redacted };
}

/** The file in the id of a rule. */
export function fileIn(id: string): string {
  return id.replace(/#.*/s, "");
}

/** A record whose text is longer than a note, as several. */
function inParts(record: SourceRecord): SourceRecord[] {
  const { id, content } = record;
  if (content.body.length <= LONGEST) return [record];
  const globs = globsIn(content.body); // each part is for the same files
  return parts(withoutGlobs(content.body)).map(({ headings, text }, i) => ({
    ...record,
    id: i === 0 ? id : `${id}#${i + 1}`,
    content: {
      ...content,
      body: withGlobs(text, globs),
      name: `${content.name ?? id}: ${headings.at(-1) ?? `part ${i + 1}`}`,
    },
  }));
}

/** The whole memory of a record: nothing of it is cut. */
function memoryOf(record: SourceRecord, { type, now }: PlanOptions): Memory {
  const { content } = record;
  const line = (text: string | undefined) => oneLine(visible(text ?? "")).toWellFormed();
  const lines = (texts: readonly string[] | undefined) =>
    [...new Set((texts ?? []).map(line))].filter((text) => text !== "");
  const { confidence = 1 } = content;
  return {
    name: line(content.name) || "Untitled",
    description: line(content.description),
    type: line(type ?? content.type) || DEFAULT_TYPE,
    body: content.body.replaceAll("\0", "").replace(/\r\n?/g, "\n").replace(/^(?:[ \t]*\n)+/, "")
      .trimEnd()
      .toWellFormed(),
    triggers: lines(content.triggers),
    tags: lines(content.tags).map((tag) => tag.replaceAll(",", " ")),
    pinned: content.pinned ?? false,
    confidence: Math.min(1, Math.max(0, confidence)),
    created: content.created ?? content.updated ?? now.toISOString(),
    updated: content.updated === content.created ? undefined : content.updated,
    supersedes: [],
    source: content.source,
  };
}

/** A memory with the dates of relative days, if it is known when it was written. */
async function dated(memory: Memory, { content }: SourceRecord): Promise<Memory> {
  const at = ownDate({ created: content.created, updated: content.updated });
  return at === undefined ? memory : (await withDays(memory, { at: new Date(at) })).memory;
}

/** A memory as it is read back from its file, so that digests of both agree. */
function asWritten(memory: Memory): Memory {
  const { source } = memory;
  return { ...parseMemory(serializeMemory(memory), { fallbackName: memory.name }).memory, source };
}

function withSource(memory: Memory, source: string, id: string): Memory {
  return { ...memory, source: { ...memory.source, import: source, id, digest: digestOf(memory) } };
}

/** What is imported is not the user's word until they say so, and held back where it asks for what no memory needs. */
export function fromElsewhere(memory: Memory): Memory {
  const own = memory.tags.filter((tag) => tag !== "confirmed" && tag !== "concluded");
  const marked = asMarked({ ...memory, tags: own }, "elsewhere");
  return isSuspect(`${memory.name}\n${memory.description}\n${memory.body}`)
    ? asSuspect(marked)
    : marked;
}

/** What an edit changes of a memory; dates are not part of it, those of relative days neither. */
function digestOf({ type, tags, triggers, ...memory }: Memory): string {
  const [name, description, body] = [memory.name, memory.description, memory.body]
    .map(withoutDates);
  const said = JSON.stringify([name, description, type, body, withoutMarks(tags), triggers]);
  return createHash("sha256").update(said).digest("hex").slice(0, 16);
}

function sayingOf({ name, body }: Memory): string {
  return `${name.toLowerCase()}\n${body}`;
}

function inFolder(folder: MemoryFolder) {
  const archived = readMemories(folder, { list: listArchive }).memories;
  return [
    ...readMemories(folder).memories.map((memory) => ({ memory, folder, isArchived: false })),
    ...archived.map((memory) => ({ memory, folder, isArchived: true })),
  ];
}

/** Carries out the steps of an import, which `memo undo` takes back as one; one that fails is named, and the rest goes on. */
export async function applyImport(
  steps: readonly ImportStep[],
  { onProgress, ...surroundings }: Surroundings & {
    readonly onProgress?: (done: number, total: number) => void;
  },
): Promise<{ readonly written: readonly WrittenMemory[]; readonly failed: readonly Skipped[] }> {
  const written: WrittenMemory[] = [];
  const failed: Skipped[] = [];
  const group = newChangeId();
  const planned = new Map<FileChange, ImportStep>();
  for (const step of steps) {
    try {
      planned.set(changeFor(step, group), step);
    } catch (error) {
      failed.push({ what: step.memory.name, because: messageOf(error) });
    }
  }
  await carryOut([...planned.keys()], {
    ...surroundings,
    onStep: () => onProgress?.(written.length, steps.length),
    onDone({ change, path }) {
      written.push({ ...planned.get(change)!, path });
    },
    onFailure: (change, because) =>
      failed.push({ what: planned.get(change)!.memory.name, because }),
  });
  onProgress?.(steps.length, steps.length);
  return { written, failed };
}

function changeFor({ kind, memory, folder, path }: ImportStep, group: string): FileChange {
  const options = { what: "import", group } as const;
  if (path !== undefined && kind === "retire") {
    return archival({ memory: { path }, folder }, options);
  }
  if (path !== undefined) return revision({ memory: { path }, folder }, memory, options);
  return { ...addition(memory, folder, options), isOld: kind === "archive" };
}
