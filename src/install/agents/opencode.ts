import { join } from "node:path";
import type { Command } from "../../link/self.ts";
import { type Agent, hookArgs, mcpArgs } from "./agent.ts";
import { hookFile } from "./hook_file.ts";

export const opencode: Agent<"opencode"> = {
  name: "opencode",
  label: "OpenCode",
  gives: "titles at the start, memories at each prompt, MCP tools",
  tried: "1.18",
  files({ env, paths }, self) {
    const folder = join(env["XDG_CONFIG_HOME"] || join(paths.home, ".config"), "opencode");
    const server = { type: "local", command: [self.command, ...mcpArgs(self)], enabled: true };
    return [
      {
        path: join(folder, "plugins", "memo.js"),
        add: () => plugin(self),
        remove: () => undefined,
      },
      hookFile(join(folder, "opencode.json"), [{ path: ["mcp", "memo"], value: server }], {
        $schema: "https://opencode.ai/config.json",
      }),
    ];
  },
};

/**
 * OpenCode runs plugins instead of commands. memo's answer becomes parts of the message that people do not see
 * (`synthetic`); a part's id has to sort behind the ids before it.
 */
function plugin(self: Command): string {
  return `// memo: puts memories before the model. \`memo init --agent opencode\` writes this file anew, and
// \`memo uninstall --agent opencode\` deletes it.
import { spawn } from "node:child_process";

const [COMMAND, ...ARGS] = ${JSON.stringify([self.command, ...hookArgs(self, "opencode")])};
const DEADLINE_MS = 3000;

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

/** Whether a session is a subagent's; its prompts are the model's. */
async function isSubagent(client, id) {
  try {
    const { data } = await client.session.get({ path: { id } });
    return data?.parentID != null;
  } catch {
    return false;
  }
}

export const Memo = async ({ client, directory }) => ({
  "chat.message": async ({ sessionID }, { parts }) => {
    const typed = parts.filter(({ type, synthetic }) => type === "text" && !synthetic);
    if (typed.length === 0 || await isSubagent(client, sessionID)) return;
    const text = await ask({
      hook_event_name: "UserPromptSubmit",
      session_id: sessionID,
      cwd: directory,
      prompt: typed.map(({ text }) => text).join("\\n"),
    });
    const [first] = typed;
    if (text) parts.push({ ...first, id: \`\${first.id}memo\`, text, synthetic: true });
  },
});
`;
}
