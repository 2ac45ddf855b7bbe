import type { Ranking } from "./retrieve.ts";

/** What a prompt has asked of a language model, and what is needed to deliver it later. */
export interface Prefetch {
  readonly rankings: readonly Promise<Ranking>[];
  /** The prompt's terms, to find the best part of a memory that does not fit. */
  readonly terms: readonly string[];
  /** Stops the asking. */
  readonly abort: AbortController;
}

/** What a prefetch has come to. */
export interface Settled {
  readonly rankings: readonly Ranking[];
  readonly terms: readonly string[];
}

/** The prefetches under way, at most one a session. */
export class Prefetches {
  #bySession = new Map<
    string,
    { terms: readonly string[]; abort: AbortController; settled?: readonly Ranking[] }
  >();

  /** Keeps a session's prefetch; the one before is stale and is stopped. */
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

  /** What a session's prefetch has come to, once; undefined when there is none, or it has not settled. */
  take(session: string): Settled | undefined {
    const entry = this.#bySession.get(session);
    if (entry?.settled === undefined) return undefined;
    this.#bySession.delete(session);
    return { rankings: entry.settled, terms: entry.terms };
  }

  /** Stops and forgets a session's prefetch. */
  cancel(session: string): void {
    this.#bySession.get(session)?.abort.abort();
    this.#bySession.delete(session);
  }
}
