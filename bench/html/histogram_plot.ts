import { sayMs, spreadOf } from "../latency.ts";
import { type Caption, COLOURS, figure, label, line, WIDTH } from "./figure.ts";
import { html } from "./markup.ts";
import { linear } from "./scale.ts";

/** Single times, in milliseconds. */
export interface Distribution {
  readonly name: string;
  readonly ms: readonly number[];
}

const ROW = 74, TOP = 6, BOTTOM = 40, LEFT = 190, RIGHT = 20, BINS = 90;

/** Histograms one below the other on one axis, which ends where nearly all of the slowest one does. */
export function histogramPlot(caption: Caption, rows: readonly Distribution[]) {
  const spreads = rows.map(({ ms }) => spreadOf(ms));
  const end = Math.max(...spreads.map(({ p99 }) => p99));
  const x = linear({ domain: [0, end], range: [LEFT, WIDTH - RIGHT] });
  const last = x.ticks.at(-1)!;
  const bottom = TOP + rows.length * ROW;
  const grid = x.ticks.flatMap((tick) => [
    line([x(tick), TOP], [x(tick), bottom], "grid"),
    label(String(tick), [x(tick), bottom + 18], { anchor: "middle", className: "tick" }),
  ]);
  const histograms = rows.flatMap(({ name, ms }, i) => {
    const floor = TOP + (i + 1) * ROW - 6;
    const counts = countsOf(ms, last);
    const most = Math.max(...counts);
    const { p50, p95, p99 } = spreads[i]!;
    const bars = counts.flatMap((count, bin) => {
      if (count === 0) return [];
      const height = (ROW - 26) * count / most;
      const left = x(bin * last / BINS);
      return [
        html`
          <rect x="${left}" y="${floor - height}" width="${x(last / BINS) - LEFT -
            0.6}" height="${height}"
            class="c${i % COLOURS}" />
        `,
      ];
    });
    return [
      label(name, [LEFT - 14, floor - 18], { anchor: "end" }),
      label(`p50 ${sayMs(p50)}  p95 ${sayMs(p95)}  p99 ${sayMs(p99)}`, [LEFT - 14, floor - 3], {
        anchor: "end",
        className: "tick",
      }),
      line([LEFT, floor], [WIDTH - RIGHT, floor], "axis"),
      ...bars,
      line([x(p50), floor - ROW + 24], [x(p50), floor], "median"),
    ];
  });
  const unit = label("ms", [WIDTH - RIGHT, bottom + 34], { anchor: "end", className: "tick" });
  return figure(caption, { height: bottom + BOTTOM, content: [...grid, ...histograms, unit] });
}

function countsOf(ms: readonly number[], end: number): number[] {
  const counts = new Array<number>(BINS).fill(0);
  for (const time of ms) {
    const bin = Math.floor(time / end * BINS);
    if (bin < BINS) counts[bin]!++;
  }
  return counts;
}
