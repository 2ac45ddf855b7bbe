import type { Answers } from "../events/event.ts";
import type { Memory } from "../memory/memory.ts";
import type { Engine } from "./engine.ts";
import type { Job } from "./jobs.ts";

/** What features add to the core, which imports none of them: `src/features.ts` has all, as one value. */
export interface Features {
  /** Answers to hook events. */
  readonly answers?: Answers;
  /** What runs after captures and hook events, in this order. */
  readonly jobs?: readonly Job[];
  /** What removes state that nobody needs any more, by the word for it in the log; returns how much. */
  readonly sweeps?: Readonly<Record<string, (engine: Engine, now: Date) => number>>;
  /** Whether a rule that was saved is offered to the person as a guard. */
  readonly isOffered?: (rule: Memory) => boolean;
}
