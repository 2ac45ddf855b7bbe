// What a language model may propose about a store of memories, and whether that may be carried out: numbers of memories
// that it was shown, never paths, and texts that are cleaned like those of a conversation. A refusal is an expected
// outcome, with its reason in the report; what is allowed still keeps its sources in the archive.

import { candidateOf } from "../../../core/capture/candidate.ts";
import { list, object, oneOf, TEXT, WHOLE } from "../../../core/llm/mod.ts";
import { isSuspectMemory, mayOvertake, provenanceOf } from "../../../core/memory/provenance.ts";
import { contentTerms, turnsIn, valuesIn } from "../../../core/text/language/stopwords.ts";
import type { DreamDraft, DreamFolder } from "./dream_folder.ts";

/** A longer body is cut where the model is shown it, and its memory not merged. */
export const BODY_CHARS = 800;

/** Everything that may be proposed, and what it means to the model. */
export const OPERATIONS = {
  merge: "several notes say the same: one note with everything that they say",
  drop: "a note is of no use any more: its time has passed, or another note says it",
  contradiction: "two notes cannot both be true: the older one, then the newer one",
} as const;
type OperationKind = keyof typeof OPERATIONS;

/** A proposal about some of the memories that the model was shown. */
export interface DreamProposal {
  readonly op: OperationKind;
  /** Numbers of memories, each once. */
  readonly memories: readonly number[];
  readonly name: string;
  readonly description: string;
  readonly body: string;
  readonly because: string;
}

/** How many memories each operation is about. */
const COUNTS: Readonly<Record<OperationKind, readonly [least: number, most: number]>> = {
  merge: [2, 8],
  drop: [1, 1],
  contradiction: [2, 2],
};

const MAX_OPERATIONS = 60;
const REASON_CHARS = 200;

/** The JSON schema of an answer. */
export const SCHEMA = object({
  operations: list(
    object(
      {
        ...{ op: oneOf(Object.keys(OPERATIONS)), notes: list(WHOLE) },
        ...{ name: TEXT, description: TEXT, body: TEXT, because: TEXT },
      },
      ...["name", "description", "body"],
    ),
    MAX_OPERATIONS,
  ),
});

/** The proposals in an answer; throws if it has no list of them. */
export function readProposals(answer: unknown): DreamProposal[] {
  const operations = (answer as { operations?: unknown } | null)?.operations;
  if (!Array.isArray(operations)) throw new Error("The model's answer has no `operations`");
  return operations.slice(0, MAX_OPERATIONS).flatMap(proposalIn);
}

function proposalIn(value: unknown): DreamProposal[] {
  const { op, notes, because, ...text } = (value ?? {}) as Record<string, unknown>;
  if (typeof op !== "string" || !Object.hasOwn(OPERATIONS, op) || !Array.isArray(notes)) return [];
  const kind = op as OperationKind;
  const memories = [...new Set(notes.filter((note) => Number.isInteger(note)) as number[])];
  const [said] = candidateOf({ body: because });
  const reason = said?.body.replace(/\s+/g, " ").slice(0, REASON_CHARS).toWellFormed() ?? "";
  const [candidate] = candidateOf({ body: "-", ...text });
  const { name = "", description = "", body = "" } = kind === "merge" ? candidate ?? {} : {};
  const isNamed = typeof text["name"] === "string" && text["name"].trim() !== "";
  return [{
    ...{ op: kind, memories, name: isNamed ? name : "", description, because: reason },
    body: typeof text["body"] === "string" ? body : "",
  }];
}

/** The share of each source's telling words that a merged text has. */
const KEPT = 0.6;

/** Why a proposal is refused; undefined if it may be carried out. */
export function refusalOf(
  proposal: DreamProposal,
  targets: readonly (DreamDraft | undefined)[],
  drafts: DreamFolder,
): string | undefined {
  const { op, memories, because } = proposal;
  const [least, most] = COUNTS[op];
  if (memories.length < least || memories.length > most) return "wrong number of memories";
  if (targets.some((target) => target === undefined)) {
    return "a memory was not shown, or no longer exists";
  }
  const found = targets as DreamDraft[];
  if (because === "") return "no reason given";
  if (found.some(({ memory }) => isSuspectMemory(memory))) return "a memory needs your review";
  if (found.some(({ memory }) => memory.pinned) && op === "drop") return "it is pinned";
  if (op === "contradiction") return refusalToContradict(found as [DreamDraft, DreamDraft], drafts);
  return op === "merge" ? refusalToMerge(proposal, found) : undefined;
}

function refusalToContradict(
  [older, newer]: readonly [DreamDraft, DreamDraft],
  drafts: DreamFolder,
) {
  if (!mayOvertake(newer.memory) && mayOvertake(older.memory)) {
    return "what you did not say cannot replace what you said";
  }
  if (older.memory.pinned) return "the older one is pinned";
  return drafts.isOlder(older, newer) ? undefined : "it is unclear which of the two is newer";
}

function refusalToMerge(
  { name, description, body }: DreamProposal,
  targets: readonly DreamDraft[],
): string | undefined {
  if (body === "") return "no text";
  const memories = targets.map(({ memory }) => memory);
  const [first] = memories;
  if (memories.some((memory) => memory.body.length > BODY_CHARS)) {
    return "a memory is too long to be shown in full";
  }
  if (memories.some(({ type }) => type !== first!.type)) return "the memories have different types";
  if (memories.some((memory) => provenanceOf(memory) !== provenanceOf(first!))) {
    return "the memories have different sources";
  }
  const said = `${name || first!.name}\n${description}\n${body}`;
  const values = valuesIn(said);
  const words = contentTerms(said);
  for (const memory of memories) {
    const lost = valuesIn(memory.body).difference(values).values().next().value;
    if (lost !== undefined) return `\`${lost.slice(0, 40)}\` would be lost`;
    const telling = contentTerms(`${memory.name}\n${memory.description}\n${memory.body}`);
    if (telling.intersection(words).size < KEPT * telling.size) {
      return "too much of an original would be lost";
    }
    if (turnsIn(memory.body) !== "" && turnsIn(body) === "") {
      return "a `not` or a condition would be lost";
    }
  }
  return areOpposite(memories.map((memory) => memory.body))
    ? "they may contradict each other"
    : undefined;
}

/** Whether two texts differ in nothing but words such as `not`. */
function areOpposite(texts: readonly string[]): boolean {
  return texts.some((one, i) =>
    texts.slice(i + 1).some((other) => {
      const a = contentTerms(one), b = contentTerms(other);
      const isAlike = a.intersection(b).size >= 0.8 * Math.max(a.size, b.size);
      return isAlike && turnsIn(one) !== turnsIn(other);
    })
  );
}
