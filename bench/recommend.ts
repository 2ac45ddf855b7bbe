import { type Config, typeSettings } from "../src/core/settings/config.ts";
import type { Answer } from "./answer.ts";
import { reciprocalRankAt } from "./metrics.ts";
import { pairedRandomisation } from "./significance.ts";
import type { Suite } from "./suite.ts";
import { Judge } from "./summary.ts";

/** The result for one type on the user's own memories. */
export interface Recommendation {
  readonly type: string;
  readonly prompts: number;
  /** The strategy in force. */
  readonly now: string;
  /** Mean MRR@10 of each strategy over the type's prompts. */
  readonly found: Readonly<Record<string, number>>;
  readonly verdict:
    | { readonly kind: "change"; readonly to: string; readonly command: string; readonly p: number }
    | { readonly kind: "keep" }
    | { readonly kind: "too few" };
}

/** With fewer prompts even a large difference may be chance. */
export const ENOUGH = 20;
/** A smaller gain in MRR@10 is not worth a setting. */
const WORTH = 0.03;
/** Chance that a difference is none, shared among the strategies that are compared with the one in force. */
const ALPHA = 0.05;

/** For each type with prompts: whether another strategy finds its memories better. */
export function recommend(
  suite: Suite,
  answers: ReadonlyMap<string, readonly Answer[]>,
  { config, strategies }: { readonly config: Config; readonly strategies: readonly string[] },
): Recommendation[] {
  const judge = new Judge(suite);
  const types = Map.groupBy(
    suite.queries.map((query, i) => ({ i, type: judge.typeFor(query) })),
    ({ type }) => type ?? "*",
  );
  return [...types].sort(([, a], [, b]) => b.length - a.length).map(([type, members]) => {
    const now = typeSettings(config, type).strategy;
    const ranks = new Map(strategies.flatMap((name) => {
      const given = answers.get(name);
      return given === undefined
        ? []
        : [[name, members.map(({ i }) => reciprocalRankAt(10, judge.judged(given[i]!)))] as const];
    }));
    const found = Object.fromEntries([...ranks].map(([name, values]) => [name, mean(values)]));
    const verdict = decide(type, { now, ranks, prompts: members.length });
    return { type, prompts: members.length, now, found, verdict };
  });
}

function decide(
  type: string,
  { now, ranks, prompts }: {
    readonly now: string;
    readonly ranks: ReadonlyMap<string, readonly number[]>;
    readonly prompts: number;
  },
): Recommendation["verdict"] {
  if (prompts < ENOUGH) return { kind: "too few" };
  const current = ranks.get(now);
  const others = [...ranks].filter(([name]) => name !== now)
    .sort(([, a], [, b]) => mean(b) - mean(a));
  const [best] = others;
  if (current === undefined || best === undefined) return { kind: "keep" };
  const { difference, p } = pairedRandomisation(best[1], current);
  if (difference < WORTH || p * others.length > ALPHA) return { kind: "keep" };
  const command = `memo config set strategy.${type}=${best[0]}`;
  return { kind: "change", to: best[0], command, p };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
