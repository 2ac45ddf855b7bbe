// The tools of `memo mcp` as clients are told of them; `run.ts` does what they say. Arguments are checked by the schemas,
// and clients get them as JSON Schema without the limits. A description stands where it is needed first: the tools that
// are always loaded stand in every request.

import * as z from "zod";
import { TOOL_NAMES, type ToolName, writesMemories } from "../../core/link/tools.ts";
import { LIMITS } from "../../core/memory/memory.ts";
import { KNOWN_TYPES } from "../../core/memory/types.ts";

/** What is said of a tool. */
interface Description {
  /** The name that people see. */
  readonly title: string;
  /** Tells the model when to call it. */
  readonly description: string;
  readonly input: z.ZodObject;
  /** What a client may tell the person about a call, where the tool differs from others of its kind. */
  readonly hints?: Readonly<Partial<typeof HINTS>>;
  /** Offered with every request; Claude Code looks up the other ones by name when it needs them. */
  readonly isAlwaysLoaded?: true;
}

/** A tool destroys nothing and stays on this machine, unless its row says otherwise. */
const HINTS = { destructiveHint: false, idempotentHint: false, openWorldHint: false };

const name = z.string().min(1).max(500).describe(
  "A memory's name, file name or path; the start of its name is enough",
);
const limit = z.number().int().min(1).max(50).default(10);
const query = z.string().min(1).max(4000);
const tag = z.string().max(LIMITS.tag);
const text = z.string().min(1).max(LIMITS.body);
const title = z.string().min(1).max(LIMITS.name);
/** What else a tool may set in a memory. */
const fields = {
  description: z.string().max(LIMITS.description).optional(),
  type: z.enum(KNOWN_TYPES).optional(),
  tags: z.array(tag.min(1)).max(LIMITS.tags).optional(),
  triggers: z.array(z.string().min(1).max(LIMITS.trigger)).max(LIMITS.triggers).optional(),
};

const DESCRIPTIONS = {
  memory_search: {
    title: "Search memories",
    description:
      "Search the user's memories by meaning and keyword. Use it before you ask the user what they may have said in an " +
      "earlier session, when they refer to one (“as we decided”), and before a decision that may already be made.",
    input: z.object({
      query,
      limit,
      type: z.string().max(50).optional(), // memory_save lists the types
      tag: tag.optional(),
    }),
    isAlwaysLoaded: true,
  },
  memory_related: {
    title: "Related memories",
    description:
      "List the memories linked to or from a memory (`[[name]]`) and those most similar to it, or all with a tag. Use it " +
      "to explore a topic after a search.",
    input: z.object({
      name: name.optional(),
      tag: tag.min(1).optional().describe("A tag instead of a name"),
      limit,
    }),
  },
  memory_expand: {
    title: "Show a memory",
    description:
      "Show a memory in full, similar ones and, with `conversation`, what was said when it was saved. Use it for the " +
      "reason behind a memory, a number or the exact wording.",
    input: z.object({
      name,
      conversation: z.boolean().default(false).describe(
        "Also show what was said when the memory was saved",
      ),
    }),
  },
  memory_ask: {
    title: "Ask a question",
    description:
      "Answer a question from the 30 closest memories, with sources, using a small language model; without one, return " +
      "those memories. Use it when the answer needs several memories, as in “what did we decide about authentication, " +
      "and why?”.",
    input: z.object({ question: query }),
    hints: { idempotentHint: false, openWorldHint: true },
  },
  memory_history: {
    title: "Search history",
    description:
      "Look up what happened in this project: its journal, commits and, if kept, conversations. Returns the newest " +
      "entries, or the best matches for a query. Use it for “what did we do on Tuesday?” or “what did we decide about " +
      "the port in March?”.",
    input: z.object({
      query: query.optional().describe("What to look for; put dates in since and until"),
      since: z.iso.date().optional().describe("First day, YYYY-MM-DD"),
      until: z.iso.date().optional().describe("Last day, YYYY-MM-DD"),
      limit,
    }),
  },
  memory_save: {
    title: "Save a memory",
    description:
      "Save one fact or rule for later sessions, in the user's words, with its reason. Use it as soon as they ask you to " +
      "remember something, and when they make a correction or decision that will matter again; not for what the code " +
      "or its history says.",
    input: z.object({
      text: text.describe("Markdown; absolute dates, no secrets"),
      name: title.optional().describe("The rule in one line"),
      description: fields.description.describe("When it matters"),
      type: fields.type.describe(
        "feedback: a correction; reference: where something is; pattern: a convention",
      ),
      tags: fields.tags,
      triggers: fields.triggers.describe("Prompts that need it, one in English"),
      scope: z.enum(["user", "project"]).optional().describe("user: every project"),
    }),
    isAlwaysLoaded: true,
  },
  memory_update: {
    title: "Update a memory",
    description:
      "Change a memory that is wrong or incomplete. Omitted fields stay the same. The old version is kept.",
    input: z.object({
      name,
      text: text.optional().describe("The new text; replaces the old one"),
      new_name: title.optional(),
      ...fields,
    }),
    hints: { idempotentHint: true },
  },
  memory_forget: {
    title: "Forget a memory",
    description:
      "Move a memory to the archive, so that later sessions do not get it; the user can restore it. Use it as soon as " +
      "the user asks you to forget something; if you do not know its name, search first.",
    input: z.object({ name }),
    hints: { destructiveHint: true },
  },
} as const satisfies Readonly<Record<ToolName, Description>>;

/** Every tool of `memo mcp`, in the order in which clients list them. */
export const TOOLS = TOOL_NAMES.map((name) => {
  const { hints, ...row }: Description = DESCRIPTIONS[name], writes = writesMemories(name)!;
  const annotations = { ...HINTS, readOnlyHint: !writes, idempotentHint: !writes, ...hints };
  return { name, ...row, writes, annotations };
});

/** A row of `TOOLS`. */
export type Tool = typeof TOOLS[number];

/** The arguments of a tool, checked. */
export type InputOf<Name extends ToolName> = z.output<typeof DESCRIPTIONS[Name]["input"]>;
