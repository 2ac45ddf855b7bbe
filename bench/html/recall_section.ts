import { sayMs } from "../latency.ts";
import { type MeasureName, MEASURES } from "../metrics.ts";
import type { RecallReport, StrategyReport } from "../recall_report.ts";
import { labelOf, notesOn, share } from "../recall_table.ts";
import { GROUPINGS } from "../summary.ts";
import { barPlot } from "./bar_plot.ts";
import { dotPlot } from "./dot_plot.ts";
import { html, type Markup, prose } from "./markup.ts";
import { scatterPlot } from "./scatter_plot.ts";
import { table } from "./table.ts";

/** Everything about one suite; `id` tells its plots from those of others. */
export function recallSection(report: RecallReport, id: string): Markup {
  const { suite, memories, prompts, model, strategies } = report;
  const answered = strategies.some(({ answerable }) => answerable > 0);
  return html`
    <section id="${id}">
    <h2>Recall: ${suite}</h2>
    <p class="conditions">${memories.toLocaleString("en-US")} memories, ${String(
      prompts.answerable + prompts.noAnswer,
    )} prompts (${String(prompts.noAnswer)} that no memory answers), embedding model ${model}</p>
    ${answered ? rankingParts(report, id) : undefined}
    ${feltParts(report, id)}
    ${notes(report)}
    </section>
  `;
}

function rankingParts(report: RecallReport, id: string): Markup {
  const { strategies } = report;
  const names = Object.keys(MEASURES) as MeasureName[];
  return html`${
    table(
      "Ranking",
      ["", ...names, "ms p50", "ms p95", "API calls"],
      strategies.map((row) => [
        labelOf(row),
        ...names.map((name) => share(row.measures[name])),
        sayMs(row.ms.p50),
        sayMs(row.ms.p95),
        String(Number(row.callsPerPrompt.toFixed(2))),
      ]),
    )
  }${
    scatterPlot({
      id: `${id}-latency`,
      title: "Quality against time.",
      about:
        "MRR@10 against the time to rank one prompt, warm, its embedding included; the line leads from the median to the 95th percentile.",
    }, {
      measure: "MRR@10",
      points: strategies.map((row) => ({
        name: labelOf(row),
        value: row.measures["MRR@10"],
        p50: row.ms.p50,
        p95: row.ms.p95,
      })),
    })
  }${GROUPINGS.map(({ name }) => groupPlot(name, strategies, id))}`;
}

function groupPlot(
  grouping: string,
  strategies: readonly StrategyReport[],
  id: string,
): Markup | undefined {
  const groups = Object.entries(strategies[0]?.groups[grouping] ?? {})
    .filter(([, summary]) => summary.answerable > 0)
    .sort(([, a], [, b]) => b.answerable - a.answerable);
  if (groups.length === 0) return undefined;
  return dotPlot(
    {
      id: `${id}-${grouping}`,
      title: `nDCG@10 by ${grouping}.`,
      about: "The further right, the better; in grey the number of prompts.",
    },
    strategies.map(labelOf),
    groups.map(([name, { answerable }]) => ({
      name,
      note: String(answerable),
      values: strategies.map(({ groups }) => groups[grouping]?.[name]?.measures["nDCG@10"] ?? null),
    })),
  );
}

/** The figures that users notice, with an explanation of each. */
const FELT = [
  { name: "precision", field: "precision" },
  { name: "served", field: "served" },
  { name: "false blocks", field: "falseBlocks" },
] as const;

function feltParts({ strategies }: RecallReport, id: string): Markup {
  return html`${
    barPlot(
      {
        id: `${id}-felt`,
        title: "What prompts get, at the thresholds in force.",
        about:
          "Precision: of the memories that prompts got, how many were relevant. Served: of the prompts that a memory answers, how many got one. False blocks, the fewer the better: of the prompts that none answers, how many got one all the same.",
      },
      strategies.map(labelOf),
      FELT.map(({ name, field }) => ({
        name,
        values: strategies.map(({ felt }) => felt[field]),
      })),
    )
  }${falseBlocks(strategies)}`;
}

function falseBlocks(strategies: readonly StrategyReport[]): Markup | undefined {
  const kinds = Object.entries(strategies[0]?.groups["category"] ?? {})
    .filter(([, { noAnswer }]) => noAnswer > 0);
  if (kinds.length < 2) return undefined;
  return table(
    "Prompts without an answer that got a block",
    ["", "prompts", ...strategies.map(labelOf)],
    kinds.map(([category, { noAnswer }]) => [
      category,
      String(noAnswer),
      ...strategies.map(({ groups }) => share(groups["category"]![category]!.felt.falseBlocks)),
    ]),
  );
}

function notes(report: RecallReport): Markup | undefined {
  const told = [
    ...report.significance.map(({ a, b, difference, p, queries }) =>
      `${a} − ${b}: ${difference < 0 ? "−" : "+"}${Math.abs(difference).toFixed(3)} MRR@10, ` +
      `p ${p < 0.001 ? "< 0.001" : "= " + p.toFixed(3)} (paired randomisation, ${queries} prompts)`
    ),
    ...notesOn(report),
  ];
  return told.length === 0
    ? undefined
    : html`<ul class="notes">${told.map((note) => html`<li>${prose(note)}</li>`)}</ul>`;
}
