// One session of the real Claude Code with all that a person relies on: the memory that fits is in the request, a guarded
// command is not executed, and what the person says is captured. `test/client/` has the rest.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runClaude } from "./support/claude.ts";
import { makeHome, PATIENCE, succeed, warmUp } from "./support/home.ts";
import { isMemos, type ReplyBlock, serveMessagesApi, textOf } from "./support/messages_api.ts";
import { until } from "./support/until.ts";

const ANSWER: readonly ReplyBlock[] = [{ type: "text", text: "The scripted answer." }];
const QUESTION = "how do I authenticate against the API?";
const CORRECTION = "no, never mock the database in integration tests";
const RULE = "Integration tests run against the real database, never a mock";

/** What the loopback server makes of the turn with the correction. */
function extracted(conversation: string): readonly ReplyBlock[] {
  const turn = Number(
    /<turn number="(\d+)"[^>]*>\n(?:(?!<turn)[^])*?never mock/.exec(conversation)?.[1] ?? 0,
  );
  const memory = { turn, name: RULE, type: "feedback", description: "Tests", body: `${RULE}.` };
  const memories = turn > 0 ? [{ ...memory, triggers: ["write a test"], origin: "user" }] : [];
  return [{ type: "tool_use", name: "answer", input: { journal: [], memories } }];
}

Deno.test("in a session of Claude Code memo recalls, guards and captures", async () => {
  await using home = makeHome(PATIENCE, { hasModel: true });
  mkdirSync(join(home.project, ".git"));
  const jwt = "Every call carries a JWT from `POST /auth/token`";
  for (
    const args of [
      ["init"],
      ["add", jwt, "--name", "API authentication", "--type", "reference"],
      ["add", "Never touch, use the editor", "--type", "feedback"],
      ["guard", "never touch", "--command", "touch", "--deny", "--yes"],
    ]
  ) {
    await succeed(home, args);
  }
  await warmUp(home);
  await using api = await serveMessagesApi((request) => {
    if (isMemos(request)) return extracted(textOf(request, "user"));
    const text = JSON.stringify(request.messages);
    if (!text.includes("make the file") || text.includes("tool_result")) return ANSWER;
    return [{ type: "tool_use", name: "Bash", input: { command: "touch made.txt" } }];
  });
  const prompts = [QUESTION, "make the file now", CORRECTION];
  const args = ["--allowedTools", "Bash"];
  const model = "claude-sonnet-5-5";
  const { failed, asked } = await runClaude(home, prompts, { api: api.url, model, args });
  assert.deepEqual([failed, asked], [false, []]);

  const session = api.requests.filter((request) => !isMemos(request));
  const asking = session.find((request) => textOf(request, "user").includes(QUESTION))!;
  const text = textOf(asking, "system");
  assert.ok(text.includes("UserPromptSubmit hook additional context: <auto-loaded-memory"));
  assert.ok(text.includes(jwt));

  assert.ok(!existsSync(join(home.project, "made.txt")), "the guarded command is not executed");
  assert.match(JSON.stringify(session.at(-1)), /memo guards your rule: Never touch/);

  const captured = () =>
    readdirSync(home.privately).filter((name) =>
      name.endsWith(".md") && name !== "MEMORY.md" &&
      readFileSync(join(home.privately, name), "utf8").includes(RULE)
    );
  await until("what the person has said is a memory", () => captured().length === 1);
});
