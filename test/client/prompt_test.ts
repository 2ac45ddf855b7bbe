// The proof with the real Claude Code: what memo says is in the request that the model gets. Claude Code talks to a
// loopback server whose replies are scripted; nothing here says how well a model uses what it is given.

import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathsFor } from "../../src/paths.ts";
import { canFetch, CLAUDE_VERSION, runClaude, withClaude } from "../support/claude.ts";
import {
  endDaemon,
  type Home,
  makeHome,
  MEMO,
  PATIENCE,
  runMemo,
  succeed,
  warmUp,
} from "../support/home.ts";
import {
  isMemos,
  type MessagesRequest,
  type ReplyBlock,
  serveMessagesApi,
  textOf,
} from "../support/messages_api.ts";

const PROMPT = "how do I authenticate against the API?";
const ANSWER: readonly ReplyBlock[] = [{ type: "text", text: "The scripted answer." }];

const JWT = "Every call carries a JWT from `POST /auth/token` in the Authorization header";
const SOURDOUGH = "Feed the sourdough starter with rye flour on Fridays";
const PLANTS = "The ficus in the office is watered on Mondays";

/** A memory file as a person writes one. */
function memory(name: string, type: string, body: string): string {
  return `---\nname: ${name}\ndescription: ${name}\ntype: ${type}\n---\n${body}.\n`;
}

/** Writes three memories, one of which answers `PROMPT`, installs memo and indexes them. */
async function equip(home: Home, executable: string): Promise<void> {
  home.write("reference_auth.md", memory("API authentication uses JWT", "reference", JWT));
  home.write("project_sourdough.md", memory("Sourdough routine", "project", SOURDOUGH));
  home.write("reference_plants.md", memory("Office plants", "reference", PLANTS));
  for (const args of [["init"], ["index"]]) {
    await succeed(home, args, { executable });
  }
}

/** The last request of Claude Code's that carries a prompt; memo's own carry it too, to be captured. */
function requestWith(prompt: string, requests: readonly MessagesRequest[]): MessagesRequest {
  const found = requests.findLast((request) =>
    !isMemos(request) && textOf(request, "user").includes(prompt)
  );
  assert.ok(found, `no request carries ${prompt}`);
  return found;
}

const MODELS = [
  { model: "claude-sonnet-5-5", role: "system", before: "" },
  { model: "claude-sonnet-4-5", role: "user", before: "<system-reminder>\n" },
] as const;

for (const { model, role, before } of MODELS) {
  Deno.test(`${model} gets the memory that fits the prompt, in a ${role} message`, async () => {
    await using home = makeHome({}, { hasModel: true });
    await equip(home, MEMO);
    await using api = await serveMessagesApi(() => ANSWER);
    const run = await runClaude(home, [PROMPT], { api: api.url, model });
    assert.deepEqual([run.answers, run.failed], [["The scripted answer."], false]);
    const text = textOf(requestWith(PROMPT, api.requests), role);
    assert.ok(
      text.includes(`${before}UserPromptSubmit hook additional context: <auto-loaded-memory`),
    );
    assert.ok(text.includes(JWT));
    const everything = JSON.stringify(api.requests.filter((request) => !isMemos(request)));
    for (const unrelated of [SOURDOUGH, PLANTS]) assert.ok(!everything.includes(unrelated));
  });
}

