// The tables of embedding models, from what `deno task bench:models` has written.

import { sayMachine } from "../../bench/machine.ts";
import { modelName, profileOf } from "../../src/embed/models.ts";
import {
  type ModelResult,
  type ModelsReport,
  OWN,
  OWN_TEST,
  type SuiteResult,
  timesYardstick,
  YARDSTICK,
} from "../bench/models_report.ts";
import { percent, read } from "./results.ts";
import { markdownTable, paragraph } from "./table.ts";

const BUILT = "multilingual-e5-small";
const CLIENTS: Readonly<Record<string, string>> = { pip: "PyPI", npm: "npm", maven: "Maven" };

/** How well models find memories, and what they cost. */
export function modelsTable(): string {
  const report = read<ModelsReport>("models.json");
  if (report === undefined) return "Not measured yet: `deno task bench:models`.";
  const { models, leftOut, machine } = report;
  return [
    markdownTable(
      ["model", ...QUALITY.map(({ head }) => head)],
      models.map((result) => [nameOf(result), ...QUALITY.map(({ of }) => of(result))]),
      { figuresFrom: 1 },
    ),
    markdownTable(
      ["model", ...COSTS.map(({ head }) => head)],
      models.map((result) => [bold(result), ...COSTS.map(({ of }) => of(result, models))]),
      { figuresFrom: 3 },
    ),
    ...leftOut.map(({ model, because }) => paragraph(`${model} could not be had: ${because}.`)),
    paragraph(`<sub>${sayMachine(machine)}</sub>`),
  ].join("\n\n");
}

const QUALITY: readonly { readonly head: string; readonly of: (row: ModelResult) => string }[] = [
  {
    head: "coding-agent (test half)",
    of: ({ suites }) => `${mrr(suites[OWN])} (${mrr(suites[OWN_TEST])})`,
  },
  { head: "served / precision", of: ({ suites }) => fit(suites[OWN]) },
  {
    head: "off-topic, near-topic blocks",
    of: ({ suites }) => `${blocks(suites[OWN], "off-topic")}, ${blocks(suites[OWN], "near-topic")}`,
  },
  { head: "new-user-es", of: ({ suites }) => mrr(suites["new-user-es"]) },
  { head: "its served / precision", of: ({ suites }) => fit(suites["new-user-es"]) },
  { head: "devmem-1k", of: ({ suites }) => mrr(suites["devmem-1k"]) },
  { head: "es → en", of: ({ suites }) => mrr(suites["xquad-es-en"]) },
  { head: "its served / precision", of: ({ suites }) => fit(suites["xquad-es-en"]) },
  { head: "es → es", of: ({ suites }) => mrr(suites["xquad-es-es"]) },
  { head: "zh → zh", of: ({ suites }) => mrr(suites["xquad-zh-zh"]) },
  { head: "en → en", of: ({ suites }) => mrr(suites["xquad-en-en"]) },
  { head: "LoCoMo", of: ({ suites }) => mrr(suites["locomo-session"]) },
];

const COSTS: readonly {
  readonly head: string;
  readonly of: (row: ModelResult, all: readonly ModelResult[]) => string;
}[] = [
  {
    head: "package",
    of: ({ from }) => {
      const [client = "", name = "", version = ""] = from.split(" ");
      return `${CLIENTS[client] ?? client}: ${name.split(":").at(-1)} ${version}`;
    },
  },
  { head: "calibration", of: ({ model }) => calibrationOf(model) },
  { head: "weights, MB", of: ({ weightsBytes }) => (weightsBytes / 1e6).toFixed(0) },
  {
    head: "prompt's vector, × MiniLM",
    of: (row, all) => sayTimes(timesYardstick(all, row, "promptMs")),
  },
  {
    head: "passage of 150 tokens, × MiniLM",
    of: (row, all) => sayTimes(timesYardstick(all, row, "passageMs")),
  },
  {
    head: "first index of 1,000 memories, passages/s",
    of: ({ store }) => (store.passages / (store.indexMs / 1000)).toFixed(0),
  },
  { head: "daemon at rest, MB", of: ({ store }) => (store.rssBytes / 1e6).toFixed(0) },
];

/** Whose scale a model's scores are on. */
function calibrationOf(model: string): string {
  const { relevance } = profileOf(modelName(model)).calibration;
  const isItsOwn = model === YARDSTICK ||
    relevance !== profileOf(modelName(YARDSTICK)).calibration.relevance;
  return isItsOwn ? "its own" : "MiniLM's, two numbers of its own";
}

function nameOf(result: ModelResult): string {
  const { isEnglish } = profileOf(modelName(result.model));
  return isEnglish ? `${bold(result)}, with the glossary` : bold(result);
}

/** Its name; the one that memo is built with where it can be had stands out. */
function bold({ model }: ModelResult): string {
  return model === BUILT ? `**${model}**` : model;
}

function mrr(suite: SuiteResult | undefined): string {
  return suite === undefined ? "–" : suite.mrr.toFixed(3);
}

function fit(suite: SuiteResult | undefined): string {
  return suite === undefined ? "–" : `${percent(suite.served)} / ${percent(suite.precision)}`;
}

function blocks(suite: SuiteResult | undefined, category: string): string {
  const found = suite?.blocks[category];
  return found === undefined ? "–" : `${Math.round(found.share * found.of)} of ${found.of}`;
}

function sayTimes(times: number | undefined): string {
  return times === undefined ? "–" : times.toFixed(1);
}
