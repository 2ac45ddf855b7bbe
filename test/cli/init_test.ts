// `memo init` as people run it: the executable, without a terminal and in one.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { AGENTS } from "../../src/features/install/agents/mod.ts";
import { writeReceipt } from "../../src/core/recall/receipts.ts";
import { FIRST } from "../../src/core/settings/purposes.ts";
import { STEPS } from "../../src/surfaces/cli/init/steps.ts";
import { fakeClient } from "../support/claude.ts";
import { endDaemons, type Home, makeHome, MEMO, runMemo, succeed } from "../support/home.ts";
import { HAS_TERMINAL, runInTerminal } from "../support/terminal.ts";

/** Every file of a home by content, but for what changes by itself: the log, the client's path, the database. */
function filesOf({ root }: Home): Record<string, string> {
  const names = readdirSync(root, { recursive: true, encoding: "utf8" }).sort()
    .filter((name) => !/^(bin|tmp|tmux)|logs|run\/|index\.db|memo\/claude$/.test(name))
    .filter((name) => statSync(join(root, name)).isFile());
  const sumOf = (name: string) =>
    createHash("sha256").update(readFileSync(join(root, name))).digest("hex");
  return Object.fromEntries(names.map((name) => [name, sumOf(name)]));
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
}

/** A home as a user has one: settings below the home folder, and a client that tells its version. */
function makeAccount(more: Record<string, string> = {}, { isUnpacked = true } = {}): Home {
  const home = makeHome({ ANTHROPIC_API_KEY: "k", ...more }, {
    ...{ mayBeSent: false, hasModel: true, isUnpacked },
  });
  const { MEMO_HOME: _, CLAUDE_CONFIG_DIR: __, ...env } = home.env;
  const state = join(home.root, ".local/share/memo");
  if (isUnpacked) {
    mkdirSync(dirname(state), { recursive: true });
    renameSync(home.memoHome, state);
  }
  const dispose = async () => {
    await endDaemons(home.root); // its daemon has no other variable with a folder of this home
    await home.dispose();
  };
  const account = { ...home, env, memoHome: state, dispose, [Symbol.asyncDispose]: dispose };
  return fakeClient(account, "2.1.329");
}

const CAPTURE = ["init", "--yes", "--capture", "auto"];

Deno.test("memo init --yes says yes to nothing that is sent, and --capture auto does; a model cannot", async () => {
  await using home = makeAccount();
  const config = join(home.root, ".config/memo/config.yaml");
  const quick = ["--hooks", "no", "--check", "no"];
  const run = (args: string[], env: Record<string, string> = {}) =>
    runMemo({ ...home, env: { ...home.env, ...env } }, [...args, ...quick]);
  const alone = { ANTHROPIC_API_KEY: "", PATH: "/usr/bin:/bin" };
  const none = await run(["init", "--yes", "--recall", "best"], alone);
  assert.match(none.stdout, /once you set `ANTHROPIC_API_KEY` or log in to `claude`\) read/);
  assert.match(none.stdout, /`best` is not available here; nothing was changed/);
  const open = await run(["init", "--yes"]);
  assert.equal(open.code, 0, open.stderr);
  assert.match(open.stdout, /with your API key\) read your conversations/);
  assert.doesNotMatch(open.stdout, /balanced/, "what asks a language model is not offered");
  const refused = await run(CAPTURE, { CLAUDECODE: "1" });
  assert.match(refused.stderr, /from within Claude Code: only you can decide that/);
  assert.ok(!existsSync(config), "the person is still to be asked");

  const gateway = { ANTHROPIC_BASE_URL: "https://gw.example/v1" };
  assert.match((await run(CAPTURE, gateway)).stdout, /with your API key, at `gw\.example`\) read/);
  const text = `send: ${FIRST}\nllm:\n  hosts: gw.example\n`;
  assert.equal(readFileSync(config, "utf8"), text);
  assert.doesNotMatch((await run(["init", "--yes"], gateway)).stdout, /✓/);
  assert.equal(readFileSync(config, "utf8"), text);
  writeFileSync(config, "send: on\n");
  await run(["init", "--yes", "--capture", "anthropic"]);
  assert.match(readFileSync(config, "utf8"), /^send: on\n/, "a yes to more stays");
  await run(["init", "--yes", "--capture", "off"]);
  assert.match(readFileSync(config, "utf8"), /^send: off\n/);
});

