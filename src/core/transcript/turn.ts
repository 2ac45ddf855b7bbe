/** One prompt with its replies as in the transcript, unredacted. */
export interface Turn {
  /** The `uuid` of its first line, the prompt; a fork's copy of the turn has the same. */
  readonly id: string;
  readonly session: string;
  /** What Claude Code's hooks call its prompt. */
  readonly promptId?: string | undefined;
  /** When the turn began, ISO 8601. */
  readonly at: string;
  readonly cwd: string;
  /**
   * The user's text. Empty if no person wrote the prompt: a hook asked the model to continue, or a background task has
   * ended.
   */
  readonly prompt: string;
  /** The model's messages and tool calls, in order. */
  readonly steps: readonly Step[];
  /** Absolute paths of the files that the model wrote with its own tools. */
  readonly wrote: readonly string[];
  /** The end of the turn's last line in the transcript, in bytes. */
  readonly end: number;
  /** Set on a transcript's last turn unless the transcript says that it is over. */
  readonly open?: true;
  /** Why a part of it is missing, if one could not be read. */
  readonly unread?: string;
  /** It is the summary of a compaction, its only step. */
  readonly isSummary?: true;
}

/** The id for a compaction in a prompt, which has no turn of its own. */
export function compactionId(promptId: string): string {
  return `compaction-${promptId}`;
}

/** A part of a reply. */
export type Step =
  | { readonly kind: "text"; readonly text: string }
  | {
    readonly kind: "tool";
    readonly name: string;
    /** The tool's input, on one line. */
    readonly input: string;
    /** The tool's result, on one line, cut short; empty until there is one. */
    readonly result: string;
    readonly failed: boolean;
  };
