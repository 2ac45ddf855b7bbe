// @ts-check
// What is looked at, as the address has it: `#memories/ID`. A link, another view and a click are steps of back and
// forward; what the arrows pass by is not.

import { useCallback, useEffect, useState } from "preact/hooks";

/** @returns {{ view: string, at: string | undefined }} */
function read() {
  const [view = "", at] = location.hash.slice(1).split("/");
  return { view, at: at || undefined };
}

/** The address of something in a view. @param {string} view @param {string} [at] */
export const addressOf = (view, at) => `#${view}${at === undefined ? "" : `/${at}`}`;

/** Where the page is, and how it goes elsewhere. */
export function useAddress() {
  const [address, setAddress] = useState(read);
  useEffect(() => {
    const look = () => setAddress(read());
    addEventListener("hashchange", look);
    return () => removeEventListener("hashchange", look);
  }, []);
  const go = useCallback(
    (
      /** @type {string} */ view,
      /** @type {string | undefined} */ at,
      /** @type {boolean} */ isStep = false,
    ) => {
      const next = addressOf(view, at);
      if (next === location.hash) return;
      history[isStep ? "pushState" : "replaceState"](null, "", next);
      setAddress(read());
    },
    [],
  );
  return { ...address, go };
}