Deno.test("the consent screen of memo init says what the settings then say", async () => {
  await using home = makeAccount();
  const quick = ["--hooks", "no", "--check", "no"];
  const get = async (key: string) => (await succeed(home, ["config", "get", key])).trim();
  await succeed(home, ["config", "set", "llm.daily_calls=7", "llm.daily_usd=0.5"]);
  const screen = (await succeed(home, [...CAPTURE, ...quick])).replaceAll(/\s+/g, " ");
  const [, model, calls, usd, topic] =
    /model \(`([^`]+)`, with your API key\).*at most (\S+) calls and \$(\S+) a day.*`memo help (\w+)`/
      .exec(screen)!;
  assert.deepEqual(
    [model, calls, usd],
    [await get("llm.model"), await get("llm.daily_calls"), await get("llm.daily_usd")],
  );
  assert.equal(await get("send"), FIRST, "conversations, and nothing else");
  assert.match(await succeed(home, ["help", topic!]), new RegExp(`^ +${FIRST} `, "m"));

  await succeed(home, ["config", "set", "recall.preset=balanced"]);
  const off = await succeed(home, ["init", "--yes", "--capture", "off", ...quick]);
  assert.doesNotMatch(off, /balanced/, "Off leaves nothing to choose");
  assert.equal(await get("send"), "off");
});

Deno.test("memo init --yes sets memo up, a second time changes nothing, uninstall --purge undoes it", async () => {
  await using home = makeAccount({}, { isUnpacked: false });
  home.write(".claude/settings.json", '{ "model": "opus" }\n');
  home.write(".local/share/x", "not memo's\n");
  home.write("project/CLAUDE.md", "- Use pnpm\n");
  const before = filesOf(home);
  const first = await runMemo(home, [...CAPTURE, "--recall", "balanced"]);
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stdout, /Added memo's 9 hooks and tools to `~\/\.claude\/settings\.json`/);
  assert.match(first.stdout, /at most 200 calls and \$1 a day/);
  assert.match(first.stdout, /All \d+ checks passed/);
  assert.match(readFileSync(join(home.claude, "settings.json"), "utf8"), /UserPromptSubmit/);
  const config = join(home.root, ".config/memo/config.yaml");
  const expected = `send: ${FIRST}, recall\nrecall:\n  preset: balanced\n`;
  assert.equal(readFileSync(config, "utf8"), expected, "a yes to prompts is given with the preset");

  const after = filesOf(home);
  const second = JSON.parse(await succeed(home, ["init", "--yes", "--json"]));
  assert.deepEqual(filesOf(home), after);
  assert.deepEqual(
    second.slice(0, -1).map(({ step, state }: Record<string, string>) => [step, state]),
    STEPS.slice(0, -1).map(({ name }) => [name, "unchanged"]),
  );

  await succeed(home, ["uninstall"]);
  assert.ok(existsSync(config), "settings stay without --purge");
  await succeed(home, ["uninstall", "--purge"]);
  assert.deepEqual(filesOf(home), before);
  assert.ok(!existsSync(join(home.root, ".config")), "init made the folder");
});

Deno.test("memo init asks nothing without a terminal, --dry-run changes nothing, and a step can be declined", async () => {
  await using home = makeAccount();
  const before = filesOf(home);
  const answered = await runMemo(home, ["init", "--hooks", "yes"]);
  assert.equal(answered.code, 2);
  assert.match(answered.stderr, /^error: Cannot ask questions: .*\n\nhint: Run `memo init --yes`/);
  const { stdout } = await runMemo(home, ["init", "--dry-run", "--hooks", "no"]);
  assert.doesNotMatch(stdout, /UserPromptSubmit/);
  assert.match(stdout, /Nothing was changed/);
  const json = await runMemo(home, ["init", "--json", "--hooks", "yes"]);
  assert.match(json.stderr, /Cannot ask questions with `--json`/);
  assert.deepEqual(filesOf(home), before);
});

Deno.test("memo init --yes keeps a no to the tools, and the plugin in place of hooks", async () => {
  await using home = makeAccount();
  const quick = ["init", "--yes", "--check", "no"];
  const settings = join(home.claude, "settings.json");
  const hasTools = () =>
    [settings, join(home.root, ".claude.json")].map((path) =>
      existsSync(path) && /mcp__memo|"mcp"/.test(readFileSync(path, "utf8"))
    );
  for (
    const no of [["init", "--no-mcp"], [...quick, "--mcp", "no"], [...quick, "--hooks", "only"]]
  ) {
    await succeed(home, no);
    const kept = await succeed(home, [...quick, "--hooks", "yes"]);
    assert.match(kept, /You declined the tools before; `memo init --mcp yes` adds them/);
    assert.deepEqual(hasTools(), [false, false], no.join(" "));
    await succeed(home, [...quick, "--mcp", "yes"]);
    assert.deepEqual(hasTools(), [true, true]);
  }
  await succeed(home, ["uninstall"]);
  await succeed(home, ["init", "--no-mcp"]);
  const records = join(home.memoHome, "install.json");
  writeFileSync(records, readFileSync(records, "utf8").replace(/,\s*"mcp": false/, "")); // of an earlier version
  await succeed(home, ["config", "set", "recall.preset=best"]);
  assert.deepEqual(hasTools(), [false, false]);

  await succeed(home, ["uninstall"]);
  await succeed(home, ["init", "--plugin"]);
  const plugin = await succeed(home, quick);
  assert.match(plugin, /memo's plugin \(`~\/\.claude\/skills\/memo`\) has the hooks/);
  assert.ok(existsSync(join(home.claude, "skills/memo/hooks/hooks.json")));
  await succeed(home, ["uninstall"]);

  const store = join(home.root, "store");
  mkdirSync(store);
  writeFileSync(join(store, "settings.json"), "{}\n");
  symlinkSync(join(store, "settings.json"), settings);
  chmodSync(store, 0o555);
  try {
    const [{ shows }] = JSON.parse((await runMemo(home, [...quick, "--json"])).stdout);
    assert.match(shows[0], /read-only link/);
    assert.ok("UserPromptSubmit" in JSON.parse(shows[1]).hooks, "hooks to paste");
    assert.equal(readFileSync(settings, "utf8"), "{}\n");
  } finally {
    chmodSync(store, 0o755);
  }
});

Deno.test("what init made goes with uninstall --purge, what stays is named, and offered at a terminal", async () => {
  await using home = makeAccount({}, { isUnpacked: false });
  const executable = join(home.root, ".local/bin/memo");
  mkdirSync(dirname(executable), { recursive: true });
  linkSync(MEMO, executable);
  const config = join(home.root, ".config/memo/config.yaml");
  const names = () =>
    namesIn(home.root).filter((name) => !/^tmp|^\.claude\b|^\.claude\.json/.test(name)).sort();
  const before = names();
  const setUp = async () => {
    const agents = AGENTS.map(({ name }) => ["init", "--agent", name]);
    for (const args of [["init"], ["config", "set", "recall.preset=balanced"], ...agents]) {
      assert.equal((await runMemo(home, args, { executable })).code, 0, args.join(" "));
    }
  };
  await setUp();
  const gone = await runMemo(home, ["uninstall", "--purge"], { executable });
  assert.equal(gone.code, 0, gone.stderr);
  assert.match(gone.stdout, /settings +`~\/\.config\/memo\/config\.yaml`/);
  assert.match(gone.stdout, /executable +`~\/\.local\/bin\/memo`; run `rm ~\/\.local\/bin\/memo`/);
  const kept = [".config", ".config/memo", ".config/memo/config.yaml"];
  assert.deepEqual(names(), [...before, ...kept].sort());
  if (!HAS_TERMINAL) return;
  await setUp();
  await using terminal = runInTerminal(home, [executable, "uninstall", "--purge"]);
  await terminal.shows(
    /Also delete the executable \(`~\/\.local\/bin\/memo`\) and the settings\s+\(.*\?/s,
  );
  await terminal.send("y");
  assert.equal(await terminal.ends(), 0);
  assert.ok(!existsSync(executable) && !existsSync(config));
});

Deno.test("memo recall --log in a fresh set-up says to start a session, and names memories by title", async () => {
  await using home = makeAccount();
  assert.match((await runMemo(home, ["recall", "--log"])).stderr, /run `memo init`/);
  await succeed(home, ["init"]);
  assert.match(
    (await runMemo(home, ["recall", "--log"])).stderr,
    /start `claude` and send it a prompt/,
  );
  const path = home.write(
    "tool_pnpm.md",
    "---\nname: Use pnpm here\ntype: tool\n---\nNever npm.\n",
  );
  const gone = join(dirname(path), "tool_gone.md");
  writeReceipt(join(home.memoHome, "receipts.jsonl"), {
    ...{ at: "2026-11-20T10:00:00Z", outcome: "hit", chars: 10, ms: {} },
    memories: [{ path, score: 0.5 }, { path: gone, score: 0.4 }],
  });
  const { stdout } = await runMemo(home, ["recall", "--log"]);
  assert.match(stdout, /“Use pnpm here” 0\.50, tool_gone\.md 0\.40/);
});

Deno.test({
  name: "memo init in a terminal: each question can be answered, and Ctrl-C leaves what is done",
  ignore: !HAS_TERMINAL,
  async fn() {
    await using home = makeAccount();
    const settings = join(home.claude, "settings.json");
    const config = join(home.root, ".config/memo/config.yaml");
    {
      await using terminal = runInTerminal(home, [MEMO, "init"]);
      await terminal.shows(/Add memo to Claude Code\?/);
      await terminal.press("C-c");
      assert.equal(await terminal.ends(), 130);
      await terminal.shows(/Stopped\. Nothing was changed/);
      assert.ok(!existsSync(settings) && !existsSync(config));
    }
    {
      await using terminal = runInTerminal(home, [MEMO, "init"]);
      await terminal.shows(/Add memo to Claude Code\?/);
      await terminal.press("Enter");
      await terminal.shows(/May a language model read your conversations\?/);
      await terminal.press("C-c");
      assert.equal(await terminal.ends(), 130);
      await terminal.shows(/Stopped\. Finished: hooks\. Not done: capture/);
      assert.ok(existsSync(settings) && !existsSync(config));
    }
    await using terminal = runInTerminal(home, [MEMO, "init"]);
    await terminal.shows(/has memo's 9 hooks/);
    await terminal.shows(/May a language model read your conversations\?/);
    await terminal.press("Enter");
    await terminal.shows(/checks passed/);
    const screen = terminal.screen();
    assert.doesNotMatch(screen, /balanced/, "nothing more is asked about language models");
    await terminal.shows(/Try it/);
    assert.equal(await terminal.ends(), 0);
    assert.equal(readFileSync(config, "utf8"), "send: off\n");
  },
});

Deno.test({
  name: "memo in the cache of npx is not named in hooks: install refuses, init copies it first",
  ignore: process.platform === "win32",
  async fn() {
    await using home = makeAccount({}, { isUnpacked: false });
    const before = filesOf(home);
    const executable = join(home.root, ".npm/_npx/0a1b/node_modules/claude-code-memo-x/memo");
    mkdirSync(dirname(executable), { recursive: true });
    linkSync(MEMO, executable);
    const refused = await runMemo(home, ["init"], { executable });
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /is in npx's cache.*\n\nhint: Run `npm install --global/);
    const args = [...CAPTURE, "--recall", "best"];
    const { code, stdout, stderr } = await runMemo(home, args, { executable });
    assert.equal(code, 0, stderr);
    assert.match(stdout, /Copied memo to `~\/\.local\/bin\/memo`/);
    assert.match(stdout, /All \d+ checks passed/);
    const placed = join(home.root, ".local/bin/memo");
    const settings = JSON.parse(readFileSync(join(home.claude, "settings.json"), "utf8"));
    const commands = JSON.stringify(settings).match(/"command":"\/[^"]+"/g);
    assert.deepEqual([...new Set(commands)], [`"command":"${placed}"`]);
    rmSync(join(home.root, ".npm"), { recursive: true });
    const gone = await runMemo(home, ["uninstall", "--purge"], { executable: placed });
    assert.equal(gone.code, 0, gone.stderr);
    assert.deepEqual(filesOf(home), before);
    assert.deepEqual(namesIn(join(home.root, ".local")), [], "init made the folders");
  },
});
