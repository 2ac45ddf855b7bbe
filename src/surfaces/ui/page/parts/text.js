// @ts-check
// Texts of memories and prompts, which anybody may have written: they become text nodes, and what would turn the line
// around or hide in it is shown.

import { html } from "htm/preact";

/**
 * Characters that steer how a text is laid out, or are not seen; but not those that join the letters of some scripts and
 * the parts of an emoji.
 */
const UNSEEN =
  /(?![\n\t])\p{Cc}|(?!(?<=[\p{L}\p{M}\p{So}])[\u200c\u200d](?=[\p{L}\p{So}]))\p{Cf}|[\u2028\u2029]/gu;

/**
 * A text with its unseen characters as their codes.
 * @param {string} text
 */
export function visible(text) {
  return text.replace(
    UNSEEN,
    (found) => `‹${found.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}›`,
  );
}

/**
 * A text that somebody has written, in a direction of its own.
 * @param {{ children: string, class?: string }} props
 */
export function Said({ children, class: name }) {
  return html`<bdi class=${name}>${visible(String(children ?? ""))}</bdi>`;
}

/**
 * A sentence of memo's: what can be typed or opened stands between backticks.
 * @param {{ children: string }} props
 */
export function Message({ children }) {
  const parts = visible(String(children ?? "")).split("`");
  return html`<bdi>${
    parts.map((part, i) => i % 2 === 1 ? html`<code>${part}</code>` : part)
  }</bdi>`;
}

/**
 * A number and what is counted: `1 memory`, `3 memories`.
 * @param {number} number
 * @param {string} one
 * @param {string} [several]
 */
export function counted(number, one, several = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : several}`;
}

/**
 * Whether a text has nothing but what its title says: a note of one line.
 * @param {string} text
 * @param {string} title
 */
export function saysAs(text, title) {
  const [one, other] = [text, title].map((each) => each.trim().replace(/[.!]$/, ""));
  return one === other;
}
