// @ts-check
// The words for what receipts say.

/**
 * @typedef {object} GivenData
 * @property {string | null} id null: it is gone
 * @property {string} title
 * @property {string} [type]
 * @property {string} [scope]
 * @property {boolean} [pinned]
 * @property {number} [score]
 * @property {number} [threshold]
 * @property {string} [strategy]
 * @property {"line" | "title"} [form]
 * @property {"kept" | "broken" | "corrected"} [verdict]
 * @property {string} [because]
 * @property {boolean} [isUsed]
 */

/**
 * @typedef {object} EntryData
 * @property {string} id
 * @property {string} at
 * @property {"start" | "prompt" | "file" | "guard" | "error" | "subagent" | "other"} kind
 * @property {string} [event]
 * @property {string} outcome
 * @property {string} [why]
 * @property {string} [prompt]
 * @property {GivenData[]} given
 * @property {GivenData[]} left
 * @property {number} chars
 * @property {Readonly<Record<string, number>>} ms
 */

/** @type {Readonly<Record<EntryData["kind"], string>>} */
const HEADLINES = {
  start: "Session start",
  prompt: "Prompt",
  file: "At a file or command",
  guard: "Guard",
  error: "At an error",
  subagent: "Subagent",
  other: "Event",
};

/** What an entry is about. @param {EntryData} entry */
export function headlineOf({ kind, why, event, given }) {
  if (kind === "guard") {
    return `Guard: ${why === "guard: deny" ? "refused" : "asked"} — ${given[0]?.title ?? ""}`;
  }
  if (kind === "other") return event ?? HEADLINES.other;
  const title = given.length === 1 && kind !== "start" ? ` — ${given[0]?.title}` : "";
  return HEADLINES[kind] + title;
}

/** @type {Readonly<Record<string, string>>} */
const OUTCOMES = {
  hit: "Something fitted",
  "no hit": "No memory matched",
  "below threshold": "Nothing came near enough",
  "nothing new": "All that fits was given before in this session",
  "no room": "The session's budget for memory is used up",
  gated: "The prompt asks for nothing",
  "timed out": "The ranking took too long",
  "no daemon": "The daemon was not running",
  busy: "The daemon was busy",
  late: "The answer came too late",
  failed: "It failed",
};

/** The outcome in words. @param {EntryData} entry */
export function outcomeOf({ outcome, given, kind }) {
  if (outcome !== "hit") return OUTCOMES[outcome] ?? outcome;
  if (kind === "guard") return "A guard stopped this call";
  return given.length === 0
    ? "Something fitted"
    : given.length === 1
    ? "One memory given"
    : `${given.length} memories given`;
}

/** How an entry went, as a colour. @param {EntryData} entry */
export function toneOf({ outcome, kind }) {
  if (kind === "guard") return "warn";
  if (outcome === "hit") return "good";
  return ["failed", "late", "timed out", "busy", "no daemon"].includes(outcome) ? "bad" : "none";
}

/** @type {Readonly<Record<string, string>>} */
const STRATEGIES = {
  hybrid: "words and meaning",
  keyword: "words",
  semantic: "meaning",
  recency: "most recent",
  sibling: "part of the same decision as the one before",
  successor: "replaces one that fitted",
  called: "named in the prompt",
};

/** Why a memory was given or left out. @param {GivenData} given @param {EntryData} entry */
export function whyOf({ strategy, form, because }, { kind }) {
  if (because !== undefined) return because;
  if (kind === "start") return "at the start of the session";
  if (kind === "guard") return "its rule forbids this call";
  const how = strategy === undefined ? undefined : STRATEGIES[strategy] ?? strategy;
  if (form === "title") return `near miss: title only${how ? `, by ${how}` : ""}`;
  return `${form === "line" ? "by its line" : "in full"}${how ? `, by ${how}` : ""}`;
}
