import type { HookText } from "./lines.ts";

/** Maximum characters kept of a prompt. */
export const PROMPT_CHARS = 1000;

/** One of memo's blocks. */
export interface Block extends HookText {
  readonly name: string;
  /** Other text could have it too, so that memo's own record has to prove it. */
  readonly isUnmarked?: true;
}

/** A prompt of the conversation. */
export interface StandingPrompt {
  /** The `uuid` of its line; a fork's copy has the same. */
  readonly uuid: string;
  /** Its beginning, enough to recognize the prompt. */
  readonly text: string;
  /** Whether a person typed it in the terminal, where a conversation can be rewound. */
  readonly isTyped: boolean;
  /** Milliseconds since 1970; 0 if the line has no time. */
  readonly at: number;
}

/** A line's role in the conversation. */
export interface TreePart {
  /** The id of the turn that begins with it; undefined if none does. */
  readonly turn?: string;
  readonly kind: "prompt" | "answer" | "result" | "boundary" | "other";
  /** Blocks of the line itself, and of the tools that it calls. */
  readonly blocks: Block[];
  readonly prompt?: StandingPrompt;
}

/** A line with its place in the tree. */
export interface TreeLine extends TreePart {
  readonly uuid: string;
  /** The preceding line in the conversation; null if there is none, undefined for the line above. */
  readonly parent: string | null | undefined;
  /** For the first of a chain the last line of the one before; default: none. */
  readonly before?: string | undefined;
  /** It begins a chain of lines that come again, after all that were read. */
  readonly isAnew?: boolean;
  readonly promptId?: string | undefined;
  /** Whether it says that a hook has blocked a prompt, which is then not written down. */
  readonly isBlock?: boolean;
  /** The version of Claude Code that wrote it. */
  readonly client?: string | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Its end in the file, in bytes. */
  readonly end: number;
}
