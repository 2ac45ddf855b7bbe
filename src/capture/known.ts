import { basename } from "node:path";
import { analyze } from "../text/analyze.ts";
import type { MemoryFile, MemoryFolder } from "../memory/memory.ts";
import { fileName } from "../memory/slug.ts";
import { listArchive, listMemoryFiles, originalName, readMemoryFile } from "../memory/store.ts";
import { readable } from "../memory/trust.ts";
import { type Known, termsOf } from "./dedupe.ts";

/** A memory that is on disk. */
export interface KnownFile extends Offerable {
  readonly memory: MemoryFile;
  readonly folder: MemoryFolder;
}

/** Files read in one go: the daemon has prompts to answer in between. */
const BATCH = 50;
/** So many memories are offered with a piece. */
const MOST_OFFERED = 40;

/** Every memory of these folders; one that cannot be read, or that the user does not trust, is not known. */
export async function knownMemories(folders: readonly MemoryFolder[]): Promise<KnownFile[]> {
  const known: KnownFile[] = [];
  for (const folder of folders) {
    const trusted = readable(folder);
    for (const [i, { path }] of listMemoryFiles(folder).entries()) {
      if (i % BATCH === BATCH - 1) await new Promise<void>((resolve) => setImmediate(resolve));
      try {
        const memory = readMemoryFile(path, folder.scope);
        if (trusted !== undefined && !trusted.has(memory.digest ?? "")) continue;
        known.push({
          memory,
          folder,
          terms: termsOf(memory),
          fileName: basename(path),
          scope: folder.scope,
        });
      } catch {
        // gone since, or not ours to read
      }
    }
  }
  return known;
}

/** What may be offered with a piece, and the name it is called by. */
export interface Offerable extends Known {
  readonly fileName: string;
  readonly scope: string;
}

/** The memories that a text is likeliest about, best first, each by a name of its own. */
export function likeliest<K extends Offerable>(text: string, known: readonly K[]): Map<string, K> {
  const wanted = new Set(analyze(text));
  const containing = new Map<string, number>();
  for (const { terms } of known) {
    for (const term of terms) {
      if (wanted.has(term)) containing.set(term, (containing.get(term) ?? 0) + 1);
    }
  }
  const scored = known.map((each) => {
    let score = 0;
    for (const term of each.terms) {
      const memories = containing.get(term);
      if (memories !== undefined) score += Math.log(1 + known.length / memories);
    }
    return { each, score: score / Math.sqrt(each.terms.size || 1) };
  }).toSorted((a, b) => b.score - a.score).slice(0, MOST_OFFERED);
  const names = new Map<string, K>();
  for (const { each } of scored) {
    const { fileName: name, scope } = each;
    names.set(names.has(name) ? `${scope}/${name}` : name, each);
  }
  return names;
}

/** Whether a turn has had a memory of this name that was archived since. */
export function wasArchived(
  { type, name, turn }: { readonly type: string; readonly name: string; readonly turn: string },
  folder: MemoryFolder,
): boolean {
  const file = fileName(type, name);
  return listArchive(folder).filter(({ path }) => originalName(path) === file)
    .some(({ path }) => {
      try {
        return readMemoryFile(path, folder.scope).source?.turn === turn;
      } catch {
        return false;
      }
    });
}
