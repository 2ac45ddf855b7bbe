// @ts-check
// One memory: its text, what is known of it, and an editor.

import { html } from "htm/preact";
import { useCallback, useEffect, useState } from "preact/hooks";
import { call } from "../api.js";
import { Editor } from "../parts/edit.js";
import { useKeys } from "../parts/keys.js";
import { counted, Said, saysAs, visible } from "../parts/text.js";
import { agoOf, dayOf, momentOf } from "../parts/time.js";
import { change, tellError, useChanges } from "../parts/toasts.js";

/**
 * @typedef {object} MemoryData
 * @property {string} id
 * @property {string} name
 * @property {string} text
 * @property {string | null} digest
 * @property {boolean} isCut
 * @property {boolean} mayEdit
 * @property {boolean} mayChange
 * @property {string} type
 * @property {string} scope
 * @property {string | null} project
 * @property {string} file
 * @property {readonly string[]} tags
 * @property {readonly string[]} never
 * @property {boolean} pinned
 * @property {boolean} isStale
 * @property {string} [created]
 * @property {string} [updated]
 * @property {number} days
 * @property {{ shown: number, used: number, lastUsed?: string }} usage
 * @property {{ command: string | null, import: string | null, said: string | null } | null} source
 * @property {readonly string[]} problems
 */

/** A memory's data, kept up to date. @param {string} id */
function useMemory(id) {
  const [memory, setMemory] = useState(/** @type {MemoryData | undefined} */ (undefined));
  const [isGone, setGone] = useState(false);
  const look = useCallback(
    () =>
      void call("memory", { id }).then((reply) => {
        setGone(reply.isGone === true);
        if (!reply.isGone) setMemory(reply);
      }, tellError),
    [id],
  );
  useEffect(look, [look]);
  useChanges(look);
  return { memory, isGone };
}

/**
 * @param {{ id: string, onMoved: (id: string) => void, onForgotten: () => void }} props
 */
export function Memory({ id, onMoved, onForgotten }) {
  const { memory, isGone } = useMemory(id);
  const [wantsEditor, setEditing] = useState(false);
  // Who presses the key before the text is there gets the editor with it.
  const isEditing = wantsEditor && memory?.mayEdit !== false;
  const acts = {
    edit: () => setEditing(true),
    pin: () => void change("pin", { id, on: !memory?.pinned }),
    forget: async () => {
      onForgotten();
      await change("forget", { id });
    },
  };
  const mayChange = () => memory?.mayChange !== false && !isGone;
  useKeys(
    "This memory",
    isEditing ? [] : [
      { key: "e", says: "Edit", when: () => memory?.mayEdit !== false, run: acts.edit },
      { key: "p", says: "Pin or unpin", when: mayChange, run: acts.pin },
      { key: "f", says: "Forget", when: mayChange, run: () => void acts.forget() },
    ],
  );
  if (isGone) {
    return html`
      <p
        class="muted">This memory was archived or moved. Press <kbd>u</kbd> to undo the last change.</p>
    `;
  }
  if (memory === undefined) {
    return html`
      <article aria-busy="true"></article>
    `;
  }
  return html`
    <article class="memory">
      <p class="muted small">${placeOf(memory)} · ${ageOf(memory)}</p>
      <h2 class="prompt">
        <${Said}>${memory.name}</${Said}></h2>
      <p class="tags">
        <span class="tag" title="Type">${memory.type}</span>
        ${memory.pinned && html`<span class="tag">pinned</span>`}
        ${memory.isStale && html`<span class="tag warn">stale</span>`}
        ${memory.tags.map((tag) =>
          html`<span key=${tag} class="tag"><${Said}>${`#${tag}`}</${Said}></span>`
        )}
      </p>
      ${memory.problems.map((problem) =>
        html`<p key=${problem} class="problem">${visible(problem)}</p>`
      )}
      ${isEditing
        ? html`<${Editor} memory=${memory} onClose=${() => setEditing(false)} onMoved=${onMoved} />`
        : html`
          <${Actions} memory=${memory} acts=${acts} />
          <${Text} text=${memory.text} title=${memory.name} isCut=${memory.isCut} />
          <${Facts} memory=${memory} />
        `}
    </article>
  `;
}

