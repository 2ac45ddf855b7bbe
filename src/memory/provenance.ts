// Where a captured memory comes from, when the user did not say it. A tag in the file says so, and every place that
// shows the memory to a model repeats it.

import type { Memory } from "./memory.ts";

/** Asks for something that the user has not said: kept for people to look at, and never recalled. */
export const SUSPECT = "suspect";

/** Where the words of a memory were read. */
export type Reading = "web" | "tool";

/** The tag of each, how it is said, and the most that such a memory is trusted. */
const READ: Readonly<Record<Reading, { tag: string; says: string; confidence: number }>> = {
  web: { tag: "read-web", says: "from a web page, not said by the user", confidence: 0.5 },
  tool: {
    tag: "read-tool",
    says: "read in a tool's output, not said by the user",
    confidence: 0.6,
  },
};

type Tagged = Pick<Memory, "tags">;

/** Whether a memory asks for something that the user has not said. */
export function isSuspectMemory({ tags }: Tagged): boolean {
  return tags.includes(SUSPECT);
}

/** How to say that a memory was only read; undefined when it was not. */
export function provenanceOf({ tags }: Tagged): string | undefined {
  return Object.values(READ).find(({ tag }) => tags.includes(tag))?.says;
}

/** Whether a memory may stand at the beginning of a session, where nothing asks for it: the user's word alone may. */
export function mayStand(memory: Tagged): boolean {
  return !isSuspectMemory(memory) && provenanceOf(memory) === undefined;
}

/** A memory that was only read, marked as that. */
export function asRead<M extends Memory>(memory: M, reading: Reading): M {
  const { tag, confidence } = READ[reading];
  return {
    ...memory,
    tags: [...memory.tags, tag],
    confidence: Math.min(memory.confidence, confidence),
  };
}

/** Begins a line of the journal about what was only read. */
export const READ_BULLET = "(read) ";
