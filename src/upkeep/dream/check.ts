// Whether a language model's proposal may be carried out. A refusal is an expected outcome, with its reason in the
// report; what is allowed still keeps its sources in the archive.

import { mayOvertake } from "../../memory/basis.ts";
import { isSuspectMemory, provenanceOf } from "../../memory/provenance.ts";
import { turnsIn, valuesIn } from "../../memory/same.ts";
import { contentTerms } from "../../text/content_terms.ts";
import type { Draft, DreamFolder } from "./dream_folder.ts";
import { COUNTS, type Proposal, WRITES } from "./operations.ts";
import { BODY_CHARS } from "./question.ts";

/** The share of each source's telling words that a merged or rewritten text has. */
const KEPT = 0.6;
/** The same for a text in which only dates change. */
const KEPT_DATED = 0.8;

/** A calendar date, a day of the month, or days from today: `in 30 days` is a date, `for 30 days` is none. */
const DATE =
  /(?<![\w/.:-])(?:\d{4}-\d\d-\d\d|\d{1,2}([./])\d{1,2}\1\d{4}|\d{1,2}(?:st|nd|rd|th)|in \d+ (?:day|week|month)s?|\d+ (?:day|week|month)s? ago)(?![\w/:-])/gi;

/** Why a proposal is refused; undefined if it may be carried out. */
export function refusalOf(
  proposal: Proposal,
  targets: readonly (Draft | undefined)[],
  drafts: DreamFolder,
): string | undefined {
  const { op, memories, because, body } = proposal;
  const [least, most] = COUNTS[op];
  if (memories.length < least || memories.length > most) return "a wrong number of memories";
  if (targets.some((target) => target === undefined)) {
    return "a memory that was not shown, or is gone";
  }
  const found = targets as Draft[];
  if (because === "") return "no reason given";
  if (found.some(({ memory }) => isSuspectMemory(memory))) return "a memory that waits for review";
  if (found.some(({ memory }) => memory.pinned) && op === "drop") return "a pinned memory";
  if (op === "contradiction") return refusalToContradict(found as [Draft, Draft], drafts);
  return WRITES.includes(op) ? refusalToWrite(proposal, found, body) : undefined;
}

function refusalToContradict([older, newer]: readonly [Draft, Draft], drafts: DreamFolder) {
  if (!mayOvertake(newer.memory) && mayOvertake(older.memory)) {
    return "what the user has not said does not replace what they said";
  }
  if (older.memory.pinned) return "a pinned memory";
  return drafts.isOlder(older, newer) ? undefined : "which of the two is newer is not known";
}

function refusalToWrite(
  { op, name, description }: Proposal,
  targets: readonly Draft[],
  body: string,
): string | undefined {
  if (body === "") return "no text";
  const memories = targets.map(({ memory }) => memory);
  const [first] = memories;
  if (memories.some((memory) => memory.body.length > BODY_CHARS)) {
    return "a memory too long to be shown whole";
  }
  if (memories.some(({ type }) => type !== first!.type)) return "memories of several types";
  if (memories.some((memory) => provenanceOf(memory) !== provenanceOf(first!))) {
    return "memories of several origins";
  }
  const said = `${name || first!.name}\n${description}\n${body}`;
  const valuesOf = op === "date" ? undatedValuesIn : valuesIn;
  const values = valuesOf(said);
  const words = contentTerms(said);
  for (const memory of memories) {
    const own = `${memory.name}\n${memory.description}\n${memory.body}`;
    const lost = valuesOf(memory.body).difference(values).values().next().value;
    if (lost !== undefined) return `\`${lost.slice(0, 40)}\` would be lost`;
    if (op === "date" && !values.isSubsetOf(valuesOf(own))) return "more than a date would change";
    const telling = contentTerms(own);
    const kept = [...telling].filter((word) => words.has(word)).length;
    if (kept < (op === "date" ? KEPT_DATED : KEPT) * telling.size) {
      return "too much of a source would be lost";
    }
    if (turnsIn(memory.body) !== "" && turnsIn(body) === "") {
      return "a `not` or a condition would be lost";
    }
  }
  if (op === "merge" && areOpposite(memories.map((memory) => memory.body))) {
    return "they may say the opposite of each other";
  }
  return op === "date" && !/\b\d{4}-\d\d-\d\d\b/.test(body) ? "no calendar date in it" : undefined;
}

/** The values in a text without those of its dates: `port 8123` counts, `in 3 days` does not. */
function undatedValuesIn(text: string): Set<string> {
  return valuesIn(text.replace(DATE, " "));
}

/** Whether two texts differ in nothing but words such as `not`. */
function areOpposite(texts: readonly string[]): boolean {
  return texts.some((one, i) =>
    texts.slice(i + 1).some((other) => {
      const a = contentTerms(one);
      const b = contentTerms(other);
      const common = [...a].filter((word) => b.has(word)).length;
      const isAlike = common >= 0.8 * Math.max(a.size, b.size);
      return isAlike && turnsIn(one) !== turnsIn(other);
    })
  );
}
