// `memo init` as people run it: the executable, without a terminal and in one.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
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
import { fixture } from "../import/support.ts";
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

Deno.test("`memo init` prints the hooks to paste where settings are a read-only link, and goes on", async () => {
  await using home = makeAccount();
  const claude = join(home.root, ".claude"), store = join(home.root, "store");
  const settings = join(claude, "settings.json");
  mkdirSync(claude, { recursive: true });
  mkdirSync(store);
  writeFileSync(join(store, "settings.json"), "{}\n");
  rmSync(settings, { force: true });
  symlinkSync(join(store, "settings.json"), settings);
  chmodSync(store, 0o555);
  try {
    const { stdout } = await runMemo(home, ["init", "--yes", "--capture", "off", "--json"]);
    const steps = JSON.parse(stdout) as { step: string; shows: string[] }[];
    const { shows } = steps.find(({ step }) => step === "hooks")!;
    assert.match(shows[0]!, /read-only link/);
    assert.ok("UserPromptSubmit" in JSON.parse(shows[1]!).hooks);
    assert.deepEqual(readdirSync(claude).filter((name) => /settings/.test(name)), [
      "settings.json",
    ]);
    assert.equal(readFileSync(settings, "utf8"), "{}\n");
  } finally {
    chmodSync(store, 0o755);
  }
});

const CAPTURE = ["init", "--yes", "--capture", "auto"];

Deno.test("memo init --yes says yes to nothing that is sent, and --capture auto does; a model cannot", async () => {
  await using home = makeAccount();
  const config = join(home.root, ".config/memo/config.yaml");
  const quick = ["--hooks", "no", "--mcp", "no", "--check", "no"];
  const open = await runMemo(home, ["init", "--yes", ...quick]);
  assert.equal(open.code, 0, open.stderr);
  assert.match(open.stdout, /read your conversations, and the memories that they use or change/);
  assert.doesNotMatch(open.stdout, /balanced/, "what asks a language model is not offered");
  assert.ok(!existsSync(config), "the person is still to be asked");
  const inside = { ...home, env: { ...home.env, CLAUDECODE: "1" } };
  const refused = await runMemo(inside, [...CAPTURE, ...quick]);
  assert.match(refused.stderr, /from within Claude Code: only you can decide that/);
  assert.ok(!existsSync(config));

  const gateway = { ...home, env: { ...home.env, ANTHROPIC_BASE_URL: "https://gw.example/v1" } };
  const yes = await runMemo(gateway, [...CAPTURE, ...quick]);
  assert.match(yes.stdout, /with your API key, at `gw\.example`\) read your conversations/);
  const text = `send: ${FIRST}\nllm:\n  hosts: gw.example\n`;
  assert.equal(readFileSync(config, "utf8"), text);
  await succeed(gateway, ["init", "--yes", ...quick]);
  assert.equal(readFileSync(config, "utf8"), text);

  writeFileSync(config, "send: on\n");
  await succeed(home, ["init", "--yes", "--capture", "anthropic", ...quick]);
  assert.match(readFileSync(config, "utf8"), /^send: on\n/, "a yes to more stays");
});

Deno.test("memo init --yes sets memo up, a second time changes nothing, uninstall --purge undoes it", async () => {
  await using home = makeAccount({}, { isUnpacked: false });
  home.write(".claude/settings.json", '{ "model": "opus" }\n');
  home.write(".local/share/x", "not memo's\n");
  cpSync(fixture("basic-memory"), join(home.root, "basic-memory"), { recursive: true });
  const before = filesOf(home);
  const first = await runMemo(home, [...CAPTURE, "--recall", "balanced"]);
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stdout, /Added 9 hooks to `~\/\.claude\/settings\.json`/);
  assert.match(first.stdout, /at most 200 calls and \$1 a day/);
  assert.match(first.stdout, /(\d+) of \1 checks are ok/);
  assert.match(first.stdout, /Imported 2 memories from basic-memory/);
  assert.match(first.stdout, /Try it: /);
  assert.match((await runMemo(home, ["list"])).stdout, /Coffee Brewing Methods/);
  assert.match(readFileSync(join(home.claude, "settings.json"), "utf8"), /UserPromptSubmit/);
  const config = join(home.root, ".config/memo/config.yaml");
  const expected = `send: ${FIRST}, recall\nrecall:\n  preset: balanced\n`;
  assert.equal(readFileSync(config, "utf8"), expected, "a yes to prompts is given with the preset");

  const after = filesOf(home);
  const second = await runMemo(home, ["init", "--yes", "--json"]);
  assert.equal(second.code, 0, second.stderr);
  assert.deepEqual(filesOf(home), after);
  const results = JSON.parse(second.stdout);
  assert.deepEqual(
    results.map(({ step }: { step: string }) => step),
    STEPS.map(({ name }) => name),
  );
  assert.equal(results[0].state, "unchanged");

  await succeed(home, ["uninstall"]);
  assert.ok(existsSync(config), "settings stay without --purge");
  await succeed(home, ["uninstall", "--purge"]);
  rmSync(join(home.claude, "memory"), { recursive: true }); // memories stay
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
  assert.match(stdout, /Secrets are removed; at most 200 calls and \$1 a day\./);
  assert.match(stdout, /Nothing was changed/);
  const json = await runMemo(home, ["init", "--json", "--hooks", "yes"]);
  assert.match(json.stderr, /Cannot ask questions with `--json`/);
  assert.deepEqual(filesOf(home), before);

  const told = await runMemo(home, ["init", "--scope", "user", "--no-mcp"]);
  assert.equal(told.code, 0);
  const bare = await runMemo(home, ["init", "--json"]);
  const { scope, changed, mcp } = JSON.parse(bare.stdout);
  assert.deepEqual([bare.code, scope, changed, mcp.registered], [0, "user", false, false]);
});

