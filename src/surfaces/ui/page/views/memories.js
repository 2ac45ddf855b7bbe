// @ts-check
// Every memory: searched as recall does it, narrowed by filters, read and changed one at a time or many at once.

import { html } from "htm/preact";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { call } from "../api.js";
import { Confirm } from "../parts/dialog.js";
import { useKeys } from "../parts/keys.js";
import { List, Many } from "../parts/list.js";
import { counted, Said, saysAs } from "../parts/text.js";
import { agoOf, momentOf } from "../parts/time.js";
import { change, tell, tellError, useChanges } from "../parts/toasts.js";
import { AskPlace, AskPrompt, AskTags, whatOf } from "./ask.js";
import { Memory, placeOf } from "./memory.js";

/**
 * @typedef {object} MemoryRow
 * @property {string} id
 * @property {string} name
 * @property {string} type
 * @property {readonly string[]} tags
 * @property {string} scope
 * @property {string | null} project
 * @property {number} changed milliseconds since 1970
 * @property {number} shown
 * @property {number} used
 * @property {readonly string[]} states
 * @property {boolean} mayChange
 * @property {number} [score]
 * @property {boolean} [isAbove]
 * @property {string} [passage]
 */
/** A row of the list; `memory` is undefined until it has been asked for. @typedef {{ key: string, index: number, memory?: MemoryRow }} Row */
/** @typedef {Record<string, string>} Filters */
/** @typedef {import("./ask.js").Facet} Facet */
/** @typedef {import("./memory.js").Action} Action */
/** @typedef {{ total: number, all: number, facets: Record<string, Facet[]>, projects: { key: string, name: string }[], isNear?: boolean, isReading?: boolean, failures?: string[] }} Found */

/** Rows that are asked for at a time. */
const AT_ONCE = 100;
/** Pause before looking again, while files are still being read. */
const READING_MS = 700;
const ROW_PX = 48;
/** Forgetting more than this many at once is asked about first. */
const MANY = 20;
/** Changing more than this many at once is refused (`MOST_IDS` of the calls). */
const MOST = 2000;

/** What the filters are called, in the order in which they stand, and the words for their values. */
const FILTERS = [
  {
    name: "project",
    label: "Project",
    nameOf: (/** @type {Facet} */ { value, label }) => value === "" ? "Everywhere" : label ?? value,
  },
  {
    name: "scope",
    label: "Scope",
    nameOf: named({
      user: "yours, everywhere",
      project: "private to a project",
      shared: "in a repository",
      auto: "Claude Code's own",
      team: "your team's",
    }),
  },
  { name: "type", label: "Type", nameOf: named({}) },
  { name: "tag", label: "Tag", nameOf: named({}) },
  {
    name: "age",
    label: "Changed",
    nameOf: named({
      1: "today",
      7: "last 7 days",
      30: "last 30 days",
      180: "last 180 days",
      older: "longer ago",
    }),
  },
  {
    name: "origin",
    label: "From",
    nameOf: named({ conversation: "a conversation", import: "an import", hand: "you, by hand" }),
  },
  {
    name: "state",
    label: "State",
    nameOf: named({ unused: "never used", stale: "stale", pinned: "pinned", held: "held back" }),
  },
];

/** What is offered for several at once. @type {readonly (readonly [Action, string])[]} */
const BUTTONS = [
  ["pin", "Pin"],
  ["tag", "Tag"],
  ["move", "Move"],
  ["share", "Share"],
  ["forget", "Forget"],
];

/** @param {Record<string, string>} words */
function named(words) {
  return (/** @type {Facet} */ { value }) => words[value] ?? value;
}

/** What was looked for last, for when the view is shown again. */
const kept = { query: "", filters: /** @type {Filters} */ ({}), hasScores: false };

/**
 * The memories that are listed: counts at once, rows as they come into view.
 * @param {string} query
 * @param {Filters} filters
 * @param {{ readonly current: number }} at the row that is looked at
 */
