import type { Ranking } from "./retrieve.ts";

/** A prompt's pending LLM call, and the data to deliver its result later. */
export interface Prefetch {
  readonly rankings: readonly Promise<Ranking>[];
  /** The prompt's terms, to find the best part of a memory that does not fit. */
  readonly terms: readonly string[];
  /** Aborts the call. */
  readonly abort: AbortController;
}

/** The result of a prefetch. */
export interface Settled {
  readonly rankings: readonly Ranking[];
  readonly terms: readonly string[];
}

/** The pending prefetches, at most one per session. */
export class Prefetches {
  #bySession = new Map<
    string,
    { terms: readonly string[]; abort: AbortController; settled?: readonly Ranking[] }
  >();

  /** Keeps a session's prefetch, and aborts the previous one, which is stale. */
  start(session: string, { rankings, terms, abort }: Prefetch): void {
    this.cancel(session);
    const entry: {
      terms: readonly string[];
      abort: AbortController;
      settled?: readonly Ranking[];
    } = { terms, abort };
    this.#bySession.set(session, entry);
    void Promise.all(rankings).then((settled) => {
      entry.settled = settled;
    });
  }

  /** The result of a session's prefetch, once; undefined if there is none, or it has not settled. */
  take(session: string): Settled | undefined {
    const entry = this.#bySession.get(session);
    if (entry?.settled === undefined) return undefined;
    this.#bySession.delete(session);
    return { rankings: entry.settled, terms: entry.terms };
  }

  /** Aborts and forgets a session's prefetch. */
  cancel(session: string): void {
    this.#bySession.get(session)?.abort.abort();
    this.#bySession.delete(session);
  }
}
