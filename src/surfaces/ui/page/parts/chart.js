// @ts-check
// Numbers over time as a picture, and the same as a table: for screen readers, and for whoever wants the numbers.

import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Said } from "./text.js";
import { tellError } from "./toasts.js";

/**
 * One line or row of bars.
 * @typedef {{ label: string, color: string, values: readonly (number | null)[] }} Series `color` is a variable of the style
 * @typedef {"bars" | "points" | "area"} Kind
 */

const HEIGHT = 180;
/** Room for a label of the lower axis, in pixels; where there is less, some are left out. */
const LABEL = 36;
/** Room beside the plot: the labels of the left axis, and half a label at the right end. */
const LEFT = 56, RIGHT = 20;
const theme = matchMedia("(prefers-color-scheme: dark)");

/** A colour of the style as it is now: a canvas knows no variables. @param {string} name */
function colorOf(name) {
  const probe = document.createElement("span");
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/**
 * Bars that stand on one another: each series is drawn with those below it, highest first.
 * @param {readonly Series[]} series
 * @returns {Series[]}
 */
function stacked(series) {
  /** @type {number[]} */
  const below = [];
  return series.map((each) => ({
    ...each,
    values: each.values.map((value, i) => below[i] = (below[i] ?? 0) + (value ?? 0)),
  })).reverse();
}

/** What draws, once it is there: half of all the page's code, which no other view waits for. @type {typeof import("uplot") | undefined} */
let drawing;

function useDrawing() {
  const [uPlot, setDrawing] = useState(() => drawing);
  useEffect(() => {
    if (uPlot !== undefined) return;
    nameLanguage();
    import("uplot").then((found) => setDrawing(() => drawing = found.default), tellError);
  }, []);
  return uPlot;
}

/** Under `LANG=C` Chromium calls its language `en-US@posix`, which uPlot passes to `Intl` when it loads, and `Intl` refuses. */
function nameLanguage() {
  try {
    new Intl.Locale(navigator.language);
  } catch {
    Object.defineProperty(navigator, "language", { value: "en-US" });
  }
}

/**
 * A chart with its table.
 * @param {{
 *   title: string,
 *   x: readonly number[],
 *   series: readonly Series[],
 *   kind: Kind,
 *   heads: readonly string[],
 *   rows: readonly (readonly (string | number)[])[],
 *   labels?: readonly string[],
 *   log?: boolean,
 *   format?: (value: number) => string,
 * }} props `x`: seconds since 1970, or with `labels` their places
 */
export function Chart(
  { title, x, series, kind, heads, rows, labels, log = false, format = String },
) {
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const uPlot = useDrawing();
  useEffect(() => {
    const at = box.current;
    if (uPlot === undefined || at === null || x.length === 0) return;
    /** @type {import("uplot") | undefined} */
    let plot;
    const draw = () => {
      plot?.destroy();
      const [muted, line] = [colorOf("--muted"), colorOf("--line")];
      const shown = kind === "bars" ? stacked(series) : series;
      const axis = {
        stroke: muted,
        font: "11px system-ui",
        grid: { stroke: line, width: 1 },
        ticks: { stroke: line, width: 1, size: 4 },
      };
      const bars = uPlot.paths.bars?.({ size: [0.8, 40] });
      plot = new uPlot(
        {
          ...{ width: at.clientWidth, height: HEIGHT, padding: [8, RIGHT, 0, 0] },
          legend: { show: false },
          cursor: { show: false },
          scales: {
            x: {
              time: labels === undefined,
              ...kind === "bars" ? { range: widened(x) } : {},
            },
            y: log ? { distr: 3 } : { range: (_, __, most) => [0, most > 0 ? most * 1.1 : 1] },
          },
          axes: [
            {
              ...axis,
              ...labels === undefined ? {} : {
                splits: () => x.map((_, i) => i),
                values: ({ width }, splits) => {
                  const every = Math.ceil(splits.length * LABEL / (width - LEFT - RIGHT));
                  return splits.map((i) => i % every === 0 ? labels[i] ?? "" : "");
                },
              },
            },
            {
              ...axis,
              size: LEFT,
              values: (_, splits) => splits.map((y) => y === null ? "" : format(y)),
            },
          ],
          series: [
            {},
            ...shown.map(({ label, color: name }) => {
              const color = colorOf(name);
              return {
                label,
                stroke: color,
                width: kind === "bars" ? 0 : 1.5,
                ...kind === "points" ? {} : { fill: color },
                ...kind === "bars" && bars ? { paths: bars } : {},
                ...kind === "points" ? { paths: () => null } : {},
                points: kind === "points"
                  ? { show: true, size: 4, width: 0, fill: color }
                  : { show: false },
              };
            }),
          ],
        },
        /** @type {any} */ ([[...x], ...shown.map(({ values }) => [...values])]),
        at,
      );
    };
    draw();
    const observer = new ResizeObserver(() => {
      if (plot && plot.width !== at.clientWidth && at.clientWidth > 0) {
        plot.setSize({ width: at.clientWidth, height: HEIGHT });
      }
    });
    observer.observe(at);
    theme.addEventListener("change", draw);
    return () => {
      observer.disconnect();
      theme.removeEventListener("change", draw);
      plot?.destroy();
    };
  }, [uPlot, x, series, kind, log]);
  return html`
    <figure class="chart">
      <figcaption>
        <span>${title}</span>
        ${series.length > 1 &&
          html`<span class="legend">${
            series.map(({ label, color }) =>
              html`<span key=${label}><i style=${{
                background: `var(${color})`,
              }}></i>${label}</span>`
            )
          }</span>`}
      </figcaption>
      ${x.length === 0 ? html`<p class="muted small">Nothing yet.</p>` : html`
        <div class="plot" aria-hidden="true" ref=${box}></div>
        <details>
          <summary>As a table</summary>
          <${Table} caption=${title} heads=${heads} rows=${rows} />
        </details>
      `}
    </figure>
  `;
}

/** Half a bar more on both sides. @param {readonly number[]} x @returns {[number, number]} */
function widened(x) {
  const first = x[0] ?? 0, last = x.at(-1) ?? first;
  const step = x.length > 1 ? (last - first) / (x.length - 1) : 1;
  return [first - step * 0.6, last + step * 0.6];
}

/**
 * A table; what is no number is a text that somebody may have written.
 * @param {{ caption: string, heads: readonly string[], rows: readonly (readonly (string | number)[])[] }} props
 */
function Table({ caption, heads, rows }) {
  return html`
    <div class="table" tabindex="0" role="region" aria-label=${caption}>
      <table>
        <caption class="unseen"><span>${caption}</span></caption>
        <thead>
          <tr>${heads.map((head, i) =>
            html`<th key=${head} scope="col" class=${i === 0 ? "" : "number"}>${head}</th>`
          )}</tr>
        </thead>
        <tbody>${rows.map((cells, i) =>
          html`<tr key=${i}>${
            cells.map((cell, j) =>
              j === 0
                ? html`
                  <th key=${j} scope="row">
                    <${Said}>${String(cell)}</${Said}></th>
                `
                : html`<td key=${j} class="number">${
                  typeof cell === "number" ? cell.toLocaleString("en") : cell
                }</td>`
            )
          }</tr>`
        )}</tbody>
      </table>
    </div>
  `;
}
