// @ts-check
// The words for what receipts say.

/**
 * What every view is given: the key of what is looked at, and how another one is.
 * @typedef {{ at: string | undefined, onAt: (at: string | undefined, isStep?: boolean) => void }} Looking
 */

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
 * @property {string} [because] why it was left out
 * @property {string} reason why it came, or was left out
 * @property {{ id: string, kind: string }} [from] what brought it into the conversation before
 * @property {boolean} [isUsed] by the reply; undefined: it is not known
 */

/**
 * @typedef {object} EntryData
 * @property {string} id
 * @property {string} at ISO 8601
 * @property {"start" | "prompt" | "late" | "file" | "guard" | "error" | "subagent" | "other"} kind
 * @property {string} [event]
 * @property {string} outcome
 * @property {string} [why]
 * @property {string} [file]
 * @property {string} [prompt]
 * @property {GivenData[]} given
 * @property {GivenData[]} left
 * @property {number} [titles] of a start block
 * @property {number} chars
 * @property {Readonly<Record<string, number>>} ms
 */

/** What an entry is about. @param {EntryData} entry */
export function headlineOf({ kind, prompt, why, event, file }) {
  switch (kind) {
    case "prompt":
      return prompt ?? "(prompt not saved)";
    case "start":
      return "Session start";
    case "late":
      return "While tools ran, picked by the language model";
    case "file":
      return `At ${file}`;
    case "error":
      return "After an error";
    case "guard":
      return why === "guard: deny" ? "Guard: blocked a call" : "Guard: asked about a call";
    case "subagent":
      return "Subagent";
    default:
      return event ?? "Event";
  }
}

/** @type {Readonly<Record<string, string>>} */
const OUTCOMES = {
  "no hit": "Nothing added: no memory is relevant",
  "below threshold": "Nothing added: no memory is relevant enough",
  "nothing new": "Nothing added: all relevant memories are already in this conversation",
  withheld: "Nothing added: the relevant memories were excluded",
  "no room": "Nothing added: the session's memory budget is used up",
  gated: "Nothing added: the prompt asks for nothing",
  "timed out": "Nothing added: ranking took too long",
  "no daemon": "Keywords only: the daemon was not running",
  busy: "Keywords only: the daemon was busy",
  late: "Nothing added: the answer came too late",
  failed: "Nothing added: recall failed",
};

/** The outcome in words. @param {EntryData} entry */
export function outcomeOf({ outcome, given, left, titles: listed = 0, kind, why }) {
  if (kind === "guard") return why === "guard: deny" ? "The call was blocked" : "You were asked";
  if (outcome === "nothing new" && left.some(({ from }) => from?.kind === "start")) {
    return "Nothing added: the relevant memories were added at session start";
  }
  if (outcome !== "hit") return OUTCOMES[outcome] ?? outcome;
  const whole = given.filter(({ form }) => form === undefined).length;
  const titles = given.length - whole + listed;
  const parts = [
    ...whole > 0 || titles === 0
      ? [whole === 1 ? "1 memory added" : `${whole} memories added`]
      : [],
    ...titles > 0 ? [titles === 1 ? "1 title" : `${titles} titles`] : [],
  ];
  return parts.join(", ");
}

/** How an entry went, as a colour. @param {EntryData} entry */
export function toneOf({ outcome, kind }) {
  if (kind === "guard") return "warn";
  if (outcome === "hit") return "good";
  return ["failed", "late", "timed out", "busy", "no daemon"].includes(outcome) ? "bad" : "none";
}

/** What has brought a memory before. @type {Readonly<Record<string, string>>} */
const STARTS = { start: "session start", prompt: "an earlier prompt" };

/** Why a memory was given or left out. @param {GivenData} given @param {EntryData} entry */
export function whyOf({ form, because, from, reason }, { kind, file }) {
  if (from !== undefined) {
    return `already in this conversation, from ${STARTS[from.kind] ?? "earlier"}`;
  }
  if (because !== undefined) return reason;
  if (kind === "start") {
    return form === "title"
      ? "title only: prompts that need the text get it"
      : "in full: every session here starts with it";
  }
  if (kind === "guard") return "its rule forbids this call";
  if (kind === "file") return `mentions ${file}`;
  if (kind === "error") return "covers this error";
  return reason;
}

/** @type {Readonly<Record<string, string>>} */
const DELIVERIES = {
  delivered: "Reached the model",
  "cut to a preview": "The model saw only the start: Claude Code cut it",
  "taken back": "Rewound since: the model no longer has it",
  dropped: "Did not reach the model",
  "cannot be checked with this version":
    "This version of Claude Code does not record what reached the model",
  "not written yet": "The model has not answered yet",
  "no transcript": "The transcript was deleted",
};

/** Whether a block reached the model, in words. @param {string} delivery */
export function deliveryOf(delivery) {
  return DELIVERIES[delivery] ?? delivery;
}
