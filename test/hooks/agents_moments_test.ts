// Notes at a file and at an error in other agents, by the events that the real ones sent (test/fixtures/agents/README.md).

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { answerTo } from "../support/agent_sessions.ts";
import { type Home, makeHome, PATIENCE, warmUp } from "../support/home.ts";
import { until } from "../support/until.ts";

const PRICES = "Divide only where they are shown";
const TESTS = "Tests take it from make database";

/** The events of each, in order: a prompt, a file that has been read, a command that has failed. */
const AGENTS: Readonly<Record<string, readonly [prompt: string, file: string, error?: string]>> = {
  codex: ["UserPromptSubmit", "PostToolUse"],
  qwen: ["UserPromptSubmit", "PostToolUse", "PostToolUseFailure"],
  gemini: ["BeforeAgent", "AfterTool", "AfterTool.failed"],
  copilot: ["UserPromptSubmit", "PostToolUse", "PostToolUse.failed"],
  opencode: ["UserPromptSubmit", "PostToolUse", "PostToolUse.failed"],
};

/** The text that a hook's answer to a recorded event gives the model. */
async function hook(home: Home, agent: string, event: string, more: object = {}) {
  const answer = await answerTo(home, `${agent}.${event}`, { session_id: agent, ...more }) ?? {};
  const { hookEventName, additionalContext } = answer.hookSpecificOutput ?? {};
  if (hookEventName !== undefined) assert.equal(hookEventName, event.split(".")[0]);
  return additionalContext ?? answer.additionalContext ?? "";
}

for (const [agent, [prompt, file, error]] of Object.entries(AGENTS)) {
  Deno.test(`${agent}: a note comes once with the file that it names, and with the error that it knows`, async () => {
    await using home = makeHome(PATIENCE);
    execFileSync("git", ["init", "--quiet"], { cwd: home.project });
    mkdirSync(join(home.project, "src"));
    writeFileSync(join(home.project, "src", "price.ts"), "export {};\n");
    const note = (name: string, body: string) =>
      `---\nname: ${name}\ndescription: ${name}\ntype: gotcha\n---\n${body}.\n`;
    home.write("gotcha_cents.md", note("Amounts in src/price.ts are integer cents", PRICES));
    home.write("gotcha_url.md", note("Error: SHOP_DB_URL is not set, in npm test", TESTS));
    await warmUp(home);
    await hook(home, agent, prompt, { prompt: "and what about the weather there?" });
    const marks = join(home.memoHome, "moments");
    mkdirSync(marks, { recursive: true });
    await until("the hook asks", () => readdirSync(marks).length === 2);

    const ofSubagent = async (event: string) => {
      const runs = { tool_name: "invoke_agent", tool_response: {} };
      if (agent === "gemini") await hook(home, agent, "BeforeTool");
      // OpenCode's plugin does not send a subagent's
      const said = agent === "opencode"
        ? ""
        : await hook(home, agent, event, agent === "gemini" ? {} : { agent_id: "a1" });
      if (agent === "gemini") await hook(home, agent, "AfterTool", runs);
      return said;
    };
    assert.equal(await ofSubagent(file), "");
    assert.match(await hook(home, agent, file), new RegExp(`mentions this file[^]*${PRICES}`));
    assert.equal(await hook(home, agent, file), "", "it has it");
    if (error === undefined) return;
    assert.equal(await ofSubagent(error), "");
    assert.match(await hook(home, agent, error), new RegExp(`covers this error[^]*${TESTS}`));
    assert.equal(await hook(home, agent, error), "", "it has it");
  });
}
