import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";

/** What a terminal shows, with its colors as ANSI sequences. */
export interface TerminalWindow {
  readonly title: string;
  readonly text: string;
}

/** How wide a window is. */
export const COLUMNS = 96;
const FONT = 13, LINE = 19, CHAR = 7.83, MARGIN = 18, BAR = 34, GAP = 10;
const WIDTH = Math.ceil(COLUMNS * CHAR + 2 * MARGIN);

/** Draws terminal windows one below the other. Same windows, same bytes. */
export function terminalSvg(label: string, windows: readonly TerminalWindow[]): string {
  let top = 0;
  const drawn = windows.map(({ title, text }) => {
    const rows = wrapAnsi(text.trimEnd(), COLUMNS, { hard: true, trim: false }).split("\n");
    const height = BAR + rows.length * LINE + MARGIN;
    const window = `<g transform="translate(0 ${top})" aria-label="${escape(title)}">
<rect x="0.5" y="0.5" width="${WIDTH - 1}" height="${
      height - 1
    }" rx="10" fill="#0d1117" stroke="#30363d"/>
<circle cx="20" cy="18" r="5" fill="#f85149"/><circle cx="38" cy="18" r="5" fill="#d29922"/><circle cx="56" cy="18" r="5" fill="#3fb950"/>
<text x="76" y="22" fill="#8b949e">${escape(title)}</text>
${drawRows(rows).join("\n")}
</g>
`;
    top += height + GAP;
    return window;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${
    top - GAP
  }" role="img" aria-label="${
    escape(label)
  }" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="${FONT}" fill="#d0d7de">
${drawn.join("")}</svg>
`;
}

interface Style {
  readonly color?: string;
  readonly background?: string;
  readonly weight?: "bold" | "dim";
}

/** Draws each run of one style where its column is; runs of spaces are only moved over. */
function drawRows(rows: readonly string[]): string[] {
  let style: Style = {};
  return rows.flatMap((row, line) => {
    let column = 0;
    // deno-lint-ignore no-control-regex
    return row.split(/\x1b\[([\d;]*)m/).flatMap((part, i) => {
      if (i % 2 === 1) style = restyle(style, part);
      if (i % 2 === 1 || part === "") return [];
      const start = column;
      column += stringWidth(part);
      const { background } = style;
      const at = `x="${x(start)}" y="${BAR + line * LINE}"`;
      const size = `width="${length(column - start)}" height="${LINE}"`;
      const behind = background ? [`<rect ${at} ${size} fill="${background}"/>`] : [];
      const words = [...part.matchAll(/\S+(?: \S+)*/g)].map(({ 0: text, index }) =>
        drawText(text, start + stringWidth(part.slice(0, index)), line, style)
      );
      return [...behind, ...words];
    });
  });
}

function drawText(text: string, column: number, line: number, { color, weight }: Style): string {
  const fill = color ? ` fill="${color}"` : "";
  const look = weight === "bold" ? ' font-weight="600"' : weight === "dim" ? ' opacity="0.6"' : "";
  const width = length(stringWidth(text));
  return `<text x="${x(column)}" y="${
    BAR + (line + 1) * LINE - 5
  }" textLength="${width}"${fill}${look}>${escape(text)}</text>`;
}

const x = (column: number) => (MARGIN + column * CHAR).toFixed(1);
const length = (columns: number) => (columns * CHAR).toFixed(1);

/** Applies the numbers of one ANSI sequence, as far as tmux writes them for a program of 24-bit color. */
function restyle(before: Style, sequence: string): Style {
  let style = before;
  const codes = sequence.split(";").map(Number);
  while (codes.length > 0) {
    const code = codes.shift()!;
    const rgb = () => codes.splice(0, 4).slice(1).map((n) => n.toString(16).padStart(2, "0"));
    if (code === 0) style = {};
    else if (code === 1) style = { ...style, weight: "bold" };
    else if (code === 2) style = { ...style, weight: "dim" };
    else if (code === 22) style = { ...style, weight: undefined };
    else if (code === 38) style = { ...style, color: `#${rgb().join("")}` };
    else if (code === 39) style = { ...style, color: undefined };
    else if (code === 48) style = { ...style, background: `#${rgb().join("")}` };
    else if (code === 49) style = { ...style, background: undefined };
  }
  return style;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
