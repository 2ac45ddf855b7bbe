import type { Measured } from "../../src/embed/models.ts";
import type { Machine } from "../../bench/machine.ts";
import type { RecallReport } from "../../bench/recall_report.ts";
import type { Depth } from "../../bench/results_json.ts";

/** memo's own suite, and the half of it that no setting was chosen by. */
export const OWN = "coding-agent";
export const OWN_TEST = `${OWN}, test half`;
/** memo's other suites, by name. */
export const OTHER_OWN = ["new-user-es"] as const;
/** Suites from outside, by the names of their folders. */
export const SHARED = [
  "devmem-1k",
  "xquad-es-en",
  "xquad-es-es",
  "xquad-zh-zh",
  "xquad-en-en",
  "locomo-session",
] as const;
/** The model that others are compared with. */
const YARDSTICK = "all-MiniLM-L6-v2";

/** What `deno task bench:models` finds out. */
export interface ModelsReport {
  readonly machine: Machine;
  readonly models: readonly ModelResult[];
  /** Models that could not be had. */
  readonly leftOut: readonly { readonly model: string; readonly because: string }[];
}

/** One model with `hybrid`. */
export interface ModelResult {
  /** The name alone, as in `src/embed/models.ts`. */
  readonly model: string;
  /** Registry, package and version. */
  readonly from: string;
  /** The embedder's. */
  readonly id: string;
  readonly weightsBytes: number;
  /** By the suite's name. */
  readonly suites: Readonly<Record<string, SuiteResult>>;
  /** Medians, all models in turns. */
  readonly promptMs: number;
  readonly passageMs: number;
  readonly store: StoreResult;
}

/** How a model does on a suite. */
export interface SuiteResult {
  readonly prompts: number;
  readonly mrr: number;
  readonly served: number;
  /** The same by the memories given in full. */
  readonly servedWhole: number;
  readonly precision: number;
  /** By the category of prompts without an answer: how many there are, and the share that got a block. */
  readonly blocks: Readonly<Record<string, { readonly of: number; readonly share: number }>>;
}

/** What a store costs with a model. */
export interface StoreResult {
  readonly memories: number;
  readonly passages: number;
  readonly indexMs: number;
  readonly rssBytes: number;
}

/** A suite's figures, from the report of `memo bench recall` with one strategy. */
export function suiteResult({ prompts, strategies }: RecallReport): SuiteResult {
  const { measures, felt, groups } = strategies[0]!;
  const unanswered = Object.entries(groups["category"] ?? {})
    .filter(([, { noAnswer }]) => noAnswer > 0);
  return {
    prompts: prompts.answerable + prompts.noAnswer,
    mrr: measures["MRR@10"],
    served: felt.served,
    servedWhole: felt.whole!.served,
    precision: felt.precision,
    blocks: Object.fromEntries(
      unanswered.map(([name, group]) => [
        name,
        { of: group.noAnswer, share: group.felt.falseBlocks },
      ]),
    ),
  };
}

/** How the report's JSON is spread over lines: what a model did on a suite is one. */
export const MODELS_JSON_DEPTH: Depth = { machine: 1, models: 3, leftOut: 1 };

/** The figures that `memo config model list` shows, by the model's name; without the suites that they are of, none. */
export function measuredOf(models: readonly ModelResult[]): Record<string, Measured> {
  const rows = models.flatMap((result) => {
    const own = result.suites[OWN], across = result.suites["xquad-es-en"];
    const time = timesYardstick(models, result, "promptMs");
    if (own === undefined || across === undefined || time === undefined) return [];
    return [
      [result.model, {
        mrr: round(own.mrr, 3),
        served: round(own.served, 2),
        spanishToEnglish: round(across.mrr, 3),
        time: round(time, 1),
      }] as const,
    ];
  });
  return Object.fromEntries(rows);
}

/** A time relative to MiniLM's in the same run; undefined when MiniLM was left out. */
function timesYardstick(
  models: readonly ModelResult[],
  result: ModelResult,
  time: "promptMs" | "passageMs",
): number | undefined {
  const yardstick = models.find(({ model }) => model === YARDSTICK);
  return yardstick && result[time] / yardstick[time];
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
