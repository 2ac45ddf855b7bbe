import { createHash } from "node:crypto";
import type { Embedder, Role } from "../embed/mod.ts";
import { openJudge } from "../relation/judge.ts";
import { shorten } from "../memory/title.ts";
import { chunk, measure, type Span, type TokenSizes } from "./chunk.ts";
import type { IndexedMemory } from "./corpus.ts";
import type { Index } from "./mod.ts";
import { EMBEDDED_FIRST, NOT_FOR } from "./database.ts";
import type { Connection, InStatement } from "./connection.ts";
import type { FolderVectors } from "./folder_vectors.ts";
import { MEMORY_COLUMNS, type MemoryRow, toBlob, toMemory, toVector } from "./rows.ts";

/** Passages are about as long as what the built-in model was trained on, and overlap by a quarter. */
const PASSAGE_TOKENS = 120;
const OVERLAP_TOKENS = 30;
/** Maximum embedded passages per memory; the rest of it matches by keyword only. */
const MAX_PASSAGES = 400;
/** Maximum embedded passages of dense text (base64, hashes, minified code), whose vectors say next to nothing. */
const MAX_DENSE_PASSAGES = 4;
/** Text with more tokens per character than this is dense. */
const DENSE = 0.5;
/** Scripts in which a character is about a token. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
/** Memories taken from the index at a time, for each that is embedded at once. */
const BATCH = 20;
/** Memories whose vectors are written in one transaction: others wait for as long as that takes. */
const WRITTEN_AT_ONCE = 10;
/** Maximum characters of the name before each passage: a longer one would be most of what each passage says. */
const NAME_CHARS = 200;
/** Vectors are kept after this many, so that a process that ends in the middle of a long memory loses little. */
const KEEP_EVERY = 16;

export interface EmbedOptions {
  /** Memories that are embedded at the same time; default: one after the other. */
  readonly atOnce?: number;
  /** Maximum texts; the rest goes on waiting. */
  readonly atMost?: number;
  /** Stops after the passage at hand. */
  readonly signal?: AbortSignal;
  /** Called after each memory with how many are done. */
  readonly onProgress?: (done: number) => void;
  /** Awaited before each passage: prompts go first. */
  readonly yieldToPrompts?: () => Promise<void>;
}

/**
 * Makes the vectors that are missing, and returns for how many memories; unchanged passages keep theirs. Then judges how
 * what is new stands to the rest.
 */
export async function embedPending(
  index: Index,
  embedder: Embedder,
  options: EmbedOptions = {},
): Promise<number> {
  const { queue } = index, { atMost = Infinity, atOnce = 1, signal } = options;
  let done = 0;

  /** Makes the vectors of some memories, several at a time, and writes them some at a time. */
  async function embedSome(memories: readonly IndexedMemory[]): Promise<void> {
    const whole: Embedded[] = [];
    const write = async () => {
      const embedded = whole.splice(0);
      if (embedded.length === 0) return;
      await queue.put(embedded);
      done += embedded.length;
      options.onProgress?.(done);
    };
    const rest = memories.values(); // one for all, so that each takes the next
    const embedNext = async () => {
      for (const seen of rest) {
        if (signal?.aborted) break;
        await queue.begin(seen);
        const passages = await embedMemory(seen);
        if (passages === undefined) {
          await queue.putOff(seen);
          break;
        }
        whole.push({ seen, passages });
        if (whole.length >= WRITTEN_AT_ONCE) await write();
      }
    };
    try {
      await Promise.all(Array.from({ length: atOnce }, embedNext));
    } finally {
      await write();
    }
  }

  /** Makes the vectors of a memory; undefined when it was told to stop before they were all there. */
  async function embedMemory(memory: IndexedMemory): Promise<Passage[] | undefined> {
    const kept = await queue.vectorsOf(memory.id);
    const passages: Passage[] = [];
    let made = 0;
    const texts = await passageTexts(memory, embedder, options.yieldToPrompts);
    for (const { start, end, text, role } of [...texts, ...notFor(memory)]) {
      const hash = hashOf(text, role);
      let vector = kept.get(hash);
      if (vector === undefined) {
        await options.yieldToPrompts?.();
        if (signal?.aborted) return undefined;
        vector = await embedder.embed(text, role).catch((error) => {
          if (!signal?.aborted) throw error;
          return undefined;
        });
        if (vector === undefined) return undefined;
        made++;
      }
      passages.push({ start, end, hash, vector });
      if (made === KEEP_EVERY) {
        await queue.put([{ seen: memory, passages }], { isPartial: true });
        made = 0;
      }
    }
    return passages;
  }

  while (!signal?.aborted && done < atMost) {
    const batch = await queue.pending(Math.min(BATCH * atOnce, atMost - done));
    if (batch.length === 0) break;
    await embedSome(batch.filter((memory) => !isLong(memory)));
    for (const memory of batch.filter(isLong)) await embedSome([memory]);
  }
  if (!signal?.aborted) await index.judgeNew(openJudge(embedder), options);
  return done;
}

