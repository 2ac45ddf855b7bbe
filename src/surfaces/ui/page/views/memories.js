// @ts-check
// Every memory: searched as recall does it, narrowed by filters, read and changed.

import { html } from "htm/preact";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { call } from "../api.js";
import { useKeys } from "../parts/keys.js";
import { List } from "../parts/list.js";
import { counted, Said, saysAs } from "../parts/text.js";
import { agoOf, momentOf } from "../parts/time.js";
import { tellError, useChanges } from "../parts/toasts.js";
import { Memory, placeOf } from "./memory.js";

/**
 * @typedef {object} MemoryRow
 * @property {string} id
 * @property {string} name
 * @property {string} type
 * @property {string} scope
 * @property {string | null} project
 * @property {number} changed milliseconds since 1970
 * @property {readonly string[]} states
 * @property {number} [score]
 * @property {boolean} [isAbove]
 * @property {string} [passage]
 */
/** @typedef {Record<string, string>} Filters */
/** @typedef {{ value: string, label?: string, count: number }} Facet */
/** @typedef {{ total: number, all: number, rows: MemoryRow[], facets: Record<string, Facet[]>, isNear?: boolean, isReading?: boolean, failures?: string[] }} Found */

/** Rows that are asked for at a time. */
const AT_ONCE = 500;
/** Pause before looking again, while files are still being read. */
const READING_MS = 700;
const ROW_PX = 48;

/** @type {Readonly<Record<string, string>>} */
const STATES = { unused: "never used", held: "needs review" };

/** The filters in the order in which they stand, and the words for their values. */
const FILTERS = [
  {
    name: "project",
    label: "Project",
    nameOf: (/** @type {Facet} */ { value, label }) => value === "" ? "Everywhere" : label ?? value,
  },
  { name: "type", label: "Type", nameOf: (/** @type {Facet} */ { value }) => value },
  {
    name: "state",
    label: "State",
    nameOf: (/** @type {Facet} */ { value }) => STATES[value] ?? value,
  },
];

/** What was looked for last, for when the view is shown again. */
const kept = { query: "", filters: /** @type {Filters} */ ({}) };

/**
 * The memories that are listed. One question is under way at a time, and the latest one is the next.
 * @param {string} query
 * @param {Filters} filters
 */
function useMemories(query, filters) {
  const [found, setFound] = useState(/** @type {Found | undefined} */ (undefined));
  const [isBusy, setBusy] = useState(false);
  const [limit, setLimit] = useState(AT_ONCE);
  const what = useMemo(() => ({ query, filters, limit }), [query, JSON.stringify(filters), limit]);
  const latest = useRef(what);
  latest.current = what;
  const asks = useRef({ isWanted: false, isRunning: false });
  const look = useCallback(async () => {
    asks.current.isWanted = true;
    if (asks.current.isRunning) return;
    asks.current.isRunning = true;
    setBusy(true);
    while (asks.current.isWanted) {
      asks.current.isWanted = false;
      const about = latest.current;
      try {
        const reply = await call("memories", about);
        if (about !== latest.current) continue;
        setFound(reply);
        if (reply.isReading) setTimeout(() => void look(), READING_MS);
      } catch (error) {
        tellError(error);
      }
    }
    asks.current.isRunning = false;
    setBusy(false);
  }, []);
  // Before the key is drawn: the answer comes meanwhile.
  useLayoutEffect(() => void look(), [what]);
  useChanges(useCallback(() => void look(), [look]));
  const more = () => {
    if (found !== undefined && found.rows.length < found.total) setLimit(limit + AT_ONCE);
  };
  return { found, more, isBusy };
}

