// What other agents send and read, by what the real ones sent (test/fixtures/agents/README.md).

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { AGENTS } from "../../src/install/agents/mod.ts";
import { type Home, makeHome, runMemo } from "../support/home.ts";

const MEMORY = "---\nname: Use pnpm, never npm\ndescription: Package manager for installs\n" +
  "type: feedback\n---\npnpm add; npm breaks the lock file.\n";
const PROMPT = "install lodash with npm, the package manager";

/** Runs the hook of an agent on a captured event, moved into the home's project. */
async function hook(home: Home, event: string, more: object = {}) {
  const url = new URL(`../fixtures/agents/${event}.json`, import.meta.url);
  const sent = JSON.parse(readFileSync(url, "utf8"));
  const moved = "workspace_roots" in sent
    ? { workspace_roots: [home.project] }
    : { cwd: home.project };
  const stdin = JSON.stringify({ ...sent, ...moved, ...more });
  const agent = event.split(".")[0]!;
  const { code, stdout } = await runMemo(home, ["hook", "--agent", agent], { stdin });
  assert.equal(code, 0);
  return stdout === "" ? undefined : JSON.parse(stdout);
}

/** A home with one memory and a daemon that knows it. */
async function warmHome(): Promise<Home> {
  const home = makeHome();
  home.write("feedback_use-pnpm.md", MEMORY);
  assert.equal((await runMemo(home, ["index"])).code, 0);
  assert.equal((await runMemo(home, ["daemon", "start"])).code, 0);
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
  assert.equal(await hook(home, "codex.Stop"), undefined);
});

Deno.test("Gemini CLI gets its own event's name back, and is not asked about what hooks said", async () => {
  await using home = await warmHome();
  const prompt = `<hook_context>- Old notes about cats</hook_context>\n\n${PROMPT}`;
  const { hookSpecificOutput } = await hook(home, "gemini.BeforeAgent", { prompt });
  assert.equal(hookSpecificOutput.hookEventName, "BeforeAgent");
  assert.match(hookSpecificOutput.additionalContext, /npm breaks the lock file/);
  const start = await hook(home, "gemini.SessionStart");
  assert.match(start.hookSpecificOutput.additionalContext, /- Use pnpm, never npm/);
  assert.equal(await hook(home, "gemini.AfterAgent"), undefined);
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
