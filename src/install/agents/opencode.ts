import { join } from "node:path";
import { TIMEOUT_SECONDS } from "../../../hooks/events.ts";
import type { Command } from "../../link/self.ts";
import { type Agent, EVERYTHING, hookArgs, mcpArgs } from "./agent.ts";
import { hookFile } from "./hook_file.ts";

export const opencode: Agent<"opencode"> = {
  name: "opencode",
  label: "OpenCode",
  gives: EVERYTHING,
  tried: "1.18",
  files: filesOf("opencode", { $schema: "https://opencode.ai/config.json" }),
};

export const kilo: Agent<"kilo"> = {
  name: "kilo",
  label: "Kilo CLI",
  gives: EVERYTHING,
  tried: "7.7",
  files: filesOf("kilo", {}),
};

/** The plugin, and the MCP server in the settings; `fresh` is what new settings begin with. */
function filesOf(name: "opencode" | "kilo", fresh: object): Agent["files"] {
  return ({ env, paths }, self) => {
    const folder = join(env["XDG_CONFIG_HOME"] || join(paths.home, ".config"), name);
    const server = { type: "local", command: [self.command, ...mcpArgs(self)], enabled: true };
    return [
      {
        path: join(folder, "plugins", "memo.js"),
        add: () => plugin(self, name),
        remove: () => undefined,
      },
      hookFile(join(folder, `${name}.json`), [{ path: ["mcp", "memo"], value: server }], fresh),
    ];
  };
}

/**
 * Both run plugins instead of commands. memo's answer becomes parts of the message that people do not see
 * (`synthetic`); a part's id has to sort behind the ids before it.
 */
function plugin(self: Command, name: "opencode" | "kilo"): string {
  return `// memo: puts memories before the model. \`memo init --agent ${name}\` writes this file anew, and
// \`memo uninstall --agent ${name}\` deletes it.
import { spawn } from "node:child_process";

const [COMMAND, ...ARGS] = ${JSON.stringify([self.command, ...hookArgs(self, name)])};
const DEADLINE_MS = ${TIMEOUT_SECONDS * 1000};

/** memo's text for an event; undefined if it has none, or cannot be run. */
function ask(event) {
  return new Promise((answer) => {
    let output = "";
    const child = spawn(COMMAND, ARGS, { stdio: ["pipe", "pipe", "ignore"], windowsHide: true });
    const timer = setTimeout(() => child.kill(), DEADLINE_MS);
    child.on("error", () => answer(undefined));
    child.stdin.on("error", () => {});
    child.stdout.on("data", (bytes) => output += bytes);
    child.on("close", () => {
      clearTimeout(timer);
      try {
        answer(JSON.parse(output).hookSpecificOutput?.additionalContext);
      } catch {
        answer(undefined);
      }
    });
    child.stdin.end(JSON.stringify(event));
  });
}

/** Tells memo of an event; the program may end meanwhile. */
function tell(event) {
  const stdio = ["pipe", "ignore", "ignore"];
  const child = spawn(COMMAND, ARGS, { stdio, detached: true, windowsHide: true });
  child.on("error", () => {});
  child.stdin.on("error", () => {});
  child.stdin.end(JSON.stringify(event));
  child.unref();
}

/** Whether a session is a subagent's; its prompts are the model's. */
async function isSubagent(client, id) {
  try {
    const { data } = await client.session.get({ path: { id } });
    return data?.parentID != null;
  } catch {
    return false;
  }
}

/** The sessions of this process that have what memo gives at a start. */
const begun = new Set();

export const Memo = async ({ client, directory }) => ({
  "chat.message": async ({ sessionID }, { parts }) => {
    const typed = parts.filter(({ type, synthetic }) => type === "text" && !synthetic);
    if (typed.length === 0 || await isSubagent(client, sessionID)) return;
    const text = await ask({
      hook_event_name: "UserPromptSubmit",
      session_id: sessionID,
      cwd: directory,
      prompt: typed.map(({ text }) => text).join("\\n"),
      is_first: !begun.has(sessionID),
    });
    begun.add(sessionID);
    const [first] = typed;
    if (text) parts.push({ ...first, id: \`\${first.id}memo\`, text, synthetic: true });
  },
  "tool.execute.after": async ({ tool, sessionID, callID, args }, result) => {
    const exit = result.metadata?.exit;
    if (tool !== "read" && !exit || await isSubagent(client, sessionID)) return;
    const text = await ask({
      hook_event_name: "PostToolUse",
      session_id: sessionID,
      cwd: directory,
      tool_name: tool,
      tool_input: args,
      tool_use_id: callID,
      tool_response: result.output,
      exit,
    });
    if (text) result.output += \`\\n\\n\${text}\`;
  },
  event: async ({ event: { type, properties } }) => {
    const id = properties?.sessionID;
    if (type === "session.compacted") begun.delete(id);
    if (type !== "session.idle" || await isSubagent(client, id)) return;
    tell({ hook_event_name: "Stop", session_id: id, cwd: directory });
  },
});
`;
}
