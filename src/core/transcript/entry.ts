import { messageOf } from "../../errors.ts";
import type { Fields } from "./lines.ts";
import type { SubagentReport } from "./subagent_report.ts";

/** A transcript line that matters to turns. */
export type Entry =
  | Prompt
  | ModelReply
  | EntryOf<"results", { results: readonly ToolResult[] }>
  | TurnMark
  | Summary
  /** A background subagent has ended while the model was working. */
  | EntryOf<"report", { report: SubagentReport }>
  | Unread;

/** What every entry has. */
export interface EntryPlace {
  /** The line's id; a fork's copy has the same. */
  readonly uuid: string;
  /** The preceding line in the conversation, which is not always the one above it. */
  readonly parent?: string | undefined;
  /** Where the line ends in the file, in bytes. */
  readonly end: number;
  readonly at: string;
  readonly session: string | undefined;
  readonly cwd: string | undefined;
  /** The prompt that it belongs to. */
  readonly promptId?: string | undefined;
}

type EntryOf<Kind, Fields = unknown> = EntryPlace & { readonly kind: Kind } & Readonly<Fields>;

/** The beginning of a turn. */
export type Prompt = EntryOf<"prompt", {
  /** The text a person wrote; empty if Claude Code made the prompt. */
  text: string;
  /** Whether it counts without a reply. */
  isHuman: boolean;
  /** The subagent's report, if the prompt is one. */
  report?: SubagentReport | undefined;
}>;

/** Text or tool calls of the model: blocks of a message, of which Claude Code writes one a line. */
export type ModelReply = EntryOf<"reply", {
  message: string | undefined;
  blocks: readonly ReplyBlock[];
}>;

export type ReplyBlock =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "call"; readonly id: string; readonly name: string; readonly input: Fields };

/** The result of the call with an id. */
export interface ToolResult {
  readonly call: string;
  readonly content: unknown;
  readonly failed: boolean;
}

/** The end of a turn, or a compaction of the conversation so far. */
export type TurnMark = EntryOf<"over" | "compacted">;

/** The summary that replaced the conversation; it repeats earlier text. */
export type Summary = EntryOf<"summary", { text: string }>;

/** A line that cannot be read. */
interface Unread extends Pick<EntryPlace, "uuid" | "parent" | "end"> {
  readonly kind: "unread";
  readonly because: string;
}

/** The entries of a line that ends at a byte; if reading it fails, that it is unread: no line costs another one. */
export function readable(end: number, read: () => readonly Entry[]): readonly Entry[] {
  try {
    return read();
  } catch (error) {
    const because = messageOf(error);
    return [{ kind: "unread", uuid: `line ${end}`, end, because }];
  }
}
