import { formatMachine, type Machine } from "../../../bench/machine.ts";
import { percent } from "../../../bench/share.ts";
import { columns, paint } from "../../../src/core/text/terminal.ts";
import { percents } from "../retention/report.ts";
import type { GrowthRow } from "./bench.ts";

/** Which parts of the JSON are spread over lines. */
export const GROWTH_JSON_DEPTH = { machine: 0, rows: 3 };

/** The columns of the table, in order. */
const GROWTH_COLUMNS: readonly {
  readonly head: string;
  readonly of: (row: GrowthRow) => string;
}[] = [
  { head: "suite", of: suiteOf },
  { head: "memories (typed, imported)", of: storeOf },
  { head: "start_chars", of: ({ startChars }) => String(startChars) },
  { head: "in context", of: ({ served }) => percent(served.inContext) },
  { head: "as title", of: ({ served }) => percent(served.asTitle) },
  { head: "with the prompt (in full)", of: ({ served }) => percents(served.withPrompt) },
  { head: "precision", of: ({ served }) => percents(served.precision) },
  { head: "off-topic (in full), of no help", of: (row) => falseBlocks(row, "off-topic") },
  { head: "near-topic (in full), of no help", of: (row) => falseBlocks(row, "near-topic") },
  { head: "start, characters", of: ({ served }) => String(served.startChars) },
];

function suiteOf({ suite, split, triggers }: GrowthRow): string {
  const parts = [suite, split === "all" ? "" : split, triggers === "own" ? "" : "triggers"];
  return parts.filter((part) => part !== "").join(", ");
}

function storeOf({ notes, typed, imported }: GrowthRow): string {
  return `${notes} (${typed}, ${imported})`;
}

function falseBlocks({ served, needless }: GrowthRow, category: string): string {
  const shares = served.falseBlocks[category], unhelpful = needless.prompts[category];
  if (shares === undefined || unhelpful === undefined) return "–";
  return `${percents(shares)}, ${percent(unhelpful)}`;
}

/** The report for a terminal. */
export function renderGrowth(
  { machine, rows }: { readonly machine: Machine; readonly rows: readonly GrowthRow[] },
): string {
  return `${paint("dim", formatMachine(machine))}\n\n` + columns([
    GROWTH_COLUMNS.map(({ head }) => head),
    ...rows.map((row) => GROWTH_COLUMNS.map(({ of }) => of(row))),
  ]);
}
