import stringWidth from "string-width";
import { columns as inColumns, cutToWidth } from "../../../core/text/terminal.ts";
import { oneLine, visible } from "../../../core/text/neutralise.ts";
import { paint } from "../shared/output.ts";
import type { Chart, ChartRow } from "./charts.ts";

/** Columns where the output is no terminal. */
const USUAL_COLUMNS = 80;
/** Where a bar would be shorter than the first there is none; longer than the second says no more. */
const MIN_BAR = 8, MAX_BAR = 32;
const MAX_LABEL = 36, MIN_LABEL = 12;
const INDENT = 2, GAP = 2;
/** Parts of a column. */
const PARTS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** Charts as text, in lines of at most `columns`. */
export function renderCharts(
  charts: readonly Chart[],
  columns: number = process.stdout.isTTY ? process.stdout.columns : USUAL_COLUMNS,
): string {
  return charts.filter(({ rows }) => rows.length > 0).map((chart) =>
    renderChart(chart, Math.max(columns, 2 * MIN_LABEL))
  ).join("\n");
}

function renderChart({ title, rows, note }: Chart, columns: number): string {
  const lines = bars(rows, columns - INDENT);
  if (note !== undefined) {
    const wrapped = inColumns([[note]], columns - INDENT).trimEnd().split("\n");
    lines.push(...wrapped.map((line) => paint("dim", line)));
  }
  const indent = " ".repeat(INDENT);
  const heading = paint("bold", cutToWidth(title, columns));
  return [heading, ...lines.map((line) => indent + line)].join("\n") + "\n";
}

/** Label, bar and number; a narrow terminal gets no bars, and then shorter labels. */
function bars(rows: readonly ChartRow[], room: number): string[] {
  const labels = rows.map(({ label }) => visible(oneLine(label)));
  const shown = Math.max(...rows.map((row) => stringWidth(row.shown)));
  const longest = Math.min(MAX_LABEL, Math.max(...labels.map((label) => stringWidth(label))));
  const width = Math.min(longest, Math.max(MIN_LABEL, room - GAP - shown));
  const most = Math.max(0, ...rows.map(({ value = 0 }) => value));
  const left = Math.min(MAX_BAR, room - width - shown - 2 * GAP);
  const length = most === 0 || left < MIN_BAR ? 0 : left;
  return rows.map(({ value, shown }, i) => {
    const label = cutToWidth(labels[i]!, width);
    const padded = label + " ".repeat(width - stringWidth(label) + GAP);
    const bar = length === 0 || value === undefined ? "" : barOf(value / most, length);
    const padding = bar === "" ? "" : " ".repeat(1);
    const line = cutToWidth(`${padded}${bar}${padding}${shown}`, room);
    return bar === "" ? line : line.replace(bar, paint("cyan", bar));
  });
}

/** A bar in eighths of a column; what is not nothing can be seen. */
function barOf(share: number, length: number): string {
  const eighths = share <= 0 ? 0 : Math.max(1, Math.round(share * length * 8));
  return "█".repeat(Math.floor(eighths / 8)) + PARTS[eighths % 8]!;
}
