import { join } from "node:path";
import { unquoted } from "../../src/core/text/paste.ts";
import { pathsFor } from "../../src/paths.ts";
import type { HookInput } from "../wire.ts";
import {
  afterTool,
  type AgentWire,
  contextOf,
  type Foreign,
  isOfSubagent,
  joined,
  noteStart,
  usual,
} from "./agent.ts";
import { codex } from "./codex.ts";
import { gemini } from "./gemini.ts";

/** The other agents whose hooks memo answers, in display order. `src/features/install/agents/mod.ts` has a row for each. */
const WIRES = {
  codex,
  gemini,
  /**
   * Qwen Code 0.24: Claude Code's names and fields. What it is told at a start is in the system prompt of that process
   * alone, so the titles come with the first prompt. It sends an empty prompt after each tool's result.
   */
  qwen: {
    toInputs(event, env) {
      const { prompt_id: _, ...input } = event; // its transcript does not have it
      if (event["prompt"] === "") return [];
      if (event["tool_name"] === undefined) return usual(input, env);
      return isOfSubagent(event) ? [] : afterTool(input, input);
    },
    toOutput: joined,
  },
  /**
   * GitHub Copilot CLI 1.0: under Claude Code's names of events it sends Claude Code's stdin, also for the hooks of a
   * trusted folder's `.claude/settings.json`. It reads `additionalContext` at the top of the answer alone, and that of a
   * start not where a session is resumed: so the titles come with the first prompt, and stay with it.
   */
  copilot: {
    toInputs(event, env) {
      const session = String(event["session_id"]);
      const folder = env["COPILOT_HOME"] || join(pathsFor(env).home, ".copilot");
      const transcript_path = /^[\w-]+$/.test(session) // a session's end does not say where it is
        ? join(folder, "session-state", session, "events.jsonl")
        : undefined;
      const input = { transcript_path, ...event };
      if (event["hook_event_name"] !== "PostToolUse") return usual(input, env);
      const { text_result_for_llm: output } = event["tool_result"] as Foreign;
      return isOfSubagent(event) ? [] : afterTool(input, { output });
    },
    toOutput(outputs, event) {
      const answer = joined(outputs, event), additionalContext = contextOf(answer);
      return { ...answer, ...additionalContext === undefined ? {} : { additionalContext } };
    },
  },
  opencode: pluginWire("opencode"),
  kilo: pluginWire("kilo"),
  /**
   * Cursor: `sessionStart` takes context, `beforeSubmitPrompt` can only block (cursor.com/docs/agent/hooks), so a session
   * starts with the titles, and the rest is asked for over MCP.
   */
  cursor: {
    toInputs(event) {
      if (event["hook_event_name"] !== "sessionStart") return [];
      const { conversation_id, session_id = conversation_id, workspace_roots } = event;
      const [cwd = process.cwd()] = Array.isArray(workspace_roots) ? workspace_roots : [];
      const input = { hook_event_name: "SessionStart", session_id, cwd, source: "startup" };
      return [input as unknown as HookInput];
    },
    toOutput([output]) {
      const context = contextOf(output!);
      return context === undefined ? {} : { additional_context: context };
    },
  },
} as const satisfies Readonly<Record<string, AgentWire>>;

/** The name of an agent, as in `memo hook --agent NAME`. */
export type AgentName = keyof typeof WIRES;

/** The hooks of an agent; undefined for one that this memo does not know. */
export function wireOf(name: string): AgentWire | undefined {
  const all: Readonly<Record<string, AgentWire>> = WIRES;
  return Object.hasOwn(all, name) ? all[name] : undefined;
}

/**
 * OpenCode 1.18 and Kilo CLI 7.7, which comes from it, have no hooks that run a command: memo's plugin
 * (`src/features/install/agents/opencode_plugin.js`) sends each prompt, and each turn's end, as Claude Code's JSON. They
 * have a process for each run, and keep conversations, and what was given to them, in a database.
 */
function pluginWire(name: "opencode" | "kilo"): AgentWire {
  return {
    toInputs(event, env) {
      const { session_id, tool_response, exit, is_first } = event;
      // Where programs keep their data (XDG Base Directory Specification).
      const data = env["XDG_DATA_HOME"] || `${env["HOME"] || env["USERPROFILE"]}/.local/share`;
      const transcript_path = `${data}/${name}/${name}.db/${session_id}`;
      const prompt = unquoted(String(event["prompt"] ?? ""));
      const input = { ...event, transcript_path, prompt };
      if (event["hook_event_name"] === "PostToolUse") {
        return afterTool(input, { error: exit ? tool_response : undefined });
      }
      if (is_first) noteStart({ ...event, hook_event_name: "SessionStart", source: "resume" }, env);
      return usual(input, env);
    },
    toOutput: joined,
  };
}
