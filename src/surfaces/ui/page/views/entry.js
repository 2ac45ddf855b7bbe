// @ts-check
// One prompt or moment: what was given and why, what was left out and why, and the text itself.

import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { call } from "../api.js";
import { useKeys } from "../parts/keys.js";
import { counted, Said } from "../parts/text.js";
import { dayOf, lastedOf, momentOf, timeOf } from "../parts/time.js";
import { Card, cardNow, moveCard } from "./card.js";
import { deliveryOf, headlineOf, outcomeOf } from "./why.js";

/** @typedef {import("./why.js").EntryData} EntryData */
/** @typedef {{ project: string | null }} SessionData */

/** Characters of a token, about. */
const TOKEN_CHARS = 4;

/** @param {{ entry: EntryData, session: SessionData, onBack: () => void }} props */
export function Entry({ entry, session, onBack }) {
  const { given, left, ms, chars, kind, why } = entry;
  const total = Object.values(ms).reduce((sum, each) => sum + each, 0);
  const isIn = () => cardNow() !== undefined;
  useKeys("Memory", [
    { key: ["j", "ArrowDown"], says: "", when: isIn, run: () => moveCard(1) },
    { key: ["k", "ArrowUp"], says: "", when: isIn, run: () => moveCard(-1) },
    { key: ["Escape", "ArrowLeft"], says: "Back to the list", when: isIn, run: onBack },
  ]);
  const isExplained = why !== undefined &&
    (entry.outcome === "gated" || entry.outcome === "failed");
  return html`
    <article>
      <p class="muted small">${session.project ?? "No project"}${" · "}
        <span title=${momentOf(entry.at)}>${dayOf(entry.at)}, ${timeOf(entry.at)}</span></p>
      <h2 class="prompt">
        <${Said}>${headlineOf(entry)}</${Said}></h2>
        <p class="facts"><span>${outcomeOf(entry)}${isExplained ? ` (${why})` : ""}</span>
          ${chars > 0 &&
            html`<span class="muted" title=${`${chars} characters`}>about ${
              counted(Math.round(chars / TOKEN_CHARS), "token")
            }</span>`}
          ${total > 0 &&
            html`<span class="muted" title=${`${total.toFixed(1)} ms`}>${
              lastedOf(total)
            }</span>`}</p>
        ${given.length > 0 && html`
          <h3>${kind === "guard" ? "Rule" : "Added"}</h3>
          <ul class="cards">${given.map((each, i) =>
            html`<${Card} key=${each.id ?? i} given=${each} entry=${entry} />`
          )}</ul>
        `}
        ${left.length > 0 && html`
          <h3>Left out, closest first</h3>
          <ul class="cards out">${left.map((each, i) =>
            html`<${Card} key=${each.id ?? i} given=${each} entry=${entry} />`
          )}</ul>
        `}
        ${chars > 0 && html`<${Block} entry=${entry} isOpen=${kind === "start"} />`}
      </article>
  `;
}

/**
 * The very text, as the transcript has it.
 * @param {{ entry: EntryData, isOpen: boolean }} props
 */
function Block({ entry: { id }, isOpen: isOpenAtFirst }) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const [found, setFound] = useState(/** @type {any} */ (undefined));
  useEffect(() => {
    if (!isOpen || found !== undefined) return;
    call("given", { id }).then(setFound, ({ message }) => setFound({ failed: message }));
  }, [isOpen]);
  return html`<details class="block" open=${isOpen} onToggle=${(/** @type {any} */ event) =>
    setOpen(event.currentTarget.open)}>
    <summary>What the model read</summary>
    ${
    found === undefined
      ? html`<p class="muted">Reading the transcript…</p>`
      : found.failed !== undefined
      ? html`<p class="muted">${found.failed}</p>`
      : html`<p class="muted">${deliveryOf(found.delivery)}${
        found.block === undefined &&
          found.delivery !== "no transcript"
          ? "; the text is not in the transcript"
          : ""
      }.</p>
      ${
        found.block !== undefined && html`<pre class="text"><${Said}>${found.block}</${Said}></pre>`
      }`
  }
  </details>`;
}
