// What a terminal shows: columns, lines cut to its width, colour.

import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";
import { styleText } from "node:util";

const GAP = 2;
/** A last column with less room than this goes on lines of its own. */
const MIN_WIDTH = 24;
const INDENT = 4;

/**
 * Lays rows out as aligned columns. The last column is wrapped between words to fit into `room`; in a narrow terminal
 * it moves below the others, indented.
 */
export function columns(
  rows: readonly (readonly string[])[],
  room: number = process.stdout.isTTY ? process.stdout.columns : Infinity,
): string {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, i) => widths[i] = Math.max(widths[i] ?? 0, stringWidth(cell)));
  }
  const last = widths.length - 1;
  const indent = widths.slice(0, last).reduce((sum, width) => sum + width + GAP, 0);
  const isStacked = last > 0 && room - indent < MIN_WIDTH && indent + widths[last]! > room;
  const pad = (cell: string, i: number) => cell + " ".repeat(widths[i]! + GAP - stringWidth(cell));
  const line = (row: readonly string[]) => {
    const before = row.slice(0, last), cell = row[last] ?? "";
    const head = before.map(pad).join("");
    if (!isStacked) return (head + wrap(cell, room, indent)).trimEnd();
    const above = wrap(head.trimEnd(), room, INDENT);
    return cell === "" ? above : `${above}\n${" ".repeat(INDENT)}${wrap(cell, room, INDENT)}`;
  };
  return rows.map((row) => line(row) + "\n").join("");
}

/** Breaks a text between words to lines that fit into `room` behind `indent` spaces; longer words stay whole. */
function wrap(text: string, room: number, indent: number): string {
  if (!Number.isFinite(room)) return text;
  const width = Math.max(room - indent, MIN_WIDTH - INDENT);
  return wrapAnsi(text, width).replaceAll("\n", `\n${" ".repeat(indent)}`);
}

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

type Style = Parameters<typeof styleText>[0];

/** When to use colour: `auto` unless `--color` says otherwise. */
let mode: "auto" | "always" | "never" = "auto";

/** Applies `--color`. */
export function setColor(when: typeof mode): void {
  mode = when;
}

/** Styles text if stdout shows colour. */
export function paint(style: Style, text: string): string {
  return hasColor() ? styleText(style, text, { validateStream: false }) : text;
}

/** Whether to use colour: by default on a terminal that has it, unless `NO_COLOR` is set. */
function hasColor(): boolean {
  if (mode !== "auto") return mode === "always";
  const { NO_COLOR, TERM = "" } = process.env;
  const isCapable = process.platform === "win32" || (TERM !== "" && TERM !== "dumb");
  return process.stdout.isTTY && isCapable && !NO_COLOR;
}
