// @ts-check
// One memory: its text, what is known of it, its versions, and an editor.

import { html } from "htm/preact";
import { useCallback, useEffect, useState } from "preact/hooks";
import { call } from "../api.js";
import { Diff } from "../parts/diff.js";
import { Editor } from "../parts/edit.js";
import { useKeys } from "../parts/keys.js";
import { counted, Said, saysAs, visible } from "../parts/text.js";
import { agoOf, dayOf, momentOf } from "../parts/time.js";
import { change, tellError, useChanges } from "../parts/toasts.js";

/**
 * @typedef {object} Version
 * @property {string} version
 * @property {string} at
 * @property {string} what
 * @property {string | null} because
 * @property {boolean} isUndone
 * @property {boolean} isCurrent
 * @property {boolean} isThere
 */

/**
 * @typedef {object} MemoryData
 * @property {string} id
 * @property {string} name
 * @property {string} text
 * @property {string | null} digest
 * @property {boolean} isCut
 * @property {boolean} mayEdit
 * @property {boolean} mayChange
 * @property {boolean} mayShare
 * @property {boolean} mayNever
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
 * @property {{ shown: number, used: number, lastShown?: string, lastUsed?: string }} usage
 * @property {{ command: string | null, import: string | null, said: string | null } | null} source
 * @property {readonly string[]} problems
 * @property {{ isByHand: boolean, versions: readonly Version[] }} history
 */

/** What the list offers for a memory. @typedef {"pin" | "forget" | "tag" | "move" | "share" | "never"} Action */

/** A memory's data, kept up to date. @param {string} id */
function useMemory(id) {
  const [memory, setMemory] = useState(/** @type {MemoryData | undefined} */ (undefined));
  const [isGone, setGone] = useState(false);
  const look = useCallback(async () => {
    try {
      const reply = await call("memory", { id });
      setGone(reply.isGone === true);
      if (!reply.isGone) setMemory(reply);
    } catch (error) {
      tellError(error);
    }
  }, [id]);
  useEffect(() => void look(), [look]);
  const again = useCallback(() => void look(), [look]);
  useChanges(again);
  return { memory, isGone, again };
}

/**
 * @param {{ id: string, onAction: (action: Action) => void, onMoved: (id: string) => void }} props
 */
