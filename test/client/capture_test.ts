// Capture with the real Claude Code: a conversation becomes a memory, once, and the session does not feel it. Claude Code
// and memo talk to the same loopback server; what it says about a conversation is scripted.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readJobs } from "../../src/core/capture/queue.ts";
import { hasKept } from "../../src/core/capture/work.ts";
import { runClaude } from "../support/claude.ts";
import { findTranscript } from "../../src/core/transcript/find.ts";
import { type Home, makeHome, runMemo, succeed } from "../support/home.ts";
import {
  isMemos,
  type MessagesApi,
  type MessagesRequest,
  type ReplyBlock,
  serveMessagesApi,
  textOf,
} from "../support/messages_api.ts";
import { until } from "../support/until.ts";
import { call, CLIENTS, DONE, homeWith, MODEL, ownOf } from "./session.ts";

const CORRECTION =
  "no, never mock the database in integration tests, the real one broke last month";
const RULE = "Integration tests run against the real database, never a mock";

/** What the loopback server makes of the conversation that memo shows it. */
function extract(request: MessagesRequest): readonly ReplyBlock[] {
  const text = textOf(request, "user");
  const turn = Number(/<turn number="(\d+)"[^>]*>\n(?:(?!<turn)[^])*?never mock/.exec(text)?.[1]);
  const turns = [...text.matchAll(/<turn number="(\d+)"/g)].map(([, number]) => Number(number));
  const memory = {
    turn,
    name: RULE,
    type: "feedback",
    description: "When tests that touch the database are written",
    body: `${RULE}.\n\n**Why:** A mock hid a broken migration last month.\n\n` +
      "**How to apply:** Start the test database before the suite.",
    // As many as it takes that nobody is asked for more.
    triggers: [
      ...["write an integration test for the orders table", "cover the orders table"],
      ...["the orders suite passes without a database", "set up test data for orders"],
      "prueba la tabla de pedidos",
    ],
    origin: "user",
  };
  const input = {
    journal: [...new Set(turns)].map((turn) => ({ turn, bullets: ["The user spoke of tests"] })),
    memories: Number.isNaN(turn) ? [] : [memory],
  };
  return [call("answer", input)];
}

function serve(
  script: (request: MessagesRequest) => readonly ReplyBlock[] = () => DONE,
): Promise<MessagesApi> {
  return serveMessagesApi((request) => isMemos(request) ? extract(request) : script(request));
}

async function install(home: Home, ...args: string[]): Promise<void> {
  await succeed(home, ["init", ...args]);
}

/** Waits until nothing waits to be captured. */
async function captured(home: Home): Promise<void> {
  const capture = join(home.memoHome, "capture");
  const waiting = () => readJobs(capture).length + Number(hasKept(capture));
  await until("no conversation waits", () => waiting() === 0);
}

/** The project's memories that conversations have written. */
function memories(home: Home): string[] {
  try {
    return readdirSync(home.privately)
      .filter((name) => /^[^.].*\.md$/.test(name) && name !== "MEMORY.md");
  } catch {
    return [];
  }
}

function journal(home: Home): string {
  const folder = join(home.privately, "journal");
  return readdirSync(folder).filter((name) => name.endsWith(".md"))
    .map((name) => readFileSync(join(folder, name), "utf8")).join("");
}

Deno.test("a correction becomes one feedback memory, which the next session gets, and is captured once", async () => {
  await using home = makeHome({}, { hasModel: true });
  await install(home);
  await using api = await serve();
  const options = { api: api.url, model: MODEL };
  const prompts = ["please write a test for the orders table", CORRECTION];
  const { session, failed } = await runClaude(home, prompts, options);
  assert.equal(failed, false);
  await captured(home);
  assert.equal(ownOf(api).length, prompts.length, "the hooks cost no request");

  const [name, ...others] = memories(home);
  assert.match(name ?? "", /^feedback_/);
  assert.deepEqual(others, []);
  const text = readFileSync(join(home.privately, name!), "utf8");
  for (const part of [RULE, "**Why:**", "**How to apply:**", session]) {
    assert.ok(text.includes(part), part);
  }
  assert.equal(journal(home).match(/^<!-- session:/gm)?.length, prompts.length);

  const next = "write an integration test for the orders table, please";
  await runClaude(home, [next], options);
  const request = ownOf(api).findLast((request) => textOf(request, "user").includes(next));
  assert.ok(textOf(request!, "system").includes(RULE));
  await captured(home);
  assert.deepEqual(memories(home), [name]);

  const [entries, asked] = [journal(home), () => api.requests.filter(isMemos).length];
  const before = asked();
  for (const again of [["--resume", session], ["--resume", session, "--fork-session"]]) {
    await runClaude(home, ["/cost"], { ...options, args: again });
    await captured(home);
  }
  assert.equal(asked(), before, "nobody is asked about what has been captured");
  const env = { ...home.env, ANTHROPIC_API_KEY: "sk-ant-loopback", ANTHROPIC_BASE_URL: api.url };
  const extracted = await runMemo({ ...home, env }, ["import", "conversations", session]);
  assert.equal(extracted.code, 0, extracted.stderr);
  assert.deepEqual(memories(home), [name]);
  assert.equal(journal(home), entries);
});

