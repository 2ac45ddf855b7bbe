import { columns, paint } from "../src/core/text/terminal.ts";
import type { Fold } from "./mine.ts";
import { renderRecall, share } from "./recall_table.ts";
import type { RecallReport } from "./recall_report.ts";
import { ENOUGH, type Recommendation } from "./recommend.ts";

/** Everything that `memo bench` finds out. */
export interface MineReport extends RecallReport {
  /** Texts that could not serve as prompts, because the store has them elsewhere as well. */
  readonly skipped: number;
  readonly recommendations: readonly Recommendation[];
}

/** The report for a terminal. */
export function renderMine(report: MineReport): string {
  return [
    report.strategies.length > 0 && report.prompts.answerable > 0 ? renderRecall(report) : "",
    `${paint("bold", "What this says about your settings")}\n` + advice(report),
  ].filter((part) => part !== "").join("\n");
}

function advice({ recommendations, memories, skipped, prompts }: MineReport): string {
  const told = [
    "We searched with your own triggers and descriptions, and left each kind out of the index meanwhile.",
    ...skipped > 0
      ? [
        `Skipped ${skipped} triggers and descriptions whose text also appears elsewhere, word for word`,
      ]
      : [],
    ...prompts.answerable < ENOUGH
      ? [
        `Too little to tell: your ${memories} memories have ${prompts.answerable} usable triggers and descriptions; ` +
        `a type needs ${ENOUGH}`,
      ]
      : [],
    ...commandsOf(recommendations),
  ];
  const table = recommendations.length === 0 ? "" : columns([
    ["type", "prompts", "now", "MRR@10 of each strategy", ""],
    ...recommendations.map(({ type, prompts, now, found, verdict }) => [
      type,
      String(prompts),
      now,
      Object.entries(found).map(([name, value]) => `${name} ${share(value)}`).join("  "),
      VERDICTS[verdict.kind],
    ]),
  ]);
  return [table, told.map((line) => line + "\n").join("")].filter((part) => part !== "").join("\n");
}

const VERDICTS = {
  change: "change it",
  keep: "keep it: no other is better by more than chance",
  "too few": `too few prompts to tell (needs ${ENOUGH})`,
};

function commandsOf(recommendations: readonly Recommendation[]): string[] {
  const changes = recommendations.flatMap(({ verdict }) =>
    verdict.kind === "change" ? [verdict.command] : []
  );
  if (changes.length > 0) {
    return ["To find more of them:", ...changes.map((it) => `  ${it}`)];
  }
  return ["Nothing to change."];
}

/** How many texts were left out of the folds. */
export function skippedIn(folds: readonly Fold[]): number {
  return folds.reduce((sum, { skipped }) => sum + skipped, 0);
}
