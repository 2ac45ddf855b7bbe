import { claudeCall, FAILED } from "../../src/core/transcript/formats/tools.ts";
import { hookEvent, momentsOf } from "../events.ts";
import type { HookInput } from "../wire.ts";
import type { Foreign } from "./agent.ts";

/**
 * Claude Code's event for a tool that has run: what it sends before it reads a file, or where a tool fails. None for a call
 * that memo has no note at. `error` is what a call that failed said; of a command its output may tell.
 */
export function afterTool(
  event: Foreign,
  { output, error }: { readonly output?: unknown; readonly error?: unknown },
): readonly HookInput[] {
  const { name, input } = claudeCall(event["tool_name"], event["tool_input"]);
  const isFailed = name === "Bash" && typeof output === "string" && FAILED.test(output);
  const said = isFailed ? output : error;
  const hook_event_name = said === undefined ? "PreToolUse" : "PostToolUseFailure";
  const moment = said === undefined ? "file" : "error";
  if (!momentsOf(hookEvent(hook_event_name)!, name).includes(moment)) return [];
  const call = { ...event, hook_event_name, tool_name: name, tool_input: input, error: said };
  return [call as unknown as HookInput];
}
