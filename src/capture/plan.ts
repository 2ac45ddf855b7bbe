import type { Plan } from "../change/change.ts";
import type { Judgement } from "./verdicts.ts";

/** The changes that a capture makes for some turns of a transcript, decided before anything is written. */
export interface CapturePlan extends Plan {
  /** Set after an unusable answer, or none for today: the turns after this one are to be asked about again. */
  readonly rest?: {
    readonly after: string;
    readonly because: string;
    readonly hint?: string | undefined;
  };
  /** What became of the rules that the model had. */
  readonly judged?: readonly Judgement[];
  /** Why part of it was given up. */
  readonly dropped?: string;
}
