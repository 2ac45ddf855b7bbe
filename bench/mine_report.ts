import { columns, paint } from "../src/core/text/terminal.ts";
import type { Fold } from "./mine.ts";
import { renderRecall, share } from "./recall_table.ts";
import type { RecallReport } from "./recall_report.ts";
import { ENOUGH, type Recommendation } from "./recommend.ts";

/** Everything that `memo bench` finds out. */
export interface MineReport extends RecallReport {
  /** Texts that could not serve as prompts, because they stand elsewhere in the store as well. */
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
    "Asked were your own triggers and descriptions; each kind was out of the index while it was asked.",
    ...skipped > 0
      ? [
        `${skipped} triggers and descriptions say what stands elsewhere word for word; they are no prompts`,
      ]
      : [],
    ...prompts.answerable < ENOUGH
      ? [
        `Too little to tell: your ${memories} memories have ${prompts.answerable} triggers and descriptions to ask with, ` +
        `and a type needs ${ENOUGH}`,
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
  keep: "leave it: no other is better by more than chance",
  "too few": `too few prompts to tell (${ENOUGH} are needed)`,
};

function commandsOf(recommendations: readonly Recommendation[]): string[] {
  const changes = recommendations.flatMap(({ verdict }) =>
    verdict.kind === "change" ? [verdict.command] : []
  );
  if (changes.length > 0) {
    return ["This would find more of them:", ...changes.map((it) => `  ${it}`)];
  }
  return ["Nothing to change."];
}

/** How many texts were left out of the folds. */
export function skippedIn(folds: readonly Fold[]): number {
  return folds.reduce((sum, { skipped }) => sum + skipped, 0);
}
