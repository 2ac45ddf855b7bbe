// The executable has the libraries of the providers and of redaction in it: they are loaded in no other test of it.

import assert from "node:assert/strict";
import { makeHome, runMemo } from "../support/home.ts";
import { sendJson, serveLoopback } from "../support/loopback.ts";
import { fakeClaude } from "./support.ts";

const TOKEN = "ghp_" + "aZ3kL9mQ2xR7tB5nV1cD8fG4hJ6pS0wYaZ3k";
const PROMPT = `Which package manager, given ${TOKEN}?`;
const MEMORY = "---\nname: Package manager\ndescription: It is pnpm\ntype: tool\n---\nUse pnpm.\n";

Deno.test("the executable asks the Messages API, without secrets, and takes its picks", async () => {
  await using home = makeHome();
  home.write("tool_pnpm.md", MEMORY);
  await using server = await serveLoopback((_, response) =>
    sendJson(response, 200, {
      ...{ id: "m", type: "message", role: "assistant", model: "claude-haiku-5-5" },
      content: [{
        type: "tool_use",
        name: "answer",
        input: { selected_memories: ["tool_pnpm.md"] },
      }],
    })
  );
  const env = { ...home.env, MEMO_STRATEGY: "sidequery", MEMO_LLM_BASE_URL: server.url };
  const { stdout, stderr } = await runMemo({ ...home, env }, ["recall", PROMPT, "--json"]);
  assert.equal(server.received.length, 1, stderr);
  const { body } = server.received[0]!;
  assert.ok(body.includes("[redacted:github]") && !body.includes(TOKEN), body);
  const [memory] = JSON.parse(stdout).memories;
  assert.deepEqual([memory.name, memory.strategy], ["Package manager", "sidequery"]);
});

Deno.test("the executable asks `claude`, and takes its picks", async () => {
  await using home = makeHome();
  home.write("tool_pnpm.md", MEMORY);
  const answer = '{"structured_output":{"selected_memories":["tool_pnpm.md"]}}';
  const variables = fakeClaude(home, `cat > "$MEMO_HOME/prompt"; echo '${answer}'`);
  const env = { ...home.env, ...variables, MEMO_STRATEGY: "sidequery" };
  const { stdout } = await runMemo({ ...home, env }, ["recall", PROMPT, "--json"]);
  assert.equal(JSON.parse(stdout).memories[0].strategy, "sidequery");
  assert.match(Deno.readTextFileSync(`${home.memoHome}/prompt`), /given \[redacted:github\]\?$/);
});