/** @param {import("./why.js").Looking} props */
export function Memories({ at: current, onAt }) {
  const [query, setQuery] = useState(kept.query);
  const [filters, setFilters] = useState(kept.filters);
  const [isOpen, setOpen] = useState(false);
  const search = useRef(/** @type {HTMLInputElement | null} */ (null));
  Object.assign(kept, { query, filters });
  const { found, more, isBusy } = useMemories(query, filters);
  const rows = found?.rows ?? [];
  // Where the current row is: when it goes, the one that takes its place is next.
  const at = useRef(0);
  const index = rows.findIndex(({ id }) => id === current);
  if (index >= 0) at.current = index;
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current) return void (isFirst.current = false);
    at.current = 0;
    onAt(undefined);
  }, [query, JSON.stringify(filters)]);
  // A note that the address names is shown wherever in the list it is.
  const shown = current ?? rows[Math.min(at.current, rows.length - 1)]?.id;
  const next = () => onAt((rows[at.current + 1] ?? rows[at.current - 1])?.id);

  useKeys("Memories", [
    { key: "/", says: "Search", run: () => search.current?.select() },
    { key: "Escape", says: "Back", run: () => setOpen(false) },
  ]);

  /** @param {KeyboardEvent} event */
  const pressInSearch = (event) => {
    if (!["ArrowDown", "Enter", "Escape"].includes(event.key) || event.isComposing) return;
    event.preventDefault();
    if (event.key === "Escape" && query !== "") return setQuery("");
    search.current?.blur();
    /** @type {HTMLElement | null} */ (document.querySelector(".memories .list"))?.focus();
    if (current === undefined && rows[0] !== undefined) onAt(rows[0].id);
  };
  if (found !== undefined && found.all === 0 && !found.isReading) {
    return html`
      <section class="empty">
        <h1>No memories yet</h1>
        <p>memo writes them from your conversations. To add one yourself: <code>memo add "Use pnpm, never npm"</code></p>
        <p class="muted">Memories in another tool? <code>memo import</code></p>
      </section>
    `;
  }
  return html`
    <div class=${isOpen ? "split memories open" : "split memories"}>
      <section class="side" aria-labelledby="memories-title">
        <div class="bar">
          <h1 id="memories-title" class="unseen">Memories</h1>
          <input ref=${search} type="search" placeholder="Search by meaning or keyword"
            aria-label="Search memories"
            aria-keyshortcuts="/" autocomplete="off" spellcheck="false" dir="auto" maxlength="2000"
            value=${query}
            onKeyDown=${pressInSearch}
            onInput=${(/** @type {{ target: HTMLInputElement }} */ { target }) =>
              setQuery(target.value)} />
        </div>
        <${Narrow} facets=${found?.facets} filters=${filters} onFilters=${setFilters} />
        <div class="bar count-bar" aria-busy=${isBusy}>
          <${Counts} found=${found} query=${query} />
        </div>
        <${List} label="Memories" rows=${rows} height=${ROW_PX}
          keyOf=${(/** @type {MemoryRow} */ { id }) => id}
          render=${(/** @type {MemoryRow} */ row) => html`<${RowOf} row=${row} />`}
          current=${shown} onCurrent=${onAt} onOpen=${() => setOpen(true)} onEnd=${more} />
      </section>
      <section class="detail" aria-label="Memory">
        <button class="back quiet" onClick=${() => setOpen(false)}>← All memories</button>
        ${shown !== undefined
          ? html`<${Memory} key=${shown} id=${shown} onMoved=${onAt} onForgotten=${next} />`
          : found &&
            html`<p class="muted">${
              query === "" ? "No memories match these filters." : "No matches."
            }</p>`}
      </section>
    </div>
  `;
}

/** @param {{ facets: Record<string, Facet[]> | undefined, filters: Filters, onFilters: (filters: Filters) => void }} props */
function Narrow({ facets, filters, onFilters }) {
  const ALL = "\u0000";
  /** @param {string} name @param {string} value */
  const set = (name, value) => {
    const { [name]: _, ...others } = filters;
    onFilters(value === ALL ? others : { ...others, [name]: value });
  };
  return html`<div class="narrow" role="group" aria-label="Filters">${
    FILTERS.map(({ name, label, nameOf }) => {
      const values = facets?.[name] ?? [], value = filters[name];
      if (values.length < 2 && value === undefined) return null;
      const isThere = value === undefined || values.some((each) => each.value === value);
      const all = isThere ? values : [{ value, count: 0 }, ...values];
      return html`
        <select key=${name} aria-label=${label} class=${value === undefined ? "" : "on"}
          value=${value ?? ALL}
          onChange=${(/** @type {{ target: HTMLSelectElement }} */ { target }) =>
            set(name, target.value)}>
          <option value=${ALL}>${label}</option>
          ${all.map((each) =>
            html`<option key=${each.value} value=${each.value}>${nameOf(each)} (${
              each.count.toLocaleString("en")
            })</option>`
          )}
        </select>
      `;
    })
  }</div>`;
}

/** @param {{ found: Found | undefined, query: string }} props */
function Counts({ found, query }) {
  if (found === undefined) return html`<span class="muted small">…</span>`;
  const { total, all, isNear, failures } = found;
  const says = isNear
    ? "No matches; closest:"
    : query !== ""
    ? `${counted(total, "match", "matches")}, best first`
    : total === all
    ? `${counted(all, "memory", "memories")}, newest first`
    : `${total.toLocaleString("en")} of ${counted(all, "memory", "memories")}`;
  return html`
    <span class="muted small grow" role="status">${says}${failures &&
      html`<span title=${failures.join("\n")}> · keywords only</span>`}</span>
  `;
}

/** @param {{ row: MemoryRow }} props */
function RowOf({ row }) {
  const { name, type, changed, states, score, isAbove, passage } = row;
  const at = new Date(changed).toISOString();
  return html`
    <span class="two grow">
      <span class="line">
        <span class="grow cut title"><${Said}>${name}</${Said}></span>
        ${score === undefined
          ? html`<span class="muted small number" title=${momentOf(at)}>${agoOf(at)}</span>`
          : html`<span class=${isAbove ? "number" : "number muted"} title=${
            isAbove ? "Score: recall would add it" : "Score: too low for recall"
          }>${score.toFixed(2)}</span>`}
      </span>
      <span class="line muted small">
        <span class="grow cut">${passage && !saysAs(passage, name)
          ? html`<${Said}>${passage}</${Said}>`
          : html`${type} · <${Said}>${placeOf(row)}</${Said}>`}</span>
        ${states.filter((state) => state !== "unused").map((state) =>
          html`<span key=${state} class=${state === "pinned" ? "tag" : "tag warn"}>${
            STATES[state] ?? state
          }</span>`
        )}
      </span>
    </span>
  `;
}
