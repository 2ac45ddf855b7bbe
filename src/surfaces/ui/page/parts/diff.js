// @ts-check
// What a change has made of a text, line by line.

import { html } from "htm/preact";
import { counted, visible } from "./text.js";

/** @typedef {{ kind: "same" | "added" | "removed" | "skipped", text: string }} DiffLine */

/** @type {Readonly<Record<DiffLine["kind"], string>>} */
const MARKS = { same: " ", added: "+", removed: "−", skipped: "⋯" };
/** @type {Readonly<Record<DiffLine["kind"], string>>} */
const SAYS = { same: "", added: "Added: ", removed: "Removed: ", skipped: "" };

/**
 * `of` names what has changed, where there are several.
 * @param {{ lines: readonly DiffLine[], of?: string }} props
 */
export function Diff({ lines, of }) {
  if (lines.length === 0) {
    return html`
      <p class="muted">The text is the same.</p>
    `;
  }
  return html`<div class="diff" role="group" aria-label=${
    of === undefined ? "What changed" : visible(of)
  } tabindex="0">${
    lines.map(({ kind, text }, i) =>
      html`
        <div key=${i} class=${`diff-line ${kind}`}>
          <span class="diff-mark" aria-hidden="true">${MARKS[kind]}</span>
          <span class="unseen">${SAYS[kind]}</span>
          <bdi>${kind === "skipped" ? counted(Number(text), "line") : visible(text)}</bdi>
        </div>
      `
    )
  }</div>`;
}
