// Notes at a file and at an error in other agents, by the events that the real ones sent (test/fixtures/agents/README.md).

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Home, makeHome, PATIENCE, runMemo, warmUp } from "../support/home.ts";
import { until } from "../support/until.ts";

const PRICES = "Divide only where they are shown";
const TESTS = "Tests take it from make database";

/** The events of each, in order: a prompt, a file that has been read, a command that has failed. */
const AGENTS: Readonly<Record<string, { prompt: string; file: string; error?: string }>> = {
  codex: { prompt: "codex.UserPromptSubmit", file: "codex.PostToolUse" },
  qwen: {
    prompt: "qwen.UserPromptSubmit",
    file: "qwen.PostToolUse",
    error: "qwen.PostToolUseFailure",
  },
  gemini: {
    prompt: "gemini.BeforeAgent",
    file: "gemini.AfterTool",
    error: "gemini.AfterTool.failed",
  },
  copilot: {
    prompt: "copilot.UserPromptSubmit",
    file: "copilot.PostToolUse",
    error: "copilot.PostToolUse.failed",
  },
  opencode: {
    prompt: "opencode.UserPromptSubmit",
    file: "opencode.PostToolUse",
    error: "opencode.PostToolUse.failed",
  },
};

/** What a hook answers to a captured event, moved into the home's project. */
async function hook(home: Home, agent: string, event: string, more: object = {}) {
  const url = new URL(`../fixtures/agents/${event}.json`, import.meta.url);
  const text = readFileSync(url, "utf8").replaceAll("/home/dev/shop", home.project);
  const stdin = JSON.stringify({
    ...JSON.parse(text),
    session_id: agent,
    cwd: home.project,
    ...more,
  });
  const { code, stdout, stderr } = await runMemo(home, ["hook", "--agent", agent], { stdin });
  assert.deepEqual([code, stderr], [0, ""]);
  const answer = JSON.parse(stdout || "{}");
  const { hookEventName, additionalContext } = answer.hookSpecificOutput ?? {};
  if (hookEventName !== undefined) assert.equal(hookEventName, JSON.parse(text).hook_event_name);
  return additionalContext ?? answer.additionalContext ?? "";
}

for (const [agent, { prompt, file, error }] of Object.entries(AGENTS)) {
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
      if (agent === "gemini") await hook(home, agent, "gemini.BeforeTool");
      // OpenCode's plugin does not send a subagent's
      const said = agent === "opencode"
        ? ""
        : await hook(home, agent, event, agent === "gemini" ? {} : { agent_id: "a1" });
      if (agent === "gemini") await hook(home, agent, "gemini.AfterTool", runs);
      return said;
    };
    assert.equal(await ofSubagent(file), "");
    assert.match(await hook(home, agent, file), new RegExp(`names this file[^]*${PRICES}`));
    assert.equal(await hook(home, agent, file), "", "it has it");
    if (error === undefined) return;
    assert.equal(await ofSubagent(error), "");
    assert.match(await hook(home, agent, error), new RegExp(`knows this error[^]*${TESTS}`));
    assert.equal(await hook(home, agent, error), "", "it has it");
  });
}
