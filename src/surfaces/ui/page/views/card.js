// @ts-check
// A memory in a receipt: why it came, its text, and what can be done about it.

import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { call } from "../api.js";
import { addressOf } from "../parts/address.js";
import { Edit } from "../parts/edit.js";
import { useKeys } from "../parts/keys.js";
import { Said } from "../parts/text.js";
import { change, tellError } from "../parts/toasts.js";
import { whyOf } from "./why.js";

/** The card that has the focus, or something in it. @returns {HTMLElement | undefined} */
export function cardNow() {
  return document.activeElement?.closest(".card") ?? undefined;
}

/** Moves the focus from card to card; from elsewhere to the first. @param {number} step */
export function moveCard(step) {
  const cards = [...document.querySelectorAll(".card")];
  const at = cards.findIndex((card) => card === cardNow());
  const next = cards[at < 0 ? 0 : Math.max(0, Math.min(cards.length - 1, at + step))];
  if (next instanceof HTMLElement) next.focus();
}

/** @param {{ given: import("./why.js").GivenData, entry: import("./why.js").EntryData }} props */
export function Card({ given, entry }) {
  const { id, title, type, scope, score, threshold, pinned, isUsed, because, from } = given;
  const card = useRef(/** @type {HTMLElement | null} */ (null));
  const [isOpen, setOpen] = useState(false);
  const [isEditing, edit] = useState(false);
  const isHere = () => card.current !== null && card.current === cardNow();
  const isThere = () => id !== null && isHere();
  const acts = {
    toggle: () => setOpen((isOpen) => !isOpen && id !== null),
    edit: () => edit(true),
    forget: () => void change("forget", { id }),
    pin: () => void change("pin", { id, on: !pinned }),
    never: () => void change("never", { id, prompt: entry.prompt }),
  };
  // A prompt can be told never to bring it again; what was left out does not come anyway.
  const isUnasked = entry.kind === "prompt" && entry.prompt !== undefined && because === undefined;
  useKeys("Memory", [
    { key: "Enter", says: "Show the text", when: isThere, run: acts.toggle },
    { key: "e", says: "Edit", when: isThere, run: acts.edit },
    { key: "f", says: "Forget", when: isThere, run: acts.forget },
    { key: "p", says: "Pin or unpin", when: isThere, run: acts.pin },
    ...isUnasked
      ? [{ key: "n", says: "Never for prompts like this", when: isThere, run: acts.never }]
      : [],
  ]);
  /** @param {MouseEvent} event */
  const clicked = (event) => {
    const isElsewhere = event.target instanceof Element &&
      event.target.closest("a, button, pre, dialog");
    if (!isElsewhere) acts.toggle();
  };
  return html`
    <li class=${isOpen ? "card open" : "card"} ref=${card} tabindex="0" onClick=${clicked}>
      <div class="card-head">
          <strong class="grow"><${Said}>${title}</${Said}></strong>
          ${isUsed !== undefined && html`
            <span class=${isUsed ? "tag good" : "tag"}
              title=${isUsed ? "The reply uses it" : "The reply does not use it"}
            >${isUsed ? "used" : "not used"}</span>
          `}
          ${pinned && html`<span class="tag">pinned</span>`}
          ${type && html`<span class="tag" title="Type">${type}</span>`}
          ${scope && html`<span class="tag" title="Where it applies">${PLACES[scope]}</span>`}
        </div>
        <div class="card-why">
          <span class="grow muted">${whyOf(given, entry)}${id === null
            ? "; deleted since"
            : ""}${from && html`${" "}<a href=${addressOf("now", from.id)}>Show</a>`}</span>
          ${score !== undefined &&
            html`<span class="score">${score.toFixed(2)}${
              threshold !== undefined &&
              html`, <span class="muted">needs ${threshold.toFixed(2)}</span>`
            }</span>`}
        </div>
        ${isOpen && id !== null && html`
          <${Text} given=${given} />
          <div class="actions">
                  <button onClick=${acts.edit}>Edit <kbd>e</kbd></button>
                  <button onClick=${acts.pin}>${pinned ? "Unpin" : "Pin"} <kbd>p</kbd></button>
                  ${isUnasked &&
                    html`<button onClick=${acts.never}>Never for prompts like this <kbd>n</kbd></button>`}
                  <a href=${addressOf("memories", id)}>Details</a>
                  <button class="danger" onClick=${acts.forget}>Forget <kbd>f</kbd></button>
                </div>
        `}
        ${isEditing && id !== null &&
          html`<${Edit} id=${id} title=${title} onClose=${() => edit(false)} />`}
      </li>
  `;
}

/** @type {Readonly<Record<string, string>>} */
const PLACES = {
  user: "everywhere",
  project: "this project",
  shared: "this repository",
  auto: "Claude Code's own",
  team: "your team",
};

/**
 * A memory's text as it is now; it is read again when the list has been.
 * @param {{ given: import("./why.js").GivenData }} props
 */
function Text({ given }) {
  const [text, setText] = useState(/** @type {string | undefined} */ (undefined));
  useEffect(() => {
    call("memory", { id: given.id }).then(({ text }) => setText(text), tellError);
  }, [given]);
  return html`<pre class="text" aria-busy=${text === undefined}><${Said}>${
    text ?? "…"
  }</${Said}></pre>`;
}
