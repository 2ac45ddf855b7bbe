// The parts that the schemas of several tools share: clients get them as JSON Schema, and arguments are checked by them.

import * as z from "zod";
import { LIMITS } from "../memory/limits.ts";
import { TYPES } from "../memory/types.ts";

/** The types that a model can give a memory, with what each keeps. */
const KNOWN_TYPES = TYPES.filter(({ name }) => name !== "*");

export const name = z.string().min(1).max(500).describe(
  "Name, file name, path or memo:// address of a memory; the beginning of its name is enough",
);

export const limit = (usual: number) =>
  z.number().int().min(1).max(50).default(usual).describe("Most results");

export const type = z.enum(KNOWN_TYPES.map(({ name }) => name)).describe(
  KNOWN_TYPES.map(({ name, keeps }) => `${name}: ${keeps}`).join("; "),
);

export const query = z.string().min(1).max(4000);

export const tag = z.string().max(LIMITS.tag);

/** The text of a memory, and the name that it is given. */
export const text = z.string().min(1).max(LIMITS.body);
export const title = z.string().min(1).max(LIMITS.name);

/** What else a tool may set in a memory. */
export const fields = {
  description: z.string().max(LIMITS.description).optional().describe(
    "One line that says when the memory matters",
  ),
  type: type.optional(),
  tags: z.array(tag.min(1)).max(LIMITS.tags).optional(),
  triggers: z.array(z.string().min(1).max(LIMITS.trigger)).max(LIMITS.triggers).optional().describe(
    "Short prompts that should bring this memory up, in the user's words, one of them in English",
  ),
};

/** A memory as tools name it. */
export const reference = z.object({
  name: z.string(),
  type: z.string(),
  scope: z.string().describe(
    "user: everywhere; project: only here; shared: in the repository; auto: Claude Code's own",
  ),
  path: z.string(),
  days: z.number().describe("Days since it was last changed"),
});

/** A memory with what it says. */
export const found = reference.extend({
  description: z.string(),
  passage: z.string().describe("The part that fits best"),
  provenance: z.string().optional().describe(
    "Where its words come from, if the user did not say them",
  ),
  tags: z.array(z.string()),
});

export const note = z.string().describe("What these memories are");

/** What is said of a memory that was changed. */
export const changed = reference.extend({
  outcome: z.string(),
  archived: z.string().optional().describe("Path of the former version"),
  undo: z.string().describe("The command that reverts it"),
});

/** A memory as tools name it. */
export type Reference = z.infer<typeof reference>;
/** The same with what it says. */
export type FoundMemory = z.infer<typeof found>;
