import type { Ranking } from "./retrieve.ts";

/** A prompt's pending LLM call, and the data to deliver its result later. */
export interface Prefetch {
  readonly rankings: readonly Promise<Ranking>[];
  /** The prompt's terms, to find the best part of a memory that does not fit. */
  readonly terms: readonly string[];
  /** The prompt's id, if the client gives one. */
  readonly promptId?: string | undefined;
  /** Aborts the call. */
  readonly abort: AbortController;
}

/** The result of a prefetch. */
export interface Settled extends Pick<Prefetch, "terms" | "promptId"> {
  readonly rankings: readonly Ranking[];
}

/** The pending prefetches, at most one per session. */
export class Prefetches {
  #bySession = new Map<string, Prefetch & { settled?: readonly Ranking[] }>();

  /** Keeps a session's prefetch, and aborts the previous one, which is stale. */
  start(session: string, prefetch: Prefetch): void {
    this.cancel(session);
    const entry: Prefetch & { settled?: readonly Ranking[] } = { ...prefetch };
    this.#bySession.set(session, entry);
    void Promise.all(entry.rankings).then((settled) => {
      entry.settled = settled;
    });
  }

  /** The result of a session's prefetch, once; undefined if there is none, or it has not settled. */
  take(session: string): Settled | undefined {
    const entry = this.#bySession.get(session);
    if (entry?.settled === undefined) return undefined;
    this.#bySession.delete(session);
    const { settled: rankings, terms, promptId } = entry;
    return { rankings, terms, promptId };
  }

  /** Aborts and forgets a session's prefetch. */
  cancel(session: string): void {
    this.#bySession.get(session)?.abort.abort();
    this.#bySession.delete(session);
  }
}
