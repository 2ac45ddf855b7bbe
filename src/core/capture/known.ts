import { basename } from "node:path";
import { analyze } from "../text/analyze.ts";
import { attributed, readable } from "../memory/trust.ts";
import type { Memory, MemoryFile, MemoryFolder } from "../memory/memory.ts";
import { fileName } from "../memory/title.ts";
import { listArchive, originalName } from "../ledger/archive.ts";
import { listMemoryFiles, memoryNow } from "../memory/folder.ts";
import type { Candidate } from "./candidate.ts";
import { termsOf } from "../relation/relate.ts";

/** A memory that exists, or that this capture has decided to write. */
export type Existing = { readonly memory: Memory | MemoryFile; readonly folder: MemoryFolder };

/** A memory on disk. */
export type KnownFile = Existing & { readonly memory: MemoryFile };

/** Whether a memory is on disk. */
export function isFile(each: Existing): each is KnownFile {
  return "path" in each.memory;
}

/** The name of a memory's file. */
export function fileOf(each: Existing): string {
  return isFile(each) ? basename(each.memory.path) : fileName(each.memory.type, each.memory.name);
}

/** Files to read in one batch: the daemon answers prompts in between. */
const BATCH = 50, MOST_OFFERED = 40;

/** Every memory of these folders, except unreadable and untrusted ones. */
export async function knownMemories(folders: readonly MemoryFolder[]): Promise<KnownFile[]> {
  const known: KnownFile[] = [];
  for (const folder of folders) {
    const trusted = readable(folder);
    for (const [i, { path }] of listMemoryFiles(folder).entries()) {
      if (i % BATCH === BATCH - 1) await new Promise<void>((resolve) => setImmediate(resolve));
      const read = memoryNow(path, folder.scope);
      if (read === undefined || trusted?.has(read.digest ?? "") === false) continue;
      known.push({ memory: attributed(read, folder), folder });
    }
  }
  return known;
}

/** The memories that a text is most likely about, best first, under unique names. */
export function likeliest<K extends Existing>(text: string, known: readonly K[]): Map<string, K> {
  const wanted = new Set(analyze(text));
  const shared = known.map(({ memory }) => [...termsOf(memory)].filter((term) => wanted.has(term)));
  const containing = Map.groupBy(shared.flat(), (term) => term);
  const weightOf = (term: string) => Math.log(1 + known.length / containing.get(term)!.length);
  const scored = known.map((each, i) => {
    const score = shared[i]!.reduce((sum, term) => sum + weightOf(term), 0);
    return { each, score: score / Math.sqrt(termsOf(each.memory).size || 1) };
  }).toSorted((a, b) => b.score - a.score).slice(0, MOST_OFFERED);
  const names = new Map<string, K>();
  for (const { each } of scored) {
    const name = fileOf(each);
    names.set(names.has(name) ? `${each.folder.scope}/${name}` : name, each);
  }
  return names;
}

/** The offered memories, and others that a model has named by their files or titles. */
export function withNamed<K extends Existing>(
  offered: ReadonlyMap<string, K>,
  candidates: readonly Pick<Candidate, "replaces" | "contradicts">[],
  known: readonly K[],
): ReadonlyMap<string, K> {
  const all = new Map(offered);
  for (const name of candidates.flatMap(({ replaces, contradicts }) => [replaces, contradicts])) {
    if (name === undefined || all.has(name)) continue;
    const [meant, other] = known.filter((each) =>
      [fileOf(each), fileOf(each).replace(/\.md$/, ""), each.memory.name].includes(name)
    );
    if (meant !== undefined && other === undefined) all.set(name, meant);
  }
  return all;
}

/** Whether a memory of this name from this turn has been archived since. */
export function wasArchived(
  { type, name }: Pick<Memory, "type" | "name">,
  turn: string,
  folder: MemoryFolder,
): boolean {
  const file = fileName(type, name);
  return listArchive(folder).filter(({ path }) => originalName(path) === file)
    .some(({ path }) => memoryNow(path, folder.scope)?.source?.turn === turn);
}
