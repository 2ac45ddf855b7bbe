import { type Config, lowestThreshold } from "../settings/config.ts";
import type { Corpus, IndexedMemory } from "../index/corpus.ts";
import type { Index } from "../index/memory_index.ts";
import { Query } from "../index/query.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import type { Ask } from "../../strategies/strategy.ts";
import { within } from "../link/within.ts";
import { calledBy } from "./called.ts";
import { type BlockEntry, budget, titlesOnly } from "./budget.ts";
import { format } from "./format.ts";
import { type Dropped, fuse, type FusedHit, SURE_MARGIN } from "./fuse.ts";
import { isEndpoint } from "../embed/models.ts";
import { blankBeforeCut, redactBeforeCut } from "../redact/redact.ts";
import { inContext, isAnswer, isFollowUp, type LastTurn } from "./follow_up.ts";
import { gate, type GateReason } from "./gate.ts";
import { PASTE_CHARS } from "./query_text.ts";
import type { Outcome } from "./receipts.ts";
import { awayFromCut, cutPaste, isCut } from "../text/paste.ts";
import { withoutPrivate } from "../text/private.ts";
import { nativeLines } from "./repeats.ts";
import {
  asksModel,
  type Ranking,
  type Retrieval,
  retrieve,
  type RetrieveOptions,
  settled,
} from "./retrieve.ts";
import type { Shown } from "./shown.ts";
import { marginAt, nearMisses } from "./near_misses.ts";
import { withSiblings } from "./siblings.ts";
import { withSuccessors } from "./successors.ts";

export interface RecallRequest {
  readonly prompt: string;
  readonly source?: string | undefined;
  /** The memory folders that apply to the prompt's working directory. */
  readonly folders: readonly MemoryFolder[];
  /** The memories in context. */
  readonly shown: Shown;
  /** The turns before the prompt; read only if a language model is asked. */
  readonly turns?: (() => Promise<readonly string[]>) | undefined;
  /** The turn before the prompt; read only if the prompt says little by itself. */
  readonly before?: (() => Promise<LastTurn | undefined>) | undefined;
  /** The result of an earlier prompt's LLM call that has arrived since. */
  readonly late?: readonly Ranking[];
}

/** The context of recall. */
export interface RecallContext {
  readonly index: Index;
  readonly config: Config;
  readonly now: Date;
  /** Embeds a text; without it prompts are ranked by keyword only. */
  readonly embed?: ((text: string) => Promise<Float32Array>) | undefined;
  /** Asks a language model; without it, strategies that need one use their fallbacks. */
  readonly ask?: Ask | undefined;
  /** Aborts LLM calls. */
  readonly signal?: AbortSignal | undefined;
  /** Maximum wait for a language model's answer, in milliseconds. */
  readonly patienceMs?: number | undefined;
  /** Ranks all types with this strategy, regardless of the settings. */
  readonly only?: string | undefined;
  /** Whether the model has memo's tools; default: it does not. */
  readonly hasTools?: boolean | undefined;
  /** Paths of rules that were broken, and so come with prompts that they fit less. */
  readonly climbed?: ReadonlySet<string> | undefined;
}

/** The result of recall for one prompt. */
export interface Recall {
  readonly outcome: Outcome;
  readonly why?: GateReason | string;
  /** The text for `additionalContext`; undefined for none. */
  readonly block: string | undefined;
  readonly entries: readonly BlockEntry[];
  readonly dropped: readonly Dropped[];
  readonly rankings: readonly Ranking[];
  /** The LLM call that has not been answered yet; its result can be delivered later (`compose`). */
  readonly pending: readonly Promise<Ranking>[];
  readonly terms: readonly string[];
  /** Milliseconds of each step. */
  readonly timings: Readonly<Record<string, number>>;
}

/** Hits asked of each strategy: enough to remain after those already shown or below the threshold are dropped. */
const CANDIDATES = 50;
/** A language model that answers within this delays the prompt by less than a user notices. */
const PATIENCE_MS = 30;

/** Whether something is found that would be given whole. */
function isSureOf(rankings: readonly Ranking[], config: Config): boolean {
  const best = Math.max(0, ...rankings.flatMap(({ hits }) => hits.map(({ score }) => score)));
  return best >= lowestThreshold(config) + SURE_MARGIN;
}