/** Tells an embedded text from others. */
function hashOf(text: string, role: Role | undefined): string {
  return createHash("sha256").update(role === "query" ? `query ${text}` : text)
    .digest("hex").slice(0, 32);
}

interface PassageText {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly role?: Role;
}

/**
 * What of a memory is embedded: the passages of its body, each under the memory's name, without which many would say
 * nothing; and two texts that are no stretch of the body: description and triggers under the name, and the triggers
 * alone, which have none of the memory's own words and all of what is typed when it is needed. A name alone would add
 * nothing to the passages, and is near to much that it has nothing to do with.
 */
export async function passageTexts(
  memory: Pick<IndexedMemory, "name" | "description" | "triggers" | "body">,
  embedder: Pick<Embedder, "countTokens" | "beforeCut">,
  pause?: () => Promise<void>,
): Promise<PassageText[]> {
  const body = embedder.beforeCut?.(memory.body) ?? memory.body;
  const sizes = await measure(body, { count: (text) => embedder.countTokens(text), pause });
  const spans = chunk(body, { tokens: PASSAGE_TOKENS, overlap: OVERLAP_TOKENS, sizes });
  const name = shorten(memory.name, NAME_CHARS);
  const passages = worthEmbedding(body, spans, sizes).map(({ start, end }) => ({
    start,
    end,
    text: `${name}\n${body.slice(start, end)}`,
  }));
  const about = [memory.description, ...memory.triggers].filter((line) => line !== "");
  if (about.length === 0 && passages.length > 0) return passages;
  const views = [[name, ...about], memory.triggers].filter((lines) => lines.length > 0);
  return [...views.map((lines) => ({ start: 0, end: 0, text: lines.join("\n") })), ...passages];
}

/** The prompts that a memory is not for, embedded as the prompts that they are compared with. */
function notFor({ never = [] }: Pick<IndexedMemory, "never">): PassageText[] {
  return never.map((text) => ({ start: NOT_FOR, end: NOT_FOR, text, role: "query" }));
}

function worthEmbedding(body: string, spans: readonly Span[], sizes: TokenSizes): Span[] {
  let dense = 0;
  const isWorth = (span: Span) => {
    const text = body.slice(span.start, span.end);
    const isDense = sizes.between(span) > DENSE * text.length && !UNSPACED.test(text);
    return !isDense || ++dense <= MAX_DENSE_PASSAGES;
  };
  return spans.filter(isWorth).slice(0, MAX_PASSAGES);
}

/** For more memories and entries than these it is worth loading the model again, in processes of its own. */
const FEW = 50;

/** Makes the vectors that are missing, of memories and then of history; returns for how many. */
export async function embedAll(
  index: Index,
  embedder: Embedder,
  { isUrgent, ...options }: Omit<EmbedOptions, "atOnce" | "atMost"> & {
    /** Whether somebody waits for all of it. */
    readonly isUrgent: boolean;
  },
): Promise<number> {
  const isMany = (await index.queue.pending(FEW + 1)).length > FEW;
  const bulk = isMany
    ? await embedder.inBulk?.({ isUrgent, signal: options.signal }).catch(() => undefined)
    : undefined;
  const { embedder: model, atOnce } = bulk ?? { embedder, atOnce: 1 };
  try {
    return await embedPending(index, model, { ...options, atOnce });
  } finally {
    await bulk?.embedder.close();
  }
}

/** A passage to be stored. */
export interface Passage {
  readonly start: number;
  readonly end: number;
  /** Of the text that was embedded: an unchanged one keeps its vector. */
  readonly hash: string;
  readonly vector: Float32Array;
}

/** A memory, as it was read, with its passages. */
interface Embedded {
  readonly seen: IndexedMemory;
  readonly passages: readonly Passage[];
}