function useMemories(query, filters, at) {
  const [found, setFound] = useState(/** @type {Found | undefined} */ (undefined));
  const [rows, setRows] = useState(/** @type {ReadonlyMap<number, MemoryRow>} */ (new Map()));
  const [isBusy, setBusy] = useState(false);
  /** Counts the questions: an answer to an earlier one is dropped. */
  const asked = useRef(0);
  const pending = useRef(/** @type {Set<number>} */ (new Set()));
  const what = useMemo(() => ({ query, filters }), [query, JSON.stringify(filters)]);
  const latest = useRef(what);
  latest.current = what;

  /** What is to be asked next: one question is under way at a time, and the latest one is the next. */
  const isWanted = useRef(false);
  const isAsking = useRef(false);
  const look = useCallback(async () => {
    isWanted.current = true;
    if (isAsking.current) return;
    isAsking.current = true;
    setBusy(true);
    while (isWanted.current) {
      const offset = Math.max(0, at.current - AT_ONCE), about = latest.current;
      isWanted.current = false;
      asked.current++;
      try {
        const reply = await call("memories", { ...about, offset, limit: 3 * AT_ONCE });
        if (about !== latest.current) continue;
        pending.current.clear();
        setFound(reply);
        setRows(
          new Map(
            reply.rows.map((
              /** @type {MemoryRow} */ row,
              /** @type {number} */ i,
            ) => [offset + i, row]),
          ),
        );
        if (reply.isReading) setTimeout(() => void look(), READING_MS);
      } catch (error) {
        tellError(error);
      }
    }
    isAsking.current = false;
    setBusy(false);
  }, []);

  /** Asks for the part of the rows that one is in. */
  const want = useCallback(async (/** @type {number} */ index) => {
    const part = Math.floor(index / AT_ONCE), mine = asked.current;
    if (pending.current.has(part)) return;
    pending.current.add(part);
    try {
      const offset = part * AT_ONCE;
      const reply = await call("memories", { ...latest.current, offset, limit: AT_ONCE });
      if (mine !== asked.current) return;
      setRows((rows) => {
        const all = new Map(rows);
        for (const [i, row] of reply.rows.entries()) all.set(offset + i, row);
        return all;
      });
    } catch (error) {
      if (mine === asked.current) tellError(error);
    }
  }, []);

  // Before the key is drawn: the answer comes meanwhile.
  useLayoutEffect(() => void look(), [what]);
  const list = useMemo(() =>
    Array.from({ length: found?.total ?? 0 }, (_, index) => {
      const memory = rows.get(index);
      return /** @type {Row} */ ({
        key: memory?.id ?? `row ${index}`,
        index,
        ...memory && { memory },
      });
    }), [rows, found]);
  return { found, list, look, want, isBusy };
}

