import { SCHEMAS } from "./schemas.ts";
import type { Tool } from "./tool.ts";

/** Looks things up on this machine alone. */
const READS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;
/** Writes memories; what it replaces can be brought back. */
const WRITES = { ...READS, readOnlyHint: false, idempotentHint: false } as const;

/** Every tool of `memo mcp`, in the order in which clients list them. */
export const TOOLS = [
  {
    name: "memory_search",
    title: "Search memories",
    description:
      "Searches the user's long-term memory by meaning and by words: decisions and their reasons, preferences, " +
      "corrections, conventions, traps, where things are. Call it before you ask the user something they may have " +
      "said in an earlier session, when they refer to one (“as we decided”, “like last time”), and before a decision " +
      "that may have been made already. Memories that fit a prompt often stand in the conversation already.",
    ...SCHEMAS.memory_search,
    annotations: READS,
    isAlwaysLoaded: true,
    load: () => import("./search.ts"),
  },
  {
    name: "memory_related",
    title: "Related memories",
    description:
      "Lists the memories most similar to one memory, or all with a tag, to explore a topic in depth after a search.",
    ...SCHEMAS.memory_related,
    annotations: READS,
    load: () => import("./related.ts"),
  },
  {
    name: "memory_expand",
    title: "Show a memory",
    description:
      "Shows a whole memory, what is similar to it, and with `conversation` what was said when it was saved: for the " +
      "reason behind it, a number or an exact wording.",
    ...SCHEMAS.memory_expand,
    annotations: READS,
    load: () => import("./expand.ts"),
  },
  {
    name: "memory_ask",
    title: "Ask the memories",
    description:
      "Answers a question from the 30 memories nearest to it, with its sources, through a small language model; " +
      "without one it returns those memories. For questions that need several memories, such as “what did we decide " +
      "about authentication, and why?”.",
    ...SCHEMAS.memory_ask,
    annotations: { ...READS, idempotentHint: false, openWorldHint: true },
    load: () => import("./ask.ts"),
  },
  {
    name: "memory_save",
    title: "Save a memory",
    description:
      "Saves something for later sessions. Call it at once when the user asks you to remember something, and for a " +
      "correction or decision of theirs that will matter again. One fact or rule a memory, in the user's words, with " +
      "the reason if it is known. Not for what the code or its history already says. It replaces no other memory: to " +
      "change one, call memory_update.",
    ...SCHEMAS.memory_save,
    annotations: WRITES,
    isAlwaysLoaded: true,
    load: () => import("./save.ts"),
  },
  {
    name: "memory_update",
    title: "Update a memory",
    description:
      "Changes a memory that has become wrong or incomplete; fields that are left out stay. The old version is kept.",
    ...SCHEMAS.memory_update,
    annotations: { ...WRITES, idempotentHint: true },
    load: () => import("./update.ts"),
  },
  {
    name: "memory_forget",
    title: "Forget a memory",
    description:
      "Moves a memory to the archive, from which the user can restore it; no later session gets it. Call it at once " +
      "when the user asks you to forget something; search for its name first if you do not know it.",
    ...SCHEMAS.memory_forget,
    annotations: { ...WRITES, destructiveHint: true },
    load: () => import("./forget.ts"),
  },
  {
    name: "memory_history",
    title: "Search history",
    description:
      "Looks up what happened in earlier sessions of this project, from its journal and, where they are kept, its " +
      "conversations: newest first, or the entries that fit a query best. For “what did we do on Tuesday?” and “what " +
      "did we decide about the port in March?”.",
    ...SCHEMAS.memory_history,
    annotations: READS,
    load: () => import("./history.ts"),
  },
] as const satisfies readonly Tool[];