/** Ranks for a prompt that may refer to the turn before: by itself if that finds something sure, else with that turn. */
async function followUp(
  alone: Query,
  last: LastTurn,
  { queryFor, ...options }: RetrieveOptions & { readonly queryFor: (text: string) => Query },
): Promise<{ readonly query: Query; readonly started: Retrieval }> {
  const { config } = options;
  const together = inContext(alone.text, last);
  if (together.handicap > 0) {
    const started = retrieve(alone, { ...options, ask: undefined });
    const rankings = await within(config["recall.deadline_ms"], started.local);
    if (rankings !== undefined && isSureOf(rankings, config)) {
      return { query: alone, started: asksModel(options) ? retrieve(alone, options) : started };
    }
  }
  const query = queryFor(together.query);
  return { query, started: retrieve(query, { ...options, handicap: together.handicap }) };
}

/** Goes from prompt to context block: gate, retrieve, fuse, budget, format; writes nothing. */
export async function recall(request: RecallRequest, context: RecallContext): Promise<Recall> {
  const { config, index, now, ask, signal, only, hasTools, climbed } = context;
  const { folders, shown } = request;
  const clock = stopwatch();

  const corpus = await index.corpus(folders);
  const called = await calledBy(request.prompt, corpus);
  const exclude = new Set(shown.seen.keys());
  const { turns } = request;
  const options = { corpus, config, now, limit: CANDIDATES, exclude, only, ask, signal, turns };
  const isToldElsewhere = mayLeave(options);
  const last = isFollowUp(request.prompt) ? await turnBefore(request, isToldElsewhere) : undefined;
  const passed = gate({
    prompt: isToldElsewhere ? withoutSecrets(request.prompt) : request.prompt,
    source: request.source,
    memories: await corpus.size(),
    bytesLeft: config["recall.session_bytes"] - shown.bytes,
    isKnown: called.isKnown,
    isAnswer: last !== undefined && isAnswer(request.prompt, last),
  }, config);
  clock.lap("gate");
  const earlier = (request.late ?? []).map((ranking) => ({ ...ranking, isLate: true }));
  const late = [...called.rankings, ...earlier];
  if (passed.kind === "stop") {
    // The result of an earlier prompt's call is kept even if the next prompt is just "yes".
    const composed = await compose(late, { ...request, terms: [] }, {
      corpus,
      config,
      now,
      hasTools,
      climbed,
      clock,
    });
    const verdict = { outcome: "gated", why: passed.why } as const;
    return { ...composed, ...composed.block ? {} : verdict, pending: [], terms: [] };
  }

  const queryFor = (text: string) => new Query(text, context.embed, { request: passed.query });
  const alone = queryFor(passed.query);
  const { query, started } = last === undefined
    ? { query: alone, started: retrieve(alone, options) }
    : await followUp(alone, last, { ...options, queryFor });
  const local = await within(config["recall.deadline_ms"], started.local);
  if (local === undefined) {
    clock.lap("retrieve");
    const composed = await compose(late, { ...request, terms: query.terms }, {
      corpus,
      config,
      now,
      hasTools,
      climbed,
      clock,
    });
    const outcome = composed.block === undefined ? "timed out" : composed.outcome;
    return { ...composed, outcome, pending: started.remote, terms: query.terms };
  }
  const remote = await within(context.patienceMs ?? PATIENCE_MS, Promise.all(started.remote));
  clock.lap("retrieve");

  const ranked = remote === undefined ? local : settled(local, remote);
  const rankings = [...ranked, ...late];
  const composed = await compose(rankings, { ...request, terms: query.terms }, {
    corpus,
    config,
    now,
    hasTools,
    climbed,
    clock,
  });
  return { ...composed, pending: remote === undefined ? started.remote : [], terms: query.terms };
}

/**
 * Whether what a prompt says may go to a language model or an embedding model elsewhere. Then its secrets go before it is
 * cut to what is searched for: half a secret, or one without the tag before it, is not recognized later.
 */
function mayLeave(options: RetrieveOptions): boolean {
  return asksModel(options) || isEndpoint(options.config.model);
}

/** A prompt that is not cut loses its other secrets with the whole question. */
function withoutSecrets(prompt: string): string {
  return prompt.length > PASTE_CHARS ? redactPaste(prompt) : withoutPrivate(prompt);
}

/** A long prompt without its secrets, and without what may be half of one at the cut of a paste. */
function redactPaste(prompt: string): string {
  return isCut(prompt) ? awayFromCut(blankBeforeCut(prompt)) : redactBeforeCut(prompt);
}

async function turnBefore(
  { before }: RecallRequest,
  isToldElsewhere: boolean,
): Promise<LastTurn | undefined> {
  const last = await before?.();
  if (last === undefined) return undefined;
  const prompt = cutPaste(last.prompt);
  if (!isToldElsewhere) return { ...last, prompt };
  return { prompt: redactPaste(prompt), reply: redactBeforeCut(last.reply) };
}

