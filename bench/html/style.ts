import { Markup } from "./markup.ts";

/** How the page looks, by day and by night, on screens of any width and on paper. */
export const STYLE: Markup = new Markup(`
:root {
  color-scheme: light dark;
  --paper: #fbfaf7; --card: #ffffff; --ink: #22262b; --soft: #667079; --rule: #e4e1da;
  --c0: #0f766e; --c1: #d97706; --c2: #4f63d2; --c3: #be3f72; --c4: #7b8794; --c5: #5b9a34;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171a; --card: #1b1f23; --ink: #e6e8ea; --soft: #98a2ab; --rule: #2e343a;
    --c0: #2dd4bf; --c1: #fbb040; --c2: #8fa0ff; --c3: #f286b0; --c4: #8c98a4; --c5: #93d160;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Open Sans", sans-serif;
}
main { max-width: 60rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .4rem; letter-spacing: -.02em; }
h2 { font-size: 1.35rem; margin: 3rem 0 .3rem; letter-spacing: -.01em; }
p { margin: .3rem 0 1rem; max-width: 46rem; }
.conditions, nav { color: var(--soft); font-size: .9rem; }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; padding: 0; margin: 1rem 0 0; }
a { color: var(--c0); text-underline-offset: .2em; }
figure, .scroll {
  margin: 1.25rem 0; padding: 1rem 1.1rem; background: var(--card);
  border: 1px solid var(--rule); border-radius: .7rem;
}
figure { overflow-x: auto; }
figcaption { margin-bottom: .5rem; }
figcaption span { color: var(--soft); font-size: .9rem; }
svg { display: block; width: 100%; min-width: 34rem; height: auto; }
svg text { font-size: 13px; fill: var(--ink); }
svg .tick { font-size: 11px; fill: var(--soft); }
svg .grid { stroke: var(--rule); stroke-width: 1; }
svg .axis { stroke: var(--soft); stroke-width: 1; }
svg .span { stroke: var(--soft); stroke-width: 2; opacity: .35; }
svg .median { stroke: var(--ink); stroke-width: 1.5; stroke-dasharray: 2 3; }
svg .whisker { stroke-width: 2; opacity: .55; }
svg .curve { fill: none; stroke-width: 2.5; stroke-linejoin: round; }
svg circle { stroke: var(--card); stroke-width: 1.5; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding-bottom: .5rem; }
th, td { padding: .32rem .6rem; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--rule); }
th:first-child { text-align: left; padding-left: 0; }
thead th { color: var(--soft); font-weight: 500; }
tbody th { font-weight: 600; }
tbody tr:last-child > * { border-bottom: 0; }
.notes { color: var(--soft); font-size: .9rem; padding-left: 1.1rem; }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .1rem 1.1rem; padding: 0; margin: 0 0 .5rem; font-size: .85rem; }
.legend li::before {
  content: ""; display: inline-block; width: .7em; height: .7em; border-radius: 50%;
  margin-right: .45em; background: var(--colour);
}
footer { margin-top: 3rem; color: var(--soft); font-size: .85rem; }
@media print { figure, .scroll { break-inside: avoid; } }
${
  [0, 1, 2, 3, 4, 5].map((i) =>
    `.c${i} { --colour: var(--c${i}); } svg .c${i} { fill: var(--c${i}); } ` +
    `svg line.c${i}, svg polyline.c${i} { stroke: var(--c${i}); fill: none; }`
  ).join("\n")
}
`);
