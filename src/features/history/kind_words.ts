import type { PastKind } from "../../core/index/mod.ts";

/** What an entry is, in a word. */
export const KIND_WORDS: Readonly<Record<PastKind, string>> = {
  journal: "journal",
  turn: "conversation",
  commit: "commit",
};