interface ComposeContext extends Pick<RecallContext, "config" | "now" | "hasTools" | "climbed"> {
  /** The ranked memories. */
  readonly corpus: Corpus;
  readonly clock?: Stopwatch;
}

/** Goes from rankings to context block: fuse, budget, format. */
export async function compose(
  rankings: readonly Ranking[],
  { folders, shown, terms }: Pick<RecallRequest, "folders" | "shown"> & {
    readonly terms: readonly string[];
  },
  { corpus, config, now, hasTools, climbed, clock = stopwatch() }: ComposeContext,
): Promise<Omit<Recall, "pending" | "terms">> {
  const found = await corpus.memories(worthLoading(rankings, config));
  const memories = new Map(found.map((memory) => [memory.id, memory]));
  const known = nativeLines(folders);
  const refused = new Set(rankings.flatMap(({ refused = [] }) => [...refused]));
  const { kept: fused, dropped } = fuse(rankings, {
    config,
    now,
    shown,
    memories,
    known,
    climbed,
    refused,
  });
  const most = config["recall.max_memories"];
  const options = { config, now, shown, memories, known, climbed };
  const { hits, dropped: others } = await withSiblings(fused, dropped, {
    ...{ ...options, corpus, rankings, refused, most },
  });
  const kept = await withSuccessors(hits, { corpus, shown, now, most, refused });
  clock.lap("fuse");

  const bytesLeft = config["recall.session_bytes"] - shown.bytes;
  const given = budget(kept, { config, now, terms, bytesLeft });
  const misses = kept.length > given.entries.length || rankings.some(isProvisionalOrLate)
    ? []
    : nearMisses(others, { ...options, size: await corpus.size(), given: given.entries });
  const titles = titlesOnly(misses, given.entries, { config, bytesLeft });
  const entries = [...given.entries, ...titles];
  clock.lap("budget");
  const block = entries.length === 0 ? undefined : format(entries, { hasTools });
  clock.lap("format");

  const failures = rankings.flatMap((ranking) => ranking.failures);
  return {
    outcome: outcomeOf({ rankings, kept, dropped, block }),
    ...(failures.length === 0 ? {} : { why: failures.join("; ") }),
    block,
    entries,
    dropped: [...others.filter(({ memory }) => !isIn(entries, memory)), ...given.dropped],
    rankings,
    timings: clock.laps,
  };
}

/** Whether the scores are not yet, or not any more, about this prompt as a whole. */
function isProvisionalOrLate({ isProvisional, isLate }: Ranking): boolean {
  return isProvisional === true || isLate === true;
}

function isIn(entries: readonly BlockEntry[], { id }: IndexedMemory): boolean {
  return entries.some(({ fused }) => fused.memory.id === id);
}

/** The best of each ranking, to report why they were dropped, and all that may be given. */
function worthLoading(rankings: readonly Ranking[], config: Config): number[] {
  const least = (rank: number) => rank < EXPLAINED ? 0 : lowestThreshold(config) - marginAt(rank);
  const worth = rankings.flatMap(({ hits }) =>
    hits.filter(({ score }, rank) => score >= least(rank))
  );
  return [...new Set(worth.map((hit) => hit.memory))];
}

/** Hits of each ranking to look at even if they are far below every threshold. */
const EXPLAINED = 5;

function outcomeOf({ rankings, kept, dropped, block }: {
  readonly rankings: readonly Ranking[];
  readonly kept: readonly FusedHit[];
  readonly dropped: readonly Dropped[];
  readonly block: string | undefined;
}): Outcome {
  if (block !== undefined) return "hit";
  if (kept.length > 0) return "no room";
  if (dropped.some(({ because }) => KNOWN.includes(because))) return "nothing new";
  return rankings.some(({ hits }) => hits.length > 0) ? "below threshold" : "no hit";
}

/** The model has it already. */
const KNOWN: readonly Dropped["because"][] = [
  "seen in this session",
  "written from this conversation",
];

interface Stopwatch {
  /** Milliseconds of each step. */
  readonly laps: Record<string, number>;
  lap(name: string): void;
}

function stopwatch(): Stopwatch {
  const laps: Record<string, number> = {};
  let last = performance.now();
  return {
    laps,
    lap(name) {
      const now = performance.now();
      laps[name] = Math.round((now - last) * 100) / 100;
      last = now;
    },
  };
}
