import type * as z from "zod";
import { TOOL_NAMES, type ToolName, type WritesOf } from "../../core/link/tools.ts";
import { nearest } from "../../core/text/nearest.ts";
import { MemoError } from "../../errors.ts";
import type { ToolContext, WritingContext } from "./methods.ts";
import { forget, save, update } from "./run/change.ts";
import { history } from "./run/history.ts";
import { ask, searchTool } from "./run/search.ts";
import { expand, related } from "./run/show.ts";
import { type InputOf, type Tool, TOOLS } from "./tools.ts";

/** What each tool does, and returns as text for a model; a MemoError that it throws is shown to it. */
const RUNS: { readonly [Name in ToolName]: Run<Name> } = {
  memory_search: searchTool,
  memory_related: related,
  memory_expand: expand,
  memory_ask: ask,
  memory_history: history,
  memory_save: save,
  memory_update: update,
  memory_forget: forget,
};

/** What a tool does with checked arguments; one that does not write has nothing to write with. */
type Run<Name extends ToolName> = (
  input: InputOf<Name>,
  context: WritesOf<Name> extends true ? WritingContext : ToolContext,
) => Promise<string>;

/** Runs a tool by its name, with arguments that nobody has checked. Throws a MemoError that says what is wrong with them. */
export async function runTool(
  name: string,
  args: unknown,
  context: WritingContext,
): Promise<string> {
  const tool = TOOLS.find((row) => row.name === name);
  if (tool === undefined) {
    const near = nearest(name, TOOL_NAMES);
    throw new MemoError("usage", `Cannot call \`${name}\`: no such tool`, {
      hint: near === undefined
        ? `Available: ${TOOL_NAMES.join(", ")}`
        : `Did you mean \`${near}\`?`,
    });
  }
  const input = tool.input.safeParse(args ?? {});
  if (!input.success) throw wrongArguments(tool, input.error);
  return await RUNS[tool.name](input.data as never, context);
}

function wrongArguments({ name, input }: Tool, { issues }: z.ZodError): MemoError {
  const wrong = issues.map(({ path, message }) =>
    path.length === 0 ? message : `\`${path.join(".")}\`: ${message}`
  );
  return new MemoError("usage", `Cannot call \`${name}\`: ${wrong.join("; ")}`, {
    hint: `Arguments: ${Object.keys(input.shape).map((key) => `\`${key}\``).join(", ")}`,
  });
}
