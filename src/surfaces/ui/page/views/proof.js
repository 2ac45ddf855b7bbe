// @ts-check
// Whether memo helps, and what it costs: what it knows, tokens, money, time, and the store as it grows. A part without figures yet says what will fill it.

import { html } from "htm/preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { call } from "../api.js";
import { Chart } from "../parts/chart.js";
import { counted, Message } from "../parts/text.js";
import { tellError } from "../parts/toasts.js";

/**
 * @typedef {{ days: number, sessions: any[], unread: number, saved: any[], use: any[],
 *   llm: { days: any[], total: any, today: any, caps: any }, latency: { hooks: any[], events: any[] } }} ProofData
 * @typedef {{ proof: ProofData }} Props
 * @typedef {readonly [label: string, color: string, value: (row: any) => number]} Shown
 */

const DAY_MS = 86_400_000;
const SPANS = [7, 30, 90];
/** Time until the transcripts that are still being read are asked for again. */
const AGAIN_MS = 1000;
/** Sessions in the chart; the table has them all. */
const SESSIONS = 20;
/** Upper ends of the classes of times, in milliseconds. */
const CLASSES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, Infinity];
const COLORS = ["--accent", "--good", "--warn", "--bad", "--muted"];

/** The last days up to today, `2026-11-21`. @param {number} days */
function daysUpTo(days, now = new Date()) {
  return Array.from({ length: days }, (_, i) => {
    const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() - days + 1 + i);
    const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
    return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
  });
}

/** Noon of a day, in seconds since 1970. @param {string} day */
const secondsOf = (day) => new Date(`${day}T12:00`).getTime() / 1000;

/** @param {readonly any[]} rows @param {(row: any) => number} value */
const sum = (rows, value) => rows.reduce((/** @type {number} */ all, row) => all + value(row), 0);

/** A chart of rows that have a day. @param {readonly any[]} rows @param {number} days @param {readonly Shown[]} shown */
function daily(rows, days, shown) {
  const all = rows.length === 0 ? [] : daysUpTo(days);
  const byDay = Map.groupBy(rows, ({ day }) => day);
  return {
    x: all.map(secondsOf),
    series: shown.map(([label, color, value]) => ({
      ...{ label, color },
      values: all.map((day) => sum(byDay.get(day) ?? [], value)),
    })),
  };
}

/** @param {number} number */
const whole = (number) => number.toLocaleString("en");

/** @param {number} number */
const short = (number) =>
  number >= 1e6
    ? `${+(number / 1e6).toFixed(1)}M`
    : number >= 1e3
    ? `${+(number / 1e3).toFixed(1)}k`
    : String(number);

/** @param {number} usd */
const dollars = (usd) => `$${usd.toFixed(usd > 0 && usd < 1 ? 3 : 2)}`;

/** @param {number} part @param {number} all */
const percent = (part, all) => all === 0 ? "–" : `${Math.round(100 * part / all)} %`;

