// What memo does about the Claude Code that is installed: which events it is given, and in which form.

import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { HOOK_EVENTS } from "../../hooks/events.ts";
import { contextIn } from "../../src/surfaces/cli/shared/command.ts";
import { claudeVersion } from "../../src/surfaces/cli/shared/follow_settings.ts";
import { TOOL_NAMES } from "../../src/core/link/tools.ts";
import {
  hookGroups,
  type HookNeeds,
  isAtLeast,
  OLDEST_CLAUDE,
  SKIPS_UNKNOWN,
  TAKES_ARGS,
} from "../../src/features/install/entries.ts";
import { generatedFiles, LAUNCHER } from "../../src/features/install/plugin.ts";
import { managedRefusal } from "../../src/surfaces/cli/doctor/setup.ts";
import { pathsFor } from "../../src/paths.ts";
import { fakeClient } from "../support/claude.ts";
import { type Home, makeHome, runMemo, succeed } from "../support/home.ts";
import { temporaryFolder } from "../support/temp.ts";

const SELF = { command: "/opt/my tools/memo", args: [] };

const hooksIn = (home: Home) =>
  JSON.parse(readFileSync(join(home.claude, "settings.json"), "utf8")).hooks;

/** A strategy that asks a language model, whose picks need the newest event. */
const ASKING = { MEMO_STRATEGY_FEEDBACK: "sidequery" };

Deno.test("isAtLeast() compares numbers, not texts", () => {
  assert.ok(isAtLeast("2.1.118", "2.1.76") && isAtLeast("2.1.76", "2.1.76"));
  assert.ok(!isAtLeast("2.0.99", "2.1.0") && !isAtLeast("2.1.9", "2.1.10"));
});

Deno.test("no client is given an event that it does not know and would stumble over, and every new one gets all of them", () => {
  for (const client of [undefined, OLDEST_CLAUDE, "2.1.75", "2.1.100", "2.1.197"]) {
    const given = Object.keys(hookGroups(SELF, { client, prefetch: true }));
    const known = HOOK_EVENTS.filter(({ since }) => isAtLeast(client ?? OLDEST_CLAUDE, since));
    assert.deepEqual(given, known.map(({ name }) => name));
  }
  for (const client of [SKIPS_UNKNOWN, "2.1.332"]) {
    const given = Object.keys(hookGroups(SELF, { client, prefetch: true }));
    assert.deepEqual(given, HOOK_EVENTS.map(({ name }) => name), client);
  }
});

/** The tools that an event is heard for. */
function matcherOf(event: string, options: HookNeeds = {}): RegExp {
  return new RegExp(hookGroups(SELF, { client: "2.1.329", ...options })[event]![0]!.matcher!);
}

/** For which tools Claude Code runs the hook of an event, and for which it does not. */
const HEARD: readonly (readonly [HookNeeds, string, heard: string[], not: string[]])[] = [
  [{}, "PreToolUse", [
    ...TOOL_NAMES.flatMap((name) => [`mcp__memo__${name}`, `mcp__plugin_memo_memo__${name}`]),
    ...["Task", "Agent", "Read", "Bash", "Edit", "Write", "NotebookEdit", "mcp__fs__write_file"],
  ], ["TaskCreate", "mcp__memory__memory_search", "ReadMcpResource"]],
  [{ moments: ["error"] }, "PreToolUse", [], ["Read"]],
  [{ client: "2.1.8" }, "PreToolUse", [], ["Read"]],
  [{}, "PostToolUseFailure", ["Bash", "mcp__memory__memory_search"], [
    ...["Read", "Edit", "mcp__memo__memory_search", "mcp__plugin_memo_memo__x"],
  ]],
];

Deno.test("Claude Code runs the hook before memo's tools, at files and errors, and before what a guard may be about", () => {
  for (const [options, event, heard, not] of HEARD) {
    const matcher = matcherOf(event, options);
    for (const tool of heard) assert.match(tool, matcher);
    for (const tool of not) assert.doesNotMatch(tool, matcher);
  }
  assert.equal(hookGroups(SELF, { moments: [] })["PostToolUseFailure"], undefined);
});

Deno.test("a client whose version cannot be told is asked at every tool that a new one is asked at", () => {
  const matcher = (client?: string) => matcherOf("PreToolUse", { client }).source;
  assert.equal(matcher(), matcher("2.1.329"));
  assert.match("Read", new RegExp(matcher()));
  assert.doesNotMatch("Read", new RegExp(matcher(OLDEST_CLAUDE)));
});

Deno.test("the plugin for everyone has only events that the oldest client knows: another would cost it all its hooks", () => {
  const { hooks } = JSON.parse(generatedFiles(LAUNCHER)["hooks/hooks.json"]!);
  assert.deepEqual(Object.keys(hooks), Object.keys(hookGroups(SELF, { client: OLDEST_CLAUDE })));
});

Deno.test("an install takes away the hooks of events that memo no longer listens to", async () => {
  await using home = makeHome();
  await runMemo(fakeClient(home, "2.1.329"), ["init"]);
  const file = join(home.claude, "settings.json");
  const settings = JSON.parse(readFileSync(file, "utf8"));
  const mine = settings.hooks.Stop[0].hooks;
  const other = { type: "command", command: "true" };
  settings.hooks.PreCompact = [{ hooks: [...mine, other] }];
  settings.hooks.PostCompact = [{ hooks: mine }];
  writeFileSync(file, JSON.stringify(settings, null, 2));
  const old = await runMemo(fakeClient(home, "2.1.329"), ["doctor"]);
  assert.match(old.stdout, /hooks .*(?:Pre|Post)Compact[^]*Run `memo init`/);
  await succeed(fakeClient(home, "2.1.329"), ["init"]);
  const { PreCompact, PostCompact } = hooksIn(home);
  assert.deepEqual([PreCompact, PostCompact], [[{ hooks: [other] }], undefined]);
});

