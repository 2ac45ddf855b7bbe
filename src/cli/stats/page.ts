import { oneLine } from "../../text/one_line.ts";
import { visible } from "../../text/neutralise.ts";
import type { Chart, ChartRow } from "./charts.ts";

/** What a page is about. */
export interface PageOptions {
  /** The folder that was counted, and when. */
  readonly place: string;
  readonly at: string;
}

/** Charts as one page that loads nothing, follows the system's colours, and can be printed. */
export function renderPage(charts: readonly Chart[], { place, at }: PageOptions): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>memo stats</title>
<style>${STYLE}</style>
<header>
<h1>memo stats</h1>
<p>${escaped(place)} · ${escaped(at)}</p>
</header>
<main>
${charts.map(section).join("\n")}
</main>
</html>
`;
}

function section({ title, rows, note }: Chart): string {
  const most = Math.max(0, ...rows.map(({ value = 0 }) => value));
  const body = rows.length === 0
    ? `<p class="none">none</p>`
    : `<table${isLong(rows) ? ' class="long"' : ""}>\n${
      rows.map((row) => tableRow(row, most)).join("\n")
    }\n</table>`;
  const foot = note === undefined || rows.length === 0 ? "" : `\n<p>${escaped(note)}</p>`;
  return `<section>\n<h2>${escaped(title)}</h2>\n${body}${foot}\n</section>`;
}

/** Labels longer than this get the room of the bars. */
const LONG = 24;

function isLong(rows: readonly ChartRow[]): boolean {
  return rows.some(({ label }) => label.length > LONG);
}

function tableRow({ label, value, shown }: ChartRow, most: number): string {
  const share = value === undefined || most === 0 ? 0 : 100 * value / most;
  const bar = share === 0 ? "" : `<i style="width:${share.toFixed(1)}%"></i>`;
  const [name, behind] = [escaped(label), `<td>${escaped(shown)}</td>`];
  return value === undefined
    ? `<tr><th scope="row" colspan="2">${name}</th>${behind}</tr>`
    : `<tr><th scope="row">${name}</th><td class="bar">${bar}</td>${behind}</tr>`;
}

/** Text in a page: names come from files that anyone may write. */
function escaped(text: string): string {
  return visible(oneLine(text)).replace(
    /[&<>"'`]/g,
    (character) => `&#${character.charCodeAt(0)};`,
  );
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1c1c1e; --dim: #6b6b70; --bar: #2f7d8c; --line: #dcdce0; --ground: #fdfdfc; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e8ea; --dim: #9a9aa0; --bar: #58b3c4; --line: #3a3a3f; --ground: #18181a; }
}
body { margin: 0 auto; max-width: 68rem; padding: 2rem 1.25rem 4rem; background: var(--ground); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif; }
header { border-bottom: 1px solid var(--line); margin-bottom: 1.5rem; }
h1 { font-size: 1.5rem; margin: 0; }
h2 { font-size: 1rem; margin: 0 0 .5rem; }
p { color: var(--dim); margin: .25rem 0 1rem; }
main { display: grid; gap: 1.75rem 3rem; grid-template-columns: repeat(auto-fit, minmax(min(28rem, 100%), 1fr)); }
table { border-collapse: collapse; width: 100%; }
th { font-weight: normal; text-align: left; overflow-wrap: anywhere; width: 34%; }
th, td { padding: .15rem .75rem .15rem 0; vertical-align: top; }
td:last-child { color: var(--dim); font-variant-numeric: tabular-nums; padding-right: 0; width: 36%; }
.long th { width: 54%; }
.long td:last-child { width: 30%; }
.bar i { background: var(--bar); border-radius: 2px; display: block; height: .7em; margin-top: .45em; min-width: 2px; }
section { break-inside: avoid; }
`;