Deno.test("a memory that the model writes is found by the next prompt of the same session", async () => {
  await using home = makeHome({}, { hasModel: true });
  await equip(home, MEMO);
  await endDaemon(home.memoHome); // the session's start brings it back
  const port = "The staging database listens on port 6543 behind the bastion";
  const write: readonly ReplyBlock[] = [{
    type: "tool_use",
    name: "Write",
    input: {
      file_path: join(home.claude, "memory", "reference_staging.md"),
      content: memory("Staging database port", "reference", port),
    },
  }];
  await using api = await serveMessagesApi((request) =>
    JSON.stringify(request.messages).includes("tool_use") ? ANSWER : write
  );
  const question = "which port does the staging database listen on?";
  const prompts = ["please remember where the staging database is", question];
  const run = await runClaude(home, prompts, { api: api.url, model: "claude-sonnet-5-5" });
  assert.deepEqual(run.asked, ["Write"]);
  const { messages } = requestWith(question, api.requests);
  const asked = messages.findIndex((message) => JSON.stringify(message).includes(question));
  const text = textOf({ messages: messages.slice(asked) }, "system");
  assert.ok(text.includes("UserPromptSubmit hook additional context: <auto-loaded-memory"));
  assert.ok(text.includes(port));
});

Deno.test("what a language model picks while the prompt goes on is delivered after the first tool call, once", async () => {
  await using bare = makeHome({}, { hasModel: true });
  const home = await withClaude(bare);
  const rule = "Print plain tables, because the terminal is eighty columns wide";
  home.write("feedback_tables.md", memory("Output for the terminal", "feedback", rule));
  home.write("reference_plants.md", memory("Office plants", "reference", PLANTS));

  // The side query is answered two seconds late; the session's model answers first, and calls a tool.
  const order: string[] = [];
  const picked = Promise.withResolvers<void>();
  await using api = await serveMessagesApi(async (request) => {
    if (isMemos(request)) {
      await sleep(2000);
      order.push("side query answered");
      void hasAnswer(home).then(picked.resolve);
      const input = { selected_memories: ["feedback_tables.md"] };
      return [{ type: "tool_use", name: "answer", input }];
    }
    const calls = JSON.stringify(request.messages).split('"tool_use_id"').length - 1;
    order.push(`request after ${calls} tool calls`);
    if (calls === 0) await picked.promise;
    const input = { file_path: join(home.project, "README.md") };
    return calls < 2 ? [{ type: "tool_use", name: "Read", input }] : ANSWER;
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
  await runClaude(home, prompts, { api: api.url, model: "claude-sonnet-5-5" });
  assert.deepEqual(order.slice(0, 3), [
    "request after 0 tool calls", // the prompt did not wait
    "side query answered",
    "request after 1 tool calls",
  ]);
  const mentions = (request: MessagesRequest) => JSON.stringify(request).split(rule).length - 1;
  const ofSession = api.requests.filter((request) => !isMemos(request));
  const counts = ofSession.map(mentions);
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
  const rule = "Print plain tables, because the terminal is eighty columns wide";
  home.write("feedback_tables.md", memory("Output for the terminal", "feedback", rule));
  home.write("reference_plants.md", memory("Office plants", "reference", PLANTS));
  const next = "when is the ficus in the office watered?";
  const picked = Promise.withResolvers<void>();
  await using api = await serveMessagesApi(async (request) => {
    if (!isMemos(request)) {
      await picked.promise;
      return ANSWER;
    }
    const isFirst = !textOf(request, "user").includes(next);
    if (isFirst) await sleep(1000);
    void hasAnswer(home).then(picked.resolve);
    const selected_memories = isFirst ? ["feedback_tables.md"] : [];
    return [{ type: "tool_use", name: "answer", input: { selected_memories } }];
  });
  const settings = [`llm.base_url=${api.url}`, "strategy.feedback=sidequery"];
  for (const args of [["config", "set", ...settings], ["init"], ["index"]]) {
    await succeed(home, args);
  }
  await warmUp(home);
  const prompts = ["show me how many orders each customer has", next];
  await runClaude(home, prompts, { api: api.url, model: "claude-sonnet-5-5" });
  assert.doesNotMatch(readFileSync(join(home.claude, "settings.json"), "utf8"), /PostToolBatch/);
  const text = textOf(requestWith(next, api.requests), "system");
  assert.match(text, /picked for an earlier prompt[^]*Print plain tables/);
});

Deno.test("after an uninstall the request holds nothing of memo's", async () => {
  await using home = makeHome({}, { hasModel: true });
  await equip(home, MEMO);
  await succeed(home, ["uninstall"]);
  await using api = await serveMessagesApi(() => ANSWER);
  await runClaude(home, [PROMPT], { api: api.url, model: "claude-sonnet-5-5" });
  assert.ok(!JSON.stringify(requestWith(PROMPT, api.requests)).includes("auto-loaded-memory"));
});

/** The tasks that a scripted model starts subagents with, and what they have in common with a memory. */
const TASKS = [
  { prompt: "Subtask one: find out how to authenticate against the API", fits: JWT },
  { prompt: "Subtask two: write the tables for the terminal", fits: "Print plain tables" },
] as const;

for (
  const { version, model, tool } of [
    { version: CLAUDE_VERSION, model: "claude-sonnet-5-5", tool: "Agent" },
    { version: "2.1.100", model: "claude-sonnet-4-5", tool: "Agent" },
    { version: "2.0.77", model: "claude-sonnet-4-5", tool: "Task" },
  ]
) {
  Deno.test(`${version}: two subagents started at once each get what fits their task, from the user's memories too`, async () => {
    if (!await canFetch(version)) return;
    await using bare = makeHome(PATIENCE, { hasModel: true });
    const home = await withClaude(bare, version);
    const folder = join("project", ".claude", "memory");
    home.write(join(folder, "reference_auth.md"), memory("API authentication", "reference", JWT));
    const rule = "Print plain tables, because the terminal is eighty columns wide";
    home.write("feedback_tables.md", memory("Tables for the terminal", "feedback", rule));
    for (const args of [["trust", "--yes"], ["init"], ["index"]]) {
      await succeed(home, args);
    }
    await warmUp(home);
    await using api = await serveMessagesApi((request) => {
      const everything = JSON.stringify(request.messages);
      if (
        isMemos(request) || !everything.includes("LAUNCH") || everything.includes("tool_use_id")
      ) {
        return ANSWER;
      }
      return TASKS.map(({ prompt }, at) => ({
        type: "tool_use",
        name: tool,
        input: { prompt, description: `task ${at}`, subagent_type: "general-purpose" },
      }));
    });
    await runClaude(home, ["LAUNCH both, please"], { api: api.url, model, version });
    for (const { prompt, fits } of TASKS) {
      const request = api.requests.find((request) =>
        !isMemos(request) && !JSON.stringify(request.messages).includes("LAUNCH") &&
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

/** Clients of last year, and a model that they know. */
const OLD_CLIENTS = [
  { version: "2.0.77", model: "claude-sonnet-4-5" },
  { version: "2.1.100", model: "claude-sonnet-4-5" },
] as const;

for (const { version, model } of OLD_CLIENTS) {
  Deno.test(`Claude Code ${version} gets the memory that fits, and keeps the user's other settings`, async () => {
    if (!await canFetch(version)) return;
    await using bare = makeHome(PATIENCE, { hasModel: true });
    const home = await withClaude(bare, version);
    const mark = join(home.root, "other-hook");
    const other = { hooks: [{ type: "command", command: `touch ${mark}` }] };
    home.write(".claude/settings.json", JSON.stringify({ hooks: { UserPromptSubmit: [other] } }));
    home.write("reference_auth.md", memory("API authentication uses JWT", "reference", JWT));
    const installed = await runMemo(home, ["init"]);
    assert.equal(installed.code, 0);
    assert.doesNotMatch(installed.stderr, /Left out/);
    await runMemo(home, ["index"]);
    await warmUp(home);
    await using api = await serveMessagesApi(() => ANSWER);
    const run = await runClaude(home, [PROMPT], { api: api.url, model, version });
    assert.deepEqual([run.answers, run.failed], [["The scripted answer."], false]);
    assert.ok(textOf(requestWith(PROMPT, api.requests), "user").includes(JWT));
    assert.ok(existsSync(mark), "the settings are in force");
  });
}
