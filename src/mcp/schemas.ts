// What tools take and give, as schemas: the client gets them as JSON Schema, and arguments are checked by them.

import * as z from "zod";
import { LIMITS } from "../memory/limits.ts";
import { TYPES } from "../memory/types.ts";

/** The types that a model can give a memory, with what each keeps. */
const KNOWN_TYPES = TYPES.filter(({ name }) => name !== "*");

const name = z.string().min(1).max(500).describe(
  "Name, file name, path or memo:// address of a memory; the beginning of its name is enough",
);

const limit = (usual: number) =>
  z.number().int().min(1).max(50).default(usual).describe("Most results");

const text = z.string().min(1).max(LIMITS.body);

const type = z.enum(KNOWN_TYPES.map(({ name }) => name)).describe(
  KNOWN_TYPES.map(({ name, keeps }) => `${name}: ${keeps}`).join("; "),
);

const description = z.string().max(LIMITS.description).describe(
  "One line that says when the memory matters",
);

const tags = z.array(z.string().min(1).max(LIMITS.tag)).max(LIMITS.tags);

const triggers = z.array(z.string().min(1).max(LIMITS.trigger)).max(LIMITS.triggers).describe(
  "Short prompts that should bring this memory up, in the user's words, one of them in English",
);

/** A memory as tools name it. */
const reference = z.object({
  name: z.string(),
  type: z.string(),
  scope: z.string().describe(
    "user: everywhere; project: only here; shared: in the repository; auto: Claude Code's own",
  ),
  path: z.string(),
  days: z.number().describe("Days since it was last changed"),
});

/** A memory with what it says. */
const found = reference.extend({
  description: z.string(),
  passage: z.string().describe("The part that fits best"),
  provenance: z.string().optional().describe(
    "Where its words come from, if the user did not say them",
  ),
  tags: z.array(z.string()),
});

const note = z.string().describe("What these memories are");

/** What is said of a memory that was changed. */
const changed = reference.extend({
  outcome: z.string(),
  archived: z.string().optional().describe("Where the former version lies"),
  undo: z.string().describe("The command that takes it back"),
});

/** What every tool takes and gives. */
export const SCHEMAS = {
  memory_search: {
    input: z.object({
      query: z.string().min(1).max(4000).describe("A question or keywords, in any language"),
      limit: limit(10),
      type: type.optional(),
      tag: z.string().max(60).optional().describe("Only memories with this tag"),
    }),
    output: z.object({ note, memories: z.array(found.extend({ score: z.number() })) }),
  },
  memory_related: {
    input: z.object({
      name: name.optional(),
      tag: z.string().min(1).max(60).optional().describe("A tag, in place of a name"),
      limit: limit(10),
    }),
    output: z.object({
      note,
      memories: z.array(
        found.extend({ similarity: z.number().optional().describe("Cosine, −1 to 1") }),
      ),
    }),
  },
  memory_expand: {
    input: z.object({
      name,
      conversation: z.boolean().default(false).describe(
        "Also what was said in the turn that the memory came from",
      ),
    }),
    output: reference.extend({
      note,
      text: z.string(),
      provenance: z.string().optional(),
      supersedes: z.array(z.string()).describe("Files that it has replaced"),
      related: z.array(reference.extend({ similarity: z.number() })),
      conversation: z.string().optional(),
      transcript: z.string().optional().describe("The command that shows the conversation"),
    }),
  },
  memory_ask: {
    input: z.object({ question: z.string().min(1).max(4000) }),
    output: z.object({
      answer: z.string().nullable().describe("null: no language model answered; see `because`"),
      because: z.string().optional(),
      note,
      sources: z.array(found),
    }),
  },
  memory_save: {
    input: z.object({
      text: text.describe("The memory, in Markdown; absolute dates, no secrets"),
      name: z.string().min(1).max(LIMITS.name).optional().describe(
        "The rule or fact itself in one short line, such as “Use pnpm, never npm”; default: the first sentence",
      ),
      description: description.optional(),
      type: type.optional(),
      tags: tags.optional(),
      triggers: triggers.optional(),
      scope: z.enum(["user", "project"]).optional().describe(
        "user: in all projects; project: only in this one (default: by type). Both are private",
      ),
    }),
    output: changed.partial().extend({ outcome: z.string(), redacted: z.number() }),
  },
  memory_update: {
    input: z.object({
      name,
      text: text.optional().describe("The new text, in place of the old one"),
      new_name: z.string().min(1).max(LIMITS.name).optional(),
      description: description.optional(),
      type: type.optional(),
      tags: tags.optional(),
      triggers: triggers.optional(),
    }),
    output: changed.extend({ redacted: z.number() }),
  },
  memory_forget: {
    input: z.object({ name }),
    output: changed,
  },
  memory_history: {
    input: z.object({
      query: z.string().min(1).max(4000).optional().describe(
        "What to look for; days in it (“in March”, “last week”, “2026-03-04”) come first",
      ),
      since: z.iso.date().optional().describe("First day, YYYY-MM-DD"),
      until: z.iso.date().optional().describe("Last day, YYYY-MM-DD"),
      limit: limit(20),
    }),
    output: z.object({
      note,
      entries: z.array(z.object({
        date: z.string(),
        time: z.string(),
        kind: z.enum(["journal", "turn"]).describe("turn: what was said, where that is kept"),
        text: z.string(),
        session: z.string().optional(),
        expand: z.string().describe("The command that shows the entry whole"),
        transcript: z.string().optional().describe("The command that shows the conversation"),
      })),
    }),
  },
} as const;

/** The name of a tool. */
export type ToolName = keyof typeof SCHEMAS;

/** The arguments of a tool after the check. */
export type InputOf<Name extends ToolName> = z.output<typeof SCHEMAS[Name]["input"]>;

/** The data that a tool gives. */
export type OutputOf<Name extends ToolName> = z.input<typeof SCHEMAS[Name]["output"]>;

/** A memory as tools name it. */
export type Reference = z.infer<typeof reference>;
/** The same with what it says. */
export type FoundMemory = z.infer<typeof found>;