Deno.test("memo init --yes keeps a no to the tools, and the plugin in place of hooks", async () => {
  await using home = makeAccount();
  const quick = ["init", "--yes", "--check", "no"];
  const servers = () => {
    const file = join(home.root, ".claude.json");
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  };
  const dry = await runMemo(home, ["init", "--dry-run"]);
  assert.match(dry.stdout, /Tools for Claude\n.*\n +Changes `~\/\.claude\/settings\.json`/);

  await succeed(home, ["init", "--no-mcp"]);
  const kept = await runMemo(home, quick);
  assert.match(kept.stdout, /Declined before; `memo init --mcp yes` adds them/);
  assert.match(kept.stdout, /at once, without a permission dialogue/, "as the hook answers");
  assert.doesNotMatch(servers(), /memo/);
  await succeed(home, [...quick, "--mcp", "yes"]);
  assert.match(servers(), /"mcp"/);
  const out = await runMemo(home, ["init", "--no-mcp"]);
  assert.match(
    out.stdout,
    /^Changed the permissions of memo's tools in .*\nRemoved memo's MCP server/,
  );

  await succeed(home, ["uninstall"]);
  await succeed(home, [...quick, "--mcp", "no"]);
  await runMemo(home, quick);
  assert.doesNotMatch(servers(), /memo/);

  await succeed(home, ["uninstall"]);
  await succeed(home, ["init", "--no-mcp"]);
  const records = join(home.memoHome, "install.json");
  writeFileSync(records, readFileSync(records, "utf8").replace(/,\s*"mcp": false/, "")); // stopped before
  await runMemo(home, ["config", "set", "recall.preset=best"]);
  assert.doesNotMatch(
    readFileSync(join(home.claude, "settings.json"), "utf8"),
    /mcp__memo__memory_/,
  );

  await succeed(home, ["uninstall"]);
  await succeed(home, ["init", "--plugin"]);
  const plugin = await runMemo(home, quick);
  assert.match(plugin.stdout, /memo's plugin, `~\/\.claude\/skills\/memo`, has the hooks/);
  assert.ok(existsSync(join(home.claude, "skills/memo/hooks/hooks.json")));
});

Deno.test("memo init says what is not there, and keeps what is set", async () => {
  await using account = makeAccount({ ANTHROPIC_API_KEY: "" });
  const home = { ...account, env: { ...account.env, PATH: "/usr/bin:/bin" } };
  const quick = ["--hooks", "no", "--check", "no"];
  const none = await runMemo(home, ["init", "--yes", "--recall", "best", ...quick]);
  assert.match(none.stdout, /once you set `ANTHROPIC_API_KEY` or log in to `claude`\) read/);
  assert.match(none.stdout, /`best` is not available here; nothing was changed/);
  assert.match(
    (await runMemo(home, ["init", "--yes", "--capture", "off", ...quick])).stdout,
    /Nothing is sent to a language model; changed/,
  );
  const again = await runMemo(home, ["init", "--yes", ...quick]);
  assert.doesNotMatch(again.stdout, /✓/);
  const config = readFileSync(join(home.root, ".config/memo/config.yaml"), "utf8");
  assert.equal(config, "send: off\n");
});

