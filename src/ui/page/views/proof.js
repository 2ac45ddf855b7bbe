// @ts-check
// Whether memo helps, and what it costs: rules kept and broken, tokens, money, time, and the store as it grows.

import { html } from "htm/preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { call } from "../api.js";
import { Chart, Table } from "../parts/chart.js";
import { counted } from "../parts/text.js";
import { tellError } from "../parts/toasts.js";

const DAY_MS = 86_400_000;
const SPANS = [7, 30, 90];
/** Time until the transcripts that are still being read are asked for again. */
const AGAIN_MS = 1000;
/** Sessions in the chart; the table has them all. */
const SESSIONS = 20;
/** Upper ends of the classes of times, in milliseconds. */
const CLASSES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, Infinity];

/** @typedef {{ day: string }} OfDay */

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

/** @param {number} number */
const short = (number) =>
  number >= 1e6
    ? `${+(number / 1e6).toFixed(1)}M`
    : number >= 1e3
    ? `${+(number / 1e3).toFixed(1)}k`
    : String(number);

/** @param {number} usd */
const dollars = (usd) => `$${usd.toFixed(usd > 0 && usd < 1 ? 3 : 2)}`;

export function Proof() {
  const [days, setDays] = useState(30);
  const [proof, setProof] = useState(/** @type {any} */ (undefined));
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
      ${proof && html`<${Parts} proof=${proof} />`}
    </div>
  `;
}

/** @param {{ proof: any }} props */
function Parts({ proof }) {
  return html`
    <div class="proof-parts">
      <${Rules} proof=${proof} />
      <${Tokens} proof=${proof} />
      <${Spending} proof=${proof} />
      <${Latency} proof=${proof} />
      <${Store} proof=${proof} />
    </div>
  `;
}

/** @param {{ title: string, facts: readonly (readonly [string, string])[], children: any }} props */
function Part({ title, facts, children }) {
  return html`
    <section class="part">
      <h2>${title}</h2>
      <dl class="figures">${facts.map(([name, value]) =>
        html`
          <div key=${name}>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>
        `
      )}</dl>
      ${children}
    </section>
  `;
}

/** @param {{ proof: any }} props */
function Rules({ proof }) {
  const { rules, verdicts, days } = proof;
  const chart = useMemo(() => {
    const all = verdicts.length === 0 ? [] : daysUpTo(days);
    const byDay = new Map(verdicts.map((/** @type {any} */ each) => [each.day, each]));
    const of = (/** @type {string} */ what) =>
      all.map((day) => /** @type {any} */ (byDay.get(day))?.[what] ?? 0);
    return {
      x: all.map(secondsOf),
      series: [
        { label: "kept", color: "--good", values: of("kept") },
        { label: "broken", color: "--warn", values: of("broken") },
        { label: "corrected again", color: "--bad", values: of("corrected") },
      ],
    };
  }, [verdicts]);
  const sum = (/** @type {string} */ what) =>
    rules.reduce((/** @type {number} */ all, /** @type {any} */ rule) => all + rule[what], 0);
  const judged = sum("kept") + sum("broken");
  return html`
    <${Part} title="Rules" facts=${[
      ["rules given", rules.length.toLocaleString("en")],
      ["kept", judged === 0 ? "–" : `${Math.round(100 * sum("kept") / judged)} %`],
      ["broken", sum("broken").toLocaleString("en")],
      ["corrected again", sum("corrected").toLocaleString("en")],
    ]}>
      <${Chart} title="Turns that had a rule, by day" kind="bars" x=${chart.x} series=${chart
        .series}
        table=${html`
          <${Table} caption="Turns that had a rule, by day"
            heads=${["day", "kept", "broken", "corrected again"]}
            rows=${verdicts.map((
              /** @type {any} */ { day, kept, broken, corrected },
            ) => [day, kept, broken, corrected])} />
        `} />
      ${rules.length > 0 && html`
        <${Table} caption="Rules as they are worded now, most broken first" isSeen=${true}
          heads=${["rule", "given", "kept", "broken", "corrected", "comes"]}
          rows=${rules.map((
            /** @type {any} */ { name, given, kept, broken, corrected, rung },
          ) => [name, given, kept, broken, corrected, rung])} />
      `}
    </${Part}>
  `;
}

/** A session's tokens in three parts; what a start block has, what prompts get, and memo's tools with their results. @param {any} session */
function partsOf({ bill, chars }) {
  if (bill === undefined) return { start: 0, prompts: Math.round(chars / 4), tools: 0 };
  const { titles, blocks, tools, results, instructions } = bill.tokens;
  return { start: titles, prompts: blocks, tools: tools + results + instructions };
}

/** @param {{ proof: any }} props */
function Tokens({ proof }) {
  const { sessions, unread } = proof;
  const rows = useMemo(
    () => sessions.map((/** @type {any} */ session) => ({ session, ...partsOf(session) })),
    [sessions],
  );
  const chart = useMemo(() => {
    const last = rows.slice(0, SESSIONS).reverse();
    const of = (/** @type {string} */ part) => last.map((/** @type {any} */ row) => row[part]);
    return {
      x: last.map((/** @type {any} */ _, /** @type {number} */ i) => i),
      labels: last.map((/** @type {any} */ { session: { at } }) => at.slice(5, 10)),
      series: [
        { label: "start", color: "--accent", values: of("start") },
        { label: "prompts", color: "--good", values: of("prompts") },
        { label: "tools", color: "--warn", values: of("tools") },
      ],
    };
  }, [rows]);
  const measured = rows.filter((/** @type {any} */ { session }) => session.bill?.isMeasured);
  const total = (/** @type {any} */ { start, prompts, tools }) => start + prompts + tools;
  const sorted = rows.map(total).sort((/** @type {number} */ a, /** @type {number} */ b) => a - b);
  const own = measured.reduce(
    (/** @type {number} */ all, /** @type {any} */ row) => all + total(row),
    0,
  );
  const input = measured.reduce(
    (/** @type {number} */ all, /** @type {any} */ row) => all + row.session.bill.input,
    0,
  );
  return html`
    <${Part} title="Tokens carried" facts=${[
      ["sessions", rows.length.toLocaleString("en")],
      ["median", sorted.length === 0 ? "–" : short(sorted[Math.floor(sorted.length / 2)])],
      ["of all input", input === 0 ? "–" : `${(100 * own / input).toFixed(1)} %`],
    ]}>
      <p class="muted small">Each text counts with every request that carries it.
        ${unread > 0 && html`
          Reading ${counted(unread, "more transcript")} …
        `}</p>
      <${Chart} title="memo's input tokens by session, newest last" kind="bars" x=${chart.x}
        labels=${chart.labels} series=${chart.series} format=${short}
        table=${html`
          <${Table} caption="memo's input tokens by session"
            heads=${["session", "prompts", "start", "with prompts", "tools", "all input"]}
            rows=${rows.map((
              /** @type {any} */ {
                session: { at, project, prompts: count, bill },
                start,
                prompts,
                tools,
              },
            ) => [
              `${at.slice(0, 16).replace("T", " ")} ${project}`,
              count,
              start,
              prompts,
              tools,
              bill?.isMeasured ? bill.input : "–",
            ])} />
        `} />
      </${Part}>
  `;
}

/** @param {{ proof: any }} props */
function Spending({ proof }) {
  const { llm: { days: spent, total, today, caps }, days } = proof;
  const chart = useMemo(() => {
    const all = spent.length === 0 ? [] : daysUpTo(days);
    const colors = ["--accent", "--good", "--warn", "--bad", "--muted"];
    const purposes = [...new Set(spent.map((/** @type {any} */ { purpose }) => purpose))];
    return {
      x: all.map(secondsOf),
      series: purposes.map((purpose, i) => ({
        label: String(purpose),
        color: colors[i % colors.length] ?? "--accent",
        values: all.map((day) =>
          spent.find((/** @type {any} */ each) => each.day === day && each.purpose === purpose)
            ?.usd ?? 0
        ),
      })),
    };
  }, [spent]);
  return html`
    <${Part} title="Language model" facts=${[
      ["today", `${dollars(today.usd)} of ${dollars(caps.usd)}`],
      ["calls today", `${today.calls} of ${caps.calls}`],
      [`last ${days} days`, dollars(total.usd)],
      ["tokens in, out", `${short(total.input)}, ${short(total.output)}`],
    ]}>
      <${Chart} title="Dollars by day and purpose" kind="bars" x=${chart.x} series=${chart.series}
        format=${dollars}
        table=${html`
          <${Table} caption="Language model by day and purpose"
            heads=${["day", "purpose", "calls", "tokens in", "tokens out", "dollars"]}
            rows=${spent.map((
              /** @type {any} */ { day, purpose, calls, input, output, usd },
            ) => [day, purpose, calls, input, output, dollars(usd)])} />
        `} />
      </${Part}>
  `;
}

/** @param {{ proof: any }} props */
function Latency({ proof }) {
  const { hooks, events } = proof.latency;
  const [all] = events;
  const spread = useMemo(() => {
    const counts = CLASSES.map((most, i) =>
      hooks.filter((/** @type {any} */ { ms }) => ms <= most && ms > (CLASSES[i - 1] ?? -1)).length
    );
    return {
      counts,
      x: hooks.length === 0 ? [] : CLASSES.map((_, i) => i),
      labels: CLASSES.map((most, i) => most === Infinity ? `>${CLASSES[i - 1]}` : `${most}`),
      series: [{ label: "hooks", color: "--accent", values: counts }],
    };
  }, [hooks]);
  const overTime = useMemo(() => ({
    x: hooks.map((/** @type {any} */ { at }) => Date.parse(at) / 1000),
    series: [{
      label: "ms",
      color: "--accent",
      values: hooks.map((/** @type {any} */ { ms }) => Math.max(0.1, ms)),
    }],
  }), [hooks]);
  const ms = (/** @type {number} */ value) => `${value.toLocaleString("en")} ms`;
  const heads = ["hook", "count", "half up to", "95 % up to", "99 % up to", "longest"];
  const rows = events.map((
    /** @type {any} */ { event = "All", count, p50, p95, p99, most },
  ) => [event, count, ms(p50), ms(p95), ms(p99), ms(most)]);
  return html`
    <${Part} title="Latency" facts=${all === undefined ? [] : [
      ["hooks", all.count.toLocaleString("en")],
      ["half up to", ms(all.p50)],
      ["95 % up to", ms(all.p95)],
      ["99 % up to", ms(all.p99)],
    ]}>
      <p class="muted small">Time in the daemon for the last ${counted(
        hooks.length,
        "hook",
      )}; the process that Claude Code
        starts for one comes on top.</p>
      <div class="pair">
        <${Chart} title="Hooks by milliseconds" kind="bars" x=${spread.x} labels=${spread.labels}
          series=${spread.series}
          table=${html`
            <${Table} caption="Hooks by milliseconds" heads=${["up to, in ms", "hooks"]}
              rows=${spread.counts.map((count, i) => [spread.labels[i] ?? "", count])} />
          `} />
        <${Chart} title="Milliseconds over time" kind="points" x=${overTime.x} series=${overTime
          .series}
          log=${true}
          format=${short}
          table=${html`<${Table} caption="Milliseconds by hook event" heads=${heads} rows=${rows} />`} />
      </div>
      </${Part}>
  `;
}

/** @param {{ proof: any }} props */
function Store({ proof }) {
  const { saved, use, days } = proof;
  const total = saved.reduce(
    (/** @type {number} */ sum, /** @type {any} */ { count }) => sum + count,
    0,
  );
  const growth = useMemo(() => {
    let sum = 0;
    const steps = saved.map((/** @type {any} */ { day, count }) => ({
      day,
      count,
      sum: sum += count,
    }));
    // Up to today, or a store that has not grown would seem to end.
    const today = daysUpTo(1)[0] ?? "";
    const drawn = steps.length > 0 && steps.at(-1).day < today
      ? [...steps, { day: today, count: 0, sum }]
      : steps;
    return {
      steps,
      x: drawn.map((/** @type {any} */ { day }) => secondsOf(day)),
      series: [{
        label: "memories",
        color: "--accent",
        values: drawn.map((/** @type {any} */ step) => step.sum),
      }],
    };
  }, [saved]);
  const chart = useMemo(() => {
    const all = use.length === 0 ? [] : daysUpTo(days);
    const byDay = new Map(use.map((/** @type {any} */ each) => [each.day, each]));
    const of = (/** @type {(each: any) => number} */ what) =>
      all.map((day) => byDay.has(day) ? what(byDay.get(day)) : 0);
    return {
      x: all.map(secondsOf),
      series: [
        { label: "given memories", color: "--accent", values: of(({ answered }) => answered) },
        {
          label: "nothing fitted",
          color: "--strong",
          values: of(({ prompts, answered }) => prompts - answered),
        },
      ],
    };
  }, [use]);
  const prompts = use.reduce(
    (/** @type {number} */ sum, /** @type {any} */ each) => sum + each.prompts,
    0,
  );
  const answered = use.reduce(
    (/** @type {number} */ sum, /** @type {any} */ each) => sum + each.answered,
    0,
  );
  const since = Date.now() - days * DAY_MS;
  const fresh = saved.filter((/** @type {any} */ { day }) => Date.parse(day) >= since)
    .reduce((/** @type {number} */ sum, /** @type {any} */ { count }) => sum + count, 0);
  return html`
    <${Part} title="Memories" facts=${[
      ["in all projects", total.toLocaleString("en")],
      [`saved in ${days} days`, fresh.toLocaleString("en")],
      ["prompts given some", prompts === 0 ? "–" : `${Math.round(100 * answered / prompts)} %`],
    ]}>
      <div class="pair">
        <${Chart} title="Memories that there are, by the day they were saved" kind="area"
          x=${growth.x} series=${growth.series}
          format=${short}
          table=${html`
            <${Table} caption="Memories by the day they were saved" heads=${[
              "day",
              "saved",
              "in all",
            ]}
              rows=${growth.steps.map((
                /** @type {any} */ { day, count, sum },
              ) => [day, count, sum])} />
          `} />
        <${Chart} title="Prompts by day" kind="bars" x=${chart.x} series=${chart.series}
          table=${html`
            <${Table} caption="Prompts by day" heads=${[
              "day",
              "prompts",
              "given memories",
              "memories given",
            ]}
              rows=${use.map((
                /** @type {any} */ { day, prompts, answered, memories },
              ) => [day, prompts, answered, memories])} />
          `} />
      </div>
      </${Part}>
  `;
}