/** Where a memory applies. @param {{ scope: string, project: string | null }} memory */
export function placeOf({ scope, project }) {
  const where = {
    user: "Everywhere",
    project: project ?? "One project",
    shared: `${project ?? "A repository"}, shared`,
    auto: "Claude Code's own",
    team: "Your team",
  };
  return where[/** @type {keyof typeof where} */ (scope)] ?? scope;
}

/** @param {MemoryData} memory */
function ageOf({ updated, created, days }) {
  const at = [updated, created].find((each) => each !== undefined && !isNaN(Date.parse(each)));
  const says = days === 0 ? "changed today" : `changed ${counted(days, "day")} ago`;
  return html`<span title=${at === undefined ? undefined : momentOf(at)}>${says}</span>`;
}

/**
 * @param {{ memory: MemoryData, acts: Readonly<Record<"edit" | "pin" | "forget", () => void>> }} props
 */
function Actions({ memory: { mayChange, mayEdit, pinned, scope }, acts }) {
  if (!mayChange) {
    return html`
      <p class="muted small note">${scope === "auto"
        ? "This memory belongs to Claude Code; memo only reads it."
        : "A copy of a memory your team approved. Propose a change with `memo share NAME --to TEAM`."}</p>
    `;
  }
  return html`
    <div class="actions">
      ${mayEdit && html`<button onClick=${acts.edit}>Edit <kbd>e</kbd></button>`}
      <button onClick=${acts.pin}>${pinned ? "Unpin" : "Pin"} <kbd>p</kbd></button>
      <button class="danger" onClick=${acts.forget}>Forget <kbd>f</kbd></button>
    </div>
  `;
}

/** The text of a file, its front matter apart. @param {{ text: string, title: string, isCut: boolean }} props */
function Text({ text, title, isCut }) {
  const [whole = "", matter = ""] =
    /^\ufeff?---[ \t]*\r?\n([^]*?)^---[ \t]*(?:\r?\n|$)/m.exec(text) ?? [];
  const isFirst = whole !== "" && text.startsWith(whole);
  const body = (isFirst ? text.slice(whole.length) : text).replace(/^\s*\n/, "");
  return html`
    ${!saysAs(body, title) &&
      html`<pre class="note-text" role="region" tabindex="0" aria-label="Text"><bdi>${
        visible(
          body,
        )
      }</bdi></pre>`}
    ${isCut &&
      html`<p class="muted small">Only the start is shown: the file is too long.</p>`}
    ${isFirst && html`
      <details class="matter">
        <summary>Front matter</summary>
        <pre class="note-text"><bdi>${visible(matter)}</bdi></pre>
      </details>
    `}
  `;
}

/** @param {{ memory: MemoryData }} props */
function Facts({ memory }) {
  const { usage, file, source, never, created } = memory;
  const last = usage.lastUsed === undefined ? "" : `, last ${agoOf(usage.lastUsed)} ago`;
  const used = usage.shown + usage.used === 0
    ? "Not shown yet"
    : `Shown ${counted(usage.shown, "time")}, ${
      usage.used === 0 ? "not used yet" : `used ${counted(usage.used, "time")}${last}`
    }`;
  const said = (/** @type {string} */ text) => html`<${Said}>${text}</${Said}>`;
  /** @type {readonly (readonly [string, any])[]} */
  const facts = [
    ["Usage", used],
    ["Created", created && !isNaN(Date.parse(created)) && dayOf(created)],
    ["From", source?.import && html`Imported from ${said(source.import)}`],
    ["From", source?.said],
    ["Source", source?.command && html`<code>${source.command}</code>`],
    ["File", html`<code>${said(file)}</code>`],
    [
      "Versions",
      html`List: <code>memo log NAME</code>. Restore: <code>memo undo NAME</code>`,
    ],
    [
      "Never for",
      never.length > 0 &&
      html`<ul>${never.map((prompt) => html`<li key=${prompt}>“${said(prompt)}”</li>`)}</ul>`,
    ],
  ];
  return html`
    <h3>Details</h3>
    <dl class="known">${facts.filter(([, fact]) => fact).map(([name, fact], i) =>
      html`
        <div key=${i}>
          <dt>${name}</dt>
          <dd>${fact}</dd>
        </div>
      `
    )}</dl>
  `;
}
