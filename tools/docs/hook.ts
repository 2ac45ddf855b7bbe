// How fast the hook is, from what `memo bench hook` has written.

import type { HookReport, SeriesName, StoreReport } from "../../bench/hook.ts";
import { sayCounts } from "../../bench/hook_report.ts";
import { sayMs, spreadOf } from "../../bench/latency.ts";
import { conditions, NOTHING_YET, read } from "./results.ts";
import { markdownTable, paragraph } from "./table.ts";

/** How fast the hook is, for each size of the store. */
export function hookTable(): string {
  return tableOfHooks(read<HookReport>("hook.json"), HOOK_ROWS);
}

/** The same for large stores. */
export function largeHookTable(): string {
  return tableOfHooks(read<HookReport>("hook-large.json"), [
    { name: "passages", of: ({ index }) => index?.passages.toLocaleString("en-US") ?? "–" },
    ...HOOK_ROWS,
    {
      name: "prompt, first minute after 50,000 new files",
      of: (store) => times(store, "arriving"),
    },
    { name: "how those ended", of: ({ arriving = {} }) => sayCounts(arriving) || "–" },
  ]);
}

function tableOfHooks(report: HookReport | undefined, columns: typeof HOOK_ROWS): string {
  if (report === undefined) return NOTHING_YET;
  const { stores, machine } = report;
  const rows = columns.map(({ name, of }) => [name, ...stores.map(of)]);
  const heads = [
    "",
    ...stores.map(({ memories }) => `${memories.toLocaleString("en-US")} memories`),
  ];
  return [
    markdownTable(heads, rows, { figuresFrom: 1 }),
    "Milliseconds, p50 / p95 / p99, from process start to exit.",
    conditions(machine),
  ].join("\n\n");
}

const HOOK_ROWS: readonly { readonly name: string; readonly of: (store: StoreReport) => string }[] =
  [
    { name: "`node -e 0`, to compare with", of: (store) => times(store, "node") },
    { name: "empty run of memo", of: (store) => times(store, "empty") },
    { name: "prompt, warm", of: (store) => times(store, "warm") },
    {
      name: "prompt, warm, × `node -e 0`",
      of: (store) => ratio(median(store, "warm"), median(store, "node")),
    },
    { name: "eight sessions at once", of: (store) => spread(burst(store, 8)) },
    { name: "file read, nothing anchored", of: (store) => times(store, "unanchored") },
    { name: "file read that a memory comes with", of: (store) => times(store, "atFile") },
    { name: "failing command, mostly known", of: (store) => times(store, "atError") },
    { name: "prompt, no daemon", of: (store) => times(store, "cold") },
    { name: "session start, nothing changed", of: (store) => times(store, "sessionStart") },
    { name: "different texts of it", of: ({ startTexts }) => String(startTexts ?? "–") },
    { name: "edited memory, until found", of: (store) => times(store, "edited") },
    { name: "daemon at rest, MB", of: ({ rssBytes = NaN }) => (rssBytes / 1e6).toFixed(0) },
    {
      name: "first index, s",
      of: ({ index }) =>
        index === undefined
          ? "–"
          : (index.ms / 1000).toFixed(1) + (index.vectors === "made up" ? " (words alone)" : ""),
    },
  ];

/** What users notice of the hook, in a sentence. */
export function feltInWords(): string {
  const report = read<HookReport>("hook.json");
  const stores = report?.stores.filter(({ memories }) => memories >= 1000) ?? [];
  if (report === undefined || stores.length === 0) return NOTHING_YET;
  const said = stores.map((store) =>
    `with ${store.memories.toLocaleString("en-US")} memories a prompt waits ` +
    `${sayMs(median(store, "warm")!)} ms and the daemon holds ${
      ((store.rssBytes ?? NaN) / 1e6).toFixed(0)
    } MB`
  );
  const { cores } = report.machine;
  return paragraph(
    `On a server with ${cores} cores, at the median of ${report.runs} prompts: ${said.join("; ")}.`,
  );
}

function times(store: StoreReport, name: SeriesName): string {
  const { ms = [] } = store.series.find((row) => row.name === name) ?? {};
  return ms.length === 0 ? "–" : spread(ms);
}

/** What so many sessions that ask at once wait, in milliseconds. */
export function burst(store: StoreReport, sessions: number): readonly number[] {
  return store.atOnce.find((row) => row.sessions === sessions)?.ms ?? [];
}

function spread(ms: readonly number[]): string {
  if (ms.length === 0) return "–";
  const { p50, p95, p99 } = spreadOf(ms);
  return [p50, p95, p99].map(sayMs).join(" / ");
}

/** The median of a series, in milliseconds; NaN where it was not measured. */
export function median(store: StoreReport, name: SeriesName): number {
  return spreadOf(store.series.find((row) => row.name === name)?.ms ?? []).p50;
}

function ratio(value: number, of: number): string {
  return Number.isFinite(value / of) ? (value / of).toFixed(2) : "–";
}
