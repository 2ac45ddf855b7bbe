// Which task a subagent was started with. The tool call has the prompt and no agent; the subagent's start has the
// agent and no prompt. The result of the call joins them; for a subagent in the background it arrives at about the
// time that the subagent starts.

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

/** A subagent that has started. */
export interface Started {
  readonly session: string;
  readonly promptId: string | undefined;
  readonly agent: string;
  readonly type: string | undefined;
}

/** A call whose subagent has not started after this long was refused. */
const MAX_AGE_MS = 10 * 60_000;
/** Maximum calls to keep. */
const MAX_TASKS = 200;

interface Waiting extends Task {
  readonly at: number;
  /** The subagent that it has started, once the call's result names it. */
  agent?: string;
}

/** The tool calls whose subagents have not started yet. */
export class Tasks {
  #waiting: Waiting[] = [];
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

  #candidates({ session, promptId, agent, type }: Started): Waiting[] {
    const found = this.#waiting.filter((task) =>
      task.session === session && (task.agent ?? agent) === agent &&
      (task.type ?? type) === type && (task.promptId ?? promptId) === (promptId ?? task.promptId)
    );
    const own = found.find((task) => task.agent === agent);
    return own === undefined ? found : [own];
  }

  #remove(task: Waiting): void {
    this.#waiting = this.#waiting.filter((other) => other !== task);
    this.#change();
  }

  #change(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
