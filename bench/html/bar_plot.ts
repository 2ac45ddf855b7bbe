import { type Caption, COLOURS, figure, label, legendOf, line, WIDTH } from "./figure.ts";
import { html } from "./markup.ts";
import { linear } from "./scale.ts";

/** A group of bars: one value per series, null if missing. */
export interface BarGroup {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

const HEIGHT = 250, TOP = 18, BOTTOM = 30, LEFT = 40, GAP = 0.25;

/** Shares from 0 to 1 as bars, in groups. */
export function barPlot(caption: Caption, series: readonly string[], groups: readonly BarGroup[]) {
  const floor = HEIGHT - BOTTOM;
  const y = linear({ domain: [0, 1], range: [floor, TOP] });
  const width = (WIDTH - LEFT) / groups.length;
  const bar = width * (1 - GAP) / series.length;
  const grid = y.ticks.flatMap((tick) => [
    line([LEFT, y(tick)], [WIDTH, y(tick)], "grid"),
    label(tick.toFixed(1), [LEFT - 8, y(tick) + 4], { anchor: "end", className: "tick" }),
  ]);
  const bars = groups.flatMap(({ name, values }, at) => {
    const left = LEFT + at * width + width * GAP / 2;
    return [
      label(name, [LEFT + (at + 0.5) * width, floor + 20], { anchor: "middle" }),
      ...values.flatMap((value, i) => {
        if (value === null) return [];
        const x = left + i * bar;
        return [
          html`
            <rect x="${x}" y="${y(value)}" width="${bar - 2}" height="${floor - y(value)}" rx="2"
              class="c${i % COLOURS}">
              <title>${name}, ${series[i]}: ${value.toFixed(3)}</title>
            </rect>
          `,
          label(value.toFixed(2).replace(/^0/, ""), [x + bar / 2 - 1, y(value) - 4], {
            anchor: "middle",
            className: "tick",
          }),
        ];
      }),
    ];
  });
  return figure(caption, { height: HEIGHT, legend: legendOf(series), content: [...grid, ...bars] });
}
