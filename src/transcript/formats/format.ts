import type { Entry, ReplyBlock } from "../entry.ts";
import { type Fields, fieldsOf } from "../fields.ts";

/** How another client than Claude Code writes a conversation down. */
export interface TranscriptFormat {
  /** Its name, as in `memo hook --agent NAME`. */
  readonly agent: string;
  /** Where its files, or its database, are below the home folder: names, and what names match. */
  readonly files: readonly (string | RegExp)[];
  /** What a file of its begins with; a database's rows have their place instead. */
  readonly head: RegExp;
  /** A line with none of these is not decoded. */
  readonly holding: readonly string[];
  /** Later lines repeat and complete earlier ones, so a file is read from its start. */
  readonly isAmended?: true;
  /** Lines come a moment after the event that they are about, the last ones when the client has ended. */
  readonly isWrittenLate?: true;
  /** Reads a file's lines in order; undefined for the conversation of a subagent. `head` is the first line. */
  readonly reader: (head: Fields, path: string) => LineReader | undefined;
}

/** The entries of a line that ends at a byte; none if it does not matter to turns. */
export type LineReader = (line: Fields, end: number) => readonly Entry[];

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

/** A tool call in the terms of Claude Code's. */
export function callOf(id: unknown, name: unknown, input: unknown): ReplyBlock {
  const own = String(name), served = SERVED.exec(own);
  const fields = Object.entries(fieldsOf(input) ?? {});
  return {
    kind: "call",
    id: String(id),
    name: served === null
      ? Object.hasOwn(TOOLS, own) ? TOOLS[own]! : own
      : `mcp__${served[1] ?? served[2]}__${served[3]}`,
    input: Object.fromEntries(fields.map(([key, value]) => [FIELDS[key] ?? key, value])),
  };
}
