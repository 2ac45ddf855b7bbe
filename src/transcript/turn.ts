/** One prompt with its replies, as the transcript has them. Nothing in it has been redacted. */
export interface Turn {
  /** The `uuid` of the line that it begins with, its prompt's; a fork's copy of the turn has the same. */
  readonly id: string;
  readonly session: string;
  /** When the turn began, ISO 8601. */
  readonly at: string;
  readonly cwd: string;
  /**
   * What the user wrote. Empty where the model had no word from a person: it went on because a hook asked it to, or a
   * task in the background has ended.
   */
  readonly prompt: string;
  /** What the model said and did, in order. */
  readonly steps: readonly Step[];
  /** Absolute paths of the files that the model wrote with its own tools. */
  readonly wrote: readonly string[];
  /** Where the turn's last line ends in the transcript, in bytes. */
  readonly end: number;
  /** Set on a transcript's last turn as long as nothing in the transcript says that it is over. */
  readonly open?: true;
}

/** What a compaction in a prompt is called where a turn's id is wanted: it has no turn of its own. */
export function compactionId(promptId: string): string {
  return `compaction-${promptId}`;
}

/** A piece of a reply. */
export type Step =
  | { readonly kind: "text"; readonly text: string }
  | {
    readonly kind: "tool";
    readonly name: string;
    /** What it was called with, on one line. */
    readonly input: string;
    /** What came of it, on one line, cut short; empty while nothing has. */
    readonly result: string;
    readonly failed: boolean;
  };
