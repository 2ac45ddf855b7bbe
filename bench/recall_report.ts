import { columns, paint } from "../src/cli/output.ts";
import type { Answer } from "./answer.ts";
import { sayMs, type Spread, spreadOf } from "./latency.ts";
import { type Machine, sayMachine } from "./machine.ts";
import { type MeasureName, MEASURES, reciprocalRankAt } from "./metrics.ts";
import { pairedRandomisation, type Significance } from "./significance.ts";
import type { Suite } from "./suite.ts";
import { group, GROUPINGS, Judge, type Summary } from "./summary.ts";

/** Under which conditions a suite was measured. */
export interface Conditions {
  readonly machine: Machine;
  readonly suite: string;
  readonly kind: string;
  readonly model: string;
  readonly selection: Readonly<Record<string, string | number | undefined>>;
}

/** Everything that `memo bench recall` finds out; `--json` writes it as it is. */
export interface RecallReport extends Conditions {
  readonly memories: number;
  readonly prompts: { readonly answerable: number; noAnswer: number; unjudged: number };
  readonly strategies: readonly StrategyReport[];
  /** The first strategy against each other one, by MRR@10. */
  readonly significance: readonly (Significance & { readonly a: string; readonly b: string })[];
}

export interface StrategyReport extends Summary {
  readonly strategy: string;
  readonly ms: Spread;
  /** Prompts for which another strategy had to stand in. */
  readonly failures: number;
  readonly groups: Readonly<Record<string, Readonly<Record<string, Summary>>>>;
  /** Query → relevant document → its rank, null when it was not found. */
  readonly ranks: Readonly<Record<string, Readonly<Record<string, number | null>>>>;
}

/** Judges what every contender answered. */
export function reportOf(
  suite: Suite,
  answers: ReadonlyMap<string, readonly Answer[]>,
  conditions: Conditions,
): RecallReport {
  const judge = new Judge(suite);
  const count = (kind: string) => suite.queries.filter((query) => judge.kindOf(query) === kind);
  const reciprocalRanks = [...answers].map(([strategy, given]) => ({
    strategy,
    values: given.filter(({ query }) => judge.kindOf(query) === "answerable")
      .map((answer) => reciprocalRankAt(10, judge.judged(answer))),
  }));
  const [first, ...others] = reciprocalRanks;
  return {
    ...conditions,
    memories: suite.documents.length,
    prompts: {
      answerable: count("answerable").length,
      noAnswer: count("no answer").length,
      unjudged: count("unjudged").length,
    },
    strategies: [...answers].map(([strategy, given]) => strategyReport(strategy, given, judge)),
    significance: others.map((other) => ({
      a: first!.strategy,
      b: other.strategy,
      ...pairedRandomisation(first!.values, other.values),
    })),
  };
}

function strategyReport(
  strategy: string,
  answers: readonly Answer[],
  judge: Judge,
): StrategyReport {
  const groups = GROUPINGS.flatMap(({ name, of }) => {
    const members = group(answers, of);
    if (members === undefined) return [];
    const rows = [...members].map(([value, given]) => [value, judge.summary(given)] as const);
    return [[name, Object.fromEntries(rows)] as const];
  });
  const ranks = answers.filter(({ query }) => judge.kindOf(query) === "answerable").map(
    ({ query, ranking }) => {
      const places = new Map(ranking.map(({ id }, i) => [id, i + 1]));
      const found = judge.relevantTo(query).map((id) => [id, places.get(id) ?? null] as const);
      return [query.id, Object.fromEntries(found)] as const;
    },
  );
  return {
    strategy,
    ...judge.summary(answers),
    ms: spreadOf(answers.map(({ ms }) => ms)),
    failures: answers.filter(({ failures }) => failures.length > 0).length,
    groups: Object.fromEntries(groups),
    ranks: Object.fromEntries(ranks),
  };
}

/** Depth to which the report's JSON is spread over lines: a query's ranks are one line. */
export const RECALL_JSON_DEPTH = 4;

/** The report for a terminal. */
export function renderRecall(report: RecallReport): string {
  const { memories, prompts, strategies } = report;
  const selection = Object.entries(report.selection).filter(([, value]) => value !== undefined)
    .map(([name, value]) => `, ${name} ${value}`).join("");
  const sections = [
    [
      paint("dim", sayMachine(report.machine)),
      `${paint("bold", report.suite)}: ${memories} memories, ${
        prompts.answerable + prompts.noAnswer
      } prompts (${prompts.noAnswer} without an answer)${selection}; model ${report.model}`,
      ...prompts.unjudged > 0 ? [`${prompts.unjudged} prompts are not judged, and left out`] : [],
    ].join("\n") + "\n",
    titled("Ranking", rankingTable(strategies)),
    titled("What prompts get, at the thresholds in force", feltTable(strategies)),
    ...GROUPINGS.map(({ name }) =>
      titled(`By ${name}: nDCG@10 / MRR@10 / served`, groupTable(name, strategies))
    ),
    titled("Prompts without an answer that got a block", falseBlockTable(strategies)),
    titled("By chance? Paired randomisation test on MRR@10", significanceTable(report)),
    ...strategies.filter(({ failures }) => failures > 0).map(({ strategy, failures }) =>
      `${strategy} failed for ${failures} prompts; its fallback answered them\n`
    ),
  ];
  return sections.filter((section) => section !== "").join("\n");
}

function titled(title: string, table: string): string {
  return table === "" ? "" : `${paint("bold", title)}\n${table}`;
}

function rankingTable(strategies: readonly StrategyReport[]): string {
  if (strategies.every(({ answerable }) => answerable === 0)) return "";
  const names = Object.keys(MEASURES) as MeasureName[];
  return columns([
    ["", ...names, "ms p50", "ms p95"],
    ...strategies.map(({ strategy, measures, ms }) => [
      strategy,
      ...names.map((name) => share(measures[name])),
      sayMs(ms.p50),
      sayMs(ms.p95),
    ]),
  ]);
}

function feltTable(strategies: readonly StrategyReport[]): string {
  return columns([
    ["", "precision", "served", "false blocks", "bytes per prompt"],
    ...strategies.map(({ strategy, felt }) => [
      strategy,
      share(felt.precision),
      share(felt.served),
      share(felt.falseBlocks),
      felt.bytesPerPrompt.toFixed(0),
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

/** Only where there are several kinds of them; else the table above says it. */
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

/** A share with three decimals; a dash where there is nothing to take a share of. */
function share(value: number): string {
  return Number.isNaN(value) ? "–" : value.toFixed(3);
}
