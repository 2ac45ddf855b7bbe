// A person pauses memo in a session: over the executable, its daemon, its hooks and the MCP server.

import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readJobs } from "../../src/core/capture/queue.ts";
import { answerOffline } from "../../src/core/events/offline.ts";
import { pathsFor } from "../../src/paths.ts";
import { readReceipts } from "../../src/core/recall/receipts.ts";
import { pausedPrompts } from "../../src/core/transcript/pause.ts";
import {
  endDaemon,
  type Home,
  makeHome,
  PATIENCE,
  runMemo,
  succeed,
  warmUp,
} from "../support/home.ts";
import { readFixture } from "../support/fixtures.ts";
import { callTool } from "../mcp/support.ts";
import { serveMessagesApi } from "../support/messages_api.ts";
import { sendHook } from "../support/send_hook.ts";
import { until } from "../support/until.ts";

const ASKED = "which port does the kiln service listen on";

/** One session: its hooks, and its transcript as Claude Code would write it. */
function converse(home: Home, session: string) {
  const transcript = join(home.claude, "projects", "p", `${session}.jsonl`);
  mkdirSync(dirname(transcript), { recursive: true });
  const common = { session_id: session, transcript_path: transcript };
  const say = (fixture: string, fields: object = {}) =>
    sendHook(home, fixture, { ...common, ...fields });
  let turns = 0;
  const line = (fields: object) =>
    appendFileSync(
      transcript,
      JSON.stringify({ cwd: home.project, sessionId: session, ...fields }) + "\n",
    );
  return {
    transcript,
    say,
    /** A prompt with its answer; returns what memo gave to it. */
    async turn(prompt: string): Promise<string> {
      const id = `${session}-${++turns}`;
      const given = await say("UserPromptSubmit", { prompt, prompt_id: id });
      const at = new Date().toISOString();
      line({
        ...{ type: "user", uuid: `u-${id}`, promptId: id, timestamp: at, turnOrigin: "human" },
        message: { role: "user", content: prompt },
      });
      line({
        ...{ type: "assistant", uuid: `a-${id}`, timestamp: at },
        message: { id: `m-${id}`, content: [{ type: "text", text: `About: ${prompt}` }] },
      });
      await say("Stop", { prompt_id: id });
      return given.block;
    },
    async status(): Promise<string> {
      return (await runMemo(home, ["statusline"], { stdin: JSON.stringify(common) })).stdout.trim();
    },
  };
}

async function prepared(env: Record<string, string> = {}): Promise<Home> {
  const home = makeHome({ ...PATIENCE, ...env });
  home.write(
    "tool_kiln.md",
    "---\nname: Kiln\ntype: tool\n---\nThe kiln service listens on port 7070.\n",
  );
  home.write(".claude/settings.json", "{}");
  await succeed(home, ["index"]);
  await warmUp(home);
  return home;
}

const whys = (home: Home, session: string) =>
  readReceipts(pathsFor(home.env).receipts, 50).reverse()
    .filter((receipt) => receipt.session === session).map(({ why }) => why);

Deno.test("between /memo:pause and the next one nothing is recalled, and its turns are never captured", async () => {
  await using api = await serveMessagesApi(() => [
    { type: "tool_use", name: "answer", input: { journal: [], memories: [] } },
  ]);
  await using home = await prepared({
    ...{ MEMO_LLM_PROVIDER: "anthropic", ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: api.url },
    MEMO_SEND: "capture",
  });
  const talk = converse(home, "s1");
  await talk.say("SessionStart.startup");
  await talk.turn("the first thing is that the north gate stays open");
  assert.match(await talk.turn("/memo:pause"), /paused in this session/);
  assert.match(await talk.status(), /^memo paused/);
  assert.equal(await talk.turn(`${ASKED}, by the red door`), "");
  await endDaemon(home.memoHome);
  assert.equal(await talk.turn(`${ASKED}, by the blue door`), "", "without a daemon too");
  await until("receipts", () => whys(home, "s1").filter((why) => why === "paused").length === 2);
  const inside = { ...home, env: { ...home.env, CLAUDE_CODE_SESSION_ID: "s1" } };
  await warmUp(home);
  assert.match(await callTool(inside, "memory_search", { query: ASKED }) ?? "", /memo is paused/);
  assert.match(await converse(home, "s2").turn(ASKED), /7070/, "another session is as before");

  assert.match(await talk.turn("memo pause."), /no longer paused/);
  assert.doesNotMatch(await talk.status(), /paused/);
  assert.match(await talk.turn(`${ASKED}, by the green door`), /7070/);
  // A fork has the same turns under the same ids.
  const fork = join(dirname(talk.transcript), "fork.jsonl");
  writeFileSync(fork, readFileSync(talk.transcript, "utf8").replaceAll('"s1"', '"fork"'));
  await talk.say("SessionEnd.other");
  const { capture } = pathsFor(home.env);
  const isQueued = () => readJobs(capture).some(({ transcript }) => transcript === talk.transcript);
  await until("captured", () => !isQueued());
  for (const path of [talk.transcript, fork]) {
    await succeed(home, ["import", "conversations", path, "--again"]);
  }
  const sent = JSON.stringify(api.requests);
  assert.match(sent, /north gate[^]*green door/);
  assert.doesNotMatch(sent, /red door|blue door/);
});

