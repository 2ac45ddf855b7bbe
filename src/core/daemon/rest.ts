/** What a daemon holds in memory, in bytes. */
export interface Held {
  readonly process: number;
  /** Of that: the vectors of its memories. */
  readonly vectors: number;
}

interface RestOptions {
  readonly held: () => Held;
  readonly release?: () => void;
  /** Lets go of everything that can be had again. */
  readonly sleep: () => void;
}

/** After this long without a request, the pause that it takes to release memory delays no prompt. */
const QUIET_MS = 3000;

/**
 * Brings an idle daemon to rest: one look after its work has ended releases memory, the next one, when the allocator has
 * returned it to the system, finds what it holds at rest. After a long rest it falls asleep.
 */
export class Rest {
  readonly #options: RestOptions;
  #state: "working" | "released" | "at rest" | "asleep" = "working";
  #fresh: Held | undefined;

  constructor(options: RestOptions) {
    this.#options = options;
  }

  /** Whether nothing has been done since memory was released. */
  get isAtRest(): boolean {
    return this.#state === "at rest" || this.#state === "asleep";
  }

  /** There was a request. */
  disturb(): void {
    this.#state = "working";
  }

  /** Called at intervals. Returns what the daemon holds when it has just come to rest. */
  look({ isWorking, quietMs, sleepMs }: {
    /** Whether anything is under way. */
    readonly isWorking: boolean;
    /** Time since the last request. */
    readonly quietMs: number;
    /** After so much of it a daemon at rest falls asleep. */
    readonly sleepMs: number;
  }): { readonly isBloated: boolean } | undefined {
    const { held, release = collectGarbage, sleep } = this.#options;
    if (isWorking) this.disturb();
    if (isWorking || quietMs <= QUIET_MS) return undefined;
    if (this.#state === "working") {
      release();
      this.#state = "released";
    } else if (this.#state === "released") {
      this.#state = "at rest";
      const now = held();
      this.#fresh ??= now;
      return { isBloated: isBloated(now, this.#fresh) };
    } else if (this.#state === "at rest" && quietMs > sleepMs) {
      this.#state = "asleep";
      sleep();
    }
    return undefined;
  }
}

/** Only the executable's runtime has calls for this; Node's API has none. */
const { Bun: RUNTIME } = globalThis as { Bun?: { gc(wait: boolean): unknown; shrink(): unknown } };

/** Releases memory that was needed for a moment: after a burst of prompts the collector keeps twice the live heap. */
function collectGarbage(): void {
  RUNTIME?.gc(true);
}

/** Releases compiled code as well, 25 MB of it, for which the next prompt takes some 70 ms longer. */
export function shrink(): void {
  RUNTIME?.shrink();
  collectGarbage();
}

/** What a daemon may hold at rest beside its vectors. */
const MOST_BYTES = 300e6;
/** Maximum growth over the fresh daemon; anything above is more than its memories need. */
const GROWTH = 1.35;

/** Whether an idle daemon holds so much more memory than a fresh one that it should be replaced. */
function isBloated(held: Held, fresh: Held): boolean {
  const beside = ({ process, vectors }: Held) => process - vectors;
  return beside(held) > Math.max(MOST_BYTES, GROWTH * beside(fresh));
}
