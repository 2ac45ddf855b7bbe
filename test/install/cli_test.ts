import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fakeClient } from "../support/claude.ts";
import { copyOfMemo, makeHome, MEMO, runMemo, succeed } from "../support/home.ts";

Deno.test("memo init says what it wrote and where, and a second time that it is done", async () => {
  await using home = makeHome();
  const first = await runMemo(home, ["init"]);
  assert.equal(first.code, 0);
  assert.match(
    first.stdout,
    /^Changed `~\/\.claude\/settings\.json`\nChanged `.*\.claude\.json`\n$/,
  );
  const second = await runMemo(home, ["init"]);
  assert.match(second.stdout, /^Already installed/);
  const { hooks } = JSON.parse(readFileSync(join(home.claude, "settings.json"), "utf8"));
  assert.deepEqual(hooks.UserPromptSubmit[0].hooks[0].args, ["hook"]);
  assert.equal(hooks.UserPromptSubmit[0].hooks[0].command, MEMO);
});

Deno.test("memo init unpacks what the first prompt needs, or says why it cannot", async () => {
  await using home = makeHome({}, { isUnpacked: false });
  await runMemo(home, ["init"]);
  const runtime = join(home.memoHome, "runtime");
  const groups = readdirSync(runtime).map((name) => name.replace(/-.*/, "")).sort();
  assert.deepEqual(groups, ["libsql", "model", "onnx"]);

  await runMemo(home, ["daemon", "stop"]); // it loads the model from there meanwhile
  rmSync(runtime, { recursive: true });
  writeFileSync(runtime, "in the way");
  const { code, stderr } = await runMemo(home, ["init"]);
  assert.equal(code, 0);
  assert.match(stderr, /^warning: Cannot unpack memo's libsql/m);
});

Deno.test("memo init --json tells paths and changes, and nothing of the settings", async () => {
  await using home = makeHome();
  const file = home.write(".claude/settings.json", '{"env":{"TOKEN":"hunter2"}}');
  const { stdout } = await runMemo(fakeClient(home, "2.1.100"), ["init", "--json"]);
  const { events, ...rest } = JSON.parse(stdout);
  assert.ok(events.includes("SubagentStart"));
  assert.deepEqual(rest, {
    scope: "user",
    dryRun: false,
    changed: true,
    claude: "2.1.100",
    leftOut: [],
    command: [MEMO, "hook"],
    mcp: { registered: true, path: join(home.claude, ".claude.json") },
    path: file,
    created: false,
    deleted: false,
    backup: `${file}.memo-backup`,
  });
});

Deno.test("a file of servers that cannot be edited stops an install at once, and keeps no hooks in", async () => {
  await using home = makeHome();
  const settings = join(home.claude, "settings.json");
  const servers = home.write(".claude/.claude.json", "nope");
  const refused = await runMemo(home, ["init"]);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /^error: Cannot edit `~\/\.claude\/\.claude\.json`/);
  assert.ok(!existsSync(settings));
  await succeed(home, ["init", "--no-mcp"]);
  assert.ok(existsSync(settings));
  const { code, stdout, stderr } = await runMemo(home, ["uninstall"]);
  assert.equal(code, 1);
  assert.match(stdout, /^Deleted `~\/\.claude\/settings\.json`/);
  assert.match(
    stderr,
    /^warning: memo's MCP server is still registered: Cannot edit .* Fix line 1/m,
  );
  assert.ok(!existsSync(settings));
  assert.equal(readFileSync(servers, "utf8"), "nope");
});

Deno.test("memo init warns of what would keep the hooks from running", async () => {
  await using home = makeHome();
  home.write(".claude/settings.json", '{"disableAllHooks":true}');
  const { stderr } = await runMemo(home, ["init"], { executable: copyOfMemo(home) });
  assert.match(stderr, /warning: `disableAllHooks` is true/);
  assert.match(stderr, /warning: memo is in a temporary folder/);
  const shared = await runMemo(home, ["init", "--scope", "project"]);
  assert.match(shared.stderr, /warning: these settings are shared/);
});

Deno.test("memo uninstall says that a hook which somebody has changed is still there", async () => {
  await using home = makeHome();
  await succeed(home, ["init"]);
  const path = join(home.claude, "settings.json");
  const settings = JSON.parse(readFileSync(path, "utf8"));
  settings.hooks.Stop[0].hooks[0].args.push("--mine");
  writeFileSync(path, JSON.stringify(settings));
  const { stdout, stderr } = await runMemo(home, ["uninstall"]);
  assert.match(stdout, /^Changed `/);
  assert.match(stderr, /^warning: `~\/\.claude\/settings\.json` still has hooks that run memo/);
  assert.match(readFileSync(path, "utf8"), /--mine/);
});
