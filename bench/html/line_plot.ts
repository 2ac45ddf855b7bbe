import { sayMs } from "../latency.ts";
import { type Caption, COLOURS, figure, label, legendOf, line, WIDTH } from "./figure.ts";
import { html } from "./markup.ts";
import { linear, logarithmic } from "./scale.ts";

/** Values at some sizes, from the smallest on. */
export interface Curve {
  readonly name: string;
  readonly points: readonly (readonly [size: number, value: number])[];
}

const HEIGHT = 270, TOP = 14, BOTTOM = 44, LEFT = 56, RIGHT = 30;

/** Milliseconds against sizes; the sizes are on a logarithmic axis, each of them marked. */
export function linePlot(
  caption: Caption,
  { unit, curves }: { readonly unit: string; readonly curves: readonly Curve[] },
) {
  const points = curves.flatMap((curve) => curve.points);
  const sizes = [...new Set(points.map(([size]) => size))].sort((a, b) => a - b);
  const floor = HEIGHT - BOTTOM;
  const x = logarithmic({
    domain: [sizes[0]!, sizes.at(-1)!],
    range: [LEFT + 20, WIDTH - RIGHT - 20],
  });
  const y = linear({
    domain: [0, Math.max(...points.map(([, value]) => value))],
    range: [floor, TOP],
  });
  const grid = [
    ...y.ticks.flatMap((tick) => [
      line([LEFT, y(tick)], [WIDTH - RIGHT, y(tick)], "grid"),
      label(String(tick), [LEFT - 8, y(tick) + 4], { anchor: "end", className: "tick" }),
    ]),
    ...sizes.map((size) =>
      label(size.toLocaleString("en-US"), [x(size), floor + 18], {
        anchor: "middle",
        className: "tick",
      })
    ),
    label("ms ↑", [LEFT, TOP - 3], { className: "tick" }),
    label(`${unit} →`, [WIDTH - RIGHT, floor + 36], { anchor: "end", className: "tick" }),
  ];
  const lines = curves.flatMap((curve, i) => {
    const colour = `c${i % COLOURS}`;
    const path = curve.points.map(([size, value]) =>
      `${x(size).toFixed(1)},${y(value).toFixed(1)}`
    );
    return [
      html`
        <polyline points="${path.join(" ")}" class="curve ${colour}" />
      `,
      ...curve.points.map(([size, value]) =>
        html`
          <circle cx="${x(size)}" cy="${y(value)}" r="4" class="${colour}">
            <title>${curve.name}, ${String(size)}: ${sayMs(value)} ms</title>
          </circle>
        `
      ),
    ];
  });
  return figure(caption, {
    height: HEIGHT,
    legend: legendOf(curves.map(({ name }) => name)),
    content: [...grid, ...lines],
  });
}
