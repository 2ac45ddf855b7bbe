// With the real Claude Code: memo as a plugin, from its folder of skills and from a marketplace.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { SKIPS_UNKNOWN } from "../../src/features/install/entries.ts";
import { canFetch, CLAUDE_VERSION, claudeExecutable, QUIET, runClaude } from "../support/claude.ts";
import { type Home, makeHome, MEMO, PATIENCE, runMemo, succeed } from "../support/home.ts";
import { assertServed } from "../support/mcp_session.ts";
import { isMemos, type ReplyBlock, serveMessagesApi } from "../support/messages_api.ts";
import { call, count, DONE, homeWith, MODEL, OLD_MODEL, ownOf, prepare } from "./session.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const TOOLS = "mcp__plugin_memo_memo";

/** Runs a command of `claude` itself. */
async function claude(home: Home, args: string[], version = CLAUDE_VERSION): Promise<string> {
  const nowhere = "http://127.0.0.1:9"; // it would wait for the real one
  const env = { ...home.env, ...QUIET, ANTHROPIC_BASE_URL: nowhere };
  const { stdout } = await promisify(execFile)(await claudeExecutable(version), args, {
    cwd: home.project,
    env,
  });
  return stdout;
}

/** The home with memo on its path, and its plugin from a marketplace: the repository as far as one needs it. */
async function withMarketplace(bare: Home, version = CLAUDE_VERSION): Promise<Home> {
  const market = join(bare.root, "market");
  for (const part of ["plugin", ".claude-plugin"]) {
    cpSync(join(ROOT, part), join(market, part), { recursive: true });
  }
  const bin = join(bare.root, "programs");
  mkdirSync(bin);
  symlinkSync(MEMO, join(bin, "memo"));
  const home = { ...bare, env: { ...bare.env, PATH: `${bin}:${bare.env["PATH"]}` } };
  await claude(home, ["plugin", "marketplace", "add", market], version);
  await claude(home, ["plugin", "install", "memo@memo"], version);
  return home;
}

Deno.test("plugin and marketplace are valid, strictly", async () => {
  await using home = makeHome({}, { hasModel: true });
  for (const part of ["plugin", "."]) {
    const said = await claude(home, ["plugin", "validate", join(ROOT, part), "--strict"]);
    assert.match(said, /Validation passed/);
  }
});

Deno.test("as a folder of skills the plugin saves, answers and forgets without a dialogue, and goes without a trace", async () => {
  await using home = makeHome(PATIENCE, { hasModel: true });
  await succeed(home, ["init"]);
  const installed = await runMemo(home, ["init", "--plugin"]);
  assert.equal(installed.code, 0, installed.stderr);
  assert.ok(!existsSync(join(home.claude, "settings.json")), "the hooks are the plugin's now");
  assert.ok(!existsSync(join(home.claude, ".claude.json")));
  assert.match((await runMemo(home, ["init", "--plugin"])).stdout, /already installed/);

  await assertServed(home, TOOLS);
  await succeed(home, ["uninstall"]);
  assert.ok(!existsSync(join(home.claude, "skills")));
});

Deno.test("/memo:pause stops recall in the session, and a second one brings it back", async () => {
  await using home = makeHome(PATIENCE, { hasModel: true });
  home.write(
    "reference_auth.md",
    "---\nname: API authentication uses JWT\ntype: reference\n---\nEvery call carries a JWT.\n",
  );
  await prepare(home, ["init", "--plugin"]);
  await using api = await serveMessagesApi(() => DONE);
  const ask = "how do I authenticate against the API?";
  const prompts = ["/memo:pause", ask, "/memo:pause", `${ask} be brief`];
  await runClaude(home, prompts, { api: api.url, model: MODEL });
  const texts = ownOf(api).map(({ messages }) => JSON.stringify(messages)).filter((text) =>
    text.includes("memo:pause")
  );
  const given = texts.map((text) => text.includes("Every call carries a JWT"));
  assert.deepEqual(given, [false, false, false, true]);
  assert.match(texts[0]!, /is paused in this session/);
});

Deno.test("from a marketplace the plugin recalls, saves, answers and forgets without a dialogue", async () => {
  await using bare = makeHome(PATIENCE, { hasModel: true });
  const home = await withMarketplace(bare);
  await assertServed(home, TOOLS);
  assert.equal(await blocksIn(home), 1);
});

for (const version of ["2.0.77", "2.1.100"]) {
  Deno.test(`Claude Code ${version}: the plugin from a marketplace recalls`, async () => {
    if (!await canFetch(version)) return;
    await using bare = makeHome(PATIENCE, { hasModel: true });
    const home = await withMarketplace(bare, version);
    assert.equal(await blocksIn(home, { version, model: OLD_MODEL }), 1);
    const receipts = readFileSync(join(home.memoHome, "receipts.jsonl"), "utf8");
    assert.match(receipts, /"event":"UserPromptSubmit"[^\n]*"outcome":"hit"/);
  });
}

