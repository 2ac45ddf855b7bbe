// A suite made from the user's own memories. A trigger, which says when a memory is wanted, and a description, which
// says what it is about, both work as a prompt for it. That text is removed from the index before the search.

import { changedAt } from "../src/core/memory/age.ts";
import type { MemoryFile } from "../src/core/memory/memory.ts";
import type { Suite, SuiteDocument, SuiteQuery } from "./suite.ts";

/** The fields that are held out and used as prompts, one at a time, so that the rest stays as in use. */
export const HELD_OUT = ["triggers", "description"] as const;
export type HeldOut = typeof HELD_OUT[number];

export interface Fold {
  readonly heldOut: HeldOut;
  readonly suite: Suite;
  /** Texts that are not used as prompts, because the store contains them word for word elsewhere. */
  readonly skipped: number;
}

/** The suite that searches for memories by one of their fields, without that field in the index. */
export function foldOf(memories: readonly MemoryFile[], heldOut: HeldOut): Fold {
  const documents = memories.map((memory) => documentOf(memory, heldOut));
  const searched = documents.map(textOf);
  const queries: SuiteQuery[] = [];
  const qrels = new Map<string, Map<string, number>>();
  let skipped = 0;
  for (const memory of memories) {
    for (const text of textsOf(memory, heldOut)) {
      if (searched.some((other) => other.includes(normal(text)))) {
        skipped++;
        continue;
      }
      const id = `${heldOut} ${queries.length + 1}`;
      queries.push({ id, text, category: heldOut });
      qrels.set(id, new Map([[memory.path, 1]]));
    }
  }
  return { heldOut, suite: { documents, queries, qrels }, skipped };
}

/** Folds as one suite, to be judged together. */
export function joined(folds: readonly Fold[]): Suite {
  return {
    documents: folds[0]?.suite.documents ?? [],
    queries: folds.flatMap(({ suite }) => suite.queries),
    qrels: new Map(folds.flatMap(({ suite }) => [...suite.qrels])),
  };
}

function documentOf(memory: MemoryFile, heldOut: HeldOut): SuiteDocument {
  return {
    id: memory.path,
    title: memory.name,
    text: memory.body,
    description: heldOut === "description" ? "" : memory.description,
    triggers: heldOut === "triggers" ? [] : memory.triggers,
    tags: memory.tags,
    type: memory.type,
    ts: changedAt(memory) / 1000,
    scope: memory.scope,
  };
}

function textsOf(memory: MemoryFile, heldOut: HeldOut): string[] {
  const texts = heldOut === "triggers" ? [...memory.triggers] : [memory.description];
  return [...new Set(texts)].filter((text) => normal(text) !== "");
}

/** Everything of a document that a search looks into. */
function textOf({ title, text, description, triggers, tags }: SuiteDocument): string {
  return normal([title, text, description, ...triggers ?? [], ...tags ?? []].join("\n"));
}

/** A text as words only: case, spaces and punctuation make no difference. */
function normal(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();
}
