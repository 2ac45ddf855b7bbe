// @ts-check
// One prompt or moment: what was given and why, what was left out and why, and what it took.

import { html } from "htm/preact";
import { counted, Said } from "../parts/text.js";
import { momentOf } from "../parts/time.js";
import { headlineOf, outcomeOf, whyOf } from "./why.js";

/** @typedef {import("./why.js").EntryData} EntryData */
/** @typedef {import("./why.js").GivenData} GivenData */

/** @param {{ entry: EntryData, session: { project: string | null } }} props */
export function Entry({ entry, session }) {
  const { prompt, kind, given, left, ms, chars } = entry;
  const total = Object.values(ms).reduce((sum, each) => sum + each, 0);
  return html`
    <article>
      <p class="muted small">${session.project ?? "No project"} · ${momentOf(entry.at)}</p>
      <h2 class="prompt">
        <${Said}>${kind === "prompt"
          ? prompt ?? "(prompt not kept)"
          : headlineOf(entry)}</${Said}></h2>
        <p class="facts"><span>${outcomeOf(entry)}</span>
          ${entry.why && kind !== "guard" && html`<span class="muted">${entry.why}</span>`}
          ${chars > 0 &&
            html`<span class="muted">${counted(Math.round(chars / 4), "token")}, about</span>`}
          ${total > 0 && html`<span class="muted">${total.toFixed(1)} ms</span>`}</p>
        ${given.length > 0 && html`
          <h3>Given</h3>
          <ul class="cards">${given.map((each, i) =>
            html`<${Given} key=${each.id ?? i} given=${each} entry=${entry} />`
          )}</ul>
        `}
        ${left.length > 0 && html`
          <h3>Left out</h3>
          <ul class="cards out">${left.map((each, i) =>
            html`<${Given} key=${each.id ?? i} given=${each} entry=${entry} />`
          )}</ul>
        `}
        ${total > 0 && html`
          <h3>Time</h3>
          <${Steps} ms=${ms} total=${total} />
        `}
      </article>
  `;
}

/** @param {{ given: GivenData, entry: EntryData }} props */
function Given({ given, entry }) {
  const { title, type, scope, score, threshold, verdict, id, pinned } = given;
  return html`
    <li class="card">
      <div class="card-head">
          <strong class="grow"><${Said}>${title}</${Said}></strong>
          ${verdict &&
            html`<span class=${`tag ${verdict === "kept" ? "good" : "bad"}`}>${verdict}</span>`}
          ${pinned && html`<span class="tag">pinned</span>`}
          ${type && html`<span class="tag">${type}</span>`}
          ${scope && html`<span class="tag">${scope}</span>`}
        </div>
        <div class="card-why">
          <span class="grow muted">${whyOf(given, entry)}${id === null
            ? "; it is gone since"
            : ""}</span>
          ${score !== undefined && html`<${Score} score=${score} threshold=${threshold} />`}
        </div>
      </li>
  `;
}

/** @param {{ score: number, threshold?: number }} props */
function Score({ score, threshold }) {
  const says = `Score ${score.toFixed(2)}${
    threshold === undefined ? "" : `, threshold ${threshold.toFixed(2)}`
  }`;
  return html`<span class="score" title=${says}>
    <svg viewBox="0 0 100 8" width="100" height="8" aria-hidden="true">
      <rect class="track" width="100" height="8" rx="2" />
      <rect class="fill" width=${Math.max(0, Math.min(1, score)) * 100} height="8" rx="2" />
      ${
    threshold !== undefined &&
    html`<rect class="mark" x=${threshold * 100 - 0.75} width="1.5" height="8" />`
  }
    </svg>
    <span>${score.toFixed(2)}</span>${
    threshold !== undefined && html`<span class="muted"> / ${threshold.toFixed(2)}</span>`
  }
  </span>`;
}

/** @param {{ ms: Readonly<Record<string, number>>, total: number }} props */
function Steps({ ms, total }) {
  return html`<dl class="steps">${
    Object.entries(ms).map(([step, each]) =>
      html`
        <div key=${step}>
          <dt>${step}</dt>
          <dd><svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
              <rect class="fill" width=${Math.max(
                0.5,
                each / total * 100,
              )} height="8" rx="2" /></svg>
              <span>${each.toFixed(1)} ms</span></dd>
        </div>
      `
    )
  }</dl>`;
}
