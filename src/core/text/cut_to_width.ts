import stringWidth from "string-width";

const CHARACTERS = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** A line cut to columns of a terminal, between characters as a reader sees them, with an ellipsis where it is cut. */
export function cutToWidth(line: string, most: number): string {
  if (stringWidth(line) <= most) return line;
  let kept = "", width = 0;
  for (const { segment } of CHARACTERS.segment(line)) {
    width += stringWidth(segment);
    if (width > most - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}
