import type * as z from "zod";
import { TOOL_NAMES, type ToolName } from "../../core/link/tools.ts";
import type { Tool, WritingContext } from "./tool.ts";
import { ask } from "./tools/ask.ts";
import { expand } from "./tools/expand.ts";
import { forget } from "./tools/forget.ts";
import { history } from "./tools/history.ts";
import { related } from "./tools/related.ts";
import { save } from "./tools/save.ts";
import { search } from "./tools/search.ts";
import { update } from "./tools/update.ts";
import { MemoError } from "../../errors.ts";
import { nearest } from "../../core/text/nearest.ts";

const BY_NAME: { readonly [Name in ToolName]: Tool & { readonly name: Name } } = {
  memory_search: search,
  memory_related: related,
  memory_expand: expand,
  memory_ask: ask,
  memory_history: history,
  memory_save: save,
  memory_update: update,
  memory_forget: forget,
};

/** Every tool of `memo mcp`, in the order in which clients list them. */
export const TOOLS: readonly Tool[] = TOOL_NAMES.map((name) => BY_NAME[name]);

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
