// @ts-check
// What has just happened, at the foot of the page, with a way back where there is one.

import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { call, CallError } from "../api.js";
import { useKeys } from "./keys.js";
import { Message } from "./text.js";

/** @typedef {{ id: number, says: string, hint?: string, group?: string, isBad?: boolean }} Toast */

/** Time that one stays, if it says what went well. */
const STAYS_MS = 8000;

let next = 0;
/**
 * The change that was made last and not undone, also when its toast has gone: its group, or why no key takes it back.
 * @typedef {{ group: string } | { isFinal: string }} Last
 */
let last = /** @type {Last | undefined} */ (undefined);
/** Ends when the change that was begun last is made: what is undone is the last one, however fast the keys are. */
let running = /** @type {Promise<unknown>} */ (Promise.resolve());
/** @type {Toast[]} */
let toasts = [];
/** @type {(toasts: Toast[]) => void} */
let show = () => {};
/** @type {Set<() => void>} */
const listeners = new Set();

/** @param {Toast[]} now */
function set(now) {
  toasts = now;
  show(now);
}

/** @param {Omit<Toast, "id">} toast */
function add(toast) {
  const id = next++;
  set([...toasts, { id, ...toast }].slice(-3));
  if (!toast.isBad) setTimeout(() => set(toasts.filter((each) => each.id !== id)), STAYS_MS);
}

/**
 * Says what a change has done; with its group, it can be undone.
 * @param {{ said: string, group?: string, isFinal?: string }} reply
 */
export function tell({ said, group, isFinal }) {
  if (group !== undefined) last = { group };
  else if (isFinal !== undefined) last = { isFinal };
  add({ says: said, group, hint: isFinal && `Cannot be undone here: ${isFinal}` });
  for (const listener of listeners) listener();
}

/**
 * Says what went wrong.
 * @param {unknown} error
 */
export function tellError(error) {
  if (error instanceof CallError && error.isEnd) return; // the page says so already
  const hint = error instanceof CallError ? error.hint : undefined;
  add({ says: error instanceof Error ? error.message : String(error), hint, isBad: true });
}

/**
 * Makes a change and says what it has done; resolves with the reply, or undefined if it could not be made.
 * @param {string} name
 * @param {object} params
 */
export function change(name, params) {
  const made = running.then(async () => {
    try {
      const reply = await call(name, params);
      tell(reply);
      return reply;
    } catch (error) {
      tellError(error);
      return undefined;
    }
  });
  running = made;
  return made;
}

/**
 * Calls a function after each change, whichever view has made it.
 * @param {() => void} listener
 */
export function useChanges(listener) {
  useEffect(() => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, [listener]);
}

/** The toasts, and the key that takes the last change back. */
export function Toasts() {
  const [shown, setShown] = useState(toasts);
  useEffect(() => {
    show = setShown;
    return () => void (show = () => {});
  }, []);
  /** @param {string | undefined} group */
  const undo = async (group) => {
    if (group === undefined) return;
    if (last !== undefined && "group" in last && group === last.group) last = undefined;
    set(toasts.filter((toast) => toast.group !== group));
    await change("undo", { group });
  };
  const undoLast = async () => {
    if (last === undefined) return;
    // What was done before it is not what the key means.
    if ("isFinal" in last) tellError(new Error(`Cannot undo that here: ${last.isFinal}`));
    else await undo(last.group);
  };
  useKeys("Changes", [{
    key: "u",
    says: "Undo the last change",
    run: () => void running.then(undoLast),
  }]);
  return html`<div class="toasts" role="status" aria-live="polite">
    ${
    shown.map((toast) =>
      html`
        <div key=${toast.id} class=${toast.isBad ? "toast bad" : "toast"}>
          <div class="grow">
            <${Message}>${toast.says}</${Message}>
                ${toast.hint && html`
                  <p class="muted">
                    <${Message}>${toast.hint}</${Message}></p>
                `}</div>
              ${toast.group !== undefined &&
                html`<button onClick=${() => void undo(toast.group)}>Undo</button>`}
              <button class="quiet" aria-label="Dismiss" onClick=${() =>
                set(toasts.filter(({ id }) => id !== toast.id))}>✕</button>
            </div>
      `
    )
  }
  </div>`;
}
