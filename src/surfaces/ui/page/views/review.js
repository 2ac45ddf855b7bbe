// @ts-check
// What waits for the person's word: each is decided by one key, and the next one is there.

import { html } from "htm/preact";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { call } from "../api.js";
import { useKeys } from "../parts/keys.js";
import { List } from "../parts/list.js";
import { counted, Message, Said, visible } from "../parts/text.js";
import { change, tellError, useChanges } from "../parts/toasts.js";

/**
 * What a key does about an item: a call about an id.
 * @typedef {{ key: string, says: string, name: string, id: string, isBad?: boolean }} Act
 * @typedef {{ key: string, title: string, note?: string, says: string, warns?: string, acts: readonly Act[], parts: readonly Part[] }} Row
 * Several in one list, under its heading.
 * @typedef {{ key: undefined, title: string, note: string }} Heading
 * @typedef {{ title: string, facts: string, text: string }} Part
 */

const HEIGHT = 40;

/** The keys that decide, as the help lists them. */
const DECISIONS = [
  { key: "y", says: "Keep, confirm or approve" },
  { key: "b", says: "Keep both" },
  { key: "f", says: "Forget; of two, the older" },
  { key: "n", says: "Forget the newer" },
  { key: "r", says: "Reject" },
];

const FINAL =
  "Your decision reaches the team's server at once, and `u` cannot undo it. `memo team retire` withdraws an approved memory for everyone.";

/** @param {any} memory @param {string} [role] @returns {Part} */
const partOf = ({ name, body, isCut, description, type, author, project, scope, at }, role) => ({
  title: role === undefined ? name : `${role}: ${name}`,
  facts: [type, author ?? project ?? scope, at?.slice(0, 10)].filter(Boolean).join(" · "),
  text: [description, body].filter((text) => text !== "").join("\n\n") + (isCut ? "\n…" : ""),
});

/** @param {string} key @param {string} says @param {string} name @param {string} id @returns {Act} */
const act = (key, says, name, id) => ({
  ...{ key, says, name, id },
  isBad: name === "forget" || name === "reject",
});

/**
 * The lists in the order in which they stand: where each comes from in the answer, and its rows.
 * @type {readonly { title: string, of: (waiting: any) => any[], row: (item: any) => Row }[]}
 */
const LISTS = [
  {
    title: "Needs review",
    of: ({ held }) => held,
    row: (memory) => ({
      key: memory.id,
      title: memory.name,
      note: memory.type,
      says: "It asks for something you did not ask for. No session gets it until you keep it.",
      parts: [partOf(memory)],
      acts: [act("y", "Keep", "keep", memory.id), act("f", "Forget", "forget", memory.id)],
    }),
  },
  {
    title: "Not confirmed",
    of: ({ unconfirmed }) => unconfirmed,
    row: (memory) => ({
      key: memory.id,
      title: memory.name,
      note: memory.basis.replace(/, not said by the user$/, ""),
      says:
        "You did not say this. Until you confirm it, it ranks below your own memories, is shown with its source, and replaces none of them.",
      parts: [partOf(memory)],
      acts: [
        act("y", "Confirm", "confirm", memory.id),
        ...memory.mayForget ? [act("f", "Forget", "forget", memory.id)] : [],
      ],
    }),
  },
  {
    title: "Team proposals",
    of: ({ notes }) => notes,
    row: (note) => ({
      key: note.id,
      title: note.name,
      note: `${note.team}, by ${note.author}`,
      says: [
        note.isChange ? "Changes an approved memory." : "A new memory.",
        note.mayApprove ? "" : "You proposed it: someone else must approve it.",
        ...note.alike.map((/** @type {any} */ { how, name }) =>
          `${how === "same" ? "Repeats" : "Differs from"} “${name}”.`
        ),
      ].filter((said) => said !== "").join(" "),
      warns: FINAL,
      parts: [partOf(note)],
      acts: [
        ...note.mayApprove ? [act("y", "Approve", "approve", note.id)] : [],
        act("r", "Reject", "reject", note.id),
      ],
    }),
  },
  {
    title: "Outdated",
    of: ({ drifted }) => drifted,
    row: ({ id, memory, what, verdicts }) => ({
      key: id,
      title: memory.name,
      note: verdicts.join(", "),
      says: `No longer matches the code: ${what.join("; ")}.`,
      parts: [partOf(memory)],
      acts: [
        act("y", "Keep", "stand", id),
        act("f", "Forget", "forget", memory.id),
      ],
    }),
  },
  ...[
    {
      wanted: "overtaken",
      title: "Replaced by a newer memory",
      says:
        "The newer memory replaces the older one: prompts get the newer, and the older only as what used to be true.",
    },
    {
      wanted: "rivals",
      title: "Possible conflicts",
      says: "These two may conflict. If both are true, keep both: memo will not ask again.",
    },
  ].map(({ wanted, title, says }) => ({
    title,
    of: (/** @type {any} */ { pairs }) =>
      pairs.filter((/** @type {any} */ { kind }) => kind === wanted),
    row: (/** @type {any} */ { id, older, newer }) => ({
      ...{ key: id, title: `${older.name} / ${newer.name}`, says },
      parts: [partOf(older, "Older"), partOf(newer, "Newer")],
      acts: [
        act("b", "Keep both", "both", id),
        act("f", "Forget the older", "forget", older.id),
        act("n", "Forget the newer", "forget", newer.id),
      ],
    }),
  })),
];

