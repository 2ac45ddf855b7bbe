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
  "Name, file name or path of a memory; the beginning of its name is enough",
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
      "Searches the user's memories by meaning and words. Call it before you ask the user what they may have said in " +
      "an earlier session, when they refer to one (“as we decided”), and before a decision that may have been made before.",
    input: z.object({
      query,
      limit,
      type: z.string().max(50).optional(), // the types stand in memory_save
      tag: tag.optional(),
    }),
    isAlwaysLoaded: true,
  },
  memory_related: {
    title: "Related memories",
    description:
      "Lists the memories that one memory links to or is linked from (`[[name]]`) and those most similar to it, or all with a tag, to explore a topic in depth after a search.",
    input: z.object({
      name: name.optional(),
      tag: tag.min(1).optional().describe("A tag, in place of a name"),
      limit,
    }),
  },
  memory_expand: {
    title: "Show a memory",
    description:
      "Shows a whole memory, what is similar to it, and with `conversation` what was said when it was saved: for the " +
      "reason behind it, a number or an exact wording.",
    input: z.object({
      name,
      conversation: z.boolean().default(false).describe(
        "Also what was said in the turn that the memory came from",
      ),
    }),
  },
  memory_ask: {
    title: "Ask the memories",
    description:
      "Answers a question from the 30 memories nearest to it, with its sources, through a small language model; " +
      "without one it returns those memories. For questions that need several memories, such as “what did we decide " +
      "about authentication, and why?”.",
    input: z.object({ question: query }),
    hints: { idempotentHint: false, openWorldHint: true },
  },
  memory_history: {
    title: "Search history",
    description:
      "Looks up what happened in this project, from its journal, its commits and, where they are kept, its conversations: " +
      "newest first, or the entries that fit a query best. For “what did we do on Tuesday?” and “what " +
      "did we decide about the port in March?”.",
    input: z.object({
      query: query.optional().describe("What to look for; its days go into since and until"),
      since: z.iso.date().optional().describe("First day, YYYY-MM-DD"),
      until: z.iso.date().optional().describe("Last day, YYYY-MM-DD"),
      limit,
    }),
  },
  memory_save: {
    title: "Save a memory",
    description:
      "Saves one fact or rule for later sessions, in the user's words, with its reason. Call it at once when they say " +
      "to remember something, and for a correction or decision of theirs that will matter again; not for what the " +
      "code or its history says.",
    input: z.object({
      text: text.describe("Markdown; absolute dates, no secrets"),
      name: title.optional().describe("The rule in one line"),
      description: fields.description.describe("When it matters"),
      type: fields.type.describe(
        "feedback: a correction; reference: where something is; pattern: a convention",
      ),
      tags: fields.tags,
      triggers: fields.triggers.describe("Prompts that need it, one in English"),
      scope: z.enum(["user", "project"]).optional().describe("user: in all projects"),
    }),
    isAlwaysLoaded: true,
  },
  memory_update: {
    title: "Update a memory",
    description:
      "Changes a memory that has become wrong or incomplete; fields that are left out stay. The old version is kept.",
    input: z.object({
      name,
      text: text.optional().describe("The new text, in place of the old one"),
      new_name: title.optional(),
      ...fields,
    }),
    hints: { idempotentHint: true },
  },
  memory_forget: {
    title: "Forget a memory",
    description:
      "Moves a memory to the archive, from which the user can restore it; no later session gets it. Call it at once " +
      "when the user asks you to forget something; search for its name first if you do not know it.",
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