export function Proof() {
  const [days, setDays] = useState(30);
  const [proof, setProof] = useState(/** @type {ProofData | undefined} */ (undefined));
  useEffect(() => {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    let isOver = false;
    const ask = async () => {
      try {
        const reply = await call("proof", { days });
        if (isOver) return;
        setProof(reply);
        if (reply.unread > 0) timer = setTimeout(ask, AGAIN_MS);
      } catch (error) {
        tellError(error);
      }
    };
    void ask();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [days]);
  return html`
    <div class="proof" aria-busy=${proof === undefined}>
      <div class="bar">
        <h1>Proof and cost</h1>
        <label class="small muted">Last
          ${" "}<select value=${days} aria-label="Days to look back"
            onChange=${(/** @type {any} */ event) => setDays(Number(event.target.value))}>
            ${SPANS.map((span) => html`<option key=${span} value=${span}>${span} days</option>`)}
          </select>
        </label>
      </div>
      ${proof && html`
        <div class="proof-parts">
          ${[Known, Tokens, Spending, Latency, Store].map((each) =>
            html`<${each} key=${each.name} proof=${proof} />`
          )}
        </div>
      `}
    </div>
  `;
}

/**
 * `until` says what fills a part that has nothing yet.
 * @param {{ title: string, facts: readonly (readonly [string, string])[], until?: string | false, children?: any }} props
 */
function Part({ title, facts, until = false, children }) {
  return html`
    <section class="part">
      <h2>${title}</h2>
      ${until !== false
        ? html`
          <p class="muted">
            <${Message}>${until}</${Message}></p>
        `
        : html`
          <dl class="figures">${facts.map(([name, value]) =>
            html`
              <div key=${name}>
                <dt>${name}</dt>
                <dd>${value}</dd>
              </div>
            `
          )}</dl>
          ${children}
        `}
    </section>
  `;
}

const ORIGINS = { conversation: "from conversations", import: "imported", hand: "by your hand" };

/** What there is from the first note on. */
function Known() {
  const [found, setFound] = useState(/** @type {any} */ (undefined));
  useEffect(() => void call("memories", { limit: 1 }).then(setFound, tellError), []);
  if (found === undefined) return null;
  /** @type {{ type: any[], origin: any[], project: any[] }} */
  const { type, origin, project } = found.facets;
  return html`
    <${Part} title="What memo knows"
      until=${found.all === 0 && "The first note, from a conversation or `memo add`, begins it."}
      facts=${[
        ["notes", whole(found.all)],
        ...origin.map(({ value, count }) => /** @type {const} */ ([
          ORIGINS[/** @type {keyof typeof ORIGINS} */ (value)] ?? value,
          whole(count),
        ])),
        ["projects", whole(project.filter(({ value }) => value !== "").length)],
      ]}>
      <ul class="shares">${type.map(({ value, count }) =>
        html`
          <li key=${value}><span>${value}</span>
            <progress max=${found.all} value=${count} aria-label=${value}></progress>
            <span class="number">${whole(count)}</span></li>
        `
      )}</ul>
      </${Part}>
  `;
}

/** A session's tokens in three parts; what a start block has, what prompts get, and memo's tools with their results. @param {any} session */
function partsOf({ bill, chars }) {
  if (bill === undefined) return { start: 0, prompts: Math.round(chars / 4), tools: 0 };
  const { titles, blocks, tools, results, instructions } = bill.tokens;
  return { start: titles, prompts: blocks, tools: tools + results + instructions };
}

/** @param {Props} props */
function Tokens({ proof: { sessions, unread } }) {
  const rows = useMemo(
    () => sessions.map((session) => ({ session, ...partsOf(session) })),
    [sessions],
  );
  const chart = useMemo(() => {
    const last = rows.slice(0, SESSIONS).reverse();
    return {
      x: last.map((_, i) => i),
      labels: last.map(({ session: { at } }) => at.slice(5, 10)),
      series: [
        { label: "start", color: "--accent", values: last.map(({ start }) => start) },
        { label: "prompts", color: "--good", values: last.map(({ prompts }) => prompts) },
        { label: "tools", color: "--warn", values: last.map(({ tools }) => tools) },
      ],
    };
  }, [rows]);
  const total = (/** @type {any} */ { start, prompts, tools }) => start + prompts + tools;
  const measured = rows.filter(({ session }) => session.bill?.isMeasured);
  const sorted = rows.map(total).sort((a, b) => a - b);
  const input = sum(measured, ({ session }) => session.bill.input);
  const all = sum(measured, total);
  const cached = sum(measured, ({ session }) => session.bill.cached);
  return html`
    <${Part} title="Tokens carried" until=${rows.length === 0 && "The first session begins it."}
      facts=${[
        ["sessions", whole(rows.length)],
        ["median", short(sorted[Math.floor(sorted.length / 2)] ?? 0)],
        ["from the cache", all === 0 ? "–" : `${Math.round(100 * cached / all)} %`],
        [
          "of all input",
          input === 0 ? "–" : `${(100 * all / input).toFixed(1)} %`,
        ],
      ]}>
      <p class="muted small">Each text counts with every request that carries it.
        ${unread > 0 && html`
          Reading ${counted(unread, "more transcript")} …
        `}</p>
      <${Chart} title="memo's input tokens by session" kind="bars" ...${chart} format=${short}
        heads=${["session", "prompts", "start", "with prompts", "tools", "all input"]}
        rows=${rows.map((
          { session: { at, project, prompts: count, bill }, start, prompts, tools },
        ) => [
          `${at.slice(0, 16).replace("T", " ")} ${project}`,
          ...[count, start, prompts, tools, bill?.isMeasured ? bill.input : "–"],
        ])} />
      </${Part}>
  `;
}

/** @param {Props} props */
function Spending({ proof: { llm: { days: spent, total, today, caps }, days } }) {
  const chart = useMemo(() => {
    const purposes = [...new Set(spent.map(({ purpose }) => String(purpose)))];
    return daily(
      spent,
      days,
      purposes.map((name, i) => [
        name,
        COLORS[i % COLORS.length] ?? "--accent",
        ({ purpose, usd }) => purpose === name ? usd : 0,
      ]),
    );
  }, [spent]);
  return html`
    <${Part} title="Language model" until=${spent.length === 0 && "Nothing has been asked of one."}
      facts=${[
        ["today", `${dollars(today.usd)} of ${dollars(caps.usd)}`],
        ["calls today", `${today.calls} of ${caps.calls}`],
        [`last ${days} days`, dollars(total.usd)],
        ["tokens in, out", `${short(total.input)}, ${short(total.output)}`],
      ]}>
      <${Chart} title="Dollars by day and purpose" kind="bars" ...${chart} format=${dollars}
        heads=${["day", "purpose", "calls", "tokens in", "tokens out", "dollars"]}
        rows=${spent.map((
          { day, purpose, calls, input, output, usd },
        ) => [day, purpose, calls, input, output, dollars(usd)])} />
      </${Part}>
  `;
}

/** @param {Props} props */
function Latency({ proof: { latency: { hooks, events } } }) {
  const [all] = events;
  const spread = useMemo(() => {
    const counts = CLASSES.map((most, i) =>
      hooks.filter(({ ms }) => ms <= most && ms > (CLASSES[i - 1] ?? -1)).length
    );
    return {
      x: CLASSES.map((_, i) => i),
      labels: CLASSES.map((most, i) => most === Infinity ? `>${CLASSES[i - 1]}` : `${most}`),
      series: [{ label: "hooks", color: "--accent", values: counts }],
    };
  }, [hooks]);
  const overTime = useMemo(() => ({
    x: hooks.map(({ at }) => Date.parse(at) / 1000),
    series: [{
      label: "ms",
      color: "--accent",
      values: hooks.map(({ ms }) => Math.max(0.1, ms)),
    }],
  }), [hooks]);
  const ms = (/** @type {number} */ value) => `${whole(value)} ms`;
  return html`
    <${Part} title="Latency" until=${all === undefined && "The first prompt begins it."}
      facts=${all === undefined ? [] : [
        ["hooks", whole(all.count)],
        ["half up to", ms(all.p50)],
        ["95 % up to", ms(all.p95)],
        ["99 % up to", ms(all.p99)],
      ]}>
      <p class="muted small">Time in the daemon for the last ${counted(hooks.length, "hook")}; the
        process that Claude Code starts for one comes on top.</p>
      <div class="pair">
        <${Chart} title="Hooks by milliseconds" kind="bars" ...${spread}
          heads=${["up to, in ms", "hooks"]}
          rows=${spread.labels.map((label, i) => [label, spread.series[0]?.values[i] ?? 0])} />
        <${Chart} title="Milliseconds over time" kind="points" ...${overTime} log=${true}
          format=${short} heads=${[
            "hook",
            "count",
            "half up to",
            "95 % up to",
            "99 % up to",
            "longest",
          ]}
          rows=${events.map((
            { event = "All", count, p50, p95, p99, most },
          ) => [event, count, ms(p50), ms(p95), ms(p99), ms(most)])} />
      </div>
      </${Part}>
  `;
}

/** @param {Props} props */
function Store({ proof: { saved, use, days } }) {
  const growth = useMemo(() => {
    let all = 0;
    const steps = saved.map(({ day, count }) => ({ day, count, sum: all += count }));
    // Up to today, or a store that has not grown would seem to end.
    const today = daysUpTo(1)[0] ?? "", isOld = (steps.at(-1)?.day ?? today) < today;
    const drawn = isOld ? [...steps, { day: today, count: 0, sum: all }] : steps;
    return {
      steps,
      x: drawn.map(({ day }) => secondsOf(day)),
      series: [{ label: "memories", color: "--accent", values: drawn.map(({ sum }) => sum) }],
    };
  }, [saved]);
  const chart = useMemo(() =>
    daily(use, days, [
      ["given memories", "--accent", ({ answered }) => answered],
      ["nothing fitted", "--strong", ({ prompts, answered }) => prompts - answered],
    ]), [use]);
  const since = Date.now() - days * DAY_MS;
  const fresh = saved.filter(({ day }) => Date.parse(day) >= since);
  return html`
    <${Part} title="Memories" until=${saved.length === 0 && "The first note begins it."} facts=${[
      ["in all projects", whole(sum(saved, ({ count }) => count))],
      [`saved in ${days} days`, whole(sum(fresh, ({ count }) => count))],
      [
        "prompts given some",
        percent(sum(use, ({ answered }) => answered), sum(use, ({ prompts }) => prompts)),
      ],
    ]}>
      <div class="pair">
        <${Chart} title="Memories by the day they were saved" kind="area" x=${growth.x}
          series=${growth.series} format=${short} heads=${["day", "saved", "in all"]}
          rows=${growth.steps.map(({ day, count, sum }) => [day, count, sum])} />
        <${Chart} title="Prompts by day" kind="bars" ...${chart}
          heads=${["day", "prompts", "given memories", "memories given"]}
          rows=${use.map((
            { day, prompts, answered, memories },
          ) => [day, prompts, answered, memories])} />
      </div>
      </${Part}>
  `;
}