Deno.test("what a subagent reports is read with the conversation, and Claude Code's notice of it is not", async () => {
  await using home = makeHome({}, { hasModel: true });
  await install(home);
  await using api = await serve((request) => {
    const everything = JSON.stringify(request.messages);
    if (!everything.includes("LAUNCH")) {
      return [{ type: "text", text: "The staging queue is called heron-7." }];
    }
    const input = { prompt: "Find the queue's name", description: "Find the queue's name" };
    return everything.includes("tool_use_id") ? DONE : [call("Agent", input)];
  });
  await runClaude(home, ["LAUNCH somebody to find the queue"], { api: api.url, model: MODEL });
  await captured(home);
  const read = api.requests.filter(isMemos).map((request) => textOf(request, "user")).join("\n");
  assert.match(read, /Agent[^\n]*heron-7/);
  assert.doesNotMatch(read, /Async agent launched|agentId/);
});

for (const { version, model } of CLIENTS) {
  Deno.test(`${version}: a compaction's instructions and its lines on screen are Claude Code's own, and the journal has its summary`, async () => {
    await using home = await homeWith(version, {});
    if (home === undefined) return;
    const summary = "<summary>\n1. Primary Request: FAKE-SUMMARY of the tests\n</summary>";
    await using api = await serve(() => [{ type: "text", text: summary }]);
    const options = { api: api.url, model, version };
    const compacted = async () => {
      const from = api.requests.length;
      const prompts = ["please write a test for the orders table", "/compact"];
      const { session } = await runClaude(home, prompts, options);
      const instructions = api.requests.slice(from).filter((request) => !isMemos(request))
        .map(({ messages }) => textOf({ messages: messages.slice(-1) }, "user"))
        .find((text) => /summary/i.test(text));
      assert.ok(instructions);
      const place = { claude: home.claude, home: home.root };
      const transcript = readFileSync(await findTranscript(session, place), "utf8");
      const screen = /<local-command-stdout>(Compacted[^<]*)</.exec(transcript)?.[1];
      return { instructions, screen };
    };
    const without = await compacted();
    const env = { ...home.env, ANTHROPIC_API_KEY: "sk-ant-loopback", ANTHROPIC_BASE_URL: api.url };
    await install({ ...home, env });
    assert.deepEqual(await compacted(), without);
    await captured(home);
    assert.match(journal(home), /turn:.*\n- In summary: .*FAKE-SUMMARY/);
    const [, id, turn] = /session:(\S+) turn:(\S+) .*\n- In summary/.exec(journal(home))!;
    const { code, stdout } = await runMemo(home, ["show", "--source", id!, "--turn", turn!]);
    assert.equal(code, 0);
    assert.match(stdout, /FAKE-SUMMARY of the tests/);
  });
}

Deno.test("turns that wait for more are captured at a compaction, while the session goes on", async () => {
  await using home = makeHome({}, { hasModel: true });
  await install(home);
  const next = "now the release notes, please";
  let meanwhile: string[] = [];
  await using api = await serveMessagesApi(async (request) => {
    if (isMemos(request)) return extract(request);
    if (textOf(request, "user").includes(next)) {
      await until("a memory", () => memories(home).length > 0);
      meanwhile = memories(home);
    }
    return DONE;
  });
  await runClaude(home, [CORRECTION, "/compact", next], { api: api.url, model: MODEL });
  assert.match(meanwhile[0] ?? "", /^feedback_/);
  await captured(home);
  assert.deepEqual(memories(home), meanwhile);
});
