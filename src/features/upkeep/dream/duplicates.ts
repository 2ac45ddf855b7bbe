// Which memories say the same, found without a language model: a pair counts only if the longer one has every sentence
// of the shorter, the same values, and the same words that turn or limit a sentence.

import type { Memory } from "../../../core/memory/memory.ts";
import { isSuspectMemory, provenanceOf } from "../../../core/memory/provenance.ts";
import { subsumes } from "../../../core/relation/relate.ts";
import { sentences } from "../../../core/relation/statements.ts";
import { paced, type Pause } from "./dream_folder.ts";

/** The compared parts of a memory. */
export type ComparedParts = Pick<
  Memory,
  "name" | "description" | "type" | "body" | "tags" | "pinned" | "confidence"
>;

/** The shorter text has at least this share of the longer one's characters. */
const SHARE = 0.6;

/** The groups of memories that say the same; each memory is in at most one. */
export async function findDuplicates<M extends ComparedParts>(
  memories: readonly M[],
  pause?: Pause,
) {
  const entries: KeyedMemory<M>[] = [];
  for await (const memory of paced(memories, pause)) {
    if (isSuspectMemory(memory)) continue;
    const size = sentences(memory).said.join("\n").length;
    entries.push({ memory, size, key: `${memory.type}\n${provenanceOf(memory) ?? ""}` });
  }
  entries.sort(worthiestFirst);
  const bySentence = new Map<string, KeyedMemory<M>[]>();
  const groups = new Map<M, M[]>();
  for await (const entry of paced(entries, pause)) {
    const { said, all } = sentences(entry.memory);
    const withSentence = (sentence: string) => bySentence.get(`${entry.key}\n${sentence}`) ?? [];
    // The kept one of a group has every sentence of the others: the rarest leads to the fewest.
    const [near = []] = said.map(withSentence).sort((a, b) => a.length - b.length);
    const kept = near.find((other) => isRepeated(entry, other));
    if (kept !== undefined) {
      groups.set(kept.memory, [...groups.get(kept.memory) ?? [], entry.memory]);
    } else {
      for (const each of new Set(all)) {
        const sentence = `${entry.key}\n${each}`, having = bySentence.get(sentence);
        if (having === undefined) bySentence.set(sentence, [entry]);
        else having.push(entry);
      }
    }
  }
  return [...groups].map(([kept, others]) => ({ kept, others }));
}

/** A memory with what is compared of it. */
interface KeyedMemory<M> {
  readonly memory: M;
  readonly key: string;
  /** Characters of its sentences. */
  readonly size: number;
}

function isRepeated<M extends ComparedParts>(
  shorter: KeyedMemory<M>,
  longer: KeyedMemory<M>,
): boolean {
  return shorter.size >= SHARE * longer.size && subsumes(shorter.memory, longer.memory);
}

/** The kept one comes first: pinned, longer, surer; the order does not depend on that of the files. */
function worthiestFirst<M extends ComparedParts>(
  { memory: a, size }: KeyedMemory<M>,
  { memory: b, size: other }: KeyedMemory<M>,
) {
  return other - size || Number(b.pinned) - Number(a.pinned) ||
    sentences(b).words.size - sentences(a).words.size || b.confidence - a.confidence ||
    (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}
