import { messageOf } from "../../errors.ts";
import type { SubagentReport } from "./subagent_report.ts";

/** A transcript line that matters to turns. */
export type Entry = Prompt | Reply | Results | Mark | Summary | Report | Unread;

/** What every entry has. */
export interface Place {
  /** The line's id; a fork's copy has the same. */
  readonly uuid: string;
  /** The preceding line in the conversation, which is not always the one above it. */
  readonly parent: string | undefined;
  /** Where the line ends in the file, in bytes. */
  readonly end: number;
  readonly at: string;
  readonly session: string | undefined;
  readonly cwd: string | undefined;
  /** The prompt that it belongs to. */
  readonly promptId: string | undefined;
}

/** The beginning of a turn. */
export interface Prompt extends Place {
  readonly kind: "prompt";
  /** The text a person wrote; empty if Claude Code made the prompt. */
  readonly text: string;
  /** Whether it counts without a reply. */
  readonly isHuman: boolean;
  /** The subagent's report, if the prompt is one. */
  readonly report?: SubagentReport | undefined;
}

/** Text or tool calls of the model: one or more blocks of a message. */
export interface Reply extends Place {
  readonly kind: "reply";
  /** The message of the blocks; Claude Code writes one line per block. */
  readonly message: string | undefined;
  readonly blocks: readonly ReplyBlock[];
}

export type ReplyBlock =
  | { readonly kind: "text"; readonly text: string }
  | {
    readonly kind: "call";
    readonly id: string;
    readonly name: string;
    readonly input: Readonly<Record<string, unknown>>;
  };

/** Results of tool calls. */
export interface Results extends Place {
  readonly kind: "results";
  readonly results: readonly Result[];
}

export interface Result {
  /** The call's id. */
  readonly call: string;
  readonly content: unknown;
  readonly failed: boolean;
}

/** A report of a background subagent that ended while the model was working. */
export interface Report extends Place {
  readonly kind: "report";
  readonly report: SubagentReport;
}

/** The end of a turn, or a compaction of the conversation so far. */
export interface Mark extends Place {
  readonly kind: "over" | "compacted";
}

/** The summary that replaced the conversation; it repeats earlier text. */
export interface Summary extends Place {
  readonly kind: "summary";
  readonly text: string;
}

/** A line that cannot be read. */
export interface Unread extends Pick<Place, "uuid" | "parent" | "end"> {
  readonly kind: "unread";
  readonly because: string;
}

/** The entries of a line that ends at a byte; if reading it fails, that it is unread: no line costs another one. */
export function readable(end: number, read: () => readonly Entry[]): readonly Entry[] {
  try {
    return read();
  } catch (error) {
    const because = messageOf(error);
    return [{ kind: "unread", uuid: `line ${end}`, parent: undefined, end, because }];
  }
}
