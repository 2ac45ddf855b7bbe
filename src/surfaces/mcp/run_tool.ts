import type * as z from "zod";
import { MemoError } from "../../errors.ts";
import { TOOL_NAMES } from "../../core/link/tools.ts";
import { nearest } from "../../core/text/nearest.ts";
import type { Tool, WritingContext } from "./tool.ts";
import { TOOLS } from "./tools.ts";

/** Runs a tool by its name, with arguments that nobody has checked. Throws a MemoError that says what is wrong with them. */
export async function runTool(
  name: string,
  args: unknown,
  context: WritingContext,
): Promise<string> {
  const tool = toolNamed(name);
  const input = tool.input.safeParse(args ?? {});
  if (!input.success) throw wrongArguments(tool, input.error);
  return await tool.run(input.data as never, context);
}

/** The row of a tool; throws a `usage` MemoError for an unknown one. */
function toolNamed(name: string): Tool {
  const tool = TOOLS.find((row) => row.name === name);
  if (tool !== undefined) return tool;
  const near = nearest(name, TOOL_NAMES);
  throw new MemoError("usage", `Cannot call \`${name}\`: memo has no such tool`, {
    hint: near === undefined ? `It has ${TOOL_NAMES.join(", ")}` : `Did you mean \`${near}\`?`,
  });
}

function wrongArguments({ name, input }: Tool, { issues }: z.ZodError): MemoError {
  const wrong = issues.map(({ path, message }) =>
    path.length === 0 ? message : `\`${path.join(".")}\`: ${message}`
  );
  return new MemoError("usage", `Cannot call \`${name}\`: ${wrong.join("; ")}`, {
    hint: `It takes ${Object.keys(input.shape).map((key) => `\`${key}\``).join(", ")}`,
  });
}
