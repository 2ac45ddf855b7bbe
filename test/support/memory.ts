import type { Memory } from "../../src/core/memory/memory.ts";
import type { Question } from "../../strategies/strategy.ts";

/** A memory with what a test does not care about filled in. */
export function memoryOf(fields: Partial<Memory> = {}): Memory {
  return {
    ...{ name: "A name", description: "", type: "project", body: "", triggers: [], tags: [] },
    ...{ pinned: false, confidence: 1, created: undefined, updated: undefined },
    ...{ supersedes: [], source: undefined },
    ...fields,
  };
}

/** A question to a language model. */
export const QUESTION: Question = {
  purpose: "sidequery",
  system: "Pick.",
  prompt: "Notes:\n- a.md\n\nRequest:\nwhich",
  schema: { type: "object" },
  maxTokens: 256,
};
