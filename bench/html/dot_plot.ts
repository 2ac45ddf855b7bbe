import { type Caption, COLOURS, figure, label, legendOf, line, WIDTH } from "./figure.ts";
import { html, type Markup } from "./markup.ts";
import { linear } from "./scale.ts";

/** A line of dots: one value per series, null if missing. */
export interface DotRow {
  readonly name: string;
  /** Said beside the name, in grey. */
  readonly note?: string;
  readonly values: readonly (number | null)[];
}

const ROW = 24, TOP = 8, BOTTOM = 34, LEFT = 170, RIGHT = 20;

/** Shares from 0 to 1 as dots: one row for each thing, one colour for each series. */
export function dotPlot(caption: Caption, series: readonly string[], rows: readonly DotRow[]) {
  const x = linear({ domain: [0, 1], range: [LEFT, WIDTH - RIGHT] });
  const bottom = TOP + rows.length * ROW;
  const grid = x.ticks.flatMap((tick) => [
    line([x(tick), TOP], [x(tick), bottom], "grid"),
    label(tick.toFixed(1), [x(tick), bottom + 18], { anchor: "middle", className: "tick" }),
  ]);
  return figure(caption, {
    height: bottom + BOTTOM,
    legend: legendOf(series),
    content: [...grid, ...rows.flatMap((row, i) => drawRow(row, TOP + (i + 0.5) * ROW))],
  });

  function drawRow({ name, note, values }: DotRow, y: number): Markup[] {
    const known = values.filter((value) => value !== null);
    const ends = known.length === 0
      ? []
      : [line([x(Math.min(...known)), y], [x(Math.max(...known)), y], "span")];
    const dots = values.flatMap((value, i) =>
      value === null ? [] : [html`
        <circle cx="${x(value)}" cy="${y}" r="5" class="c${i % COLOURS}">
          <title>${name}, ${series[i]}: ${value.toFixed(3)}</title>
        </circle>
      `]
    );
    return [
      html`<text x="${LEFT - 14}" y="${y + 4}" text-anchor="end">${name}${
        note && html`
          <tspan class="tick">${note}</tspan>
        `
      }</text>`,
      ...ends,
      ...dots.reverse(), // the first series, the one that matters, is on top
    ];
  }
}
