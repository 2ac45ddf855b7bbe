// @ts-check
import { html } from "htm/preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { keysNow } from "./keys.js";
import { Said } from "./text.js";

/**
 * A modal dialog: Escape and a click beside it close it, and the focus returns to where it was.
 * @param {{ title: string, onClose: () => void, children?: any, isWide?: boolean }} props
 */
export function Dialog({ title, onClose, children, isWide = false }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useLayoutEffect(() => {
    const shown = dialog.current, before = document.activeElement;
    shown?.showModal();
    return () => {
      shown?.close();
      if (before instanceof HTMLElement) before.focus(); // the browser forgets it with a dialog that is taken away
    };
  }, []);
  /** @param {MouseEvent} event */
  const clicked = (event) => {
    if (event.target === dialog.current) onClose();
  };
  // One that was taken away hears of it later, when the next may be open.
  const closed = () => dialog.current !== null && onClose();
  // Before the browser closes it: until it says that it has, the next key would go into what is no longer seen.
  const cancelled = (/** @type {Event} */ event) => {
    event.preventDefault();
    onClose();
  };
  return html`
    <dialog ref=${dialog} class=${isWide ? "wide" : ""} aria-labelledby="dialog-title"
      onCancel=${cancelled} onClose=${closed} onMouseDown=${clicked}>
      <div class="dialog-head">
        <h2 id="dialog-title">
          <${Said}>${title}</${Said}></h2>
        <button class="quiet" aria-label="Close" onClick=${onClose}>✕</button>
      </div>
      <div class="dialog-body">${children}</div>
    </dialog>
  `;
}

/**
 * Asks before something is done.
 * @param {{ title: string, says: string, does: string, onYes: () => void, onClose: () => void }} props
 */
export function Confirm({ title, says, does, onYes, onClose }) {
  return html`
    <${Dialog} title=${title} onClose=${onClose}>
      <p>
        <${Said}>${says}</${Said}></p>
      <div class="actions">
        <button class="primary" autofocus onClick=${() => (onClose(), onYes())}>${does}</button>
        <button onClick=${onClose}>Cancel</button>
      </div>
      </${Dialog}>
  `;
}

/** @type {Readonly<Record<string, string>>} */
const NAMES = {
  ArrowDown: "↓",
  ArrowUp: "↑",
  ArrowLeft: "←",
  ArrowRight: "→",
  Escape: "Esc",
  " ": "Space",
};

/** @param {{ onClose: () => void }} props */
export function Help({ onClose }) {
  return html`
    <${Dialog} title="Keyboard shortcuts" isWide=${true} onClose=${onClose}>
      <div class="keys">${keysNow().map(({ title, bindings }) =>
        html`
          <section key=${title}>
            <h3>${title}</h3>
            <dl>${bindings.map(({ key, says }) =>
              html`
                <div key=${says}>
                  <dt>${[key].flat().map((each) =>
                    html`<kbd key=${each}>${NAMES[each] ?? each}</kbd>`
                  )}</dt>
                  <dd>${says}</dd>
                </div>
              `
            )}</dl>
          </section>
        `
      )}</div>
      </${Dialog}>
  `;
}
