// The parts that the schemas of several tools share: arguments are checked by them, and clients get them as JSON Schema
// without the limits. A description stands where it is needed first: the tools that are always loaded stand in every
// request.

import * as z from "zod";
import { LIMITS } from "../../core/memory/memory.ts";
import { KNOWN_TYPES } from "../../core/memory/types.ts";

export const name = z.string().min(1).max(500).describe(
  "Name, file name or path of a memory; the beginning of its name is enough",
);

export const limit = (usual: number) => z.number().int().min(1).max(50).default(usual);

/** The types that a model can give a memory. */
export const type = z.enum(KNOWN_TYPES);

export const query = z.string().min(1).max(4000);

export const tag = z.string().max(LIMITS.tag);

/** The text of a memory, and the name that it is given. */
export const text = z.string().min(1).max(LIMITS.body);
export const title = z.string().min(1).max(LIMITS.name);

/** What else a tool may set in a memory. */
export const fields = {
  description: z.string().max(LIMITS.description).optional(),
  type: type.optional(),
  tags: z.array(tag.min(1)).max(LIMITS.tags).optional(),
  triggers: z.array(z.string().min(1).max(LIMITS.trigger)).max(LIMITS.triggers).optional(),
};
