// @ts-check
// What waits for the person's word: each is decided by one key, and the next one is there.

import { html } from "htm/preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { call } from "../api.js";
import { Diff } from "../parts/diff.js";
import { useKeys } from "../parts/keys.js";
import { List } from "../parts/list.js";
import { counted, Said, visible } from "../parts/text.js";
import { change, tellError, useChanges } from "../parts/toasts.js";

const HEIGHT = 40;
/** Time until more memories are compared. */
const AGAIN_MS = 150;

/**
 * What a key does about an item.
 * @typedef {{ key: string, says: string, name: string, params: object, isBad?: boolean }} Act
 * What a row is about: texts, or, where `asks` names a call, what it answers with.
 * @typedef {{ key: string, heading?: string, title: string, note: string, acts: readonly Act[], parts: readonly Part[], asks?: string, says?: string }} Row
 * @typedef {{ title: string, facts: string, says?: string, text?: string, lines?: readonly import("../parts/diff.js").DiffLine[] }} Part
 */

/** @param {any} memory */
const factsOf = ({ type, scope, project, at }) =>
  [type, project ?? scope, at?.slice(0, 10)].filter(Boolean).join(" · ");

/** @param {any} memory @returns {Part} */
const partOf = ({ name, body, isCut, description, ...rest }) => ({
  title: name,
  facts: factsOf(rest),
  text: [description, body].filter((text) => text !== "").join("\n\n") + (isCut ? "\n…" : ""),
});

/** A memory of a proposal, by what changes in it. @param {any} part @returns {Part} */
const changeOf = ({ name, stays, lines, ...rest }) => ({
  title: stays ? `Stays: ${name}` : `To the archive: ${name}`,
  facts: factsOf(rest),
  says: stays ? "Its file, before and after:" : "What it says beside the one that stays:",
  lines,
});

/**
 * The rows of all lists, each under its heading.
 * @param {any} waiting
 * @returns {Row[]}
 */
function rowsOf({ held, merges, pairs, notes, repositories }) {
  /** @param {string} heading @param {readonly Row[]} rows @returns {Row[]} */
  const list = (heading, rows) =>
    rows.length === 0
      ? []
      : [{ key: "", heading, title: "", note: String(rows.length), acts: [], parts: [] }, ...rows];
  /** @param {any} pair @returns {Row} */
  const pairRow = ({ id, older, newer, kind, differ }) => ({
    key: id,
    title: `${older.name} / ${newer.name}`,
    note: kind === "differ" ? differ.join(", ") : "",
    says: kind === "differ"
      ? `Much the same words, and these are in one of them alone: ${differ.join(", ")}.`
      : "They are close in meaning. If both are true, keep both: they are not asked about again.",
    parts: [
      { ...partOf(older), title: `Older: ${older.name}` },
      { ...partOf(newer), title: `Newer: ${newer.name}` },
    ],
    acts: [
      { key: "b", says: "Keep both", name: "both", params: { id } },
      {
        key: "f",
        says: "Forget the older",
        name: "forget",
        params: { ids: [older.id] },
        isBad: true,
      },
      {
        key: "n",
        says: "Forget the newer",
        name: "forget",
        params: { ids: [newer.id] },
        isBad: true,
      },
    ],
  });
  return [
    ...list(
      "Held back",
      held.map((/** @type {any} */ memory) => ({
        key: memory.id,
        title: memory.name,
        note: memory.type,
        says:
          "It asks for something that you have not asked for. Until you keep it, no session gets it.",
        parts: [partOf(memory)],
        acts: [
          { key: "a", says: "Keep it", name: "keep", params: { ids: [memory.id] } },
          {
            key: "f",
            says: "Forget it",
            name: "forget",
            params: { ids: [memory.id] },
            isBad: true,
          },
        ],
      })),
    ),
    ...list(
      "Not trusted",
      repositories.map((/** @type {any} */ { id, project, files }) => ({
        key: id,
        title: project,
        note: counted(files.length, "file"),
        says:
          "Files of this repository that memo does not read before you allow it. What changes later asks again.",
        parts: files.map((/** @type {any} */ { name, kind, file, text }) => ({
          title: name,
          facts: `${kind} · ${file}`,
          text: text ??
            "It is too long to show here and stays as it is: run `memo trust` in the repository.",
        })),
        acts: files.some((/** @type {any} */ { text }) => text !== null)
          ? [{ key: "t", says: "Trust what is shown", name: "trust", params: { id } }]
          : [],
      })),
    ),
    ...list(
      "For the team",
      notes.map((/** @type {any} */ note) => ({
        key: note.id,
        title: note.name,
        note: `${note.team}, by ${note.author}`,
        says: [
          note.isChange ? "It changes an approved note." : "A new note.",
          note.mayApprove ? "" : "It is your own: another person has to approve it.",
          ...note.alike.map((/** @type {any} */ { how, name }) =>
            `${how === "same" ? "It repeats" : "It differs from"} “${name}”.`
          ),
        ].filter((said) => said !== "").join(" "),
        parts: [{
          title: note.name,
          facts: `${note.type} · ${note.author} · ${note.at.slice(0, 10)}`,
          text: [note.description, note.body].filter((text) => text !== "").join("\n\n"),
        }],
        acts: [
          ...note.mayApprove
            ? [{ key: "a", says: "Approve", name: "approve", params: { id: note.id } }]
            : [],
          { key: "r", says: "Reject", name: "reject", params: { id: note.id }, isBad: true },
        ],
      })),
    ),
    ...list(
      "They say the same",
      merges.map((/** @type {any} */ { id, name, count, because }) => ({
        key: id,
        title: name,
        note: `${count} memories`,
        says: `A dream would merge these: ${because}.`,
        parts: [],
        asks: "proposal",
        acts: [
          { key: "m", says: "Merge", name: "merge", params: { id } },
          { key: "b", says: "Keep all", name: "both", params: { id } },
        ],
      })),
    ),
    ...list(
      "May contradict",
      pairs.filter((/** @type {any} */ { kind }) => kind === "differ").map(pairRow),
    ),
    ...list(
      "Close in meaning",
      pairs.filter((/** @type {any} */ { kind }) => kind === "near").map(pairRow),
    ),
  ];
}

