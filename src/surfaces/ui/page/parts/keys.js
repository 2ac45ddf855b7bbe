// @ts-check
// Keys: a view says which ones it has while it is shown, and the help lists exactly those.

import { useLayoutEffect, useRef } from "preact/hooks";

/**
 * What a key does. `key` is the `KeyboardEvent.key`, or several of them; one with `says: ""` is not listed, and where `when` says
 * no it is another group's.
 * @typedef {{ key: string | readonly string[], says: string, run: (event: KeyboardEvent) => void, when?: () => boolean, isIn?: "texts" }} Binding
 */

/** @type {Set<{ current: { title: string, bindings: readonly Binding[] } }>} */
const groups = new Set();

/**
 * What can be pressed now, by group, each key once: several memories have the same ones.
 * @returns {{ title: string, bindings: Binding[] }[]}
 */
export function keysNow() {
  /** @type {Map<string, Map<string, Binding>>} */
  const found = new Map();
  for (const { current: { title, bindings } } of groups) {
    const its = found.get(title) ?? new Map();
    for (const binding of bindings) if (binding.says !== "") its.set(binding.says, binding);
    found.set(title, its);
  }
  return [...found].filter(([, its]) => its.size > 0)
    .map(([title, its]) => ({ title, bindings: [...its.values()] }));
}

/**
 * Has keys work while a component is shown.
 * @param {string} title of the group in the help
 * @param {readonly Binding[]} bindings
 */
export function useKeys(title, bindings) {
  const group = useRef({ title, bindings });
  group.current = { title, bindings };
  useLayoutEffect(() => { // what is seen can be pressed
    groups.add(group);
    return () => void groups.delete(group);
  }, []);
}

/** Whether what is typed goes into a text. */
/** @param {EventTarget | null} target */
function isText(target) {
  return target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input:not([type=checkbox]), textarea, select"));
}

/** @param {KeyboardEvent} event */
function press(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.isComposing || document.querySelector("dialog[open]") !== null) return;
  // A key on a button or a link is its own.
  const isOwn = (event.key === "Enter" || event.key === " ") && event.target instanceof Element &&
    event.target.closest("button, a, summary") !== null;
  if (isOwn) return;
  // What was shown last counts first.
  for (const { current: { bindings } } of [...groups].reverse()) {
    for (const { key, run, isIn, when } of bindings) {
      if (isText(event.target) && isIn !== "texts") continue;
      if (!(Array.isArray(key) ? key : [key]).includes(event.key)) continue;
      if (when !== undefined && !when()) continue;
      event.preventDefault();
      return run(event);
    }
  }
}

document.addEventListener("keydown", press);
