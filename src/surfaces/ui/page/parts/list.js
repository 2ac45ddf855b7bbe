// @ts-check
// A long list with one current row: only the rows in view are in the document, and the keyboard moves through all.

import { html } from "htm/preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useKeys } from "./keys.js";

/** Rows beyond the edges of the view that are there already. */
const BEYOND = 8;

/**
 * All rows have one height, in pixels. A row without a key is a heading, which is never current.
 * @template Row
 * @typedef {object} ListProps
 * @property {string} label for screen readers
 * @property {readonly Row[]} rows
 * @property {number} height
 * @property {(row: Row) => string | undefined} keyOf
 * @property {(row: Row) => any} render
 * @property {string | undefined} current the key of the current row
 * @property {(key: string, isStep?: boolean) => void} onCurrent `isStep`: it was chosen, and not passed by
 * @property {(row: Row, how: { byKey: boolean }) => void} [onOpen]
 * @property {() => void} [onEnd] the last row is in view
 */

/**
 * @template Row
 * @param {ListProps<Row>} props
 */
export function List(props) {
  const { rows, height, keyOf, render, current, onCurrent, onOpen, onEnd } = props;
  const view = useRef(/** @type {HTMLDivElement | null} */ (null));
  /** @param {number} index */
  const keyAt = (index) => index in rows ? keyOf(/** @type {Row} */ (rows[index])) : undefined;
  const [range, setRange] = useState({ top: 0, room: 800 });
  const look = () => {
    const { scrollTop: top = 0, clientHeight: room = 800 } = view.current ?? {};
    setRange((before) => before.top === top && before.room === room ? before : { top, room });
  };
  useLayoutEffect(look, [rows.length]);
  useEffect(() => {
    const observer = new ResizeObserver(look);
    if (view.current) observer.observe(view.current);
    return () => observer.disconnect();
  }, []);

  const at = rows.findIndex((row) => current !== undefined && keyOf(row) === current);
  useEffect(() => {
    const box = view.current;
    if (box === null || at < 0) return;
    // Its heading comes into view with the first row below it.
    const top = (at > 0 && keyAt(at - 1) === undefined ? at - 1 : at) * height;
    const bottom = (at + 1) * height;
    if (top < box.scrollTop) box.scrollTop = top;
    else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight;
  }, [current]);

  /** @param {number} step */
  const move = (step) => {
    const wanted = at < 0 ? (step > 0 ? 0 : rows.length - 1) : at + step;
    const next = Math.max(0, Math.min(rows.length - 1, wanted));
    const way = step > 0 ? 1 : -1;
    /** @param {number} from @param {number} way @returns {string | undefined} */
    const keyFrom = (from, way) =>
      from in rows ? keyAt(from) ?? keyFrom(from + way, way) : undefined;
    const key = keyFrom(next, way) ?? keyFrom(next, -way); // the first row may be a heading
    if (key !== undefined) onCurrent(key);
  };
  const perPage = () => Math.max(1, Math.floor((view.current?.clientHeight ?? 400) / height) - 1);
  useKeys("List", [
    { key: ["j", "ArrowDown"], says: "Next", run: () => move(1) },
    { key: ["k", "ArrowUp"], says: "Previous", run: () => move(-1) },
    { key: "PageDown", says: "", run: () => move(perPage()) },
    { key: "PageUp", says: "", run: () => move(-perPage()) },
    { key: ["g", "Home"], says: "First", run: () => move(-rows.length) },
    { key: ["G", "End"], says: "Last", run: () => move(rows.length) },
    ...onOpen === undefined ? [] : [{
      key: "Enter",
      says: "Open",
      run: () => void (rows[at] !== undefined && onOpen(rows[at], { byKey: true })),
    }],
  ]);

  const first = Math.max(0, Math.floor(range.top / height) - BEYOND);
  const last = Math.min(rows.length, Math.ceil((range.top + range.room) / height) + BEYOND);
  useEffect(() => {
    if (rows.length > 0 && last === rows.length) onEnd?.();
  }, [last]);
  return html`
    <div class="list" role="listbox" tabindex="0" aria-label=${props.label} ref=${view}
      aria-activedescendant=${at < 0 || at < first || at >= last ? undefined : `row-${at}`}
      onScroll=${look}>
      <div class="list-all" role="presentation" style=${{ height: `${rows.length * height}px` }}>
          ${rows.slice(first, last).map((row, i) => {
            const index = first + i, key = keyOf(row);
            const place = { height: `${height}px`, transform: `translateY(${index * height}px)` };
            if (key === undefined) {
              return html`<div key=${`heading-${index}`} class="list-row heading" role="presentation" style=${place}>
            ${render(row)}</div>`;
            }
            const isCurrent = key === current;
            const click = () => {
              onCurrent(key, true);
              onOpen?.(row, { byKey: false });
            };
            return html`
              <div key=${key} id=${`row-${index}`} role="option" style=${place}
                class=${isCurrent ? "list-row current" : "list-row"}
                aria-selected=${isCurrent}
                aria-setsize=${rows.length} aria-posinset=${index + 1}
                onClick=${click}>
                ${render(row)}</div>
            `;
          })}
        </div>
    </div>
  `;
}