export function Review() {
  const [waiting, setWaiting] = useState(/** @type {any} */ (undefined));
  const [current, setCurrent] = useState(/** @type {string | undefined} */ (undefined));
  const [isOpen, open] = useState(false);
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
      if (reply.left > 0) timer.current = setTimeout(ask, AGAIN_MS);
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
  const rows = waiting === undefined ? [] : rowsOf(waiting);
  const at = rows.findIndex(({ key }) => key !== "" && key === current);
  if (at >= 0) place.current = at;
  const own = rows.filter(({ key }) => key !== "");
  const row = rows[at] ?? rows.slice(place.current).find(({ key }) => key !== "") ?? own.at(-1);
  /** @param {Act} act */
  const run = (act) => void change(act.name, act.params);
  useKeys(
    "Review",
    [
      { key: "a", says: "Keep, or approve" },
      { key: "b", says: "Keep both" },
      { key: "m", says: "Merge" },
      { key: "f", says: "Forget, of two the older" },
      { key: "n", says: "Forget the newer" },
      { key: "r", says: "Reject" },
      { key: "t", says: "Trust" },
    ].map(({ key, says }) => ({
      ...{ key, says },
      run: () => {
        const act = row?.acts.find((act) => act.key === key);
        if (act) run(act);
      },
    })),
  );
  useKeys("Review", [{ key: "Escape", says: "", run: () => open(false) }]);
  if (waiting !== undefined && own.length === 0) {
    return html`
      <section class="empty" aria-busy=${waiting.left > 0}>
        <h1>Review</h1>
        <p>${waiting.left > 0
          ? `Comparing ${counted(waiting.left, "memory", "memories")} …`
          : "Nothing waits for your word."}</p>
      </section>
    `;
  }
  return html`
    <div class=${`split review${isOpen ? " open" : ""}`}>
      <div class="side">
        <div class="bar">
          <h1>Review</h1>
          <span class="muted small">${waiting === undefined
            ? "Looking …"
            : waiting.left > 0
            ? `${counted(waiting.left, "memory", "memories")} to compare`
            : counted(own.length, "decision")}</span>
        </div>
        <${List} label="What waits" rows=${rows} height=${HEIGHT} current=${row?.key}
          keyOf=${(/** @type {Row} */ { key }) => key === "" ? undefined : key}
          onCurrent=${setCurrent} onOpen=${() => open(true)}
          render=${(/** @type {Row} */ { heading, title, note }) =>
            heading !== undefined
              ? html`<span class="project grow">${heading}</span><span class="count">${note}</span>`
              : html`
                <${Said}
                  class="grow cut title">${title}</${Said}><span class="tag cut"><${Said}>${note}</${Said}></span>
              `} />
      </div>
      <div class="detail" role="region" aria-label="What is decided">
        <button class="quiet back" onClick=${() => open(false)}>← Back</button>
        ${row && html`<${Detail} key=${row.key} row=${row} run=${run} />`}
      </div>
    </div>
  `;
}

/** @param {{ row: Row, run: (act: Act) => void }} props */
function Detail({ row: { key, title, says, parts, asks, acts }, run }) {
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
      <div class="actions">
        ${acts.map((act, i) =>
          html`
            <button key=${act.key} class=${i === 0 ? "primary" : act.isBad ? "danger" : ""}
              aria-keyshortcuts=${act.key} onClick=${() => run(act)}>${act.says} <kbd>${act
                .key}</kbd></button>
          `
        )}
      </div>
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
