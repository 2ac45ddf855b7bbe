// Results as one page: no script, nothing from elsewhere, every plot with a title and a description.

import type { HookReport } from "../hook.ts";
import { type Machine, sayMachine } from "../machine.ts";
import type { RecallReport } from "../recall_report.ts";
import { labelOf, share } from "../recall_table.ts";
import { hookSection } from "./hook_section.ts";
import { html, type Markup } from "./markup.ts";
import { recallSection } from "./recall_section.ts";
import { STYLE } from "./style.ts";
import { table } from "./table.ts";

/** The contents of a page. */
export interface Results {
  readonly recall: readonly RecallReport[];
  readonly hook?: HookReport | undefined;
}

/** The page. Same results, same bytes. */
export function page({ recall, hook }: Results): string {
  const sections = [
    ...recall.map((report, i) => ({ id: `recall-${i + 1}`, title: report.suite, report })),
    ...hook === undefined ? [] : [{ id: "hook", title: "The hook", report: undefined }],
  ];
  const machines = [...recall.map(({ machine }) => machine), ...hook ? [hook.machine] : []];
  return html`
    <!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta http-equiv="Content-Security-Policy"
          content="default-src 'none'; style-src 'unsafe-inline'">
        <title>memo bench</title>
        <style>${STYLE}</style>
      </head>
      <body>
        <main>
    <header>
    <h1>memo bench</h1>
    <p>Which strategy finds what, and how fast the hook is.</p>
    ${conditions(machines)}
    ${sections.length < 2 ? undefined : html`
      <nav aria-label="Parts">
        <ul>${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>
      </nav>
    `}
    </header>
    ${recall.length > 1 ? overview(recall) : undefined}
    ${sections.flatMap(({ id, report }) =>
      report === undefined ? [] : [recallSection(report, id)]
    )}${hook && hookSection(hook)}
    <footer>Made by <code>memo bench</code>. Every figure stands in the JSON beside it.</footer>
        </main>
      </body>
    </html>
  `.text.trim() + "\n";
}

function conditions(machines: readonly Machine[]): Markup[] {
  return [...new Set(machines.map(sayMachine))].map((line) =>
    html`
      <p class="conditions">${line}</p>
    `
  );
}

/** One measure over all suites. */
function overview(reports: readonly RecallReport[]): Markup {
  const names = [
    ...new Set(reports.flatMap(({ strategies }) => strategies.map((row) => labelOf(row)))),
  ];
  return table(
    "MRR@10, all suites",
    ["", "prompts", ...names],
    reports.map(({ suite, prompts, strategies }) => [
      suite,
      String(prompts.answerable),
      ...names.map((name) =>
        share(strategies.find((row) => labelOf(row) === name)?.measures["MRR@10"] ?? null)
      ),
    ]),
  );
}
