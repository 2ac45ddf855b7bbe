// @ts-check
// What waits for the person's word: each is decided by one key, several at once too, and the next one is there.

import { html } from "htm/preact";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { call } from "../api.js";
import { Confirm } from "../parts/dialog.js";
import { Diff } from "../parts/diff.js";
import { useKeys } from "../parts/keys.js";
import { List, Many } from "../parts/list.js";
import { counted, Message, Said, visible } from "../parts/text.js";
import { change, tellError, useChanges } from "../parts/toasts.js";
import { changeOf, rowsOf } from "./waiting.js";

/** @typedef {import("./waiting.js").Act} Act */
/** @typedef {import("./waiting.js").Row} Row */
/** @typedef {import("./waiting.js").Heading} Heading */
/** @typedef {import("./waiting.js").Part} Part */

const HEIGHT = 40;
/** Time until more memories are compared. */
const AGAIN_MS = 150;

/** Whether there is more to come. @param {any} waiting */
const isMoreIn = ({ left, isLooking }) => left > 0 || isLooking === true;

/** @param {import("./why.js").Looking} props */
export function Review({ at: current, onAt: setCurrent }) {
  const [waiting, setWaiting] = useState(/** @type {any} */ (undefined));
  const [isOpen, open] = useState(false);
  const [asks, setAsks] = useState(/** @type {Act | undefined} */ (undefined));
  /** Where the current row was, for the one that takes its place. */
  const place = useRef(0);
  const timer = useRef(/** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined));
  const isGone = useRef(false);
  const ask = useCallback(async () => {
    clearTimeout(timer.current);
    try {
      const reply = await call("review");
      if (isGone.current) return;
      setWaiting(reply);
      if (isMoreIn(reply)) timer.current = setTimeout(ask, AGAIN_MS);
    } catch (error) {
      tellError(error);
    }
  }, []);
  useEffect(() => {
    void ask();
    return () => {
      isGone.current = true;
      clearTimeout(timer.current);
    };
  }, []);
  useChanges(ask);
  const rows = useMemo(() => waiting === undefined ? [] : rowsOf(waiting), [waiting]);
  const own = rows.flatMap((row) => row.key === undefined ? [] : [row]);
  const at = rows.findIndex(({ key }) => key !== undefined && key === current);
  if (at >= 0) place.current = at;
  const index = at >= 0
    ? at
    : rows.findIndex(({ key }, i) => key !== undefined && i >= place.current);
  const row = own.find(({ key }) => key === rows[index]?.key) ?? own.at(-1);
  const { marked, toggle, selectTo, selectList, selectNone } = useMarks(rows, own);

  /** What a key would do: about what is selected, else about the row that is looked at. */
  const acts = useMemo(
    () => marked.length > 0 ? together(marked) : row?.acts ?? [],
    [marked, row],
  );
  /** @param {Act} act */
  const run = async ({ name, ids, params }) => {
    // A list that was not up to date may be why it could not be done.
    if (await change(name, { ids, ...params }) !== undefined) selectNone();
    else await ask();
  };
  /** @param {Act} act */
  const decide = (act) => {
    if (act.isFinal && act.ids.length > 1) setAsks(act);
    else void run(act);
  };
  useKeys("Review", [
    ...DECISIONS.map(({ key, says }) => ({
      ...{ key, says },
      run: () => {
        const act = acts.find((act) => act.key === key);
        if (act) decide(act);
      },
    })),
    { key: "a", says: "Select all of this list", run: () => void (row && selectList(row.list)) },
    {
      key: "Escape",
      says: "Back; select nothing",
      run: () => {
        if (isOpen) open(false);
        else selectNone();
      },
    },
  ]);
  if (waiting !== undefined && own.length === 0) {
    return html`
      <section class="empty" aria-busy=${isMoreIn(waiting)}>
        <h1>Review</h1>
        <p>${waiting.left > 0
          ? `Comparing ${counted(waiting.left, "memory", "memories")} …`
          : waiting.isLooking
          ? "Looking …"
          : "Nothing waits for your word."}</p>
      </section>
    `;
  }
  const selected = new Set(marked.map(({ key }) => key));
  return html`
    <div class=${`split review${isOpen ? " open" : ""}`}>
      <div class="side">
        <div class="bar">
          <h1>Review</h1>
          <span class="muted small" aria-busy=${waiting === undefined ||
            isMoreIn(waiting)}>${waiting ===
              undefined
            ? "Looking …"
            : waiting.left > 0
            ? `${counted(waiting.left, "memory", "memories")} to compare`
            : counted(own.length, "decision")}</span>
        </div>
        ${marked.length > 0 && html`
          <div class="bar count-bar">
            <${Many} count=${marked.length} onNone=${selectNone}>
              ${acts.length === 0 &&
                html`<span class="muted small">decided one at a time</span>`}
              ${acts.map((act) =>
                html`
                  <button key=${act.key} class=${act.isBad ? "danger" : ""}
                    aria-keyshortcuts=${act.key} onClick=${() => decide(act)}>${act.says}</button>
                `
              )}
            </${Many}>
          </div>
        `}
        <${List} label="What waits" rows=${rows} height=${HEIGHT} current=${row?.key}
          keyOf=${(/** @type {Row | Heading} */ { key }) => key}
          onCurrent=${setCurrent} onOpen=${() =>
            open(true)} selected=${selected} onSelect=${toggle} onSelectTo=${selectTo}
          render=${(/** @type {Row | Heading} */ each) =>
            each.key === undefined
              ? html`<span class="project grow">${each.list}</span><span class="count">${each.note}</span>`
              : rowOf(each)} />
      </div>
      <div class="detail" role="region" aria-label="What is decided">
        <button class="quiet back" onClick=${() => open(false)}>← Back</button>
        ${row &&
          html`<${Detail} key=${row.key} row=${row} marked=${marked.length} onAct=${decide} />`}
      </div>
    </div>
    ${asks && html`
      <${Confirm} title=${`${asks.says}?`}
        says=${`This is about ${asks.ids.length} notes at once, and no key takes it back.`}
        does=${asks.says} onYes=${() => void run(asks)} onClose=${() => setAsks(undefined)} />
    `}
  `;
}

/** The keys that decide, as the help lists them. */
const DECISIONS = [
  { key: "y", says: "Keep, or approve" },
  { key: "c", says: "Change the note to what is now" },
  { key: "o", says: "Keep the other" },
  { key: "b", says: "Keep both" },
  { key: "m", says: "Merge" },
  { key: "f", says: "Forget, of two the older" },
  { key: "n", says: "Forget the newer" },
  { key: "r", says: "Reject" },
  { key: "t", says: "Trust" },
];

/**
 * What is selected: several of one list, because other lists have other decisions.
 * @param {readonly (Row | Heading)[]} rows
 * @param {readonly Row[]} own
 */
function useMarks(rows, own) {
  const [keys, setKeys] = useState(/** @type {ReadonlySet<string>} */ (new Set()));
  const anchor = useRef(/** @type {string | undefined} */ (undefined));
  const marked = useMemo(() => own.filter(({ key }) => keys.has(key)), [rows, keys]);
  /** @param {string} key */
  const listOf = (key) => own.find((row) => row.key === key)?.list;
  /** @param {string} key */
  const toggle = (key) => {
    anchor.current = key;
    const all = new Set(marked.filter(({ list }) => list === listOf(key)).map(({ key }) => key));
    if (!all.delete(key)) all.add(key);
    setKeys(all);
  };
  /** @param {string} key */
  const selectTo = (key) => {
    const its = own.filter(({ list }) => list === listOf(key)).map(({ key }) => key);
    const to = its.indexOf(key), from = its.indexOf(anchor.current ?? "");
    const [first, last] = from < 0 ? [to, to] : [Math.min(from, to), Math.max(from, to)];
    const before = marked.map(({ key }) => key).filter((key) => its.includes(key));
    setKeys(new Set([...before, ...its.slice(first, last + 1)]));
  };
  /** @param {string} list */
  const selectList = (list) =>
    setKeys(new Set(own.filter((row) => row.list === list).map(({ key }) => key)));
  return { marked, toggle, selectTo, selectList, selectNone: () => setKeys(new Set()) };
}

/** What the keys do about several rows of a list at once. @param {readonly Row[]} rows @returns {Act[]} */
function together(rows) {
  const acts = rows.flatMap(({ acts }) => acts).filter(({ isSeen }) => !isSeen);
  return [...Map.groupBy(acts, ({ key }) => key).values()].map((same) => ({
    .../** @type {Act} */ (same[0]),
    ids: [...new Set(same.flatMap(({ ids }) => ids))],
  }));
}

/** @param {Row} row */
function rowOf({ title, note }) {
  return html`
    <span class="line grow">
      <${Said} class="grow cut title">${title}</${Said}>
      ${note && html`<span class="tag cut"><${Said}>${note}</${Said}></span>`}
    </span>
  `;
}

/** @param {{ row: Row, marked: number, onAct: (act: Act) => void }} props */
function Detail({ row: { key, title, says, warns, parts, asks, acts }, marked, onAct }) {
  const [answered, setAnswered] = useState(
    /** @type {readonly Part[] | undefined} */ (asks === undefined ? parts : undefined),
  );
  useEffect(() => {
    if (asks === undefined) return;
    call(asks, { id: key }).then(({ parts }) => setAnswered(parts.map(changeOf)), tellError);
  }, [asks]);
  return html`
    <article aria-busy=${answered === undefined}>
      <h2>
        <${Said}>${title}</${Said}></h2>
      ${says && html`
        <p class="muted">
          <${Said}>${says}</${Said}></p>
      `}
      ${warns && html`
        <p class="muted small">
          <${Message}>${warns}</${Message}></p>
      `}
      ${marked > 0
        ? html`<p class="small note">Keys and buttons decide about the ${marked} that are selected.</p>`
        : html`
          <div class="actions">
            ${acts.map((act, i) =>
              html`
                <button key=${act.key} class=${i === 0 ? "primary" : act.isBad ? "danger" : ""}
                  aria-keyshortcuts=${act.key} onClick=${() => onAct(act)}>${act.says} <kbd>${act
                    .key}</kbd></button>
              `
            )}
          </div>
        `}
      ${answered?.map((part, i) => html`<${PartOf} key=${i} part=${part} />`)}
    </article>
  `;
}

/** @param {{ part: Part }} props */
function PartOf({ part: { title, facts, says, text, lines } }) {
  return html`
    <section>
      <h3>
        <${Said}>${title}</${Said}></h3>
      <p class="muted small"><${Said}>${facts}</${Said}></p>
      ${says && html`<p class="small">${says}</p>`}
      ${lines !== undefined
        ? html`
          <div class="boxed">
            <${Diff} lines=${lines} of=${title} />
          </div>
        `
        : html`
          <div class="note-text" tabindex="0" role="region"
            aria-label=${visible(
              title,
            )}><bdi>${visible(text ?? "")}</bdi></div>
        `}
    </section>
  `;
}
