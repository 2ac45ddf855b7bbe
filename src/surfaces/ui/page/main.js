// @ts-check
// The page's shell: shows one view of three, and has the keys that work in all of them.

import { render } from "preact";
import { html } from "htm/preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { whenOver } from "./api.js";
import { useAddress } from "./parts/address.js";
import { Help } from "./parts/dialog.js";
import { useKeys } from "./parts/keys.js";
import { Toasts } from "./parts/toasts.js";
import { Memories } from "./views/memories.js";
import { Now } from "./views/now.js";
import { Review } from "./views/review.js";

const VIEWS = [
  { name: "Now", view: Now },
  { name: "Memories", view: Memories },
  { name: "Review", view: Review },
];

function Page() {
  const { view: wanted, at, go } = useAddress();
  const shown = Math.max(0, VIEWS.findIndex(({ name }) => name.toLowerCase() === wanted));
  const { view, name } = VIEWS[shown] ?? { view: Now, name: "Now" };
  /** What was looked at last in each view: coming back shows it again. */
  const last = useRef(/** @type {Record<string, string | undefined>} */ ({}));
  last.current[name] = at;
  const show = (/** @type {string} */ name) => go(name.toLowerCase(), last.current[name], true);
  const look = useCallback(
    (/** @type {string | undefined} */ at, /** @type {boolean} */ isStep = false) =>
      go(name.toLowerCase(), at, isStep),
    [name],
  );
  const [isHelping, help] = useState(false);
  const [over, setOver] = useState(
    /** @type {import("./api.js").CallError | undefined} */ (undefined),
  );
  const [unsaved, setUnsaved] = useState(/** @type {readonly string[]} */ ([]));
  useEffect(() =>
    whenOver((error) => {
      // What is being written goes with its view, and there is nobody to save it any more.
      setUnsaved(beingWritten());
      setOver(error);
    }), []);
  useEffect(() => {
    document.title = `${over === undefined ? name : "Closed"} · memo`;
  }, [name, over]);
  useKeys("Page", [
    ...VIEWS.map(({ name }, i) => ({ key: String(i + 1), says: name, run: () => show(name) })),
    { key: "?", says: "Show keyboard shortcuts", run: () => help(true) },
  ]);
  if (over !== undefined) return html`<${Over} error=${over} unsaved=${unsaved} />`;
  return html`
    <a class="skip" href="#main">Skip to ${name}</a>
    <header>
      <span class="brand"><img src="/icon.svg" alt="" width="16" height="16" />memo</span>
      <nav aria-label="Views">
        ${VIEWS.map(({ name }, i) =>
          html`
            <button key=${name} class="quiet"
              aria-current=${i === shown ? "page" : undefined} aria-keyshortcuts=${i + 1}
              onClick=${() => show(name)}>${name}<kbd>${i + 1}</kbd></button>
          `
        )}
      </nav>
      <button class="quiet" aria-label="Keyboard shortcuts" onClick=${() =>
        help(true)}><kbd>?</kbd></button>
    </header>
    <main id="main" tabindex="-1">
      <${view} key=${name} at=${at} onAt=${look} />
    </main>
    <${Toasts} />
    ${isHelping && html`<${Help} onClose=${() => help(false)} />`}
  `;
}

/** The texts that somebody has changed and not saved. */
function beingWritten() {
  return [...document.querySelectorAll("textarea")]
    .filter((area) => !area.readOnly && area.value !== area.defaultValue)
    .map(({ value }) => value);
}

addEventListener("beforeunload", (event) => {
  if (beingWritten().length > 0) event.preventDefault();
});

/** @param {{ error: import("./api.js").CallError, unsaved: readonly string[] }} props */
function Over({ error, unsaved }) {
  const why = error.status === 0
    ? "The link expires 15 minutes after you close the page, and when memo's daemon restarts."
    : "The link works once, in the tab where you opened it.";
  return html`
    <main class="over">
      <div role="alert">
        <h1>This page is closed</h1>
        <p>${why}</p>
        <p>Run <code>memo ui</code> to open it again.</p>
      </div>
      ${unsaved.map((text, i) =>
        html`
          <label key=${i}>Your changes were not saved. Copy them from here:
            <textarea readonly rows="12" defaultValue=${text}></textarea></label>
        `
      )}
    </main>
  `;
}

render(html`<${Page} />`, /** @type {HTMLElement} */ (document.getElementById("page")));
