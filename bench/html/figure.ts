import { html, Markup } from "./markup.ts";

/** The parts that every plot has: a name for links and screen readers, and a caption. */
export interface Caption {
  readonly id: string;
  readonly title: string;
  /** The caption, in a sentence or two. */
  readonly about: string;
}

/** Width of every plot in its own units; the page scales it. */
export const WIDTH = 720;

/** A plot with its caption, described for those who do not see it. */
export function figure(
  { id, title, about }: Caption,
  { height, legend, content }: {
    readonly height: number;
    readonly legend?: Markup;
    readonly content: readonly Markup[];
  },
): Markup {
  return html`
    <figure id="${id}">
    <figcaption><strong>${title}</strong> <span>${about}</span></figcaption>
    ${legend}
    <svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="${id}-title ${id}-about">
    <title id="${id}-title">${title}</title>
    <desc id="${id}-about">${about}</desc>
    ${content}
    </svg>
    </figure>
  `;
}

/** Names with the colours that stand for them. */
export function legendOf(names: readonly string[]): Markup {
  const items = names.map((name, i) => html`<li class="c${i % COLOURS}">${name}</li>`);
  return html`<ul class="legend">${items}</ul>`;
}

/** Number of colours, `c0`, `c1` and so on. */
export const COLOURS = 6;

export interface TextOptions {
  readonly anchor?: "start" | "middle" | "end";
  readonly className?: string;
}

/** A text in a plot. */
export function label(
  text: string,
  [x, y]: readonly [number, number],
  { anchor = "start", className = "" }: TextOptions = {},
): Markup {
  return html`
    <text x="${x}" y="${y}" text-anchor="${anchor}"
      class="${className}">${text}</text>
  `;
}

/** A line in a plot. */
export function line(
  [x1, y1]: readonly [number, number],
  [x2, y2]: readonly [number, number],
  className: string,
): Markup {
  return html`
    <line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" class="${className}" />
  `;
}
