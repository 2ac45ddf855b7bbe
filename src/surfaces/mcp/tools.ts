import { TOOL_NAMES, type ToolName } from "../../core/link/tools.ts";
import type { Tool } from "./tool.ts";
import { ask } from "./tools/ask.ts";
import { expand } from "./tools/expand.ts";
import { forget } from "./tools/forget.ts";
import { history } from "./tools/history.ts";
import { related } from "./tools/related.ts";
import { save } from "./tools/save.ts";
import { search } from "./tools/search.ts";
import { update } from "./tools/update.ts";

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
