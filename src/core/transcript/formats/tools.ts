// The tools of other clients, in their transcripts and for their hooks, which load this file.

import { type Fields, fieldsOf } from "../lines.ts";

/** How the output of a command ends that failed: in Gemini CLI and Qwen Code, and in Copilot CLI. */
export const FAILED =
  /^(?:Exit Code: (?!0$)-?\d+|<shellId: \w+ completed with exit code (?!0>)-?\d+>)$/m;

/** What other clients call the tools of Claude Code: whether a call reads, writes or fetches goes by the name. */
const TOOLS = byOther({
  Read: "read read_file view",
  Write: "write write_file create",
  Edit: "replace edit str_replace_editor apply_patch",
  Bash: "run_shell_command exec_command shell bash",
  WebFetch: "web_fetch webfetch fetch",
  WebSearch: "google_web_search web_search websearch",
  Task: "agent task spawn_agent invoke_agent",
});

/** The same of fields of their inputs. */
const FIELDS = byOther({
  file_path: "path absolute_path filePath",
  command: "cmd",
  content: "file_text",
  new_string: "new_str newString",
});

function byOther(names: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(names).flatMap(([own, others]) =>
      others.split(" ").map((other) => [other, own])
    ),
  );
}

/** `SERVER-tool`, or `mcp_SERVER_tool`: the tools of MCP servers. */
const SERVED = /^(?:mcp_(?!_)([^_]+)_|([\w.]+)-)(.+)$/;

/** A tool's name and input in the terms of Claude Code's. */
export function claudeCall(
  name: unknown,
  input: unknown,
): { readonly name: string; readonly input: Fields } {
  const own = String(name), served = SERVED.exec(own);
  const fields = Object.entries(fieldsOf(input) ?? {});
  return {
    name: served === null ? TOOLS.get(own) ?? own : `mcp__${served[1] ?? served[2]}__${served[3]}`,
    input: Object.fromEntries(fields.map(([key, value]) => [FIELDS.get(key) ?? key, value])),
  };
}
