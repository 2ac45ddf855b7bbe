/** Opens every context block; a block in a transcript is known by it. */
export const OPEN = "<auto-loaded-memory>";
/** Closes every context block. */
export const CLOSE = "</auto-loaded-memory>";

/** Texts between the block's tags, below a line that says what they are. */
export function fence(preamble: string, texts: readonly string[]): string {
  return [OPEN, preamble, "", ...texts.map((text) => text.trimEnd() + "\n"), CLOSE].join("\n");
}
