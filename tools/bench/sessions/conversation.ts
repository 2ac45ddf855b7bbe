/** A text or tool call of the assistant in a turn. */
export type Step =
  | { readonly say: string }
  | {
    readonly tool: string;
    readonly input: Readonly<Record<string, unknown>>;
    readonly result: string;
    readonly failed?: boolean;
  };

/** One conversation with Claude Code. */
export interface Conversation {
  readonly id: string;
  readonly project: string;
  /** When it began, ISO 8601. */
  readonly at: string;
  readonly turns: readonly { readonly user: string; readonly steps: readonly Step[] }[];
}
