import type { MemoryFile } from "../memory/memory.ts";
import type { RelationRow } from "./relations.ts";
import type { Standing } from "../relation/standing.ts";

/** A memory as the index holds it: everything recall needs, so that no file is parsed at prompt time. */
export interface IndexedMemory
  extends Omit<MemoryFile, "supersedes" | "source" | "problems" | "digest" | "isOwn"> {
  readonly id: number;
  /** The turn that it was written from, or only its session, where the file says. */
  readonly turn: string | undefined;
  /** The tool that it was imported from; undefined: it was said or typed. */
  readonly importedFrom: string | undefined;
  /** How it stands to the code; undefined: nothing has to be said. */
  readonly standing?: Standing | undefined;
}

/** A memory without its text, for a list of all. */
export interface MemoryHead extends Omit<IndexedMemory, "body" | "triggers" | "turn" | "never"> {
  /** The path of its folder. */
  readonly folder: string;
  /** The conversation that it was written in, where the file says. */
  readonly session: string | undefined;
}

/** A memory that shares words with the query. */
export interface WordHit {
  readonly memory: number;
  /** BM25 with field weights, higher is better; not bounded. */
  readonly bm25: number;
}

/** A passage near the query's vector. */
export interface PassageHit {
  readonly memory: number;
  /** Cosine similarity, −1 to 1. */
  readonly cosine: number;
  /** The cosine, mixed with those of the memory's other views: what matches in more than one way is nearer. */
  readonly nearness: number;
  /** How many views there are: description, triggers, body. */
  readonly views: number;
  /** Where the passage lies in the body, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** A memory that is not for some prompts, nor for others like them. */
export interface PromptExclusion {
  readonly memory: number;
  readonly prompts: readonly string[];
  /** The unit vectors of these prompts, as queries; those that there are by now. */
  readonly vectors: readonly Float32Array[];
}

/** A term of the index. */
export interface KnownTerm {
  readonly term: string;
  /** Memories that contain it. */
  readonly containing: number;
}

export interface NearestOptions {
  /** At most this many memories, best first … */
  readonly limit: number;
  /** … and these as well, however far they are. */
  readonly also?: ReadonlySet<number>;
}

/** Which types a corpus takes in: a list of them, or all but a list. */
export interface TypeFilter {
  readonly types: readonly string[];
  readonly except?: boolean;
}

/** The part of the index that a strategy sees: only the memories that count for one prompt. */
export interface Corpus {
  /** Those of these types alone; undefined: all. */
  of(filter: TypeFilter | undefined): Corpus;
  /** How many memories there are in it. */
  size(): Promise<number>;
  /** The `id` of the embedder that made the vectors; undefined while there are none. */
  model(): Promise<string | undefined>;
  /** How many memories the whole index has, and how many contain each term. */
  statistics(
    terms: readonly string[],
  ): Promise<{ readonly documents: number; readonly containing: readonly number[] }>;
  /** Terms of the index that one typing mistake turns into this one, those in most memories first. */
  likely(term: string): Promise<readonly KnownTerm[]>;
  /** Memories with any of the terms, best BM25 first. */
  words(terms: readonly string[], limit: number): Promise<readonly WordHit[]>;
  /** Those of some memories that have all of these terms in their own words. */
  having(terms: readonly string[], memories: readonly number[]): Promise<ReadonlySet<number>>;
  /** Memories with all of these terms in the name or among the triggers, most recently changed first. */
  named(terms: readonly string[], limit: number): Promise<readonly IndexedMemory[]>;
  /** Memories that are called by one of these names, by name. */
  called(names: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>>;
  /** Each memory's nearest passage to a unit vector, best first. */
  nearest(vector: Float32Array, options: NearestOptions): Promise<readonly PassageHit[]>;
  /** The vector of a memory's first passage; undefined while it has none. */
  vectorOf(memory: number): Promise<Float32Array | undefined>;
  /** Memories by time of last change, newest first; `isSaid`: without those that were imported. */
  newest(limit: number, options?: { readonly isSaid?: boolean }): Promise<readonly IndexedMemory[]>;
  /** How many memories were imported from each tool. */
  imports(): Promise<ReadonlyMap<string, number>>;
  /** The memories that are not for some prompts: mostly none. */
  refusals(): Promise<readonly PromptExclusion[]>;
  /**
   * The siblings of some memories: those of the same folder and conversation. Where one of two has the conversation from
   * what it replaced, both name the same thing: what was amended on another day was not all of one matter.
   */
  siblings(
    memories: readonly number[],
  ): Promise<readonly { readonly memory: number; readonly of: number }[]>;
  /** How later memories stand to some: what was judged when they were written. */
  relations(earlier: readonly number[]): Promise<readonly RelationRow[]>;
  /** The memories with these ids, in their order; vanished ones are left out. */
  memories(ids: readonly number[]): Promise<readonly IndexedMemory[]>;
}
