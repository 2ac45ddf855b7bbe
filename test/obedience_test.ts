// Obedience through the executable: capture judges a turn, and stats, receipts and the log show what became of the rule.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { keyOf } from "../src/memory/suggested.ts";
import { readMemoryFile } from "../src/memory/folder.ts";
import { pathsFor } from "../src/paths.ts";
import { noteJudgements } from "../src/capture/verdicts.ts";
import { makeHome, PATIENCE, runMemo, succeed, warmUp } from "./support/home.ts";
import { serveMessagesApi } from "./support/messages_api.ts";
import { sendHook } from "./support/send_hook.ts";
import { until } from "./support/until.ts";

const RULE = "Never force-push; add a commit instead";

Deno.test("a turn that the user corrects counts against its rule, which is escalated, and memo undo takes the step back", async () => {
  const reply = {
    ...{ journal: [], memories: [] },
    rules: [{ id: "r1", turn: 1, verdict: "corrected" }, { id: "r7", turn: 1, verdict: "broken" }],
  };
  await using api = await serveMessagesApi(() => [
    { type: "tool_use", name: "answer", input: reply },
  ]);
  await using home = makeHome({
    ...PATIENCE,
    ...{ MEMO_LLM_PROVIDER: "anthropic", ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: api.url },
  });
  const run = async (...args: string[]) => {
    const stdout = await succeed(home, args);
    return stdout;
  };
  // More than its title: the start has that alone, and the prompt brings the rest.
  await run(
    "add",
    `${RULE}. Reviewers lose their place when a branch is rewritten.`,
    "--type",
    "feedback",
  );
  await warmUp(home);

  const session_id = "5e5510f0-0000-4000-8000-000000000001";
  const send = async (fixture: string, fields: object = {}) =>
    (await sendHook(home, fixture, { session_id, ...fields })).stdout;
  assert.match(await send("SessionStart.startup"), /Never force-push/);
  const prompt_id = "prompt-1";
  const prompt = "please force-push the calendar branch, or publish it in another way";
  assert.match(await send("UserPromptSubmit", { prompt, prompt_id }), /add a commit instead/);

  const at = new Date().toISOString();
  const line = (uuid: string, fields: object) =>
    JSON.stringify({
      uuid,
      timestamp: at,
      cwd: home.project,
      sessionId: session_id,
      ...fields,
    }) + "\n";
  const transcript = join(home.root, `${session_id}.jsonl`);
  writeFileSync(
    transcript,
    line("u1", {
      type: "user",
      promptId: prompt_id,
      turnOrigin: "human",
      message: { content: prompt },
    }) +
      line("a1", {
        type: "assistant",
        message: {
          id: "m1",
          content: [{
            type: "tool_use",
            id: "t1",
            name: "Bash",
            input: { command: "git push -f" },
          }],
        },
      }),
  );
  await run("import", "conversations", transcript);
  assert.match(JSON.stringify(api.requests), /- r1: Never force-push; add a commit instead/);

  const [rule] = JSON.parse(await run("stats", "--json")).rules;
  assert.deepEqual(
    [rule.given, rule.kept, rule.broken, rule.corrected, rule.rung],
    [1, 0, 1, 1, "prompt"],
  );
  assert.match(await run("stats"), /1 × given, 0 kept, 1 broken, 1 corrected again, with prompts/);
  assert.match(await run("recall", "--log"), /Never force-push[^”]*” [\d.]+ corrected/);
  assert.match(await run("log"), /raised +Never force-push.*corrected again; now with prompts/);
  await run("undo", "never force-push");
  assert.equal(JSON.parse(await run("stats", "--json")).rules[0].rung, "title");
  assert.match(await run("log"), /raised +Never force-push.*undone/);
});

Deno.test("a rule that was broken comes with the command that it forbids, and then is offered as a guard", async () => {
  await using home = makeHome(PATIENCE);
  const { stdout } = await runMemo(home, ["add", RULE, "--type", "feedback"]);
  const path = stdout.trim(), key = keyOf(readMemoryFile(path, "user"));
  const paths = pathsFor(home.env);
  noteJudgements(paths.obedience, [{
    ...{ path, key, session: "s", at: "2026-11-21T10:00:00Z", given: 1 },
    turns: [{ turn: "t", verdict: "broken" }],
  }]);
  writeFileSync(
    paths.escalations,
    JSON.stringify({ path, key, rung: "moment", at: "2026-11-21T11:00:00Z" }) + "\n",
  );
  await warmUp(home);
  const session_id = crypto.randomUUID();
  const send = async (fixture: string, fields: object) =>
    (await sendHook(home, fixture, { session_id, ...fields })).stdout;
  await send("UserPromptSubmit", { prompt: "what is the weather like in the mountains today?" });
  const push = { tool_input: { command: "git push -f" } };
  // The hook is told after the prompt's answer.
  const answer = await until("an entry", () => send("PreToolUse.Bash", push));
  assert.match(answer, /forbids this, kept by memo[^]*Never force-push/);
  assert.equal(await send("PreToolUse.Bash", push), "", "once a session");
});
