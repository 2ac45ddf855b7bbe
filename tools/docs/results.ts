// The tables of measurements, from what `deno task bench` has written.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sayMs } from "../../bench/latency.ts";
import { type Machine, sayMachine } from "../../bench/machine.ts";
import type { RecallReport, StrategyReport } from "../../bench/recall_report.ts";
import type { Triggers } from "../../bench/store.ts";
import type { Felt, Fit } from "../../bench/summary.ts";
import { labelOf, notesOn, share } from "../../bench/recall_table.ts";
import { percent as percentOf } from "../../bench/share.ts";
import { COLUMNS, costPerPrompt, type RetentionReport } from "../bench/retention/report.ts";
import { GROWTH_COLUMNS, type GrowthReport } from "../bench/growth/report.ts";
import type { VectorsReport } from "../bench/vectors.ts";
import { vectorRows, VECTORS_HEADS } from "../bench/vectors_table.ts";
import { markdownTable, paragraph } from "./table.ts";

const RESULTS = fileURLToPath(new URL("../../bench/results", import.meta.url));
export const NOTHING_YET = "Not measured yet: `deno task bench`.";

/** How well each strategy retrieves on memo's own suite. */
export function recallTable(): string {
  const report = read<RecallReport>("coding-agent.json");
  if (report === undefined) return NOTHING_YET;
  const { prompts, memories, strategies } = report;
  const rows = strategies.map((row) => [labelOf(row), ...feltCells(row), sayMs(row.ms.p50)]);
  return [
    markdownTable(RECALL_HEADS, rows, { figuresFrom: 1 }),
    paragraph(
      "In brackets: with the full text. A memory that is only likely is injected as one line with its path.",
    ),
    paragraph(
      `Suite coding-agent: ${memories} memories, ${
        prompts.answerable + prompts.noAnswer
      } prompts, of which ${prompts.noAnswer} have no answer in memory.`,
    ),
    ...notesOn({ ...report, leftOut: [] }).map((note) => paragraph(note + ".")),
    conditions(report.machine),
  ].join("\n\n");
}

/** What a strategy is like for those who type the prompts. */
function feltCells(row: StrategyReport): string[] {
  return [
    twice(row.felt, "served"),
    twice(row.felt, "precision"),
    ...["off-topic", "near-topic"].map((name) => {
      const felt = row.groups["category"]?.[name]?.felt;
      return felt === undefined ? "–" : twice(felt, "falseBlocks");
    }),
    share(row.measures["MRR@10"]),
    share(row.measures["nDCG@10"]),
    row.felt.bytesPerPrompt.toFixed(0),
  ];
}

/** A figure by whatever was given, and by the memories given in full. */
function twice({ whole, ...all }: Felt, field: keyof Fit): string {
  const given = percent(all[field]);
  return whole === undefined ? given : `${given} (${percent(whole[field])})`; // older results have one form
}

const RECALL_HEADS = [
  "",
  "served (in full)",
  "precision",
  "off-topic blocks",
  "near-topic blocks",
  "MRR@10",
  "nDCG@10",
  "bytes per prompt",
  "ms p50",
];

/** memo's own suite with the triggers that its memories have, with none, and with those of `memo enrich`. */
export function triggersTable(): string {
  const reports = (
    ["own", "none", "enriched"] satisfies Triggers[]
  ).flatMap((name) => read<RecallReport>(join("triggers", `${name}.json`)) ?? []);
  const [first] = reports;
  if (first === undefined) return NOTHING_YET;
  const rows = reports.flatMap(({ triggers, strategies }) =>
    strategies.map((row) => [triggers, labelOf(row), ...feltCells(row), tokensOf(row)])
  );
  const { prompts, memories } = first;
  return [
    markdownTable(["triggers", ...RECALL_HEADS.slice(0, -1), "tokens asked per prompt"], rows, {
      figuresFrom: 2,
    }),
    paragraph(
      `Suite coding-agent, test half: ${memories} memories, ${
        prompts.answerable + prompts.noAnswer
      } prompts, of which ${prompts.noAnswer} have no answer in memory.`,
    ),
    ...new Set(reports.flatMap(notesOn).map((note) => paragraph(note + "."))),
    conditions(first.machine),
  ].join("\n\n");
}

function tokensOf({ tokensPerPrompt = 0 }: StrategyReport): string {
  return tokensPerPrompt === 0 ? "–" : tokensPerPrompt.toFixed(0);
}

/** MRR@10 and nDCG@10 on every suite that was measured. */
export function suitesTable(): string {
  const reports = suites();
  if (reports.length === 0) return NOTHING_YET;
  const names = [
    ...new Set(reports.flatMap(({ strategies }) => strategies.map((row) => labelOf(row)))),
  ];
  const rows = reports.map(({ suite, memories, prompts, strategies }) => [
    suite,
    String(memories),
    String(prompts.answerable),
    ...names.map((name) => {
      const row = strategies.find((each) => labelOf(each) === name);
      return row === undefined
        ? "–"
        : [row.measures["MRR@10"], row.measures["nDCG@10"], row.measures["R@10"]].map(share)
          .join(" / ");
    }),
  ]);
  const machines = new Set(reports.map(({ machine }) => conditions(machine)));
  return [
    "MRR@10 / nDCG@10 / R@10.",
    markdownTable(["suite", "memories", "prompts", ...names], rows, { figuresFrom: 1 }),
    ...machines,
  ].join("\n\n");
}

