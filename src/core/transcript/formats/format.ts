import type { Entry, ReplyBlock } from "../entry.ts";
import { type Fields, textOf } from "../lines.ts";
import { messageText } from "../message_text.ts";
import { claudeCall } from "./tools.ts";

/** How another client than Claude Code writes a conversation down. */
export interface TranscriptFormat {
  /** Its name, as in `memo hook --agent NAME`. */
  readonly agent: string;
  /** Where its files, or its database, are below the home folder: names, and what names match. */
  readonly files: readonly (string | RegExp)[];
  /** What a file of its begins with; a database's rows have their place instead. */
  readonly head: RegExp;
  /** A line with none of these is not decoded. */
  readonly holding: readonly string[];
  /** Later lines repeat and complete earlier ones, so a file is read from its start. */
  readonly isAmended?: true;
  /** Lines come a moment after the event that they are about, the last ones when the client has ended. */
  readonly isWrittenLate?: true;
  /** For a fork, which has only what is new in it, the transcript that it continues, and where that ends for it. */
  readonly base?: (
    head: Fields,
    path: string,
  ) => { readonly path: string; readonly end: number } | undefined;
  /** Reads a file's lines in order; undefined for the conversation of a subagent. `head` is the first line. */
  readonly reader: (head: Fields, path: string) => LineReader | undefined;
}

/** The entries of a line that ends at a byte; none if it does not matter to turns. */
export type LineReader = (line: Fields, end: number) => readonly Entry[];

/** A tool call in the terms of Claude Code's. */
export function callOf(id: unknown, name: unknown, input: unknown): ReplyBlock {
  return { kind: "call", id: String(id), ...claudeCall(name, input) };
}

/** What the model has said, as blocks of a reply; none if nothing is left of it. */
export function textBlocks(said: unknown): ReplyBlock[] {
  const text = messageText(textOf(said) ?? "");
  return text === "" ? [] : [{ kind: "text", text }];
}