Deno.test("a client that ignores `args` gets a line for the shell", () => {
  const handlerFor = (client: string) =>
    hookGroups(SELF, { client })["UserPromptSubmit"]![0]!.hooks[0] as { command: string };
  assert.equal(handlerFor("2.1.138").command, "'/opt/my tools/memo' hook");
  assert.equal(handlerFor(TAKES_ARGS).command, SELF.command);
});

Deno.test("memo init says which events an old Claude Code has to do without", async () => {
  await using home = makeHome(ASKING);
  const old = fakeClient(home, "2.0.77");
  const { code, stderr } = await runMemo(old, ["init"]);
  assert.equal(code, 0);
  assert.match(stderr, /Claude Code 2\.0\.77 lacks some events/);
  assert.match(
    stderr,
    /PostToolBatch needs Claude Code 2\.1\.118 \(memories a language model picks late\)/,
  );
  assert.equal(hooksIn(home).PostToolBatch, undefined);

  const doctor = await runMemo(old, ["doctor"]);
  assert.match(
    doctor.stdout,
    /warn +Claude Code +2\.0\.77; `PostToolBatch` needs 2\.1\.118 \(memories/,
  );
  assert.match(doctor.stdout, /ok +hooks/);

  const fresh = fakeClient(home, "2.1.329");
  const after = await runMemo(fresh, ["doctor"]);
  assert.match(after.stdout, /FAIL +hooks .*`PostToolBatch` is missing[^]*Run `memo init`/);
  assert.doesNotMatch((await runMemo(fresh, ["init"])).stderr, /Not added/);
  assert.ok(hooksIn(home).PostToolBatch);
  const { stdout } = await runMemo(fresh, ["doctor"]);
  assert.match(stdout, /ok +Claude Code +2\.1\.329\n/);
});

Deno.test("a version that cannot be told is as at the last install, and at first the oldest", async () => {
  await using home = makeHome(ASKING);
  const without = { ...home, env: { ...home.env, PATH: "/usr/bin:/bin" } };
  assert.match((await runMemo(without, ["init"])).stderr, /Cannot tell Claude Code's version/);
  assert.equal(hooksIn(home).PostToolBatch, undefined);
  await runMemo(fakeClient(home, "2.1.329"), ["init"]);
  await runMemo(without, ["init"]);
  assert.ok(hooksIn(home).PostToolBatch);
});

Deno.test("the version of a local installation is read from its package where its script cannot run", async () => {
  await using home = makeHome(ASKING);
  const folder = join(home.claude, "local");
  const modules = join(folder, "node_modules", "@anthropic-ai", "claude-code");
  mkdirSync(modules, { recursive: true });
  writeFileSync(join(modules, "package.json"), '{"version":"2.1.329"}');
  writeFileSync(join(folder, "claude"), "#!/no/node\n", { mode: 0o755 });
  const aliased = { ...home, env: { ...home.env, PATH: "/usr/bin:/bin" } };
  await succeed(aliased, ["init"]);
  assert.ok(hooksIn(home).PostToolBatch, "what a language model picks comes with the same prompt");
});

Deno.test("nothing of a project is run to learn the version", async () => {
  await using home = makeHome();
  const bin = join(home.project, "node_modules", ".bin");
  const tools = join(home.project, "tools");
  for (const folder of [bin, tools]) {
    mkdirSync(folder, { recursive: true });
    const claude = join(folder, "claude");
    writeFileSync(claude, `#!/bin/sh\ntouch ${home.root}/ran\necho "9.9.9 (Claude Code)"\n`);
    chmodSync(claude, 0o755);
  }
  mkdirSync(join(home.project, ".git"));
  const place = (PATH: string) => ({
    env: { ...home.env, PATH },
    paths: pathsFor(home.env),
    cwd: home.project,
  });
  for (const PATH of [bin, tools, "tools", "."]) {
    assert.equal(await claudeVersion(place(PATH)), undefined, PATH);
  }
  const { env } = fakeClient(home, "2.1.329");
  assert.equal(await claudeVersion(place(`${bin}:${tools}:${env["PATH"]}`)), "2.1.329");
});

Deno.test("managed settings that keep hooks from running are found, and others are not", () => {
  using temp = temporaryFolder();
  const file = join(temp.path, "managed-settings.json");
  const there = { ...contextIn({ HOME: temp.path }, temp.path), managed: temp.path };
  assert.equal(managedRefusal(there), undefined);
  writeFileSync(file, '{"disableAllHooks":false,"permissions":{}}');
  assert.equal(managedRefusal(there), undefined);
  writeFileSync(file, '{"allowManagedHooksOnly":true}');
  assert.match(managedRefusal(there)!, /`allowManagedHooksOnly`/);
  writeFileSync(file, "{ broken");
  mkdirSync(join(temp.path, "managed-settings.d"));
  writeFileSync(join(temp.path, "managed-settings.d", "10-hooks.json"), '{"disableAllHooks":true}');
  assert.match(managedRefusal(there)!, /10-hooks\.json` sets `disableAllHooks`/);
});
