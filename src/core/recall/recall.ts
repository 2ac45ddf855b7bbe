import { type Config, lowestThreshold } from "../settings/config.ts";
import type { Corpus } from "../index/corpus.ts";
import type { Index } from "../index/mod.ts";
import { Query } from "../index/query.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import { within } from "../link/within.ts";
import { withCurrent } from "./current.ts";
import { calledByName, type ExactTriggers, exactTriggers } from "./exact_triggers.ts";
import { type BlockEntry, budget } from "./budget.ts";
import { format } from "./format.ts";
import { barOf, FORMS, isEnoughFor, type RecallForm } from "./adjust.ts";
import { type DroppedHit, fuse } from "./fuse.ts";
import {
  type InContext,
  inContext,
  isAnswer,
  type LastTurn,
  retrieveFollowUp,
  searchable,
} from "./follow_up.ts";
import { type Whereabouts, whereaboutsOf } from "./at_work.ts";
import { type Gate, gate, type GateReason } from "./gate.ts";
import type { RecallOutcome } from "./receipts.ts";
import { withoutUnknownTickets } from "./query_text.ts";
import { nativeLines } from "./repeats.ts";
import { type Ranking, retrieve, type RetrieveOptions, settled } from "./retrieve.ts";
import type { Shown } from "./shown.ts";
import { withSiblings } from "./siblings.ts";

export interface RecallRequest extends Pick<RetrieveOptions, "turns"> {
  readonly prompt: string;
  readonly source?: string | undefined;
  /** The memory folders that apply to the prompt's working directory. */
  readonly folders: readonly MemoryFolder[];
  /** The folder of its project that the prompt is given in; default: the top. */
  readonly folder?: (() => string) | undefined;
  /** The memories in context. */
  readonly shown: Shown;
  /** The turn before the prompt; read only if the prompt says little by itself. */
  readonly before?: (() => Promise<LastTurn | undefined>) | undefined;
  /** The result of an earlier prompt's LLM call that has arrived since. */
  readonly late?: readonly Ranking[];
}

/** The context of recall; without `ask`, strategies that need a language model use their fallbacks. */
export interface RecallContext
  extends Pick<RetrieveOptions, "config" | "now" | "ask" | "signal" | "only"> {
  readonly index: Index;
  /** Embeds a text; without it prompts are ranked by keyword only. */
  readonly embed?: ((text: string) => Promise<Float32Array>) | undefined;
  /** Maximum wait for a language model's answer, in milliseconds. */
  readonly patienceMs?: number | undefined;
  /** Whether the model has memo's tools; default: it does not. */
  readonly hasTools?: boolean | undefined;
}

/** The result of recall for one prompt. */
export interface Recall {
  readonly outcome: RecallOutcome;
  readonly why?: GateReason | string;
  /** The text for `additionalContext`; undefined for none. */
  readonly block: string | undefined;
  readonly entries: readonly BlockEntry[];
  readonly dropped: readonly DroppedHit[];
  readonly rankings: readonly Ranking[];
  /** The LLM call that has not been answered yet; its result can be delivered later (`compose`). */
  readonly pending: readonly Promise<Ranking>[];
  readonly terms: readonly string[];
  /** The prompt of the turn before, if that was searched for as well. */
  readonly before?: string | undefined;
  /** Milliseconds of each step. */
  readonly timings: Readonly<Record<string, number>>;
}

/** Whether an entry of a block has its memory's text, and not only its title. */
export function hasText({ form }: Pick<BlockEntry, "form">): boolean {
  return form === "whole" || form === "excerpt";
}

/** Hits asked of each strategy: enough to remain after those already shown or below the threshold are dropped. */
const CANDIDATES = 50;
/** A language model that answers within this delays the prompt by less than a user notices. */
const PATIENCE_MS = 30;

