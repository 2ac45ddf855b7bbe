import stringWidth from "string-width";

/** A table as `deno fmt` lays it out; columns from `figuresFrom` on are figures. */
export function markdownTable(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  { figuresFrom = Infinity }: { readonly figuresFrom?: number } = {},
): string {
  const cells = [heads, ...rows].map((row) => row.map(escape));
  const isRight = (column: number) => column >= figuresFrom;
  const widths = heads.map((_, column) =>
    Math.max(isRight(column) ? 4 : 3, ...cells.map((row) => stringWidth(row[column] ?? "")))
  );
  const line = (row: readonly string[]) =>
    `| ${
      row.map((cell, i) => {
        const padding = " ".repeat(widths[i]! - stringWidth(cell));
        return isRight(i) ? padding + cell : cell + padding;
      }).join(" | ")
    } |`;
  const rule = widths.map((width, i) =>
    isRight(i) ? "-".repeat(width - 1) + ":" : "-".repeat(width)
  );
  return [line(cells[0]!), `| ${rule.join(" | ")} |`, ...cells.slice(1).map(line)].join("\n");
}

function escape(text: string): string {
  return text.replaceAll("|", "\\|");
}

/** A paragraph broken into lines as `deno fmt` does. */
export function paragraph(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && stringWidth(longer) <= LINE_WIDTH) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.join("\n");
}

/** As in `deno.json`. */
const LINE_WIDTH = 100;