/** The end-to-end suite: what extraction keeps, and which facts later prompts have in context. */
export function retentionTable(): string {
  const report = read<RetentionReport>("retention.json");
  if (report?.kept === undefined) return NOTHING_YET;
  const { kept, rows, machine } = report;
  return [
    markdownTable(
      ["preset", ...COLUMNS.map(({ head }) => head)],
      rows.map((row) => [`\`${row.preset}\``, ...COLUMNS.map(({ of }) => of(row))]),
      { figuresFrom: 1 },
    ),
    COLUMNS.map(({ head, means }) => `- _${head}_: ${means}`).join("\n"),
    paragraph(
      `Conditions: ${kept.memories} memories in four projects, few enough that every title fits into the start ` +
        "of a session (`recall.start_chars`); in a larger store fewer facts are in context. Extraction kept " +
        `${kept.kept.n} of the ${kept.kept.of} facts that it must keep and ${kept.wronglyKept.length} that it ` +
        `must not, and sent ${kept.leaked.length} secrets to the language model, whose replies are recorded.`,
    ),
    conditions(machine),
  ].join("\n\n");
}

/** What prompts have in context while a project's store grows. */
export function growthTable(): string {
  return measured<GrowthReport>("growth.json", (report) =>
    markdownTable(
      GROWTH_COLUMNS.map(({ head }) => head),
      report.rows.map((row) => GROWTH_COLUMNS.map(({ of }) => of(row))),
      { figuresFrom: 2 },
    ));
}

/** The size of store that the front page has beside that of the conversations alone. */
const LARGE = 300;

/** Facts in context among so many notes; measured for the preset that asks nobody. */
function amongMany(preset: string): string {
  const row = read<GrowthReport>("growth.json")?.rows.find(({ suite, notes }) =>
    suite === "retention" && notes === LARGE
  );
  return row === undefined || preset !== "local" ? "–" : percentOf(row.served.inContext);
}

/** The same for the front page: what a reader will notice, in words. */
export function retentionInWords(): string {
  const report = read<RetentionReport>("retention.json");
  if (report?.kept === undefined) return NOTHING_YET;
  const { kept, rows } = report;
  const prompts = rows[0]?.served.prompts ?? 0;
  return [
    markdownTable(
      [
        "recall",
        "needed facts brought by the prompt",
        `in context among ${LARGE} notes`,
        "notes brought that were needed",
        "out of date",
        "costs per prompt",
      ],
      rows.map(({ preset, served, asked }) => [
        `\`${preset}\``,
        percentOf(served.withPrompt.all),
        amongMany(preset),
        percentOf(served.precision.all),
        percentOf(served.stale),
        asked.usd === 0 ? "nothing" : `$${costPerPrompt(asked, prompts).usd.toFixed(4)}`,
      ]),
      { figuresFrom: 1 },
    ),
    paragraph(
      `${prompts} prompts; ${kept.memories} memories, which a language model wrote from the conversations. So few titles all ` +
        `fit into the start of a session, so that the model had ${
          inContext(rows)
        } of the needed facts in one form ` +
        `or the other; among ${LARGE} notes in a project, most of them imported, rules come first. \`local\`, the default, asks nobody; \`balanced\` and \`best\` ` +
        "ask a small language model, and the prompt does not wait for it.",
    ),
  ].join("\n\n");
}

function inContext(rows: RetentionReport["rows"]): string {
  return [...new Set(rows.map(({ served }) => percentOf(served.inContext)))].join(" to ");
}

/** Exact search against libSQL's own. */
export function vectorsTable(): string {
  return measured<VectorsReport>(
    "vectors.json",
    (report) => markdownTable(VECTORS_HEADS, vectorRows(report), { figuresFrom: 2 }),
  );
}

/** The table of a report, and the conditions that it was measured under. */
function measured<Report extends Pick<GrowthReport, "machine">>(
  file: string,
  table: (report: Report) => string,
): string {
  const report = read<Report>(file);
  if (report === undefined) return NOTHING_YET;
  return [table(report), conditions(report.machine)].join("\n\n");
}

/** Reports on suites, memo's own first. */
function suites(): RecallReport[] {
  if (!existsSync(RESULTS)) return [];
  const names = readdirSync(RESULTS).filter((name) => name.endsWith(".json")).sort();
  return names.map((name) => read<RecallReport>(name)!)
    .filter((report) => Array.isArray(report.strategies))
    .sort((a, b) => Number(b.suite === OWN) - Number(a.suite === OWN));
}

const OWN = "coding-agent";

/** A file of results; undefined if it is not there yet. */
export function read<T>(name: string): T | undefined {
  const path = join(RESULTS, name);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
}

export function conditions(machine: Machine): string {
  return paragraph(`<sub>${sayMachine(machine)}</sub>`);
}

/** A share as a whole number of percent. */
export function percent(share: number | null): string {
  return share === null || Number.isNaN(share) ? "–" : `${(share * 100).toFixed(0)} %`;
}
