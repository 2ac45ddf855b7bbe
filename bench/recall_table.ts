import { columns, paint } from "../src/core/text/terminal.ts";
import { formatMs } from "./latency.ts";
import { formatMachine } from "./machine.ts";
import { type MeasureName, MEASURES } from "./metrics.ts";
import type { RecallReport, StrategyReport } from "./recall_report.ts";
import { GROUPINGS } from "./summary.ts";

/** The report for a terminal. */
export function renderRecall(report: RecallReport): string {
  const { memories, prompts, strategies } = report;
  const sections = [
    [
      paint("dim", formatMachine(report.machine)),
      `${paint("bold", report.suite)}: ${memories} memories, ${
        prompts.answerable + prompts.noAnswer
      } prompts (${prompts.noAnswer} without an answer); model ${report.model}`,
      ...prompts.unjudged > 0
        ? [`${prompts.unjudged} prompts without judgements are left out`]
        : [],
    ].join("\n") + "\n",
    titled("Ranking", rankingTable(strategies)),
    titled("What prompts get at the current thresholds", feltTable(strategies)),
    titled("Replaced memories", currentTable(strategies)),
    ...GROUPINGS.map(({ name }) =>
      titled(`By ${name}: nDCG@10 / MRR@10 / served`, groupTable(name, strategies))
    ),
    titled("Prompts without an answer that got a block", falseBlockTable(strategies)),
    titled("By chance? Paired randomisation test on MRR@10", significanceTable(report)),
    notes(report),
  ];
  return sections.filter((section) => section !== "").join("\n");
}

/** Remarks on some rows and on missing ones. */
function notesOn({ strategies, leftOut }: RecallReport): string[] {
  return [
    ...strategies.filter(({ failures }) => failures > 0).map(({ strategy, failures }) =>
      `${strategy} failed for ${failures} prompts; its fallback answered them`
    ),
    ...leftOut.map(({ strategy, because }) => `${strategy} is left out: ${because}`),
  ];
}

function notes(report: RecallReport): string {
  return notesOn(report).map((note) => note + "\n").join("");
}

function titled(title: string, table: string): string {
  return table === "" ? "" : `${paint("bold", title)}\n${table}`;
}

function rankingTable(strategies: readonly StrategyReport[]): string {
  if (strategies.every(({ answerable }) => answerable === 0)) return "";
  const names = Object.keys(MEASURES) as MeasureName[];
  return columns([
    ["", ...names, "ms p50", "ms p95", "API calls"],
    ...strategies.map((row) => [
      row.strategy,
      ...names.map((name) => share(row.measures[name])),
      formatMs(row.ms.p50),
      formatMs(row.ms.p95),
      `${Number(row.callsPerPrompt.toFixed(2))} per prompt`,
    ]),
  ]);
}

const FELT = [
  { head: "precision", field: "precision" },
  { head: "served", field: "served" },
  { head: "false blocks", field: "falseBlocks" },
] as const;
const BYTES = "bytes per prompt";

function feltTable(strategies: readonly StrategyReport[]): string {
  return columns([
    ["", ...FELT.map(({ head }) => head), ...FELT.map(({ head }) => `${head}, in full`), BYTES],
    ...strategies.map(({ strategy, felt }) => [
      strategy,
      ...FELT.map(({ field }) => share(felt[field])),
      ...FELT.map(({ field }) => share(felt.whole?.[field] ?? null)),
      felt.bytesPerPrompt.toFixed(0),
    ]),
  ]);
}

function currentTable(strategies: readonly StrategyReport[]): string {
  const rows = strategies.filter(({ current }) => current !== undefined);
  if (rows.length === 0) return "";
  return columns([
    ["", "n", "later first", "older first or only", "neither", "all of several"],
    ...rows.map(({ strategy, current, complete }) => [
      strategy,
      String(current!.asked),
      ...[current!.first, current!.overtaken, current!.neither, complete ?? null].map(share),
    ]),
  ]);
}

function groupTable(grouping: string, strategies: readonly StrategyReport[]): string {
  const [first] = strategies;
  const values = Object.entries(first?.groups[grouping] ?? {})
    .filter(([, summary]) => summary.answerable > 0)
    .sort(([, a], [, b]) => b.answerable - a.answerable);
  if (values.length === 0) return "";
  return columns([
    ["", "n", ...strategies.map(({ strategy }) => strategy)],
    ...values.map(([value, { answerable }]) => [
      value,
      String(answerable),
      ...strategies.map(({ groups }) => {
        const { measures, felt } = groups[grouping]![value]!;
        return [measures["nDCG@10"], measures["MRR@10"], felt.served].map(share).join(" / ");
      }),
    ]),
  ]);
}

/** Shown only if there are several kinds; otherwise the table above has the figure. */
function falseBlockTable(strategies: readonly StrategyReport[]): string {
  const kinds = Object.entries(strategies[0]?.groups["category"] ?? {})
    .filter(([, summary]) => summary.noAnswer > 0);
  if (kinds.length < 2) return "";
  return columns([
    ["", "n", ...strategies.map(({ strategy }) => strategy)],
    ...kinds.map(([category, { noAnswer }]) => [
      category,
      String(noAnswer),
      ...strategies.map(({ groups }) => share(groups["category"]![category]!.felt.falseBlocks)),
    ]),
  ]);
}

function significanceTable({ significance }: RecallReport): string {
  return columns(significance.map(({ a, b, difference, p, queries }) => [
    `${a} − ${b}`,
    `${difference < 0 ? "−" : "+"}${Math.abs(difference).toFixed(3)}`,
    `p ${p < 0.001 ? "< 0.001" : "= " + p.toFixed(3)}`,
    `${queries} queries`,
  ]));
}

/** A share with three decimals; a dash if its total is 0 (null in JSON). */
export function share(value: number | null): string {
  return value === null || Number.isNaN(value) ? "–" : value.toFixed(3);
}
