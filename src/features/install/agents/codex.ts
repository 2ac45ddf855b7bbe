import { statSync } from "node:fs";
import { join } from "node:path";
import { TIMEOUT_SECONDS } from "../../../../hooks/events.ts";
import { readPart } from "../../../core/files/bounded.ts";
import { namesIn } from "../../../core/files/there.ts";
import type { Command } from "../../../core/link/self.ts";
import { MemoError } from "../../../errors.ts";
import { jsonFile, type PartFile } from "../parts.ts";
import { type AgentPlace, type AgentRow, groupParts, hookLine } from "./agent.ts";

export const codex: AgentRow = {
  label: "Codex CLI",
  tried: "0.169",
  next: "Codex runs new hooks only after you trust them: open it and type `/hooks`",
  sessions: (place) => codexSessions(homeOf(place)),
  files(place, self) {
    const home = homeOf(place);
    const handler = { type: "command", command: hookLine(self, "codex"), timeout: TIMEOUT_SECONDS };
    const tools = { PostToolUse: "Bash" }; // its shell
    const events = { SessionStart: "", UserPromptSubmit: "", ...tools, Stop: "", SessionEnd: "" };
    return [
      jsonFile(join(home, "hooks.json"), groupParts(events, handler)),
      serverFile(join(home, "config.toml"), self),
    ];
  },
};

function homeOf({ env, paths }: AgentPlace): string {
  return env["CODEX_HOME"] || join(paths.home, ".codex");
}

const HEADING = "# memo's MCP server; `memo uninstall --agent codex` takes it out";

/** A server called memo that somebody else has put there, as a table or by dotted keys. */
const OWN_SERVER = /^[ \t]*(?:\[\s*)?mcp_servers\s*\.\s*(?:memo|"memo"|'memo')\s*[\].=]/m;
/** A table that TOML lets nobody add to. */
const INLINE = /^[ \t]*mcp_servers\s*=/m;

/** A table at the end of the TOML, which may stand behind everything else; an own one of the user's is left alone. */
function serverFile(path: string, self: Command): PartFile {
  const table = [
    HEADING,
    "[mcp_servers.memo]",
    `command = ${JSON.stringify(self.command)}`,
    `args = ${JSON.stringify([...self.args, "mcp"])}`,
    "",
  ].join("\n");
  const own = (text: string) =>
    text.slice(text.indexOf(HEADING)).split("\n").slice(0, 4).join("\n");
  const remove = (text: string) => {
    const start = text.indexOf(HEADING);
    if (start < 0) return text;
    const rest = text.slice(start).split("\n").slice(4).join("\n");
    return text.slice(0, start).replace(/\n\n$/, "\n") + rest;
  };
  const isTaken = (text: string) => OWN_SERVER.test(remove(text));
  return {
    path,
    own,
    isTaken,
    add(text = "") {
      const base = remove(text);
      if (isTaken(text)) return text;
      if (INLINE.test(base)) {
        throw new MemoError("file", `Cannot edit \`${path}\`: \`mcp_servers\` is an inline table`, {
          hint: "Write it as `[mcp_servers.NAME]` tables, then run the command again",
        });
      }
      return base + (base === "" ? "" : base.endsWith("\n") ? "\n" : "\n\n") + table;
    },
    remove: (text) => remove(text) || undefined,
  };
}

/** `rollout-<local time>-<thread id>.jsonl`. */
const ROLLOUT = /^rollout-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-(.+)\.jsonl$/;
/** Days looked at, and the head of a file that has its first line's kind. */
const DAYS = 3;
const HEAD_BYTES = 8192;

/** The last sessions of Codex that a person has begun, by the files in `sessions/YYYY/MM/DD`; none where it has none. */
function codexSessions(home: string): ReturnType<NonNullable<AgentRow["sessions"]>> {
  const months = newest(join(home, "sessions")).flatMap((year) => newest(year));
  const days = months.flatMap((month) => newest(month)).slice(0, DAYS);
  return days.flatMap((day) =>
    newest(day).flatMap((path) => {
      const [, id] = ROLLOUT.exec(path.slice(day.length + 1)) ?? [];
      const isSubagents = /"thread_source"\s*:\s*"subagent"/;
      return id === undefined || isSubagents.test(readPart(path, HEAD_BYTES).toString())
        ? []
        : [{ id, at: statSync(path).mtime }];
    })
  );
}

/** What is in a folder, the last by name first. */
function newest(folder: string): string[] {
  return namesIn(folder).reverse().map((name) => join(folder, name));
}