export function Memory({ id, onAction, onMoved }) {
  const { memory, isGone } = useMemory(id);
  const [wantsEditor, setEditing] = useState(false);
  // Who presses the key before the text is there gets the editor with it.
  const isLocked = memory?.mayEdit === false;
  const isEditing = wantsEditor && !isLocked;
  useKeys(
    "This memory",
    isLocked || isEditing ? [] : [
      { key: "e", says: "Edit", run: () => setEditing(true) },
    ],
  );
  if (isGone) {
    return html`
      <p
        class="muted">This memory is in the archive, or was moved. <kbd>u</kbd> takes the last change back.</p>
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
      ${!isEditing &&
        html`<${Actions} memory=${memory} onAction=${onAction} onEdit=${() => setEditing(true)} />`}
      ${memory.problems.map((problem) =>
        html`<p key=${problem} class="problem">${visible(problem)}</p>`
      )}
      ${isEditing
        ? html`<${Editor} memory=${memory} onClose=${() => setEditing(false)} onMoved=${onMoved} />`
        : html`<${Text} text=${memory.text} title=${memory.name} isCut=${memory.isCut} />`}
      ${!isEditing && html`<${Facts} memory=${memory} />`}
      ${!isEditing && html`<${History} memory=${memory} />`}
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
    team: "Your team's",
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
 * @param {{ memory: MemoryData, onAction: (action: Action) => void, onEdit: () => void }} props
 */
function Actions({ memory, onAction, onEdit }) {
  const { mayChange, mayEdit, mayShare, mayNever, pinned } = memory;
  if (!mayChange) {
    return html`
      <p class="muted small note">${memory.scope === "auto"
        ? "Claude Code keeps this one; memo reads it and never changes it."
        : "A copy of what your team has approved; propose a change with `memo share NAME --to TEAM`."}</p>
    `;
  }
  return html`
    <div class="actions">
      ${mayEdit && html`<button onClick=${onEdit}>Edit <kbd>e</kbd></button>`}
      <button onClick=${() => onAction("pin")}>${pinned ? "Unpin" : "Pin"} <kbd>p</kbd></button>
      <button onClick=${() => onAction("tag")}>Tag <kbd>t</kbd></button>
      <button onClick=${() => onAction("move")}>Move <kbd>m</kbd></button>
      ${mayShare && html`<button onClick=${() => onAction("share")}>Share <kbd>s</kbd></button>`}
      ${mayNever &&
        html`<button onClick=${() => onAction("never")}>Never for… <kbd>n</kbd></button>`}
      <button class="danger" onClick=${() => onAction("forget")}>Forget <kbd>f</kbd></button>
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
      html`<p class="muted small">Only the beginning: the file is longer than memo reads.</p>`}
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
    ["Use", used],
    ["Since", created && !isNaN(Date.parse(created)) && dayOf(created)],
    ["From", source?.import && html`Imported from ${said(source.import)}`],
    ["From", source?.said],
    ["Source", source?.command && html`<code>${source.command}</code>`],
    ["File", html`<code>${said(file)}</code>`],
    [
      "Never for",
      never.length > 0 &&
      html`<ul>${never.map((prompt) => html`<li key=${prompt}>“${said(prompt)}”</li>`)}</ul>`,
    ],
  ];
  return html`
    <h3>About it</h3>
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

/** @param {{ memory: MemoryData }} props */
function History({ memory: { id, history: { versions, isByHand }, mayChange } }) {
  const [open, setOpen] = useState(/** @type {string | undefined} */ (undefined));
  if (versions.length === 0 && !isByHand) return null;
  return html`
    <h3>History</h3>
    <ol class="versions">
      ${isByHand && html`<li class="version"><span class="grow">Changed by hand since</span></li>`}
      ${versions.map((each) =>
        html`
          <${VersionRow} key=${each.version} id=${id} each=${each} mayRestore=${mayChange}
            isOpen=${open === each.version}
            onOpen=${() => setOpen(open === each.version ? undefined : each.version)} />
        `
      )}
    </ol>
  `;
}

/**
 * @param {{ id: string, each: Version, mayRestore: boolean, isOpen: boolean, onOpen: () => void }} props
 */
function VersionRow({ id, each, mayRestore, isOpen, onOpen }) {
  const [diff, setDiff] = useState(
    /** @type {{ lines: import("../parts/diff.js").DiffLine[], isLost?: boolean } | undefined} */ (undefined),
  );
  const { version, at, what, because, isUndone, isCurrent, isThere } = each;
  useEffect(() => {
    if (isOpen && diff === undefined) call("version", { id, version }).then(setDiff, tellError);
  }, [isOpen]);
  return html`
    <li class="version">
      <div class="version-head">
        <button class="quiet grow" aria-expanded=${isOpen} onClick=${onOpen}>
          <span class="chevron" aria-hidden="true">${isOpen ? "▾" : "▸"}</span>
          <span class=${isUndone ? "undone" : ""}>${what}</span>
          ${because && html`<span class="muted cut"><${Said}>${because}</${Said}></span>`}
          <span class="muted small when" title=${momentOf(at)}>${agoOf(at)} ago</span>
        </button>
        ${isCurrent ? html`<span class="tag good">current</span>` : isThere && mayRestore &&
          html`<button onClick=${() => void change("restore", { id, version })}>Restore</button>`}
      </div>
      ${isOpen && diff !== undefined &&
        (diff.isLost
          ? html`<p class="muted small">That version is no longer in the archive.</p>`
          : html`<${Diff} lines=${diff.lines} />`)}
    </li>
  `;
}
