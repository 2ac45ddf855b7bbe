// Whether a language model's proposal may be carried out. A refusal is an expected outcome, with its reason in the
// report; what is allowed still keeps its sources in the archive.

import { mayOvertake } from "../../../core/memory/basis.ts";
import { isSuspectMemory, provenanceOf } from "../../../core/memory/provenance.ts";
import { turnsIn, valuesIn } from "../../../core/relation/same.ts";
import { contentTerms } from "../../../core/text/content_terms.ts";
import type { Draft, DreamFolder } from "./dream_folder.ts";
import { COUNTS, type Proposal } from "./operations.ts";
import { BODY_CHARS } from "./question.ts";

/** The share of each source's telling words that a merged text has. */
const KEPT = 0.6;

/** Why a proposal is refused; undefined if it may be carried out. */
export function refusalOf(
  proposal: Proposal,
  targets: readonly (Draft | undefined)[],
  drafts: DreamFolder,
): string | undefined {
  const { op, memories, because } = proposal;
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
  return op === "merge" ? refusalToMerge(proposal, found) : undefined;
}

function refusalToContradict([older, newer]: readonly [Draft, Draft], drafts: DreamFolder) {
  if (!mayOvertake(newer.memory) && mayOvertake(older.memory)) {
    return "what the user has not said does not replace what they said";
  }
  if (older.memory.pinned) return "a pinned memory";
  return drafts.isOlder(older, newer) ? undefined : "which of the two is newer is not known";
}

function refusalToMerge(
  { name, description, body }: Proposal,
  targets: readonly Draft[],
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
  const values = valuesIn(said);
  const words = contentTerms(said);
  for (const memory of memories) {
    const own = `${memory.name}\n${memory.description}\n${memory.body}`;
    const lost = valuesIn(memory.body).difference(values).values().next().value;
    if (lost !== undefined) return `\`${lost.slice(0, 40)}\` would be lost`;
    const telling = contentTerms(own);
    const kept = [...telling].filter((word) => words.has(word)).length;
    if (kept < KEPT * telling.size) {
      return "too much of a source would be lost";
    }
    if (turnsIn(memory.body) !== "" && turnsIn(body) === "") {
      return "a `not` or a condition would be lost";
    }
  }
  return areOpposite(memories.map((memory) => memory.body))
    ? "they may say the opposite of each other"
    : undefined;
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
