import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";

/** A line of a terminal session: what was typed, what came back, or what a reader should know. */
export interface TerminalLine {
  readonly kind: "typed" | "output" | "note";
  readonly text: string;
}

const COLUMNS = 96;
const FONT = 13, LINE = 19, CHAR = 7.83, MARGIN = 18, BAR = 34;

/** Draws a session as a terminal window. Same lines, same bytes. */
export function terminalSvg(title: string, lines: readonly TerminalLine[]): string {
  const rows = lines.flatMap(({ kind, text }) => {
    const typed = kind === "typed";
    return wrapAnsi(typed ? `$ ${text}` : text, COLUMNS, { hard: true, trim: false })
      .split("\n").map((line) => ({ kind, line }));
  });
  const width = Math.ceil(COLUMNS * CHAR + 2 * MARGIN);
  const height = BAR + rows.length * LINE + MARGIN;
  const texts = rows.map(({ kind, line }, i) =>
    `<text class="${kind}" x="${MARGIN}" y="${BAR + (i + 1) * LINE - 5}"${
      stringWidth(line) === line.length ? ` textLength="${(line.length * CHAR).toFixed(1)}"` : ""
    }>${escape(line)}</text>`
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${
    escape(title)
  }">
<style>
text { font: ${FONT}px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre; }
.typed { fill: #e6edf3; font-weight: 600; } .output { fill: #a9b4c0; } .note { fill: #7ee787; }
.bar { fill: #8b949e; }
</style>
<rect width="${width}" height="${height}" rx="10" fill="#0d1117"/>
<circle cx="20" cy="18" r="5" fill="#f85149"/><circle cx="38" cy="18" r="5" fill="#d29922"/><circle cx="56" cy="18" r="5" fill="#3fb950"/>
<text class="bar" x="76" y="22">${escape(title)}</text>
${texts.filter((text) => !text.endsWith("></text>")).join("\n")}
</svg>
`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
