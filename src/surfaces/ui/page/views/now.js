// @ts-check
// What the model was given, and why: sessions with their prompts beside the one that is looked at.

import { html } from "htm/preact";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { call, takeFirst } from "../api.js";
import { useKeys } from "../parts/keys.js";
import { List } from "../parts/list.js";
import { counted, Said } from "../parts/text.js";
import { dayOf, momentOf, timeOf } from "../parts/time.js";
import { tellError, useChanges } from "../parts/toasts.js";
import { Entry } from "./entry.js";
import { moveCard } from "./card.js";
import { headlineOf, toneOf } from "./why.js";

/** @typedef {import("./why.js").EntryData} EntryData */
/** @typedef {{ id: string, project: string | null, from: string, to: string, prompts: number, entries: EntryData[] }} Session */
/** @typedef {{ session: Session, entry?: EntryData }} Row */

/** Interval of the looks for new receipts while the page is seen, and of the sign of life while it is not. */
const LOOK_MS = 2000, ALIVE_MS = 60_000;
const ROW_PX = 34;

/**
 * What was shown when another view was last chosen: coming back shows it at once.
 * @type {{ found?: { sessions: Session[], hasEarlier: boolean }, days: number }}
 */
const kept = { days: 1 };

/** The sessions of the last `days` with any, kept up to date. @param {number} days */
function useSessions(days) {
  const [found, setFound] = useState(kept.found);
  const seen = useRef(/** @type {string | undefined} */ (undefined));
  const look = useCallback(
    async (/** @type {{ isFresh?: boolean }} */ { isFresh = false } = {}) => {
      const reply = await takeFirst() ?? await call("now", {
        days,
        ...isFresh || !seen.current ? {} : { seen: seen.current },
      });
      seen.current = reply.cursor;
      if (!reply.isUnchanged) setFound(reply);
    },
    [days],
  );
  useLayoutEffect(() => {
    let timer = /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined);
    let isShown = true;
    const again = async () => {
      clearTimeout(timer);
      await look().catch(tellError);
      if (isShown) timer = setTimeout(again, document.hidden ? ALIVE_MS : LOOK_MS);
    };
    void again();
    document.addEventListener("visibilitychange", again);
    return () => {
      isShown = false;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", again);
    };
  }, [look]);
  const lookAgain = useCallback(() => void look({ isFresh: true }).catch(tellError), [look]);
  useChanges(lookAgain);
  return found;
}

/** Days that are looked at for what an address names. */
const MOST_DAYS = 14;

/** @param {import("./why.js").Looking} props */
export function Now({ at: current, onAt: setCurrent }) {
  const [days, setDays] = useState(kept.days);
  const [isOpen, setOpen] = useState(false);
  const found = useSessions(days);
  Object.assign(kept, { found, days });
  const earlier = () => found?.hasEarlier && setDays(days + 1);
  const rows = useMemo(() => rowsOf(found?.sessions ?? []), [found]);
  const row = rows.find(({ entry }) => entry !== undefined && entry.id === current) ??
    firstOf(rows);
  useEffect(() => {
    const isThere = current === undefined || rows.some(({ entry }) => entry?.id === current);
    if (!isThere && found?.hasEarlier && days < MOST_DAYS) setDays(days + 1);
  }, [current, found]);
  const back = () => {
    setOpen(false);
    const list = document.querySelector(".side .list");
    if (list instanceof HTMLElement) list.focus();
  };
  useKeys("Now", [
    { key: "o", says: "Show earlier days", run: earlier },
    { key: "Escape", says: "", run: back },
  ]);
  /** What is being read is not replaced when a newer prompt arrives. */
  const stay = () => setCurrent(row?.entry?.id);
  /** @param {Row} _row @param {{ byKey: boolean }} how */
  const open = (_row, { byKey }) => {
    setOpen(true);
    if (byKey) setTimeout(() => moveCard(0));
  };
  if (found === undefined) {
    return html`
      <section class="empty" aria-busy="true">
        <h1>Now</h1>
      </section>
    `;
  }
  if (rows.length === 0) {
    return html`
      <section class="empty">
        <h1>Nothing yet</h1>
        <p>Start <code>claude</code> and send a prompt. What memo adds to it appears here, and why.</p>
        <p class="muted">No hooks yet? Run <code>memo init</code></p>
      </section>
    `;
  }
  return html`
    <div class=${isOpen ? "split open" : "split"}>
      <section class="side" aria-labelledby="now-title">
        <div class="bar">
            <h1 id="now-title">${daysOf(found.sessions)}</h1>
            ${found.hasEarlier &&
              html`<button class="quiet" onClick=${earlier}>Earlier</button>`}
          </div>
        <${List} label="Prompts and what they got" rows=${rows} height=${ROW_PX}
          keyOf=${(/** @type {Row} */ { entry }) => entry?.id} render=${rowOf}
          current=${row?.entry?.id} onCurrent=${setCurrent} onOpen=${open} />
      </section>
      <section class="detail" aria-label="What memo added" onFocusIn=${stay}
        onMouseDown=${stay}>
          <button class="back quiet" onClick=${back}>← All prompts</button>
          ${row?.entry &&
            html`<${Entry} key=${row.entry.id} entry=${row.entry} session=${row.session} onBack=${back} />`}
        </section>
    </div>
  `;
}

/** @param {readonly Session[]} sessions @returns {Row[]} */
function rowsOf(sessions) {
  return sessions.flatMap((
    session,
  ) => [{ session }, ...session.entries.map((entry) => ({ session, entry }))]);
}

/** The newest prompt that got something, else one that asks for something, or whatever there is. @param {readonly Row[]} rows */
function firstOf(rows) {
  return rows.find(({ entry }) => entry?.kind === "prompt" && entry.given.length > 0) ??
    rows.find(({ entry }) => entry?.kind === "prompt" && entry.outcome !== "gated") ??
    rows.find(({ entry }) => entry !== undefined);
}

/** The days of some sessions, as a heading. @param {readonly Session[]} sessions */
function daysOf(sessions) {
  const days = [...new Set(sessions.map(({ to }) => dayOf(to)))];
  return days.length <= 1 ? days[0] ?? "Now" : `${days.at(-1)} – ${days[0]}`;
}

/** When a session was, from its first to its last event. @param {Session} session */
function spanOf({ from, to }) {
  const [begun, ended] = [timeOf(from), timeOf(to)];
  const day = dayOf(to) === "Today" ? "" : `${dayOf(to)} `;
  return begun === ended && dayOf(from) === dayOf(to) ? day + ended : `${day}${begun} – ${ended}`;
}

/** @param {Row} row */
function rowOf({ session, entry }) {
  if (entry === undefined) {
    return html`
      <span class="project">${session.project ?? "No project"}</span>
      <span class="muted grow">${counted(session.prompts, "prompt")}</span>
      <span class="muted" title=${momentOf(session.to)}>${spanOf(session)}</span>
    `;
  }
  const count = entry.given.length + (entry.titles ?? 0);
  return html`
    <span class="time" title=${momentOf(entry.at)}>${timeOf(entry.at)}</span>
    <span class=${`dot ${toneOf(entry)}`} aria-hidden="true"></span>
    <span class=${entry.kind === "prompt" ? "grow cut" : "grow cut muted"}>
          <${Said}>${entry.kind === "prompt"
            ? entry.prompt ?? "(prompt not saved)"
            : headlineOf(entry)}</${Said}></span>
        <span class="count" title=${`${counted(count, "memory", "memories")} added`}>${count > 0
          ? count
          : "–"}</span>
  `;
}