for (const command of [["init"], ["init", "--plugin"]]) {
  Deno.test(`Claude Code ${SKIPS_UNKNOWN} recalls with the events of later versions in memo ${command.join(" ")}`, async () => {
    await using home = await homeWith(SKIPS_UNKNOWN);
    if (home === undefined) return;
    await succeed(home, command);
    assert.equal(await blocksIn(home, { version: SKIPS_UNKNOWN }), 1);
  });
}

Deno.test("what a conversation has saved with /memo:remember is no news to it: not with the next prompt, not when it is resumed", async () => {
  await using home = makeHome(PATIENCE, { hasModel: true });
  home.write("user_me.md", "---\nname: Me\ntype: user\n---\nWrites Go.\n");
  await prepare(home, ["init", "--plugin"], ["index"]);
  const text = "Deploy with kamal, because the servers are our own";
  await using api = await serveMessagesApi((request) => {
    const everything = JSON.stringify(request.messages);
    const isAsked = everything.includes("The user asks you to remember");
    return isMemos(request) || !isAsked || everything.includes("tool_use_id")
      ? DONE
      : [call(`${TOOLS}__memory_save`, { text, type: "decision" })];
  });
  const options = { api: api.url, model: MODEL };
  const prompts = ["good morning to you all", `/memo:remember ${text}`, "hello there my friend"];
  const { session } = await runClaude(home, prompts, options);
  for (const again of ["how are you today", "and how do we deploy with kamal"]) {
    await runClaude(home, [again], { ...options, args: ["--resume", session] });
  }
  const last = ownOf(api).at(-1)!;
  const blocks = JSON.stringify(last.messages).match(
    /<auto-loaded-memory>.*?<\/auto-loaded-memory>/g,
  );
  assert.match(blocks?.join("\n") ?? "", /Writes Go/, "the session's start has a block");
  assert.doesNotMatch(blocks!.join("\n"), /kamal/);
  await runClaude(home, ["how do we deploy"], options);
  const other = ownOf(api).at(-1)!;
  assert.match(JSON.stringify(other.messages), /<auto-loaded-memory>.*kamal/);
});

Deno.test("the skill memory-recall searches and expands in a subagent, without a dialogue", async () => {
  await using home = makeHome(PATIENCE, { hasModel: true });
  home.keep(
    "decision_kamal.md",
    "---\nname: Deploy with kamal\ntype: decision\n---\nOur servers.\n",
  );
  await succeed(home, ["init", "--plugin"]);
  const steps: readonly ReplyBlock[] = [
    call(`${TOOLS}__memory_search`, { query: "how do we deploy?" }),
    call(`${TOOLS}__memory_expand`, { name: "Deploy with kamal" }),
    { type: "text", text: "In summary: kamal." },
  ];
  const given: string[] = [];
  await using api = await serveMessagesApi((request) => {
    const text = JSON.stringify(request.messages);
    const done = text.split('"tool_use_id"').length - 1;
    if (text.includes("Find out what the user's memories say about: deploying")) {
      given.push(JSON.stringify(request.messages.at(-1)));
      return [steps[Math.min(done, 2)]!];
    }
    if (isMemos(request) || done > 0) return DONE;
    return [call("Skill", { skill: "memo:memory-recall", args: "deploying" })];
  });
  const prompt = "what did we decide about deploying?";
  const run = await runClaude(home, [prompt], { api: api.url, model: MODEL });
  assert.deepEqual([run.asked, run.answers], [[], ["The scripted answer."]]);
  assert.match(given.at(-1)!.replaceAll("\\", ""), /Deploy with kamal .*Our servers\./);
  const last = ownOf(api).at(-1)!;
  assert.match(JSON.stringify(last.messages), /In summary: kamal/);
});

Deno.test("hooks in the settings and in the plugin together put one block before the model", async () => {
  await using bare = makeHome(PATIENCE, { hasModel: true });
  const home = await withMarketplace(bare);
  const { stderr } = await runMemo(home, ["init"]);
  assert.match(stderr, /warning: memo's marketplace plugin is installed too/);
  assert.ok(!JSON.parse(readFileSync(join(home.claude, ".claude.json"), "utf8")).mcpServers?.memo);
  assert.equal(await blocksIn(home), 1);
  const receipts = readFileSync(join(home.memoHome, "receipts.jsonl"), "utf8").trim().split("\n")
    .map((line) => JSON.parse(line)).filter(({ event }) => event === "UserPromptSubmit");
  assert.equal(receipts.length, 1);
});

/** How often a prompt's block stands in the request that the model gets. */
async function blocksIn(
  home: Home,
  { model = MODEL, version = CLAUDE_VERSION } = {},
): Promise<number> {
  home.keep("reference_staging.md", "The staging database listens on port 6543\n");
  await prepare(home, ["index"]);
  await using api = await serveMessagesApi(() => DONE);
  const prompt = "which port does the staging database listen on?";
  await runClaude(home, [prompt], { api: api.url, model, version });
  const request = ownOf(api).find(({ messages }) => JSON.stringify(messages).includes(prompt));
  return count(request, "UserPromptSubmit hook additional context: <auto-loaded-memory");
}
