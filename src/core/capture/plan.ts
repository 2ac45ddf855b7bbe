import type { Plan } from "../change/change.ts";

/** The changes that a capture makes for some turns of a transcript, decided before anything is written. */
export interface CapturePlan extends Plan {
  /** Set after an unusable answer, or none for today: the turns after this one are to be asked about again. */
  readonly rest?: {
    readonly after: string;
    readonly because: string;
    readonly hint?: string | undefined;
  };
  /** Why part of it was given up. */
  readonly dropped?: string;
}