/** @param {import("./why.js").Looking} props */
export function Memories({ at: address, onAt }) {
  const [query, setQuery] = useState(kept.query);
  const [filters, setFilters] = useState(kept.filters);
  const [hasScores, setScores] = useState(kept.hasScores);
  const [current, setKey] = useState(/** @type {string | undefined} */ (undefined));
  const [selected, setSelected] = useState(/** @type {ReadonlySet<string>} */ (new Set()));
  const [isOpen, setOpen] = useState(false);
  const [isNarrowing, setNarrowing] = useState(false);
  const [isWorking, setWorking] = useState(false);
  const [asks, setAsks] = useState(/** @type {Asks | undefined} */ (undefined));
  const search = useRef(/** @type {HTMLInputElement | null} */ (null));
  Object.assign(kept, { query, filters, hasScores });
  // Where the current row is: when it goes, the one that takes its place is next.
  const at = useRef(0);
  const { found, list, look, want, isBusy } = useMemories(query, filters, at);
  const index = list.findIndex(({ key }) => key === current);
  if (index >= 0) at.current = index;
  const row = list[index >= 0 ? index : Math.min(at.current, list.length - 1)];
  const anchor = useRef(/** @type {string | undefined} */ (undefined));
  useChanges(useCallback(() => void look(), [look]));
  /** @param {string | undefined} key @param {boolean} [isStep] */
  const setCurrent = (key, isStep) => {
    setKey(key);
    if (!key?.startsWith("row ")) onAt(key, isStep);
  };
  // What the address names may be anywhere in the list.
  useEffect(() => {
    if (address === undefined || address === current) return;
    setKey(address);
    call("memories", { query, filters, find: address, limit: 1 }).then(({ index }) => {
      if (index < 0) return onAt(undefined);
      at.current = index;
      void want(index);
    }, tellError);
  }, [address]);
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current) return void (isFirst.current = false);
    at.current = 0;
    setCurrent(undefined);
    setSelected(new Set());
  }, [query, JSON.stringify(filters)]);

  /** @param {string} key */
  const toggle = (key) => {
    anchor.current = key;
    setSelected((selected) => {
      const all = new Set(selected);
      if (!all.delete(key)) all.add(key);
      return all;
    });
  };
  /** Selects what lies between the row that was selected last and another one. @param {number} to */
  const selectTo = async (to) => {
    const from = list.findIndex(({ key }) => key === anchor.current);
    const [first, last] = [Math.min(from < 0 ? to : from, to), Math.max(from, to)];
    const ids = /** @type {string[]} */ ([]);
    for (let offset = first; offset <= last; offset += 500) {
      const limit = Math.min(500, last - offset + 1);
      const isLoaded = list.slice(offset, offset + limit).every(({ memory }) => memory);
      const part = isLoaded
        ? list.slice(offset, offset + limit).flatMap(({ memory }) => memory ?? [])
        : (await call("memories", { query, filters, offset, limit })).rows;
      ids.push(
        ...part.filter((/** @type {MemoryRow} */ each) => each.mayChange)
          .map((/** @type {MemoryRow} */ { id }) => id),
      );
    }
    setSelected((selected) => new Set([...selected, ...ids]));
  };
  const selectAll = async () => {
    try {
      const { ids } = await call("memories", { query, filters, as: "ids" });
      setSelected(new Set(ids));
    } catch (error) {
      tellError(error);
    }
  };

  /** What an action is about: what is selected, else the current row. */
  const memory = row?.memory;
  const ids = selected.size > 0 ? [...selected] : memory?.mayChange ? [memory.id] : [];
  const what = whatOf({
    count: ids.length,
    name: selected.size === 1 ? list.find(({ key }) => key === ids[0])?.memory?.name : memory?.name,
  });
  /** @param {string} name @param {object} params */
  const doIt = async (name, params) => {
    setWorking(true);
    try {
      if (await change(name, params) !== undefined) setSelected(new Set());
    } finally {
      setWorking(false);
    }
  };
  const share = async (anyway = false) => {
    try {
      const reply = await call("share", { ids, anyway });
      if (reply.secrets) return setAsks({ kind: "secrets", says: reply.secrets.join(", ") });
      setSelected(new Set());
      tell(reply);
    } catch (error) {
      tellError(error);
    }
  };
  /** @param {Action} action */
  const act = (action) => {
    if (ids.length === 0) return;
    if (ids.length > MOST) {
      const says = `${counted(ids.length, "memory", "memories")} are too many for one step`;
      return tellError(
        new Error(`${says}; it takes ${MOST.toLocaleString("en")}: narrow the list`),
      );
    }
    const isAll = ids.length > 1 && ids.length === found?.all;
    if (action === "forget" && (isAll || ids.length > MANY)) setAsks({ kind: "forget" });
    else if (action === "forget") void doIt("forget", { ids });
    else if (action === "share") void share();
    else if (action === "pin") {
      const all = list.flatMap(({ memory }) => memory && ids.includes(memory.id) ? [memory] : []);
      void doIt("pin", { ids, on: !all.every(({ states }) => states.includes("pinned")) });
    } else if (action !== "never" || ids.length === 1) setAsks({ kind: action });
  };

  useKeys("Memories", [
    { key: "/", says: "Search", run: () => search.current?.select() },
    { key: "a", says: "Select all that are listed", run: () => void selectAll() },
    { key: "f", says: "Forget", run: () => act("forget") },
    { key: "p", says: "Pin, or unpin", run: () => act("pin") },
    { key: "t", says: "Change tags and type", run: () => act("tag") },
    { key: "m", says: "Move to a project, or everywhere", run: () => act("move") },
    { key: "s", says: "Share with the repository", run: () => act("share") },
    { key: "n", says: "Never for such prompts", run: () => act("never") },
    { key: "c", says: "Show scores of a search", run: () => setScores((has) => !has) },
    {
      key: "Escape",
      says: "Back; select nothing",
      run: () => {
        if (isOpen) setOpen(false);
        else setSelected(new Set());
      },
    },
  ]);

  /** @param {KeyboardEvent} event */
  const pressInSearch = (event) => {
    if (!["ArrowDown", "Enter", "Escape"].includes(event.key) || event.isComposing) return;
    event.preventDefault();
    if (event.key === "Escape" && query !== "") return setQuery("");
    search.current?.blur();
    /** @type {HTMLElement | null} */ (document.querySelector(".memories .list"))?.focus();
    if (current === undefined && list[0] !== undefined) setCurrent(list[0].key);
  };
  const close = () => setAsks(undefined);
  const isNone = found !== undefined && found.all === 0 && !found.isReading;
  if (isNone) return html`<${None} />`;
  return html`
    <div class=${isOpen ? "split memories open" : "split memories"}>
      <section class="side" aria-labelledby="memories-title">
        <div class="bar">
          <h1 id="memories-title" class="unseen">Memories</h1>
          <input ref=${search} type="search" placeholder="Search as recall does"
            aria-label="Search memories"
            aria-keyshortcuts="/" autocomplete="off" spellcheck="false" dir="auto" maxlength="2000"
            value=${query}
            onKeyDown=${pressInSearch}
            onInput=${(/** @type {{ target: HTMLInputElement }} */ { target }) =>
              setQuery(target.value)} />
          <button class="filter-button quiet" aria-expanded=${isNarrowing} aria-controls="filters"
            onClick=${() => setNarrowing(!isNarrowing)}>Filters${Object.keys(filters).length > 0
              ? ` (${Object.keys(filters).length})`
              : ""}</button>
        </div>
        <${Narrow} facets=${found
          ?.facets} filters=${filters} onFilters=${setFilters} isOpen=${isNarrowing} />
        <div class="bar count-bar" aria-busy=${isBusy || isWorking}>
          ${isWorking
            ? html`<span class="muted small" role="status">Working…</span>`
            : selected.size > 0
            ? html`
              <${Many} count=${selected.size} onNone=${() => setSelected(new Set())}>
                ${BUTTONS.map(([action, says]) =>
                  html`
                    <button key=${action} class=${action === "forget" ? "danger" : ""}
                      onClick=${() => act(action)}>${says}</button>
                  `
                )}
              </${Many}>
            `
            : html`<${Counts} found=${found} query=${query} hasScores=${hasScores} onScores=${setScores} />`}
        </div>
        <${List} label="Memories" rows=${list} height=${ROW_PX}
          keyOf=${(/** @type {Row} */ { key }) => key}
          render=${(/** @type {Row} */ each) => {
            if (each.memory === undefined) setTimeout(() => void want(each.index));
            return html`<${RowOf} memory=${each.memory} hasScores=${hasScores && query !== ""} />`;
          }}
          current=${row?.key} onCurrent=${setCurrent} onOpen=${() => setOpen(true)}
          selected=${selected}
          maySelect=${(/** @type {Row} */ { memory }) => memory?.mayChange !== false}
          onSelect=${(/** @type {string} */ key) => {
            if (list.find((each) => each.key === key)?.memory?.mayChange) toggle(key);
          }} onSelectTo=${(/** @type {string} */ to) =>
            void selectTo(list.findIndex(({ key }) => key === to))} />
      </section>
      <section class="detail" aria-label="Memory">
        <button class="back quiet" onClick=${() => setOpen(false)}>← All memories</button>
        ${memory === undefined
          ? found !== undefined && list.length === 0 &&
            html`<p class="muted">${
              query === "" ? "No memory passes these filters." : "No memory matches."
            }</p>`
          : html`<${Memory} key=${memory.id} id=${memory.id} onAction=${act} onMoved=${setCurrent} />`}
      </section>
    </div>
    ${asks?.kind === "tag" && html`
      <${AskTags} what=${what} types=${found?.facets["type"] ?? []}
        tags=${found?.facets["tag"] ?? []} onClose=${close}
        onDo=${(/** @type {object} */ params) => void doIt("retag", { ids, ...params })} />
    `}
    ${asks?.kind === "move" && html`
      <${AskPlace} what=${what} projects=${found?.projects ?? []} onClose=${close}
        onDo=${(/** @type {object} */ params) => void doIt("move", { ids, ...params })} />
    `}
    ${asks?.kind === "never" && html`
      <${AskPrompt} what=${what} onClose=${close}
        onDo=${(/** @type {object} */ params) => void doIt("never", { id: ids[0], ...params })} />
    `}
    ${asks?.kind === "forget" && html`
      <${Confirm} title=${`Forget ${what}?`}
        says="They go to the archive, and one key brings them all back." does="Forget them"
        onYes=${() => void doIt("forget", { ids })} onClose=${close} />
    `}
    ${asks?.kind === "secrets" && html`
      <${Confirm} title="This looks like a secret"
        says=${`What you share holds what looks like a secret (${asks.says}).`} does="Share anyway"
        onYes=${() => void share(true)} onClose=${close} />
    `}
  `;
}

