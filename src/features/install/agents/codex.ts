import { join } from "node:path";
import { TIMEOUT_SECONDS } from "../../../../hooks/events.ts";
import { MemoError } from "../../../errors.ts";
import type { Command } from "../../../core/link/self.ts";
import {
  type Agent,
  type AgentFile,
  type AgentPlace,
  EVERYTHING,
  hookLine,
  mcpArgs,
} from "./agent.ts";
import { codexSessions } from "./codex_sessions.ts";
import { hookFile, hookParts } from "./hook_file.ts";

const HEADING = "# memo's MCP server; `memo uninstall --agent codex` takes it out";

export const codex: Agent<"codex"> = {
  name: "codex",
  label: "Codex CLI",
  gives: EVERYTHING,
  tried: "0.169",
  next: "Codex runs new hooks once you have trusted them: open it and type /hooks",
  sessions: (place) => codexSessions(homeOf(place)),
  files(place, self) {
    const home = homeOf(place);
    const handler = { type: "command", command: hookLine(self, "codex"), timeout: TIMEOUT_SECONDS };
    return [
      hookFile(
        join(home, "hooks.json"),
        hookParts(
          ["SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "SessionEnd"],
          handler,
          { PostToolUse: "Bash" }, // its shell
        ),
      ),
      serverFile(join(home, "config.toml"), self),
    ];
  },
};

function homeOf({ env, paths }: AgentPlace): string {
  return env["CODEX_HOME"] || join(paths.home, ".codex");
}

/** A server called memo that somebody else has put there, as a table or by dotted keys. */
const OWN_SERVER = /^[ \t]*(?:\[\s*)?mcp_servers\s*\.\s*(?:memo|"memo"|'memo')\s*[\].=]/m;
/** A table that TOML lets nobody add to. */
const INLINE = /^[ \t]*mcp_servers\s*=/m;

function cannotExtend(path: string): MemoError {
  return new MemoError("file", `Cannot edit \`${path}\`: \`mcp_servers\` is an inline table`, {
    hint: "Write it as `[mcp_servers.NAME]` tables, then run the command again",
  });
}

/** A table at the end of the TOML, which may stand behind everything else; an own one of the user's is left alone. */
function serverFile(path: string, self: Command): AgentFile {
  const table = [
    HEADING,
    "[mcp_servers.memo]",
    `command = ${JSON.stringify(self.command)}`,
    `args = ${JSON.stringify(mcpArgs(self))}`,
    "",
  ].join("\n");
  const remove = (text: string) => {
    const start = text.indexOf(HEADING);
    if (start < 0) return text;
    const rest = text.slice(start).split("\n").slice(4).join("\n");
    return text.slice(0, start).replace(/\n\n$/, "\n") + rest;
  };
  const isTaken = (text: string) => OWN_SERVER.test(remove(text));
  return {
    path,
    isTaken,
    add(text = "") {
      const base = remove(text);
      if (isTaken(text)) return text;
      if (INLINE.test(base)) throw cannotExtend(path);
      return base + (base === "" ? "" : base.endsWith("\n") ? "\n" : "\n\n") + table;
    },
    remove: (text) => remove(text) || undefined,
  };
}
