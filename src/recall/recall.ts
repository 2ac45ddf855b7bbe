import type { Config } from "../config.ts";
import type { IndexedMemory } from "../index/corpus.ts";
import type { Index } from "../index/index.ts";
import { Query } from "../index/query.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import { budget, type Entry } from "./budget.ts";
import { format } from "./format.ts";
import { type Candidate, type Dropped, fuse } from "./fuse.ts";
import { gate, type GateReason } from "./gate.ts";
import type { Outcome } from "./receipts.ts";
import { type Ranking, retrieve } from "./retrieve.ts";
import type { SessionState } from "./session.ts";

export interface RecallRequest {
  readonly prompt: string;
  readonly source?: string | undefined;
  /** The memory folders that count for the prompt's working directory. */
  readonly folders: readonly MemoryFolder[];
  /** What the session was shown before. */
  readonly session: SessionState;
}

/** What recall works with. */
export interface RecallContext {
  readonly index: Index;
  readonly config: Config;
  readonly now: Date;
  /** Makes a text's vector; without it only words count. */
  readonly embed?: ((text: string) => Promise<Float32Array>) | undefined;
  /** Ranks everything with this strategy, whatever the settings say. */
  readonly only?: string | undefined;
}

/** What became of one prompt. */
export interface Recall {
  readonly outcome: Outcome;
  readonly why?: GateReason | string;
  /** The text for `additionalContext`; undefined when there is nothing to say. */
  readonly block: string | undefined;
  readonly entries: readonly Entry[];
  readonly dropped: readonly Dropped[];
  readonly rankings: readonly Ranking[];
  /** The session's state once the block is shown. */
  readonly session: SessionState;
  /** Milliseconds of each step. */
  readonly timings: Readonly<Record<string, number>>;
}

/** Hits asked of each strategy: enough that what was seen or is below its threshold does not use them up. */
const CANDIDATES = 50;

/** From prompt to context block: gate, retrieve, fuse, budget, format. Never writes anything. */
export async function recall(request: RecallRequest, context: RecallContext): Promise<Recall> {
  const { config, index, now } = context;
  const clock = stopwatch();

  const corpus = await index.corpus(request.folders);
  const bytesLeft = config["recall.session_bytes"] - request.session.bytes;
  const passed = gate({
    prompt: request.prompt,
    source: request.source,
    memories: await corpus.size(),
    bytesLeft,
  }, config);
  clock.lap("gate");
  const nothing = {
    block: undefined,
    entries: [],
    dropped: [],
    rankings: [],
    session: request.session,
  };
  if (passed.kind === "stop") {
    return { ...nothing, outcome: "gated", why: passed.why, timings: clock.laps };
  }

  const query = new Query(passed.query, context.embed);
  const rankings = await within(
    config["recall.deadline_ms"],
    (signal) =>
      retrieve(query, {
        index,
        folders: request.folders,
        config,
        limit: CANDIDATES,
        signal,
        only: context.only,
      }),
  );
  clock.lap("retrieve");
  if (rankings === "too late") return { ...nothing, outcome: "timed out", timings: clock.laps };

  const memories = await memoriesOf(rankings, index, request.folders);
  const seen = new Set(request.session.seen);
  const { kept, dropped } = fuse(rankings, { config, now, seen, memories });
  clock.lap("fuse");

  const fitted = budget(kept, { config, now, terms: query.terms, bytesLeft });
  clock.lap("budget");
  const block = fitted.entries.length === 0 ? undefined : format(fitted.entries);
  clock.lap("format");

  return {
    outcome: outcomeOf(rankings, kept, dropped, block),
    ...failuresOf(rankings),
    block,
    entries: fitted.entries,
    dropped: [...dropped, ...fitted.dropped],
    rankings,
    session: block === undefined ? request.session : {
      seen: [
        ...request.session.seen,
        ...fitted.entries.map((entry) => entry.candidate.memory.path),
      ],
      bytes: request.session.bytes + Buffer.byteLength(block),
    },
    timings: clock.laps,
  };
}

async function memoriesOf(
  rankings: readonly Ranking[],
  index: Index,
  folders: readonly MemoryFolder[],
): Promise<ReadonlyMap<number, IndexedMemory>> {
  const ids = [...new Set(rankings.flatMap(({ hits }) => hits.map((hit) => hit.memory)))];
  const corpus = await index.corpus(folders);
  return new Map((await corpus.memories(ids)).map((memory) => [memory.id, memory]));
}

function outcomeOf(
  rankings: readonly Ranking[],
  kept: readonly Candidate[],
  dropped: readonly Dropped[],
  block: string | undefined,
): Outcome {
  if (block !== undefined) return "hit";
  if (kept.length > 0 || dropped.some(({ because }) => because === "seen in this session")) {
    return "nothing new";
  }
  return rankings.some(({ hits }) => hits.length > 0) ? "below threshold" : "no hit";
}

function failuresOf(rankings: readonly Ranking[]): { why?: string } {
  const failures = rankings.flatMap((ranking) => ranking.failures);
  return failures.length === 0 ? {} : { why: failures.join("; ") };
}

/** The work's result, or "too late" when it takes longer than `ms`. The signal tells it to stop. */
async function within<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | "too late"> {
  const stop = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"too late">((resolve) => {
    timer = setTimeout(() => resolve("too late"), ms);
  });
  try {
    return await Promise.race([work(stop.signal), late]);
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
}

function stopwatch() {
  const laps: Record<string, number> = {};
  let last = performance.now();
  return {
    laps,
    lap(name: string): void {
      const now = performance.now();
      laps[name] = Math.round((now - last) * 100) / 100;
      last = now;
    },
  };
}