/** What is asked in a dialog. @typedef {{ kind: Action | "secrets", says?: string }} Asks */

/**
 * @param {{ facets: Record<string, Facet[]> | undefined, filters: Filters, onFilters: (filters: Filters) => void,
 *   isOpen: boolean }} props
 */
function Narrow({ facets, filters, onFilters, isOpen }) {
  /** @param {string} name @param {string | undefined} value */
  const set = (name, value) => {
    const { [name]: _, ...others } = filters;
    onFilters(value === undefined ? others : { ...others, [name]: value });
  };
  const NONE = "\u0000";
  return html`<div id="filters" class=${
    isOpen ? "narrow open" : "narrow"
  } role="group" aria-label="Filters">${
    FILTERS.map(({ name, label, nameOf }) => {
      const values = facets?.[name] ?? [], value = filters[name];
      if (values.length < 2 && value === undefined) return null;
      const isThere = value === undefined || values.some((each) => each.value === value);
      const all = isThere ? values : [{ value: value ?? "", count: 0 }, ...values];
      return html`
        <select key=${name} aria-label=${label} class=${value === undefined ? "" : "on"}
          value=${value ?? NONE}
          onChange=${(/** @type {{ target: HTMLSelectElement }} */ { target }) =>
            set(name, target.value === NONE ? undefined : target.value)}>
          <option value=${NONE}>${label}</option>
          ${all.map((each) =>
            html`<option key=${each.value} value=${each.value}>${nameOf(each)} (${
              each.count.toLocaleString("en")
            })</option>`
          )}
        </select>
      `;
    })
  }${
    Object.keys(filters).length > 0 && html`<button class="quiet" onClick=${() =>
      onFilters({})}>Clear</button>`
  }</div>`;
}

