// The proof with the real Claude Code: what memo says is in the request that the model gets. Claude Code talks to a
// loopback server whose replies are scripted; nothing here says how well a model uses what it is given.

import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathsFor } from "../../src/paths.ts";
import { CLAUDE_VERSION, runClaude, withClaude } from "../support/claude.ts";
import { endDaemon, type Home, makeHome, PATIENCE, runMemo, succeed } from "../support/home.ts";
import { isMemos, serveMessagesApi, textOf } from "../support/messages_api.ts";
import {
  call,
  CLIENTS,
  DONE,
  homeWith,
  MODEL,
  note,
  OLD_MODEL,
  ownOf,
  prepare,
  requestWith,
} from "./session.ts";

const PROMPT = "how do I authenticate against the API?";
const JWT = "Every call carries a JWT from `POST /auth/token` in the Authorization header";
const SOURDOUGH = "Feed the sourdough starter with rye flour on Fridays";
const PLANTS = "The ficus in the office is watered on Mondays";

const RULE = "Print plain tables, because the terminal is eighty columns wide";

for (
  const { version, model, role } of [
    ...CLIENTS.map((row) => ({ ...row, role: row.model === MODEL ? "system" : "user" } as const)),
    { version: CLAUDE_VERSION, model: OLD_MODEL, role: "user" } as const,
  ]
) {
  Deno.test(`${version}, ${model}: the memory that fits is in a ${role} message, and other settings stay`, async () => {
    await using home = await homeWith(version);
    if (home === undefined) return;
    const mark = join(home.root, "other-hook");
    const other = { hooks: [{ type: "command", command: `touch ${mark}` }] };
    home.write(".claude/settings.json", JSON.stringify({ hooks: { UserPromptSubmit: [other] } }));
    home.write("reference_auth.md", note("API authentication uses JWT", "reference", JWT));
    home.write("project_sourdough.md", note("Sourdough routine", "project", SOURDOUGH));
    home.write("reference_plants.md", note("Office plants", "reference", PLANTS));
    assert.doesNotMatch((await runMemo(home, ["init"])).stderr, /Not added/);
    await prepare(home, ["index"]);
    await using api = await serveMessagesApi(() => DONE);
    const run = await runClaude(home, [PROMPT], { api: api.url, model, version });
    assert.deepEqual([run.answers, run.failed], [["The scripted answer."], false]);
    const text = textOf(requestWith(PROMPT, api), role);
    assert.match(text, /UserPromptSubmit hook additional context: <auto-loaded-memory/);
    assert.ok(text.includes(JWT));
    const everything = JSON.stringify(ownOf(api));
    for (const unrelated of [SOURDOUGH, PLANTS]) assert.ok(!everything.includes(unrelated));
    assert.ok(existsSync(mark), "the settings are in force");
  });
}

Deno.test("a memory that the model writes is found by the next prompt of the same session", async () => {
  await using home = makeHome({}, { hasModel: true });
  await prepare(home, ["init"], ["index"]);
  await endDaemon(home.memoHome); // the session's start brings it back
  const port = "The staging database listens on port 6543 behind the bastion";
  const write = call("Write", {
    file_path: join(home.claude, "memory", "reference_staging.md"),
    content: note("Staging database port", "reference", port),
  });
  await using api = await serveMessagesApi((request) =>
    JSON.stringify(request.messages).includes("tool_use") ? DONE : [write]
  );
  const question = "which port does the staging database listen on?";
  const prompts = ["please remember where the staging database is", question];
  const run = await runClaude(home, prompts, { api: api.url, model: MODEL });
  assert.deepEqual(run.asked, ["Write"]);
  const { messages } = requestWith(question, api);
  const asked = messages.findIndex((message) => JSON.stringify(message).includes(question));
  const text = textOf({ messages: messages.slice(asked) }, "system");
  assert.ok(text.includes("UserPromptSubmit hook additional context: <auto-loaded-memory"));
  assert.ok(text.includes(port));
});

