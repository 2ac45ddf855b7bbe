import { createHash } from "node:crypto";
import type { Embedder, Role } from "../embed/mod.ts";
import { shorten } from "../memory/title.ts";
import { chunk, measure, type Span, type TokenSizes } from "./chunk.ts";
import type { IndexedMemory } from "./corpus.ts";
import { type Embedded, isLong, type Passage } from "./embedding_queue.ts";
import type { Index } from "./mod.ts";
import { NOT_FOR } from "./schema.ts";

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

/** Makes the vectors that are missing, and returns for how many memories. Unchanged passages keep theirs. */
export async function embedPending(
  { queue }: Index,
  embedder: Embedder,
  options: EmbedOptions = {},
): Promise<number> {
  const { atMost = Infinity, atOnce = 1, signal } = options;
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

interface EmbedAllOptions extends Omit<EmbedOptions, "atOnce" | "atMost"> {
  /** Whether somebody waits for all of it. */
  readonly isUrgent: boolean;
}

/** Makes the vectors that are missing, of memories and then of history; returns for how many. */
export async function embedAll(
  index: Index,
  embedder: Embedder,
  { isUrgent, ...options }: EmbedAllOptions,
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
