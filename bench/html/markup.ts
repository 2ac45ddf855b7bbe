/** Text that is safe to put into a page as it is. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Markup | string | number | undefined | readonly Part[];

/** Markup from a template: whatever is put into it is escaped, unless it is markup itself. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(strings.reduce((text, string, i) => text + print(parts[i - 1]) + string));
}

function print(part: Part): string {
  if (part === undefined) return "";
  if (part instanceof Markup) return part.text;
  if (typeof part === "number") return String(Number(part.toFixed(2))); // coordinates
  return typeof part === "string" ? escape(part) : part.map(print).join("");
}

/** A sentence in which backticks mark code. */
export function prose(text: string): Markup[] {
  return text.split("`").map((part, i) => i % 2 === 0 ? html`${part}` : html`<code>${part}</code>`);
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
