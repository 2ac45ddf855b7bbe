/** One prompt with its replies, as the transcript has them. Nothing in it has been redacted. */
export interface Turn {
  /** The `uuid` of the prompt's line; a fork's copy of the turn has the same. */
  readonly id: string;
  readonly session: string;
  /** When the prompt was made, ISO 8601. */
  readonly at: string;
  readonly cwd: string;
  readonly prompt: string;
  /** What the model said and did, in order. */
  readonly steps: readonly Step[];
  /** Absolute paths of the files that the model wrote with its own tools. */
  readonly wrote: readonly string[];
  /** Where the turn's last line ends in the transcript, in bytes. */
  readonly end: number;
}

/** A piece of a reply. */
export type Step =
  | { readonly kind: "text"; readonly text: string }
  | {
    readonly kind: "tool";
    readonly name: string;
    /** What it was called with, on one line. */
    readonly input: string;
    /** What came of it, cut short. */
    readonly result: string;
    readonly failed: boolean;
  };
