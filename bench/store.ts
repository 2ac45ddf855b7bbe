import { join } from "node:path";
import type { Embedder } from "../src/core/embed/mod.ts";
import { embedPending, Index } from "../src/core/index/mod.ts";
import type { MemoryFile, MemoryFolder } from "../src/core/memory/memory.ts";
import { fileName } from "../src/core/memory/title.ts";
import { DEFAULT_TYPE } from "../src/core/memory/types.ts";
import type { Suite, SuiteDocument } from "./suite.ts";

/** A suite's documents as memories in an index. */
export interface Store {
  readonly index: Index;
  /** The day on which the suite's questions are asked: the one after its newest document. */
  readonly now: Date;
  /** The folders that a query with this scope, or none, is answered from. */
  foldersOf(scope: string | undefined): readonly MemoryFolder[];
  /** Id of the document that became the memory with this path. */
  documentAt(path: string): string;
  /** Name of the memory that a document became. */
  nameOf(document: string): string;
}

export interface BuildOptions {
  /** Temporary folder for the database. */
  readonly folder: string;
  readonly embedder: Embedder;
  readonly onProgress?: (done: number, total: number) => void;
}

/** The folder in the paths of memories: blocks contain paths, so these are as long as real ones. */
const ROOT = "/home/someone";
/** Memories entered in one transaction. */
const BATCH = 500;
const DAY_MS = 86_400_000;
/** Maximum length of a name made from a document's first line. */
const NAME_CHARS = 80;

/** Makes an index of a suite; each scope has a folder of its own. */
export async function buildStore(suite: Suite, options: BuildOptions): Promise<Store> {
  const { documents } = suite;
  const newest = documents.reduce((latest, { ts }) => Math.max(latest, timeOf(ts) ?? 0), 0);
  const now = newest === 0 ? new Date() : new Date(newest + DAY_MS);
  const index = await Index.open(join(options.folder, "index.db"));
  await index.useModel(options.embedder.id, options.embedder.dimensions);

  const folders = new Map<string | undefined, MemoryFolder>();
  const idOf = new Map<string, string>(), nameOf = new Map<string, string>();
  for (const [scope, members] of groupByScope(documents)) {
    const folder = folderFor(scope);
    folders.set(scope, folder);
    const files = members.map((document, i) => memoryOf(document, { folder, number: i, now }));
    files.forEach((file, i) => {
      idOf.set(file.path, members[i]!.id);
      nameOf.set(members[i]!.id, file.name);
    });
    const id = await index.files.enter(folder);
    for (let start = 0; start < files.length; start += BATCH) {
      const batch = files.slice(start, start + BATCH);
      await index.put(id, batch.map((file) => ({ file, hash: file.path })));
    }
  }
  const all = [...folders.values()];
  await embedPending(index, options.embedder, {
    onProgress: (done) => options.onProgress?.(done, documents.length),
  });

  return {
    index,
    now,
    foldersOf: (scope) => scope === undefined ? all : [folders.get(scope)].filter((it) => !!it),
    documentAt: (path) => idOf.get(path)!,
    nameOf: (document) => nameOf.get(document)!,
  };
}

/** A document's time in milliseconds, if it has a usable one. */
export function timeOf(ts: SuiteDocument["ts"]): number | undefined {
  const ms = typeof ts === "number" ? ts * 1000 : ts === undefined ? NaN : Date.parse(ts);
  return Number.isNaN(ms) ? undefined : ms;
}

function groupByScope(
  documents: readonly SuiteDocument[],
): Map<string | undefined, SuiteDocument[]> {
  return Map.groupBy(documents, (document) => document.scope);
}

function folderFor(scope: string | undefined): MemoryFolder {
  if (scope === undefined || scope === "user") {
    return { scope: "user", path: join(ROOT, ".claude", "memory") };
  }
  return { scope: "project", path: join(ROOT, "code", scope, ".claude", "memory") };
}

/** A document as memo would read it from its file. */
export function memoryOf(
  document: SuiteDocument,
  { folder, number, now }: { folder: MemoryFolder; number: number; now: Date },
): MemoryFile {
  const name = document.title ?? firstLine(document.text);
  const type = document.type ?? DEFAULT_TYPE;
  const mtimeMs = timeOf(document.ts) ?? now.getTime();
  return {
    path: join(folder.path, fileName(type, name).replace(/\.md$/, `-${number}.md`)),
    scope: folder.scope,
    size: Buffer.byteLength(document.text),
    mtimeMs,
    problems: [],
    name,
    description: document.description ?? "",
    type,
    body: document.text.trim(),
    triggers: document.triggers ?? [],
    tags: document.tags ?? [],
    pinned: false,
    confidence: 1,
    created: undefined,
    updated: new Date(mtimeMs).toISOString(),
    supersedes: [],
    source: undefined,
  };
}

function firstLine(text: string): string {
  const line = text.trimStart().split("\n", 1)[0]!.replace(/^#+\s*/, "").trim();
  if (line.length <= NAME_CHARS) return line;
  const cut = line.slice(0, NAME_CHARS).toWellFormed();
  return cut.slice(0, Math.max(NAME_CHARS / 2, cut.lastIndexOf(" "))).trimEnd();
}
