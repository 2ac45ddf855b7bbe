import type { Answer } from "./answer.ts";
import { type Spread, spreadOf } from "./latency.ts";
import type { Machine } from "./machine.ts";
import { reciprocalRankAt } from "./metrics.ts";
import type { LeftOut, RecallRun } from "./recall.ts";
import type { Depth } from "./results_json.ts";
import { pairedRandomisation, type Significance } from "./significance.ts";
import type { Suite } from "./suite.ts";
import { group, GROUPINGS, Judge, type Summary } from "./summary.ts";

/** Under which conditions a suite was measured. */
export interface Conditions {
  readonly machine: Machine;
  readonly suite: string;
  readonly kind: string;
  readonly model: string;
}

/** What every strategy made of one query, by the strategy's name. */
type ByStrategy<T> = Readonly<Record<string, T>>;

/** Everything that `memo bench recall` finds out; `--json` writes it as it is. */
export interface RecallReport extends Conditions {
  readonly memories: number;
  readonly prompts: { readonly answerable: number; noAnswer: number; unjudged: number };
  readonly strategies: readonly StrategyReport[];
  readonly leftOut: readonly LeftOut[];
  /** The first strategy against each other one, by MRR@10. */
  readonly significance: readonly (Significance & { readonly a: string; readonly b: string })[];
  /** Query → what each strategy made of it: relevant document → its rank, null when it was not found. */
  readonly ranks: Readonly<Record<string, ByStrategy<Readonly<Record<string, number | null>>>>>;
  /** Query without an answer → the documents each strategy gave anyway. */
  readonly falseBlocks: Readonly<Record<string, ByStrategy<readonly string[]>>>;
}

export interface StrategyReport extends Summary {
  readonly strategy: string;
  readonly ms: Spread;
  /** Prompts that a fallback strategy answered. */
  readonly failures: number;
  readonly groups: Readonly<Record<string, Readonly<Record<string, Summary>>>>;
  /** Whether a language model was asked. */
  readonly replies: "live" | undefined;
  /** Questions to a language model, per prompt. */
  readonly callsPerPrompt: number;
  /** Tokens that it read and wrote, per prompt. */
  readonly tokensPerPrompt: number;
  /** What they cost in US dollars, all of them, as far as prices are known. */
  readonly usd: number;
}

/** Judges what every contender answered. */
export function reportOf(
  suite: Suite,
  { answers, leftOut }: RecallRun,
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
    strategies: [...answers].map(([strategy, given]) => ({
      strategy,
      ...strategyReport(given, judge),
    })),
    leftOut,
    significance: others.map((other) => ({
      a: first!.strategy,
      b: other.strategy,
      ...pairedRandomisation(first!.values, other.values),
    })),
    ranks: byQuery(answers, (answer) => {
      if (judge.kindOf(answer.query) !== "answerable") return undefined;
      const places = new Map(answer.ranking.map(({ id }, i) => [id, i + 1]));
      const found = judge.relevantTo(answer.query).map((id) => [id, places.get(id) ?? null]);
      return Object.fromEntries(found);
    }),
    falseBlocks: byQuery(
      answers,
      ({ query, injected }) =>
        judge.kindOf(query) === "no answer" && injected.length > 0 ? injected : undefined,
    ),
  };
}

/** Query → strategy → a remark on the answer, if any. */
function byQuery<T>(
  answers: ReadonlyMap<string, readonly Answer[]>,
  of: (answer: Answer) => T | undefined,
): Record<string, Record<string, T>> {
  const found: Record<string, Record<string, T>> = {};
  for (const [strategy, given] of answers) {
    for (const answer of given) {
      const value = of(answer);
      if (value !== undefined) (found[answer.query.id] ??= {})[strategy] = value;
    }
  }
  return found;
}

function strategyReport(
  answers: readonly Answer[],
  judge: Judge,
): Omit<StrategyReport, "strategy"> {
  const groups = GROUPINGS.flatMap(({ name, of }) => {
    const members = group(answers, (query) => of(query, judge));
    if (members === undefined) return [];
    const rows = [...members].map(([value, given]) => [value, judge.summary(given)] as const);
    return [[name, Object.fromEntries(rows)] as const];
  });
  return {
    ...judge.summary(answers),
    ms: spreadOf(answers.map(({ ms }) => ms)),
    failures: answers.filter(({ failures }) => failures.length > 0).length,
    groups: Object.fromEntries(groups),
    replies: answers.some(({ toll }) => toll.calls > 0) ? "live" : undefined,
    callsPerPrompt: sumOf(answers, ({ toll }) => toll.calls) / answers.length,
    tokensPerPrompt: sumOf(answers, ({ toll }) => toll.tokens) / answers.length,
    usd: sumOf(answers, ({ toll }) => toll.usd),
  };
}

function sumOf<T>(list: readonly T[], of: (item: T) => number): number {
  return list.reduce((sum, item) => sum + of(item), 0);
}

/** How the report's JSON is spread over lines: a query is one. */
export const RECALL_JSON_DEPTH: Depth = {
  strategies: 4,
  leftOut: 1,
  significance: 1,
  ranks: 1,
  falseBlocks: 1,
  recommendations: 1,
};