/** The rows of all lists, each under its heading. @param {any} waiting @returns {(Row | Heading)[]} */
function rowsOf(waiting) {
  return LISTS.flatMap(({ title, of, row }) => {
    const found = of(waiting);
    return found.length === 0
      ? []
      : [{ key: undefined, title, note: found.length.toLocaleString("en") }, ...found.map(row)];
  });
}

/** @param {import("./why.js").Looking} props */
export function Review({ at: current, onAt }) {
  const [waiting, setWaiting] = useState(/** @type {any} */ (undefined));
  const [isOpen, open] = useState(false);
  /** Where the current row was, for the one that takes its place. */
  const place = useRef(0);
  const ask = useCallback(() => void call("review").then(setWaiting, tellError), []);
  useEffect(ask, []);
  useChanges(ask);
  const rows = useMemo(() => waiting === undefined ? [] : rowsOf(waiting), [waiting]);
  const own = rows.flatMap((row) => row.key === undefined ? [] : [row]);
  const at = rows.findIndex(({ key }) => key !== undefined && key === current);
  if (at >= 0) place.current = at;
  const isHere = (/** @type {Row} */ row) =>
    at >= 0 ? row.key === current : rows.indexOf(row) >= place.current;
  const row = own.find(isHere) ?? own.at(-1);

  /** @param {Act} act */
  const decide = async ({ name, id }) => {
    // A list that was not up to date may be why it could not be done.
    if (await change(name, { id }) === undefined) ask();
  };
  useKeys("Review", [
    ...DECISIONS.map(({ key, says }) => ({
      ...{ key, says },
      run: () => {
        const act = row?.acts.find((act) => act.key === key);
        if (act) void decide(act);
      },
    })),
    { key: "Escape", says: "Back", run: () => open(false) },
  ]);
  if (row === undefined) {
    return html`
      <section class="empty" aria-busy=${waiting === undefined}>
        <h1>Review</h1>
        <p>${waiting === undefined ? "Loading…" : "Nothing to review."}</p>
      </section>
    `;
  }
  return html`
    <div class=${`split review${isOpen ? " open" : ""}`}>
      <div class="side">
        <div class="bar">
          <h1>Review</h1>
          <span class="muted small">${counted(own.length, "decision")}</span>
        </div>
        <${List} label="To review" rows=${rows} height=${HEIGHT} current=${row.key}
          keyOf=${(/** @type {Row | Heading} */ { key }) => key}
          onCurrent=${onAt} onOpen=${() => open(true)} render=${rowOf} />
      </div>
      <div class="detail" role="region" aria-label="Decision">
        <button class="quiet back" onClick=${() => open(false)}>← Back</button>
        <${Detail} key=${row.key} row=${row} onAct=${decide} />
      </div>
    </div>
  `;
}

/** @param {Row | Heading} row */
function rowOf({ key, title, note }) {
  if (key === undefined) {
    return html`<span class="project grow">${title}</span><span class="count">${note}</span>`;
  }
  return html`
    <span class="line grow">
      <${Said} class="grow cut title">${title}</${Said}>
      ${note && html`<span class="tag cut"><${Said}>${note}</${Said}></span>`}
    </span>
  `;
}

/** @param {{ row: Row, onAct: (act: Act) => void }} props */
function Detail({ row: { title, says, warns, parts, acts }, onAct }) {
  return html`
    <article>
      <h2>
        <${Said}>${title}</${Said}></h2>
      <p class="muted">
        <${Said}>${says}</${Said}></p>
      ${warns && html`
        <p class="muted small">
          <${Message}>${warns}</${Message}></p>
      `}
      <div class="actions">
        ${acts.map((act, i) =>
          html`
            <button key=${act.key} class=${i === 0 ? "primary" : act.isBad ? "danger" : ""}
              aria-keyshortcuts=${act.key} onClick=${() => onAct(act)}>${act.says} <kbd>${act
                .key}</kbd></button>
          `
        )}
      </div>
      ${parts.map(({ title, facts, text }) =>
        html`
          <section key=${title}>
            <h3>
              <${Said}>${title}</${Said}></h3>
            <p class="muted small"><${Said}>${facts}</${Said}></p>
            <div class="note-text" tabindex="0" role="region"
              aria-label=${visible(title)}><bdi>${visible(text)}</bdi></div>
          </section>
        `
      )}
    </article>
  `;
}
