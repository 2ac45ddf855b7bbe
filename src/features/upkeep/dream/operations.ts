// What a language model may propose for a store of memories, and how its answer is read: numbers of memories that it
// was shown, never paths, and texts that are cleaned like those of a conversation.

import { candidateOf } from "../../../core/capture/candidate.ts";
import { list, object, oneOf, TEXT, WHOLE } from "../../../core/llm/schema.ts";

/** Everything that may be proposed, and what it means to the model. */
export const OPERATIONS = {
  merge: "several notes say the same: one note with everything that they say",
  drop: "a note is of no use any more: its time has passed, or another note says it",
  contradiction: "two notes cannot both be true: the older one, then the newer one",
} as const;
export type OperationKind = keyof typeof OPERATIONS;

/** A proposal about some of the memories that the model was shown. */
export interface Proposal {
  readonly op: OperationKind;
  /** Numbers of memories, each once. */
  readonly memories: readonly number[];
  readonly name: string;
  readonly description: string;
  readonly body: string;
  readonly because: string;
}

/** How many memories each operation is about. */
export const COUNTS: Readonly<Record<OperationKind, readonly [least: number, most: number]>> = {
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
        op: oneOf(Object.keys(OPERATIONS)),
        notes: list(WHOLE),
        name: TEXT,
        description: TEXT,
        body: TEXT,
        because: TEXT,
      },
      "name",
      "description",
      "body",
    ),
    MAX_OPERATIONS,
  ),
});

/** The proposals in an answer; throws if it has no list of them. */
export function readProposals(answer: unknown): Proposal[] {
  const operations = (answer as { operations?: unknown } | null)?.operations;
  if (!Array.isArray(operations)) throw new Error("The model's answer has no `operations`");
  return operations.slice(0, MAX_OPERATIONS).flatMap(proposalIn);
}

function proposalIn(value: unknown): Proposal[] {
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
    op: kind,
    memories,
    name: isNamed ? name : "",
    description,
    because: reason,
    body: typeof text["body"] === "string" ? body : "",
  }];
}