/** Goes from prompt to context block: gate, retrieve, then fuse, budget and format (`compose`); writes nothing. */
export async function recall(request: RecallRequest, context: RecallContext): Promise<Recall> {
  const { config, now, only, ask, signal } = context;
  const { folders, shown, turns } = request;
  const clock = stopwatch();
  const corpus = await context.index.corpus(folders);
  const exclude = new Set(shown.seen.keys());
  const options = { corpus, config, now, limit: CANDIDATES, exclude, only, ask, signal, turns };

  const understood = await understand(request, options);
  clock.lap("gate");
  const { exact, passed } = understood;
  const nothing = { rankings: [], pending: [], terms: [] };
  const found: Retrieved = passed.kind === "stop"
    ? { ...nothing, otherwise: { outcome: "gated", why: passed.why } }
    : await find(passed.query, { ...options, ...understood, context });
  const named = passed.kind === "stop" ? [] : await calledByName(passed.query, {
    ...{ prompt: request.prompt, corpus, exact: exact.rankings },
  });
  if (passed.kind === "pass") clock.lap("retrieve");

  // The result of an earlier prompt's call is kept even if this prompt is just "yes".
  const late = (request.late ?? []).map((ranking) => ({ ...ranking, isLate: true }));
  const rankings = [...found.rankings, ...exact.rankings, ...named, ...late];
  const { rankings: _, otherwise, ...searched } = found;
  const where = whereaboutsOf(request.prompt, request.folder);
  const given = { folders, shown, where, terms: found.terms };
  const composed = await compose(rankings, given, { ...context, corpus, clock });
  return { ...composed, ...composed.block === undefined && otherwise, ...searched };
}

interface Understood {
  /** What it calls by name or trigger. */
  readonly exact: ExactTriggers;
  /** Whether to search, and for what. */
  readonly passed: Gate;
  /** What to search for with the turn before it, if it refers to that; and that turn's prompt. */
  readonly together?: InContext;
  readonly before?: string;
}

/** Looks a prompt up by name, decides whether to search, and for what. */
export async function understand(
  { shown, ...request }: Pick<RecallRequest, "prompt" | "source" | "shown" | "before">,
  options: Pick<RetrieveOptions, "corpus" | "config" | "ask" | "only">,
): Promise<Understood> {
  const { corpus, config } = options;
  const exact = await exactTriggers(request.prompt, corpus);
  const { prompt, last } = await searchable(request, options);
  const gated = gate({
    prompt,
    source: request.source,
    memories: await corpus.size(),
    bytesLeft: config["recall.session_bytes"] - shown.bytes,
    isKnown: exact.isKnown,
    isAnswer: last !== undefined && isAnswer(request.prompt, last),
  }, config);
  const passed = gated.kind === "stop"
    ? gated
    : { ...gated, query: await withoutUnknownTickets(gated.query, corpus) };
  if (last === undefined) return { exact, passed };
  const text = passed.kind === "pass" ? passed.query : prompt;
  return { exact, passed, together: inContext(text, last), before: last.prompt };
}

/**
 * The text that a prompt will probably be ranked by, so that its vector can be begun before the index is looked at;
 * undefined if that depends on the index. A wrong guess costs time of a processor, and no result.
 */
export function probableQuery(
  { prompt, source }: { readonly prompt: string; readonly source: string | undefined },
  config: Config,
): string | undefined {
  const passed = gate({ prompt, source, memories: 1, bytesLeft: 1 }, config);
  return passed.kind === "stop" ? undefined : passed.query;
}

interface Retrieved extends Pick<Recall, "rankings" | "pending" | "terms" | "before"> {
  /** The outcome where nothing else gives a block. */
  readonly otherwise?: Pick<Recall, "outcome" | "why">;
}

/** Retrieves within the deadline; what a language model has not answered by then is pending. */
async function find(
  text: string,
  { together, before, context, ...options }: RetrieveOptions & Understood & {
    readonly context: Pick<RecallContext, "embed" | "patienceMs">;
  },
): Promise<Retrieved> {
  const words = options.config["recall.words"];
  const queryFor = (searched: string) =>
    new Query(searched, context.embed, { request: text, words });
  const alone = queryFor(text);
  const { query, started } = together === undefined
    ? { query: alone, started: retrieve(alone, options) }
    : await retrieveFollowUp(alone, together, { ...options, queryFor });
  const found = {
    ...{ pending: started.remote, terms: query.terms },
    before: query === alone ? undefined : before,
  };
  const local = await within(options.config["recall.deadline_ms"], started.local);
  if (local === undefined) return { ...found, rankings: [], otherwise: { outcome: "timed out" } };
  const patience = context.patienceMs ?? PATIENCE_MS;
  const remote = await within(patience, Promise.all(started.remote));
  if (remote === undefined) return { ...found, rankings: local };
  return { ...found, rankings: settled(local, remote), pending: [] };
}

