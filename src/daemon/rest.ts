import { collectGarbage, type Held, isBloated } from "./rss.ts";

export interface RestOptions {
  readonly held: () => Held;
  readonly release?: () => void;
}

/** What has happened to the daemon at a moment when somebody looked. */
export interface Look {
  /** Whether anything is under way. */
  readonly isWorking: boolean;
  /** Time since the last request. */
  readonly quietMs: number;
}

/** After this long without a request, the pause that it takes to release memory delays no prompt. */
const QUIET_MS = 3000;

/**
 * Brings an idle daemon to rest: one look after its work has ended releases memory, the next one, when the allocator has
 * returned it to the system, finds what it holds at rest.
 */
export class Rest {
  readonly #held: () => Held;
  readonly #release: () => void;
  #state: "working" | "released" | "at rest" = "working";
  #fresh: Held | undefined;

  constructor({ held, release = collectGarbage }: RestOptions) {
    this.#held = held;
    this.#release = release;
  }

  /** Whether nothing has been done since memory was released. */
  get isAtRest(): boolean {
    return this.#state === "at rest";
  }

  /** There was a request. */
  disturb(): void {
    this.#state = "working";
  }

  /** Called at intervals. Returns what the daemon holds when it has just come to rest. */
  look({ isWorking, quietMs }: Look): { readonly isBloated: boolean } | undefined {
    if (isWorking) this.disturb();
    if (isWorking || quietMs <= QUIET_MS || this.isAtRest) return undefined;
    if (this.#state === "working") {
      this.#release();
      this.#state = "released";
      return undefined;
    }
    this.#state = "at rest";
    const held = this.#held();
    this.#fresh ??= held;
    return { isBloated: isBloated(held, this.#fresh) };
  }
}