/**
 * @param {{ found: Found | undefined, query: string, hasScores: boolean, onScores: (has: boolean) => void }} props
 */
function Counts({ found, query, hasScores, onScores }) {
  if (found === undefined) return html`<span class="muted small">…</span>`;
  const { total, all, isNear, failures } = found;
  const says = isNear
    ? "Nothing matches; the nearest:"
    : query !== ""
    ? `${counted(total, "match", "matches")}, best first`
    : total === all
    ? `${counted(all, "memory", "memories")}, newest first`
    : `${total.toLocaleString("en")} of ${counted(all, "memory", "memories")}`;
  return html`
    <span class="muted small grow" role="status">${says}${failures &&
      html`<span title=${failures.join("\n")}> · by words alone</span>`}</span>
    ${query !== "" &&
      html`<label class="small muted switch"><input type="checkbox" checked=${hasScores}
      onChange=${(/** @type {{ target: HTMLInputElement }} */ { target }) =>
        onScores(target.checked)} />Scores</label>`}
  `;
}

/** @param {{ memory: MemoryRow | undefined, hasScores: boolean }} props */
function RowOf({ memory, hasScores }) {
  if (memory === undefined) return html`<span class="muted">…</span>`;
  const { name, type, changed, states, score, isAbove, passage } = memory;
  const at = new Date(changed).toISOString();
  return html`
    <span class="two grow">
      <span class="line">
        <span class="grow cut title"><${Said}>${name}</${Said}></span>
        ${hasScores && score !== undefined
          ? html`<span class=${isAbove ? "number" : "number muted"} title=${
            isAbove ? "Recall would give it" : "Below what recall gives"
          }>${score.toFixed(2)}</span>`
          : html`<span class="muted small number" title=${momentOf(at)}>${agoOf(at)}</span>`}
      </span>
      <span class="line muted small">
        <span class="grow cut">${passage && !saysAs(passage, name)
          ? html`<${Said}>${passage}</${Said}>`
          : html`${type} · <${Said}>${placeOf(memory)}</${Said}>`}</span>
        ${states.filter((state) => state !== "unused").map((state) =>
          html`<span key=${state} class=${`tag${
            state === "held" || state === "stale" ? " warn" : ""
          }`}>${state === "held" ? "held back" : state}</span>`
        )}
      </span>
    </span>
  `;
}

function None() {
  return html`
    <section class="empty">
      <h1>No memories yet</h1>
      <p>They come from your conversations. Or write one: <code>memo add "Use pnpm, never npm"</code></p>
      <p class="muted">Notes of another tool? <code>memo import</code></p>
    </section>
  `;
}
