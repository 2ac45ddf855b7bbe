// The source of a captured memory that the user did not state. A tag in the file names it, and every place that
// shows the memory to a model repeats it.

import type { Memory } from "./memory.ts";

/** Tags a request that the user has not made: kept for the user to review, and never recalled. */
export const SUSPECT = "suspect";

/** The sources that the words of a memory may come from. */
export type Reading = "web" | "tool";

/** The tag of each source, its wording, and the maximum confidence of such a memory. */
const READ: Readonly<Record<Reading, { tag: string; says: string; confidence: number }>> = {
  web: { tag: "read-web", says: "from a web page, not said by the user", confidence: 0.5 },
  tool: {
    tag: "read-tool",
    says: "read in a tool's output, not said by the user",
    confidence: 0.6,
  },
};

type Tagged = Pick<Memory, "tags">;

/** Whether a memory makes a request that the user has not made. */
export function isSuspectMemory({ tags }: Tagged): boolean {
  return tags.includes(SUSPECT);
}

/** The wording for a memory that was only read; undefined for any other. */
export function provenanceOf({ tags }: Tagged): string | undefined {
  return Object.values(READ).find(({ tag }) => tags.includes(tag))?.says;
}

/** Whether a memory may be in a start block, which answers no prompt: only the user's own statements may. */
export function mayStand(memory: Tagged): boolean {
  return !isSuspectMemory(memory) && provenanceOf(memory) === undefined;
}

/** A memory that was only read, tagged with its source. */
export function asRead<M extends Memory>(memory: M, reading: Reading): M {
  const { tag, confidence } = READ[reading];
  return {
    ...memory,
    tags: [...memory.tags, tag],
    confidence: Math.min(memory.confidence, confidence),
  };
}

/** The prefix of a journal line about a text that was only read. */
export const READ_BULLET = "(read) ";
