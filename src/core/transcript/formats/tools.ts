// The tools of other clients, in their transcripts and for their hooks, which load this file.

import { type Fields, fieldsOf } from "../lines.ts";

/** How the output of a command ends that failed: in Gemini CLI and Qwen Code, and in Copilot CLI. */
export const FAILED =
  /^(?:Exit Code: (?!0$)-?\d+|<shellId: \w+ completed with exit code (?!0>)-?\d+>)$/m;

/** What other clients call the tools of Claude Code: whether a call reads, writes or fetches goes by the name. */
const TOOLS: Readonly<Record<string, string>> = {
  read: "Read",
  read_file: "Read",
  view: "Read",
  write: "Write",
  write_file: "Write",
  create: "Write",
  replace: "Edit",
  edit: "Edit",
  str_replace_editor: "Edit",
  apply_patch: "Edit",
  run_shell_command: "Bash",
  exec_command: "Bash",
  shell: "Bash",
  bash: "Bash",
  web_fetch: "WebFetch",
  webfetch: "WebFetch",
  fetch: "WebFetch",
  google_web_search: "WebSearch",
  web_search: "WebSearch",
  websearch: "WebSearch",
  agent: "Task",
  task: "Task",
  spawn_agent: "Task",
  invoke_agent: "Task",
};

/** The same of fields of their inputs. */
const FIELDS: Readonly<Record<string, string>> = {
  path: "file_path",
  absolute_path: "file_path",
  filePath: "file_path",
  cmd: "command",
  file_text: "content",
  new_str: "new_string",
  newString: "new_string",
};

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
    name: served === null
      ? Object.hasOwn(TOOLS, own) ? TOOLS[own]! : own
      : `mcp__${served[1] ?? served[2]}__${served[3]}`,
    input: Object.fromEntries(fields.map(([key, value]) => [FIELDS[key] ?? key, value])),
  };
}