/** Embedding a memory is begun this often; after that it is found by its words alone. */
const MAX_TRIES = 2;
/** UTF-16 units of a body that could keep a process busy for long. */
const LONG = 8192;

/** Whether a memory could end a process: it is embedded by itself, and its tries are counted. */
export function isLong({ body }: Pick<IndexedMemory, "body">): boolean {
  return body.length >= LONG;
}

/** The memories, and entries of history, that wait for their vectors. */
export class EmbeddingQueue {
  readonly #db: Connection;
  readonly #vectors: FolderVectors;

  constructor(db: Connection, vectors: FolderVectors) {
    this.#db = db;
    this.#vectors = vectors;
  }

  /** Those that wait: rules first, then the newest memories, then history; without those that are given up. */
  async pending(limit: number): Promise<IndexedMemory[]> {
    const found = await this.#db.read<MemoryRow>(
      `SELECT ${MEMORY_COLUMNS} FROM memories m INDEXED BY memories_to_embed JOIN folders f ON f.id = m.folder
        WHERE m.embedded = 0 AND m.tries < ${MAX_TRIES} 
        ORDER BY ${EMBEDDED_FIRST}, m.mtime_ms DESC, m.id LIMIT ?`,
      [limit],
    );
    return found.map(toMemory);
  }

  /** How many memories wait, or entries of history. */
  async size({ isPast = false } = {}): Promise<number> {
    return await this.#db.count(
      `SELECT count(*) FROM memories WHERE embedded = 0 AND past = ? AND tries < ${MAX_TRIES}`,
      [Number(isPast)],
    );
  }

  /** Memories whose vectors could not be made: the process died each time it was at them. */
  async skippedAfterFailures(): Promise<string[]> {
    const found = await this.#db.read<[string]>(
      `SELECT path FROM memories WHERE embedded = 0 AND past = 0 AND tries >= ${MAX_TRIES} ORDER BY path`,
    );
    return found.flat();
  }

  /** Notes that the vectors of one are begun, until they are `put`: only a long one could end a process. */
  async begin(memory: IndexedMemory): Promise<void> {
    if (!isLong(memory)) return;
    await this.#db.read(`UPDATE memories SET tries = tries + 1 WHERE id = ?`, [memory.id]);
  }

  /** Notes that they were stopped on purpose. */
  async putOff(memory: IndexedMemory): Promise<void> {
    if (!isLong(memory)) return;
    await this.#db.read(`UPDATE memories SET tries = 0 WHERE id = ?`, [memory.id]);
  }

  /** The vectors that one has, by hash. */
  async vectorsOf(memory: number): Promise<Map<string, Float32Array>> {
    const found = await this.#db.read<[string, Uint8Array]>(
      `SELECT hash, vector FROM passages WHERE memory = ?`,
      [memory],
    );
    return new Map(found.map(([hash, vector]) => [hash, toVector(vector)]));
  }

  /**
   * Replaces the passages of memories, unless a memory has changed or gone since it was `seen`, in one transaction;
   * after a part of them it goes on waiting for the rest.
   */
  async put(all: readonly Embedded[], { isPartial = false } = {}): Promise<void> {
    const statements = all.map((one) => putStatements(one, isPartial));
    const results = await this.#db.write(statements.flat());
    let last = -1;
    for (const [i, { length }] of statements.entries()) {
      const folder = results[last += length]?.[0]?.[0];
      if (folder === undefined) continue;
      const { seen, passages } = all[i]!;
      this.#vectors.replace(
        Number(folder),
        seen,
        passages.filter(({ start }) => start !== NOT_FOR),
      );
    }
  }
}

/** What takes the place of a memory's passages; the last statement returns its folder. */
function putStatements({ seen, passages }: Embedded, isPartial: boolean): InStatement[] {
  const same = `SELECT id FROM memories WHERE id = ? AND mtime_ms = ? AND size = ?`;
  const args = [seen.id, seen.mtimeMs, seen.size];
  return [
    { sql: `DELETE FROM passages WHERE memory IN (${same})`, args },
    ...passages.map(({ start, end, hash, vector }) => ({
      sql:
        `INSERT INTO passages (memory, start, "end", hash, vector) SELECT id, ?, ?, ?, ? FROM (${same})`,
      args: [start, end, hash, toBlob(vector), ...args],
    })),
    {
      sql: `UPDATE memories SET embedded = ${
        isPartial ? 0 : 1
      }, tries = 0 WHERE id IN (${same}) RETURNING folder`,
      args,
    },
  ];
}