Deno.test("what a language model picks while the prompt goes on is delivered after the first tool call, once", async () => {
  await using bare = makeHome({}, { hasModel: true });
  const home = await withClaude(bare);
  home.write("feedback_tables.md", note("Output for the terminal", "feedback", RULE));
  home.write("reference_plants.md", note("Office plants", "reference", PLANTS));

  // The side query is answered once the session's model is asked, which calls a tool.
  const order: string[] = [];
  const isAsked = Promise.withResolvers<void>();
  const picked = Promise.withResolvers<void>();
  await using api = await serveMessagesApi(async (request) => {
    if (isMemos(request)) {
      await isAsked.promise;
      order.push("side query answered");
      void hasAnswer(home).then(picked.resolve);
      return [call("answer", { selected_memories: ["feedback_tables.md"] })];
    }
    const calls = JSON.stringify(request.messages).split('"tool_use_id"').length - 1;
    order.push(`request after ${calls} tool calls`);
    isAsked.resolve();
    if (calls === 0) await picked.promise;
    return calls < 2 ? [call("Read", { file_path: join(home.project, "README.md") })] : DONE;
  });
  for (
    const args of [
      ["config", "set", `llm.base_url=${api.url}`, "strategy.feedback=sidequery"],
      ["config", "set", "enrich.enabled=false"], // its question comes at the start, of notes without triggers
      ["init"],
      ["index"],
    ]
  ) await succeed(home, args);
  writeFileSync(join(home.project, "README.md"), "Nothing here.\n");

  const prompts = ["show me how many orders each customer has", "and now per month, please"];
  await runClaude(home, prompts, { api: api.url, model: MODEL });
  assert.deepEqual(order.slice(0, 3), [
    "request after 0 tool calls", // the prompt did not wait
    "side query answered",
    "request after 1 tool calls",
  ]);
  const ofSession = ownOf(api);
  const counts = ofSession.map((request) => JSON.stringify(request).split(RULE).length - 1);
  assert.deepEqual(counts, [0, ...counts.slice(1).map(() => 1)]);
  assert.match(
    textOf(ofSession[1]!, "system"),
    /PostToolBatch hook additional context: <auto-loaded-memory/,
  );
});

/** Resolves when the daemon has entered the side query's cost, and so has its answer. */
async function hasAnswer(home: Home): Promise<void> {
  const { spending } = pathsFor(home.env);
  const isEntered = () =>
    existsSync(spending) && readFileSync(spending, "utf8").includes("sidequery");
  while (!isEntered()) await sleep(50);
  await sleep(200); // the answer is read in the same moment
}

Deno.test("what was picked for a prompt and comes with the next one says so", async () => {
  // No `claude` is found, and to a client of an unknown version no late delivery is installed.
  await using home = makeHome({ ...PATIENCE, PATH: "/usr/bin:/bin" }, { hasModel: true });
  home.write("feedback_tables.md", note("Output for the terminal", "feedback", RULE));
  home.write("reference_plants.md", note("Office plants", "reference", PLANTS));
  const next = "when is the ficus in the office watered?";
  const picked = Promise.withResolvers<void>();
  await using api = await serveMessagesApi(async (request) => {
    if (!isMemos(request)) {
      await picked.promise;
      return DONE;
    }
    const isFirst = !textOf(request, "user").includes(next);
    if (isFirst) await sleep(1000);
    void hasAnswer(home).then(picked.resolve);
    const selected_memories = isFirst ? ["feedback_tables.md"] : [];
    return [call("answer", { selected_memories })];
  });
  const settings = [`llm.base_url=${api.url}`, "strategy.feedback=sidequery"];
  await prepare(home, ["config", "set", ...settings], ["init"], ["index"]);
  const prompts = ["show me how many orders each customer has", next];
  await runClaude(home, prompts, { api: api.url, model: MODEL });
  assert.doesNotMatch(readFileSync(join(home.claude, "settings.json"), "utf8"), /PostToolBatch/);
  const text = textOf(requestWith(next, api), "system");
  assert.match(text, /for an earlier prompt[^]*Print plain tables/);
});

/** The tasks that a scripted model starts subagents with, and what they have in common with a memory. */
const TASKS = [
  { prompt: "Subtask one: find out how to authenticate against the API", fits: JWT },
  { prompt: "Subtask two: write the tables for the terminal", fits: "Print plain tables" },
] as const;

for (const { version, model } of CLIENTS) {
  Deno.test(`${version}: two subagents started at once each get what fits their task, from the user's memories too`, async () => {
    await using home = await homeWith(version);
    if (home === undefined) return;
    const tool = version === "2.0.77" ? "Task" : "Agent";
    const folder = join("project", ".claude", "memory");
    home.write(join(folder, "reference_auth.md"), note("API authentication", "reference", JWT));
    home.write("feedback_tables.md", note("Tables for the terminal", "feedback", RULE));
    await prepare(home, ["trust", "--yes"], ["init"], ["index"]);
    await using api = await serveMessagesApi((request) => {
      const everything = JSON.stringify(request.messages);
      if (
        isMemos(request) || !everything.includes("LAUNCH") || everything.includes("tool_use_id")
      ) {
        return DONE;
      }
      return TASKS.map(({ prompt }, at) =>
        call(tool, { prompt, description: `task ${at}`, subagent_type: "general-purpose" })
      );
    });
    await runClaude(home, ["LAUNCH both, please"], { api: api.url, model, version });
    for (const { prompt, fits } of TASKS) {
      const request = ownOf(api).find((request) =>
        !JSON.stringify(request.messages).includes("LAUNCH") &&
        textOf(request, "user").includes(prompt)
      );
      const text = JSON.stringify(request?.messages);
      assert.match(text, /SubagentStart hook additional context: <auto-loaded-memory/);
      assert.ok(text.includes(fits), `${prompt}: ${text}`);
      if (version === CLAUDE_VERSION) {
        for (const other of TASKS) assert.equal(text.includes(other.fits), other.fits === fits);
      }
    }
  });
}