/** Goes from rankings to context block: fuse, budget, format. */
export async function compose(
  rankings: readonly Ranking[],
  { folders, shown, where, terms }: Pick<RecallRequest, "folders" | "shown"> & {
    readonly where?: Whereabouts;
    readonly terms: readonly string[];
  },
  { corpus, config, now, hasTools, clock = stopwatch() }:
    & Pick<RecallContext, "config" | "now" | "hasTools">
    & { readonly corpus: Corpus; readonly clock?: ReturnType<typeof stopwatch> },
): Promise<Omit<Recall, "pending" | "terms">> {
  const most = config["recall.max_memories"];
  const bytesLeft = config["recall.session_bytes"] - shown.bytes;
  const found = await corpus.memories(worthLoading(rankings, config));
  const memories = new Map(found.map((memory) => [memory.id, memory]));
  const known = nativeLines(folders);
  const refused = new Set(rankings.flatMap(({ refused = [] }) => [...refused]));
  const size = await corpus.size();
  const view = { config, now, shown, memories, known, refused, where, terms, size };

  const fused = fuse(rankings, view);
  const joined = await withSiblings(fused, { ...view, corpus, most });
  const current = await withCurrent(joined, { ...view, corpus, folders, most });
  clock.lap("fuse");
  const { entries, dropped } = budget(current.hits, { config, now, terms, bytesLeft });
  clock.lap("budget");
  const block = entries.length === 0 ? undefined : format(entries, { hasTools });
  clock.lap("format");

  const isFit = (hit: DroppedHit) => isEnoughFor("text", hit, view);
  const isKept = current.hits.length > 0;
  const failures = rankings.flatMap((ranking) => ranking.failures);
  return {
    outcome: outcomeOf({ rankings, isKept, dropped: fused.dropped, isFit, block }),
    ...failures.length > 0 && { why: failures.join("; ") },
    block,
    entries,
    dropped: onlyOnce([...current.dropped, ...joined.dropped, ...dropped], entries),
    rankings,
    timings: clock.laps,
  };
}

/** What was dropped, each memory once, and none that came after all. */
function onlyOnce(dropped: readonly DroppedHit[], entries: readonly BlockEntry[]): DroppedHit[] {
  const told = new Set(entries.map(({ fused }) => fused.memory.id));
  return dropped.filter(({ memory }) => !told.has(memory.id) && told.add(memory.id));
}

/** The best of each ranking, to report why they were dropped, and all that may be given. */
function worthLoading(rankings: readonly Ranking[], config: Config): number[] {
  const threshold = lowestThreshold(config);
  const least = Math.min(...Object.keys(FORMS).map((form) => barOf(form as RecallForm, threshold)));
  const worth = rankings.flatMap(({ hits }) =>
    hits.filter(({ score }, rank) => rank < EXPLAINED || score >= least)
  );
  return [...new Set(worth.map((hit) => hit.memory))];
}

/** Hits of each ranking to look at even if they are far below every threshold. */
const EXPLAINED = 5;

function outcomeOf({ rankings, isKept, dropped, isFit, block }: {
  readonly rankings: readonly Ranking[];
  readonly isKept: boolean;
  readonly dropped: readonly DroppedHit[];
  /** Whether the score of a memory is high enough. */
  readonly isFit: (dropped: DroppedHit) => boolean;
  readonly block: string | undefined;
}): RecallOutcome {
  if (block !== undefined) return "hit";
  if (isKept) return "no room";
  if (dropped.some(({ because }) => KNOWN.includes(because))) return "nothing new";
  if (dropped.some(isFit)) return "withheld";
  return rankings.some(({ hits }) => hits.length > 0) ? "below threshold" : "no hit";
}

/** The model has it already. */
const KNOWN: readonly DroppedHit["because"][] = [
  "seen in this session",
  "written from this conversation",
];

/** Measures the steps of one recall, one after the other, in milliseconds. */
function stopwatch() {
  const laps: Record<string, number> = {};
  let last = performance.now();
  return {
    laps,
    lap(name: string) {
      const now = performance.now();
      laps[name] = Math.round((now - last) * 100) / 100;
      last = now;
    },
  };
}
