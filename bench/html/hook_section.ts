import { type HookReport, SERIES, type SeriesName, type StoreReport } from "../hook.ts";
import { sayMs, spreadOf } from "../latency.ts";
import { histogramPlot } from "./histogram_plot.ts";
import { linePlot } from "./line_plot.ts";
import { html, type Markup } from "./markup.ts";
import { table } from "./table.ts";

/** Series that run in turns, so that their distributions can be laid side by side. */
const SIDE_BY_SIDE: readonly SeriesName[] = ["node", "empty", "warm", "http"];
/** Series whose growth with the store is drawn. */
const GROWING: readonly SeriesName[] = ["warm", "http", "cold", "sessionStart", "edited", "node"];
const MEGABYTE = 1e6;

/** Everything about the hook as a process. */
export function hookSection({ stores }: HookReport): Markup {
  return html`
    <section id="hook">
    <h2>The hook</h2>
    <p class="conditions">A process from just before it is started until it has ended, as Claude Code waits for it; over http from request to response.</p>
    ${stores.map(storeParts)}
    ${stores.length > 1 ? scaling(stores) : undefined}
    </section>
  `;
}

function storeParts(store: StoreReport): Markup {
  const size = store.memories.toLocaleString("en-US");
  const node = median(store, "node"), one = median(store, "warm");
  return html`${
    table(
      `${size} memories, in ms`,
      ["", "n", "p50", "p95", "p99", "× node"],
      store.series.map(({ name, ms }) => [
        SERIES[name].replaceAll("`", ""),
        ...spreadCells(ms),
        ratio(spreadOf(ms).p50, node),
      ]),
    )
  }${
    histogramPlot(
      {
        id: `hook-${store.memories}`,
        title: `How the times are spread, ${size} memories.`,
        about: "All of them met the same machine in turns; the dashed line is the median.",
      },
      SIDE_BY_SIDE.flatMap((name) => {
        const series = store.series.find((row) => row.name === name);
        return series === undefined
          ? []
          : [{ name: SERIES[name].replaceAll("`", ""), ms: series.ms }];
      }),
    )
  }${
    table(
      `Sessions at once, ${size} memories, warm, in ms`,
      ["", "n", "p50", "p95", "p99", "p95 × p50 of one"],
      store.atOnce.map(({ sessions, ms }) => [
        String(sessions),
        ...spreadCells(ms),
        ratio(spreadOf(ms).p95, one),
      ]),
    )
  }`;
}

function spreadCells(ms: readonly number[]): string[] {
  const { n, p50, p95, p99 } = spreadOf(ms);
  return [String(n), sayMs(p50), sayMs(p95), sayMs(p99)];
}

function scaling(stores: readonly StoreReport[]): Markup {
  return html`${
    linePlot({
      id: "hook-scaling",
      title: "How times grow with the store.",
      about: "Medians, against the number of memories.",
    }, {
      unit: "memories",
      curves: GROWING.flatMap((name) => {
        const points = stores.flatMap((store) =>
          store.series.some((row) => row.name === name)
            ? [[store.memories, median(store, name)] as const]
            : []
        );
        return points.length === 0 ? [] : [{ name: SERIES[name].replaceAll("`", ""), points }];
      }),
    })
  }${
    table(
      "The daemon and the index",
      ["memories", "daemon MB", "passages", "index MB", "first index, s", "vectors"],
      stores.map(({ memories, rssBytes, index }) => [
        memories.toLocaleString("en-US"),
        (rssBytes / MEGABYTE).toFixed(0),
        index.passages.toLocaleString("en-US"),
        (index.bytes / MEGABYTE).toFixed(1),
        (index.ms / 1000).toFixed(1) + (index.vectors === "made up" ? " (words alone)" : ""),
        index.vectors,
      ]),
    )
  }`;
}

function median(store: StoreReport, name: SeriesName): number {
  return spreadOf(store.series.find((row) => row.name === name)?.ms ?? []).p50;
}

function ratio(value: number, of: number): string {
  return Number.isFinite(value / of) ? (value / of).toFixed(2) : "–";
}