Deno.test("what init and install made goes with uninstall --purge, what stays is named, and offered at a terminal", async () => {
  await using home = makeAccount({}, { isUnpacked: false });
  const executable = join(home.root, ".local/bin/memo");
  mkdirSync(dirname(executable), { recursive: true });
  linkSync(MEMO, executable);
  const config = join(home.root, ".config/memo/config.yaml");
  const run = (...args: string[]) => runMemo(home, args, { executable });
  const before = namesIn(home.root);
  const setUp = async () => {
    for (const args of [["init"], ["config", "set", "recall.preset=balanced"]]) {
      assert.equal((await run(...args)).code, 0);
    }
    for (const { name } of AGENTS) {
      assert.equal((await run("init", "--agent", name)).code, 0, name);
    }
  };
  await setUp();
  const gone = await run("uninstall", "--purge");
  assert.equal(gone.code, 0, gone.stderr);
  assert.match(gone.stdout, /settings +`~\/\.config\/memo\/config\.yaml`/);
  assert.match(gone.stdout, /executable +`~\/\.local\/bin\/memo`; run `rm ~\/\.local\/bin\/memo`/);
  const expected = [...before, ".config", ".config/memo", ".config/memo/config.yaml"];
  assert.deepEqual(
    namesIn(home.root).filter((name) => !/^tmp|^\.claude\b|^\.claude\.json/.test(name)).sort(),
    expected.filter((name) => !/^tmp|^\.claude\b/.test(name)).sort(),
  );
  if (!HAS_TERMINAL) return;
  await setUp();
  await using terminal = runInTerminal(home, [executable, "uninstall", "--purge"]);
  await terminal.shows(/Delete the executable, `~\/\.local\/bin\/memo`, and the settings, .*\?/s);
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

Deno.test("memo init interrupted while it checks says what is done", async () => {
  await using home = makeAccount();
  const child = spawn(MEMO, ["init", "--yes"], { cwd: home.project, env: home.env });
  const LAST = "Starts memo's daemon";
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const isNew = !stdout.includes(LAST);
    stdout += text;
    if (isNew && stdout.includes(LAST)) child.kill("SIGINT");
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => stderr += text);
  const end = await new Promise((done) =>
    child.on("close", (code, signal) => done(code ?? signal))
  );
  assert.ok(end === 130 || end === "SIGINT", `${end}: ${stderr}`);
  assert.match(stderr, /^Stopped\. Done, and whole: hooks, mcp\. Not done: check\./m);
  assert.match(readFileSync(join(home.claude, "settings.json"), "utf8"), /UserPromptSubmit/);
});

Deno.test({
  name:
    "memo init in a terminal: each question can be answered, and Ctrl-C at any of them leaves what is done",
  ignore: !HAS_TERMINAL,
  async fn() {
    await using home = makeAccount();
    const settings = join(home.claude, "settings.json");
    const config = join(home.root, ".config/memo/config.yaml");
    {
      await using terminal = runInTerminal(home, [MEMO, "init"]);
      await terminal.shows(/Add the hooks\?/);
      await terminal.press("C-c");
      assert.equal(await terminal.ends(), 130);
      await terminal.shows(/Stopped\. Nothing was changed/);
      assert.ok(!existsSync(settings) && !existsSync(config));
    }
    {
      await using terminal = runInTerminal(home, [MEMO, "init"]);
      await terminal.shows(/Add the hooks\?/);
      await terminal.press("Enter");
      await terminal.shows(/Add the tools\?/);
      await terminal.press("C-c");
      assert.equal(await terminal.ends(), 130);
      await terminal.shows(/Done, and whole: hooks\. Not done: mcp, capture, .*check/s);
      assert.ok(existsSync(settings) && !existsSync(config));
    }
    await using terminal = runInTerminal(home, [MEMO, "init"]);
    await terminal.shows(/has memo's 9 hooks/);
    await terminal.shows(/Add the tools\?/);
    await terminal.press("Enter");
    await terminal.shows(/Added memo's tools/);
    await terminal.shows(/May a language model read your conversations\?/);
    await terminal.press("Enter");
    await terminal.shows(/Nothing is sent to a language model/);
    await terminal.shows(/checks are ok/);
    assert.doesNotMatch(
      terminal.screen(),
      /balanced/,
      "nothing more is asked about language models",
    );
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
    const run = (...args: string[]) => runMemo(home, args, { executable });
    const refused = await run("init");
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /is in the cache of npx.*\n\nhint: Run `npm install --global/);
    const declined = await run("init", "--yes", "--place", "no", "--check", "no");
    assert.match(declined.stdout, /Run `npm install --global claude-code-memo`, then `memo init`/);
    const settings = join(home.claude, "settings.json");
    assert.ok(!existsSync(settings));
    for (const made of [".local", ".config"]) {
      rmSync(join(home.root, made), { recursive: true, force: true });
    }

    const { code, stdout, stderr } = await run(...CAPTURE, "--recall", "best");
    assert.equal(code, 0, stderr);
    assert.match(stdout, /Copied memo to `~\/\.local\/bin\/memo`/);
    assert.match(stdout, /(\d+) of \1 checks are ok/);
    const placed = join(home.root, ".local/bin/memo");
    const commands = new Set(
      JSON.stringify(JSON.parse(readFileSync(settings, "utf8")))
        .match(/"command":"\/[^"]+"/g),
    );
    assert.deepEqual([...commands], [`"command":"${placed}"`]);
    rmSync(join(home.root, ".npm"), { recursive: true });
    const gone = await runMemo(home, ["uninstall", "--purge"], { executable: placed });
    assert.equal(gone.code, 0, gone.stderr);
    assert.deepEqual(filesOf(home), before);
    assert.deepEqual(namesIn(join(home.root, ".local")), [], "init made the folders");
  },
});
