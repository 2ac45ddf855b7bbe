import { createHash } from "node:crypto";

/** Opens every context block; a block in a transcript is known by it. */
export const OPEN = "<auto-loaded-memory>";
/** Closes every context block. */
export const CLOSE = "</auto-loaded-memory>";

/** Texts between the block's tags, below a line that says what they are. */
export function fence(preamble: string, texts: readonly string[]): string {
  return [OPEN, preamble, "", ...texts.map((text) => text.trimEnd() + "\n"), CLOSE].join("\n");
}

/** The blocks in a hook's text: a subagent gets one with the rules, and one for its task. */
export function blocksIn(text: string): string[] {
  return text.split(BETWEEN);
}

/** Several blocks as one hook's text; undefined if there is none. */
export function joinBlocks(blocks: readonly (string | undefined)[]): string | undefined {
  return blocks.filter((block) => block !== undefined).join("\n") || undefined;
}

const BETWEEN = new RegExp(`(?<=${CLOSE})\n(?=${OPEN})`);

/** What a block is called in receipts and session states: 16 hex digits of its SHA-256. */
export function blockName(block: string): string {
  return createHash("sha256").update(block).digest("hex").slice(0, 16);
}
