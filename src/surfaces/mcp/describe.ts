import * as z from "zod";
import { annotationsOf, type Tool } from "./tool.ts";

/** A tool as clients are told of it. It has no output schema: Claude Code gives the model JSON of that, and no text. */
export function described(tool: Tool) {
  const { name, title, description, input, isAlwaysLoaded } = tool;
  return {
    name,
    title,
    description,
    annotations: annotationsOf(tool),
    inputSchema: schemaOf(input),
    // Claude Code offers a tool without this mark by name alone, and looks it up when it is needed.
    ...isAlwaysLoaded === true ? { _meta: { "anthropic/alwaysLoad": true } } : {},
  };
}

/** What a model does not need to know: an argument that breaks a limit is refused, and told why. */
const LEFT_OUT = new Set([
  ...["$schema", "additionalProperties", "default", "pattern"],
  ...["minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum"],
]);

function schemaOf(schema: z.ZodObject): { type: "object" } {
  const json = JSON.stringify(
    z.toJSONSchema(schema, { io: "input" }),
    (key, value) => LEFT_OUT.has(key) ? undefined : value,
  );
  return JSON.parse(json);
}
