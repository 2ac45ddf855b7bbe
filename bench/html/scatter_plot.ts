import { sayMs } from "../latency.ts";
import { type Caption, COLOURS, figure, label, legendOf, line, WIDTH } from "./figure.ts";
import { html } from "./markup.ts";
import { linear, logarithmic } from "./scale.ts";

/** The value and the cost of a strategy. */
export interface ScatterPoint {
  readonly name: string;
  readonly value: number;
  /** Median and 95th percentile, in milliseconds. */
  readonly p50: number;
  readonly p95: number;
}

const HEIGHT = 280, TOP = 14, BOTTOM = 44, LEFT = 44, RIGHT = 30;
/** Faster than this is not told apart. */
const FASTEST = 0.1;

/** A value against time on a logarithmic axis; a line leads from the median to the 95th percentile. */
export function scatterPlot(
  caption: Caption,
  { measure, points }: { readonly measure: string; readonly points: readonly ScatterPoint[] },
) {
  const times = points.flatMap(({ p50, p95 }) => [p50, p95]).map((ms) => Math.max(FASTEST, ms));
  const floor = HEIGHT - BOTTOM;
  const x = logarithmic({
    domain: [Math.min(...times) / 1.6, Math.max(...times) * 1.6],
    range: [LEFT, WIDTH - RIGHT],
  });
  const y = linear({
    domain: [0, Math.max(0.5, ...points.map(({ value }) => value))],
    range: [floor, TOP],
  });
  const grid = [
    ...y.ticks.flatMap((tick) => [
      line([LEFT, y(tick)], [WIDTH - RIGHT, y(tick)], "grid"),
      label(tick.toFixed(1), [LEFT - 8, y(tick) + 4], { anchor: "end", className: "tick" }),
    ]),
    ...x.ticks.flatMap((tick) => [
      line([x(tick), TOP], [x(tick), floor], "grid"),
      label(String(tick), [x(tick), floor + 18], { anchor: "middle", className: "tick" }),
    ]),
    label(`${measure} ↑`, [LEFT, TOP - 3], { className: "tick" }),
    label("ms per prompt →", [WIDTH - RIGHT, floor + 36], { anchor: "end", className: "tick" }),
  ];
  const marks = points.flatMap(({ name, value, p50, p95 }, i) => {
    const at = y(value), from = x(Math.max(FASTEST, p50)), to = x(Math.max(FASTEST, p95));
    const colour = `c${i % COLOURS}`;
    return [
      line([from, at], [to, at], `whisker ${colour}`),
      html`
        <circle cx="${from}" cy="${at}" r="7" class="${colour}">
          <title>${name}: ${value.toFixed(3)}, p50 ${sayMs(p50)} ms, p95 ${sayMs(p95)} ms</title>
        </circle>
      `,
    ];
  });
  return figure(caption, {
    height: HEIGHT,
    legend: legendOf(points.map(({ name }) => name)),
    content: [...grid, ...marks.reverse()], // the first strategy is on top
  });
}