Deno.test("Claude Code's own switch pauses the session in which it is used, and a guard goes on", async () => {
  await using home = await prepared();
  const auto = (isOn: boolean) =>
    home.write(".claude/settings.json", JSON.stringify({ autoMemoryEnabled: isOn }));
  const rule = ["add", "Never force-push", "--type", "feedback"];
  await succeed(home, rule);
  await succeed(home, ["guard", "never force-push", "--yes"]);
  const talk = converse(home, "s3");
  await talk.say("SessionStart.startup");
  await talk.turn("what is the weather like in the mountains today?");
  auto(false);
  assert.equal(await talk.turn(ASKED), "");
  assert.match(await talk.status(), /^memo paused/);
  const push = { tool_input: { command: "git push -f" } };
  const stopped = await until("the guard", async () => {
    const { stdout } = await talk.say("PreToolUse.Bash", push);
    return JSON.parse(stdout || "{}").hookSpecificOutput;
  });
  assert.equal(stopped.permissionDecision, "ask");
  const next = converse(home, "s4");
  await next.say("SessionStart.startup");
  assert.match(await next.turn(ASKED), /7070/);
  auto(true);
  assert.match(await talk.turn(ASKED), /7070/);
});

Deno.test("a pause holds for clients that name no prompt: its turns are known by their time", async () => {
  await using home = makeHome(PATIENCE);
  const session = "4114117e-3749-40a7-88ce-b5892a02973f";
  const { capture } = pathsFor(home.env);
  const say = (prompt: string) =>
    runMemo(home, ["hook", "--agent", "qwen"], {
      stdin: JSON.stringify({
        ...{ hook_event_name: "UserPromptSubmit", session_id: session, cwd: home.project },
        ...{ prompt, prompt_id: `${session}########0` },
      }),
    });
  await say("memo pause");
  await say("the red door is locked with 4711");
  const during = pausedPrompts(capture, pathsFor(home.env)), now = Date.now();
  const place = { promptId: undefined, session };
  const at = (ms: number) => new Date(ms).toISOString();
  assert.ok(during.has({ ...place, at: at(now) }));
  assert.ok(!during.has({ ...place, at: at(now - 60_000) }), "what was said before stays");
  assert.ok(!during.has({ ...place, at: at(now + 60_000) }), "what is said after it too");
  assert.ok(!during.has({ ...place, session: "another", at: at(now) }));
  assert.ok(!during.has({ promptId: "p", session, at: at(now) }), "one with an id is known by it");
});

Deno.test("memo undo as a prompt reverts what the line below an answer names, and that turn is not captured", async () => {
  await using home = await prepared();
  const names = ["Use pnpm, never npm", "Deploy with kamal", "Sign all commits"];
  for (const name of names) await succeed(home, ["add", name, "--scope", "user"]);
  const talk = converse(home, "s5");
  await talk.say("SessionStart.startup");
  const left = async () =>
    JSON.parse((await runMemo(home, ["list", "--json"])).stdout)
      .map(({ name }: { name: string }) => name).filter((name: string) => names.includes(name));
  const rows: readonly (readonly [string, RegExp, readonly string[]])[] = [
    ["memo undo “Deploy with kamal”", /undid: added “Deploy with kamal”\. Say so/, [
      "Sign all commits",
      "Use pnpm, never npm",
    ]],
    ["Memo undo.", /undid: added “Sign all commits”/, ["Use pnpm, never npm"]],
    ["memo undo the thing that we talked about", /^$/, ["Use pnpm, never npm"]],
    ["please explain what memo undo does", /^$/, ["Use pnpm, never npm"]],
    ["memo undo", /undid: added “Use pnpm, never npm”/, []],
    ["memo undo", /has nothing to undo here/, []],
  ];
  for (const [prompt, given, standing] of rows) {
    assert.match(await talk.turn(prompt), given, prompt);
    assert.deepEqual((await left()).sort(), standing, prompt);
  }
  const untold = pausedPrompts(pathsFor(home.env).capture, pathsFor(home.env));
  const isKept = rows.map((_, turn) =>
    untold.has({ promptId: `s5-${turn + 1}`, session: "s5", at: "" })
  );
  assert.deepEqual(isKept, [true, true, false, false, true, true]);
});

Deno.test("a hook without a daemon leaves memo undo undone, and says where to look", async () => {
  await using home = makeHome();
  await succeed(home, ["add", "Use pnpm, never npm", "--scope", "user"]);
  const input = { ...readFixture("UserPromptSubmit"), cwd: home.project, prompt: "memo undo" };
  const paths = pathsFor(home.env);
  const said = await answerOffline(input, { paths, outcome: "busy" }, home.env);
  assert.match(JSON.stringify(said), /did not answer in time: `memo log`/);
  assert.equal(JSON.parse((await runMemo(home, ["list", "--json"])).stdout).length, 1);
});
