// What other agents send and read, by what the real ones sent (test/fixtures/agents/README.md).

import assert from "node:assert/strict";
import { AGENTS } from "../../src/features/install/agents/mod.ts";
import { answerTo as hook } from "../support/agent_sessions.ts";
import { type Home, makeHome, runMemo, succeed } from "../support/home.ts";

const MEMORY = "---\nname: Use pnpm, never npm\ndescription: Package manager for installs\n" +
  "type: feedback\n---\npnpm add; npm breaks the lock file.\n";
const PROMPT = "install lodash with npm, the package manager";

/** A home with one memory and a daemon that knows it. */
async function warmHome(): Promise<Home> {
  const home = makeHome();
  home.write("feedback_use-pnpm.md", MEMORY);
  await succeed(home, ["index"]);
  await succeed(home, ["daemon", "start"]);
  return home;
}

Deno.test("Codex gets the titles and the memories of a prompt, each once", async () => {
  await using home = await warmHome();
  const start = await hook(home, "codex.SessionStart");
  assert.equal(start.hookSpecificOutput.hookEventName, "SessionStart");
  assert.match(start.hookSpecificOutput.additionalContext, /- Use pnpm, never npm/);
  const prompt = { prompt: PROMPT };
  const first = await hook(home, "codex.UserPromptSubmit", prompt);
  assert.match(first.hookSpecificOutput.additionalContext, /npm breaks the lock file/);
  assert.deepEqual(await hook(home, "codex.UserPromptSubmit", { ...prompt, turn_id: "2" }), {});
});

Deno.test("a subagent's prompt is answered by nothing, and is nobody's session", async () => {
  await using home = await warmHome();
  const agent = { prompt: PROMPT, agent_id: "01a2092a", agent_type: "default" };
  assert.equal(await hook(home, "codex.UserPromptSubmit", agent), undefined);
  const first = await hook(home, "codex.UserPromptSubmit", { prompt: PROMPT });
  assert.match(first.hookSpecificOutput.additionalContext, /npm breaks the lock file/);
});

Deno.test("Gemini CLI gets the titles with its first prompt: those of a start cost it the prompt at a resume", async () => {
  await using home = await warmHome();
  const start = (source: string) => hook(home, "gemini.SessionStart", { source });
  const ask = (prompt: string) => hook(home, "gemini.BeforeAgent", { prompt });
  assert.equal(await start("startup"), undefined);
  const { hookSpecificOutput: first } = await ask(
    `<hook_context>- Old notes about cats</hook_context>\n\n${PROMPT}`,
  );
  assert.equal(first.hookEventName, "BeforeAgent");
  assert.match(first.additionalContext, /- Use pnpm, never npm[^]*npm breaks the lock file/);
  assert.equal(first.additionalContext.match(/<auto-loaded-memory>/g).length, 2);
  assert.equal(await start("resume"), undefined);
  assert.deepEqual(await ask("and what is left to do today?"), {}, "the model still has them");
  assert.equal(await start("clear"), undefined);
  const { hookSpecificOutput: again } = await ask("and what is left to do today?");
  assert.match(again.additionalContext, /- Use pnpm, never npm/);
});

Deno.test("Copilot, which runs the hooks of a folder for Claude Code, gets all with the prompt, in the form that it reads", async () => {
  await using home = await warmHome();
  const session = { session_id: "276c77a8-29e2-4195", cwd: home.project };
  const ask = async (event: object) => {
    const env = { ...home.env, COPILOT_CLI: "1" };
    const stdin = JSON.stringify({ ...session, ...event });
    const { stdout } = await runMemo({ ...home, env }, [], { stdin }); // it drops a hook's arguments
    return stdout === "" ? undefined : JSON.parse(stdout);
  };
  const start = (source: string) => ask({ hook_event_name: "SessionStart", source });
  assert.equal(await start("new"), undefined);
  const prompt = { hook_event_name: "UserPromptSubmit", prompt: PROMPT };
  assert.equal(await ask({ ...prompt, agent_id: "a1" }), undefined);
  const { additionalContext } = await ask(prompt);
  assert.match(additionalContext, /- Use pnpm, never npm[^]*npm breaks the lock file/);
  assert.equal(await start("resume"), undefined);
  assert.deepEqual(await ask(prompt), {}, "the prompt has kept it");
  assert.equal(await ask({ hook_event_name: "PostToolUse", tool_name: "bash" }), undefined);
});

Deno.test("Cursor gets the titles in its own form", async () => {
  await using home = await warmHome();
  const answer = await hook(home, "cursor.sessionStart");
  assert.deepEqual(Object.keys(answer), ["additional_context"]);
  assert.match(answer.additional_context, /- Use pnpm, never npm/);
});

Deno.test("an agent that memo does not know, and stdin that is no event, are answered by nothing", async () => {
  await using home = makeHome();
  for (
    const stdin of [
      "",
      "null",
      "[]",
      '"x"',
      '{"hook_event_name":7}',
      "{",
      '{"hook_event_name":"__proto__"}',
    ]
  ) {
    for (const agent of [...AGENTS.map(({ name }) => name), "nobody", "constructor", ""]) {
      const { code, stdout } = await runMemo(home, ["hook", "--agent", agent], { stdin });
      assert.deepEqual([code, stdout], [0, ""], `${agent} ${stdin}`);
    }
  }
});

Deno.test("Qwen Code gets the titles with its first prompt, and nothing for the empty ones after tools", async () => {
  await using home = await warmHome();
  assert.equal(await hook(home, "qwen.SessionStart"), undefined);
  const { hookSpecificOutput: first } = await hook(home, "qwen.UserPromptSubmit", {
    prompt: PROMPT,
  });
  assert.match(first.additionalContext, /- Use pnpm, never npm[^]*npm breaks the lock file/);
  assert.equal(await hook(home, "qwen.UserPromptSubmit", { prompt: "" }), undefined);
  assert.equal(await hook(home, "qwen.SessionStart", { source: "resume" }), undefined);
  assert.deepEqual(await hook(home, "qwen.UserPromptSubmit", { prompt: "and what is left?" }), {});
});
