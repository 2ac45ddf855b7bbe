// What the daemon keeps of sessions in memory: language models that have not answered, subagents that have not started,
// and what is on its way to a conversation.

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

/** The pending prefetches, at most one per session. */
export class Prefetches {
  readonly #bySession = new Map<string, Prefetch & { settled?: readonly Ranking[] }>();

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
  take(session: string) {
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

/** A call that is about to start a subagent. */
export interface Task {
  readonly session: string;
  /** The user's prompt that led to the call, if the client sends it. */
  readonly promptId: string | undefined;
  /** The id of the tool call. */
  readonly call: string;
  /** The requested type; the client's own choice if undefined. */
  readonly type: string | undefined;
  readonly prompt: string;
}

interface Started {
  readonly session: string;
  readonly promptId: string | undefined;
  readonly agent: string;
  readonly type: string | undefined;
}

/** A call whose subagent has not started after this long was refused. */
const MAX_AGE_MS = 10 * 60_000;
const MAX_TASKS = 200;

interface WaitingTask extends Task {
  readonly at: number;
  /** The subagent that it has started, once the call's result names it. */
  agent?: string;
}

/**
 * The tool calls whose subagents have not started yet. A call has the prompt and no agent, a start the agent and no
 * prompt. The result of the call joins them; for a subagent in the background it arrives at about the time of the start.
 */
export class Tasks {
  #waiting: WaitingTask[] = [];
  #changed: PromiseWithResolvers<void> = Promise.withResolvers();

  /** Records a call, with its time in milliseconds. */
  add(task: Task, now: number): void {
    const fresh = this.#waiting.filter(({ at, call }) =>
      now - at < MAX_AGE_MS && call !== task.call
    );
    this.#waiting = [...fresh.slice(-MAX_TASKS), { ...task, at: now }];
  }

  /** Records which subagent a call has started. */
  join(call: string, agent: string): void {
    const task = this.#waiting.find((task) => task.call === call);
    if (task === undefined) return; // it is known already
    task.agent = agent;
    this.#change();
  }

  /**
   * The prompt that a subagent was started with, once. If several calls may have started it, waits at most `ms` for
   * the result that decides; without it, returns all of them.
   */
  async take(started: Started, ms: number): Promise<readonly string[]> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.#change();
    }, ms);
    try {
      for (;;) {
        const found = this.#candidates(started);
        if (found.length === 1) this.#remove(found[0]!);
        if (found.length <= 1 || isLate) return found.map(({ prompt }) => prompt);
        await this.#changed.promise;
      }
    } finally {
      clearTimeout(timer);
    }
  }

  #candidates({ session, promptId, agent, type }: Started): WaitingTask[] {
    const found = this.#waiting.filter((task) =>
      task.session === session && (task.agent ?? agent) === agent &&
      (task.type ?? type) === type && (task.promptId ?? promptId) === (promptId ?? task.promptId)
    );
    const own = found.find((task) => task.agent === agent);
    return own === undefined ? found : [own];
  }

  #remove(task: WaitingTask): void {
    this.#waiting = this.#waiting.filter((other) => other !== task);
    this.#change();
  }

  #change(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}

/** A conversation: a session's own, or that of one of its subagents. */
export interface ConversationId {
  readonly session: string;
  readonly agent: string | undefined;
}

/** Conversations that are kept; the least recent go first. */
const KEPT = 200;

/**
 * Memories and files that conversations were told of and that no state file has yet: two tools that run at once must not
 * both bring the same memory.
 */
export class DeliveryClaims {
  readonly #byConversation = new Map<string, Set<string>>();

  /** Takes a memory and a file for a conversation; false if one of them is taken. */
  claim(who: ConversationId, things: readonly string[]): boolean {
    const key = keyOf(who);
    const told = this.#byConversation.get(key) ?? new Set();
    this.#byConversation.delete(key);
    this.#byConversation.set(key, told);
    for (const oldest of this.#byConversation.keys()) {
      if (this.#byConversation.size <= KEPT) break;
      this.#byConversation.delete(oldest);
    }
    if (things.some((thing) => told.has(thing))) return false;
    for (const thing of things) told.add(thing);
    return true;
  }

  /** Whether a conversation was told of a memory or a file. */
  has(who: ConversationId, thing: string): boolean {
    return this.#byConversation.get(keyOf(who))?.has(thing) ?? false;
  }

  /** Gives them back: the answer was not taken, or a state file has it now. */
  release(who: ConversationId, things: readonly string[]): void {
    const told = this.#byConversation.get(keyOf(who));
    for (const thing of things) told?.delete(thing);
  }
}

function keyOf({ session, agent }: ConversationId): string {
  return `${session}\n${agent ?? ""}`;
}
