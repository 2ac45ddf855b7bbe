import { columns, paint } from "../src/core/text/terminal.ts";
import { type HookReport, SERIES, type Series, type StoreReport } from "./hook.ts";
import { binsOf, formatMs, type Spread, spreadOf } from "./latency.ts";
import { formatMachine } from "./machine.ts";

/** Depth to which the report's JSON is spread over lines: a series is one line. */
export const HOOK_JSON_DEPTH = 4;

const BINS = 12;
const BAR_CHARS = 40;

/** The report for a terminal. */
export function renderHook(report: HookReport): string {
  const { machine, stores, isStopped } = report;
  return [
    paint("dim", formatMachine(machine)) + "\n",
    ...isStopped ? ["Interrupted: the rest was not measured\n"] : [],
    ...stores.map(renderStore),
    ...stores.length > 1 ? [scaling(stores)] : [],
  ].join("\n");
}

function renderStore(store: StoreReport): string {
  const { memories, index, rssBytes, startTexts } = store;
  const warm = seriesNamed(store, "warm")?.ms ?? [];
  return [
    paint("bold", `${memories} memories`) + ", spawn to exit, in ms\n" + seriesTable(store),
    ...store.atOnce.length === 0
      ? []
      : [`${paint("bold", "Sessions at once")}, warm, in ms\n${atOnceTable(store)}`],
    ...warm.length === 0 ? [] : [
      `${paint("bold", SERIES.warm)}\n${histogram(warm)}` +
      `in the daemon, p50: ${formatSteps(store)}\n`,
    ],
    ...index === undefined ? [] : [formatIndex(memories, index)],
    ...rssBytes === undefined ? [] : [`daemon at rest: ${(rssBytes / 1e6).toFixed(0)} MB\n`],
    ...startTexts === undefined ? [] : [`distinct texts at session start: ${startTexts}\n`],
  ].join("\n");
}

function formatIndex(memories: number, index: NonNullable<StoreReport["index"]>): string {
  const { ms, passages, bytes, vectors } = index;
  const rate = memories / (ms / 1000);
  return `first index${vectors === "made up" ? " (words; vectors made up)" : ""} ${
    (ms / 1000).toFixed(1)
  } s (${rate.toFixed(0)} memories/s, ${passages} passages, ${(bytes / 1e6).toFixed(1)} MB)\n`;
}

const SPREAD_HEADS = ["n", "p50", "p95", "p99", "min", "max"] as const;

function cells(spread: Spread): string[] {
  return SPREAD_HEADS.map((head) => head === "n" ? String(spread.n) : formatMs(spread[head]));
}

function seriesTable(store: StoreReport): string {
  const node = median(store, "node"), empty = median(store, "empty");
  return columns([
    ["", ...SPREAD_HEADS, "× node", "× empty", "with a block"],
    ...store.series.map(({ name, ms, blocks }) => {
      const spread = spreadOf(ms);
      return [
        SERIES[name],
        ...cells(spread),
        ratio(spread.p50, node),
        ratio(spread.p50, empty),
        blocks === undefined ? "" : `${blocks}${name === "warm" ? formatOutcomes(store) : ""}`,
      ];
    }),
  ]);
}

/** How the prompts without a block ended. */
function formatOutcomes({ outcomes }: StoreReport): string {
  const others = Object.entries(outcomes).filter(([outcome]) => outcome !== "hit")
    .map(([outcome, count]) => `${count} ${outcome}`);
  return others.length === 0 ? "" : `; ${others.join(", ")}`;
}

function formatSteps({ steps }: StoreReport): string {
  return Object.entries(steps).map(([step, ms]) => `${step} ${formatMs(ms)}`).join(", ");
}

function atOnceTable(store: StoreReport): string {
  const one = median(store, "warm");
  return columns([
    ["", ...SPREAD_HEADS, "p95 × p50 of one", "of empty runs"],
    ...store.atOnce.map(({ sessions, ms, emptyMs = [] }) => {
      const spread = spreadOf(ms), empty = spreadOf(emptyMs);
      return [String(sessions), ...cells(spread), ratio(spread.p95, one), ratio(empty.p95, one)];
    }),
  ]);
}

function histogram(samples: readonly number[]): string {
  const bins = binsOf(samples, BINS);
  const most = Math.max(...bins.map(({ count }) => count));
  return columns(bins.map(({ from, to, count }) => [
    `${formatMs(from)} – ${formatMs(to)}`,
    "█".repeat(Math.round(count / most * BAR_CHARS)) + ` ${count}`,
  ]));
}

/** How the times grow with the store. */
function scaling(stores: readonly StoreReport[]): string {
  return paint("bold", "Scaling") + ", p50 in ms\n" + columns([
    ["memories", "warm", "× node", "p99", "session start", "edit", "index s", "daemon MB"],
    ...stores.map((store) => {
      const warm = spreadOf(seriesNamed(store, "warm")?.ms ?? []);
      return [
        String(store.memories),
        formatMs(warm.p50),
        ratio(warm.p50, median(store, "node")),
        formatMs(warm.p99),
        formatMs(median(store, "sessionStart")),
        formatMs(median(store, "edited")),
        store.index === undefined ? "–" : (store.index.ms / 1000).toFixed(1) +
          (store.index.vectors === "made up" ? " (words only)" : ""),
        store.rssBytes === undefined ? "–" : (store.rssBytes / 1e6).toFixed(0),
      ];
    }),
  ]);
}

function seriesNamed({ series }: StoreReport, name: Series["name"]): Series | undefined {
  return series.find((row) => row.name === name);
}

function median(store: StoreReport, name: Series["name"]): number {
  return spreadOf(seriesNamed(store, name)?.ms ?? []).p50;
}

function ratio(value: number, of: number): string {
  return Number.isFinite(value / of) ? (value / of).toFixed(2) : "–";
}
