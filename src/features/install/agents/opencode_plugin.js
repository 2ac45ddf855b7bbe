// The plugin of OpenCode and Kilo CLI, behind the lines that say what it runs (`opencode.ts`). Both run plugins instead of
// commands. memo's answer becomes parts of the message that people do not see (`synthetic`); a part's id has to sort
// behind the ids before it.

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

export const Memo = ({ client, directory }) =>
  Promise.resolve({
    "chat.message": async ({ sessionID }, { parts }) => {
      const typed = parts.filter(({ type, synthetic }) => type === "text" && !synthetic);
      if (typed.length === 0 || await isSubagent(client, sessionID)) return;
      const text = await ask({
        hook_event_name: "UserPromptSubmit",
        session_id: sessionID,
        cwd: directory,
        prompt: typed.map(({ text }) => text).join("\n"),
        is_first: !begun.has(sessionID),
      });
      begun.add(sessionID);
      const [first] = typed;
      if (text) parts.push({ ...first, id: `${first.id}memo`, text, synthetic: true });
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
      if (text) result.output += `\n\n${text}`;
    },
    event: async ({ event: { type, properties } }) => {
      const id = properties?.sessionID;
      if (type === "session.compacted") begun.delete(id);
      if (type !== "session.idle" || await isSubagent(client, id)) return;
      tell({ hook_event_name: "Stop", session_id: id, cwd: directory });
    },
  });
