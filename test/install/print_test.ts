// Settings that something else generates: what `memo init --print` prints for them, and what memo says where they cannot be
// written.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { Command } from "commander";
import fc from "fast-check";
import { AGENTS } from "../../src/features/install/agents/mod.ts";
import { managedHooks, uninstall } from "../../src/features/install/install.ts";
import { whyLocked } from "../../src/features/install/settings_file.ts";
import { patientOf } from "../../src/surfaces/cli/doctor/check.ts";
import { hooks, managedRefusal } from "../../src/surfaces/cli/doctor/setup.ts";
import { installHere } from "../../src/surfaces/cli/init/install.ts";
import { moduleOf } from "../../src/surfaces/cli/init/print.ts";
import { STEPS } from "../../src/surfaces/cli/init/steps.ts";
import { contextIn, programOf } from "../../src/surfaces/cli/shared/command.ts";
import { define, hooksLeft } from "../../src/surfaces/cli/uninstall.ts";
import { fakeClient } from "../support/claude.ts";
import { filesIn } from "../support/files.ts";
import { copyOfMemo, type Home, makeHome, MEMO, runMemo, succeed } from "../support/home.ts";

/** The files of Claude Code in a home and its project. */
const filesOf = (home: Home) => [filesIn(home.claude), filesIn(home.project)];

const CHOICES: readonly (readonly string[])[] = [
  [],
  ["--no-mcp"],
  ["--mcp", "yes"],
  ["--hooks", "only"],
  ["--scope", "project"],
  ["--scope", "local"],
];

for (const choice of CHOICES) {
  for (const version of ["2.1.100", "2.1.332"]) {
    Deno.test(`memo init --print ${choice.join(" ")} prints what init writes for Claude Code ${version}, and changes nothing`, async () => {
      await using home = makeHome();
      const at = fakeClient(home, version), executable = copyOfMemo(home);
      const before = filesOf(home);
      const printed = await succeed(at, ["init", "--print", ...choice], { executable });
      assert.deepEqual(filesOf(home), before);
      assert.ok(!existsSync(join(home.memoHome, "install.json")));
      // `--hooks only` makes `memo init` walk through its steps.
      const rest = choice[0] === "--hooks" ? ["--no-mcp"] : choice;
      await succeed(at, ["init", ...rest], { executable });
      const { path } = JSON.parse(await succeed(at, ["init", "--json", ...rest], { executable }));
      assert.equal(readFileSync(path, "utf8"), printed);
      assert.equal(JSON.parse(printed).hooks.Stop[0].hooks[0].command.split(" ")[0], executable);
    });
  }
}

Deno.test("memo init --print --agent prints the files of that agent", async () => {
  for (const { name } of AGENTS) {
    await using home = makeHome();
    const files = () =>
      Object.fromEntries(
        readdirSync(home.root).filter((each) => !/^(?:state|tmp)$/.test(each))
          .flatMap((each) =>
            Object.entries(filesIn(join(home.root, each))).map((
              [path, text],
            ) => [join(home.root, each, path), text])
          ),
      );
    const before = files();
    const printed = JSON.parse(await succeed(home, ["init", "--print", "--agent", name, "--json"]));
    assert.deepEqual(files(), before, name);
    await succeed(home, ["init", "--agent", name]);
    const texts = printed.files.map(
      ({ path, text }: Record<"path" | "text", string>) => [path, text],
    );
    assert.deepEqual(files(), { ...before, ...Object.fromEntries(texts) }, name);
  }
});

Deno.test("hooks that were printed and put into settings by another tool are right for doctor, and init adds the tools", async () => {
  await using home = makeHome({}, { hasModel: true });
  const text = await succeed(home, ["init", "--print"]);
  home.write(".claude/settings.json", text);
  const stateOf = async (check: string) => {
    const { stdout } = await runMemo(home, ["doctor", "--offline", "--json"]);
    return JSON.parse(stdout).find(({ name }: { name: string }) => name === check);
  };
  assert.deepEqual(await stateOf("hooks"), {
    ...{ name: "hooks", status: "ok" },
    detail: `${Object.keys(JSON.parse(text).hooks).length} in \`~/.claude/settings.json\``,
  });
  assert.match((await stateOf("MCP server")).detail, /^not registered/);
  await succeed(home, ["init", "--yes", "--check", "no"]);
  assert.equal((await stateOf("MCP server")).detail, "in `~/.claude/.claude.json`");
  assert.equal(readFileSync(join(home.claude, "settings.json"), "utf8"), text);
  const { code, stdout } = await runMemo(home, ["doctor", "--offline"]);
  assert.equal(code, 0, stdout);
});

/** The value of a text of Nix that has no more than values of JSON. */
function valueOfNix(text: string): unknown {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\]=;]|[^\s{}[\]=;]+/g)!;
  const scalar = (word: string) =>
    JSON.parse(word.startsWith('"') ? word.replaceAll("\\${", "${") : word);
  const read = (): unknown => {
    const token = tokens.shift()!;
    if (token === "[") {
      const items: unknown[] = [];
      while (tokens[0] !== "]") items.push(read());
      tokens.shift();
      return items;
    }
    if (token !== "{") return scalar(token);
    const object: Record<string, unknown> = {};
    while (tokens[0] !== "}") {
      const key = tokens.shift()!;
      assert.equal(tokens.shift(), "=");
      if (key === "programs.claude-code") object["programs"] = { "claude-code": read() };
      else object[key.startsWith('"') ? scalar(key) : key] = read();
      assert.equal(tokens.shift(), ";");
    }
    tokens.shift();
    return object;
  };
  const value = read();
  assert.deepEqual(tokens, []);
  return value;
}

/** What Nix itself reads; undefined where it is not installed. */
function evaluated(text: string): unknown {
  try {
    const args = ["--eval", "--strict", "--json", "-E", text];
    return JSON.parse(execFileSync("nix-instantiate", args, { encoding: "utf8", stdio: "pipe" }));
  } catch (error) {
    if ((error as { code?: unknown }).code === "ENOENT") return undefined;
    throw error;
  }
}

Deno.test("memo init --print=nix prints a home-manager module with the same settings", async () => {
  await using home = makeHome();
  const settings = JSON.parse(await succeed(home, ["init", "--print"]));
  const text = await succeed(home, ["init", "--print=nix"]);
  const module = { programs: { "claude-code": { enable: true, settings } } };
  assert.deepEqual(valueOfNix(text), module);
  assert.deepEqual(evaluated(text) ?? module, module);
  for (const other of [["--scope", "local"], ["--agent", "codex"], ["--plugin"]]) {
    const { code, stderr } = await runMemo(home, ["init", "--print=nix", ...other]);
    assert.equal(code, 2);
    assert.match(stderr, /^error: Cannot print `nix` with `--/);
  }
});

Deno.test("any settings come out of Nix as they went in", () => {
  const hard = {
    "a b": ["${x}", "$${y}", 'say "no"\\', "it''s", "\n\t", "ü 😀"],
    "": {},
    or: [],
    with: 1,
  };
  const { settings } = ((evaluated(moduleOf(hard)) ?? valueOfNix(moduleOf(hard))) as {
    programs: { "claude-code": { settings: unknown } };
  }).programs["claude-code"];
  assert.deepEqual(settings, hard);
  fc.assert(fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })), (settings) => {
    const read = valueOfNix(moduleOf(settings)) as Record<string, Record<string, object>>;
    assert.deepEqual(
      read["programs"]!["claude-code"],
      JSON.parse(JSON.stringify({ enable: true, settings })),
    );
  }));
});

Deno.test("hooks in managed settings are right for doctor, are not added twice, and uninstall says what to delete", async () => {
  await using home = makeHome();
  const managed = join(home.root, "managed"), folder = join(managed, "managed-settings.d");
  mkdirSync(folder, { recursive: true });
  const context = { ...contextIn(home.env, home.project), managed };
  const self = programOf(context);
  const { files } = JSON.parse(await succeed(home, ["init", "--print=managed", "--json"]));
  const text = files[0].text.replaceAll(
    /"command": "[^"]*"/g,
    `"command": ${JSON.stringify(self.command)}`,
  )
    .replaceAll(/"args": \[[^\]]*\]/g, `"args": ${JSON.stringify([...self.args, "hook"])}`);
  const path = join(folder, "memo.json");
  assert.match(files[0].path, /[\\/]managed-settings\.d[\\/]memo\.json$/);
  writeFileSync(path, text);
  writeFileSync(join(managed, "managed-settings.json"), '{"allowManagedHooksOnly": true}');
  const patient = patientOf(context, { offline: true });
  const count = Object.keys(JSON.parse(text).hooks).length;
  assert.equal(await hooks(patient), `${count} in \`~/managed/managed-settings.d/memo.json\``);
  assert.equal(managedRefusal(context), undefined);

  const done = await installHere(context, { scope: "user", mcp: true, dryRun: false });
  assert.ok(!existsSync(join(home.claude, "settings.json")));
  assert.match(done.server!.after!, /"memo"/);
  const change = uninstall(context, { scope: "user", self, dryRun: false });
  const [left] = hooksLeft(change, { ...context, isUser: true });
  assert.equal(left!.path, path);
  assert.deepEqual(JSON.parse(left!.paste!), JSON.parse(text));

  writeFileSync(path, text.replace('"Stop"', '"Stopped"'));
  const found = await hooks(patient);
  assert.ok(typeof found === "object");
  assert.match(found.detail, /`Stop` is missing/);
  assert.match(found.fix!, /memo init --print=managed/);
  writeFileSync(path, "{}");
  assert.equal(managedHooks(context, { self }), undefined);
  assert.match(managedRefusal(context)!, /allowManagedHooksOnly/);
  await patient.close();
});

/** Moves files to a folder that nobody can write, with links in their places; returns what makes it writable again. */
function lock(home: Home, ...paths: readonly string[]): () => void {
  const store = join(home.root, "store");
  mkdirSync(store);
  for (const path of paths) {
    renameSync(path, join(store, basename(path)));
    symlinkSync(join(store, basename(path)), path);
  }
  chmodSync(store, 0o555);
  return () => chmodSync(store, 0o755);
}

Deno.test("hooks that managed settings have too are removed from the user's, in words that say so", async () => {
  await using home = makeHome();
  const managed = join(home.root, "managed"), settings = join(home.claude, "settings.json");
  const context = { ...contextIn(home.env, home.project), managed, executable: MEMO };
  await installHere(context, { scope: "user", mcp: true, dryRun: false });
  mkdirSync(managed);
  writeFileSync(join(managed, "managed-settings.json"), readFileSync(settings));
  const [step] = STEPS;
  const { shows, apply } = await step!.plan(context, "yes");
  assert.ok(!shows.some((text) => /^Added|that run/.test(text)), shows.join("\n"));
  const unlock = lock(home, settings);
  try {
    const { shows: [why, paste] } = await step!.plan(context, "yes");
    assert.match(why!, /read-only link.*has memo's hooks: delete this from it/);
    assert.ok("UserPromptSubmit" in JSON.parse(paste!).hooks);
    const { left } = await installHere(context, { scope: "user", mcp: true, dryRun: false });
    assert.deepEqual(left.map(({ path, what }) => [path, what]), [[settings, "hooks"]]);
  } finally {
    unlock();
  }
  const { did } = await apply!("yes");
  assert.deepEqual(did, [
    "Removed memo's hooks from `~/.claude/settings.json`: `~/managed/managed-settings.json` has them",
  ]);
});

Deno.test("memo uninstall --purge deletes nothing while managed settings have the hooks", async () => {
  await using home = makeHome();
  const managed = join(home.root, "managed"), context = contextIn(home.env, home.project);
  await installHere(context, { scope: "user", mcp: true, dryRun: false });
  mkdirSync(managed);
  const settings = readFileSync(join(home.claude, "settings.json"));
  writeFileSync(join(managed, "managed-settings.json"), settings);
  const receipts = home.write("state/receipts.jsonl", "x");
  const command = new Command();
  define(command, { ...context, managed });
  await command.parseAsync(["--purge"], { from: "user" });
  assert.equal(process.exitCode, 1);
  process.exitCode = 0;
  assert.ok(existsSync(receipts));
});

Deno.test("memo uninstall names each file that it cannot write and what stays there, and says of none that it changed", async () => {
  await using home = makeHome();
  await succeed(home, ["init"]);
  await succeed(home, ["init", "--agent", "codex"]);
  const server = join(home.claude, ".claude.json"), codex = join(home.root, ".codex/config.toml");
  const texts = () => [server, codex].map((path) => readFileSync(path, "utf8"));
  const unlock = lock(home, server, codex), before = texts();
  try {
    const agent = await runMemo(home, ["uninstall", "--agent", "codex"]);
    assert.equal(agent.code, 1);
    assert.match(agent.stdout, /^Deleted `~\/\.codex\/hooks\.json`\n$/);
    assert.match(agent.stderr, /config\.toml` still has memo's settings: it is a read-only link/);
    assert.match(agent.stderr, /\n\n#[^\n]*\n\[mcp_servers\.memo\]\ncommand = .*\nargs = .*\n$/);
    const plain = await runMemo(home, ["uninstall"]);
    assert.equal(plain.code, 1);
    assert.match(plain.stdout, /^Deleted `~\/\.claude\/settings\.json`\n\nKept/);
    assert.match(plain.stderr, /\.claude\.json` still has memo's MCP server: .*\n\n\{\n/);
    const { code, stdout, stderr } = await runMemo(home, ["uninstall", "--purge", "--json"]);
    assert.equal(code, 1);
    const { changed, purged, left } = JSON.parse(stdout);
    assert.deepEqual([changed, purged], [false, []]);
    assert.deepEqual(left.map(({ path }: { path: string }) => path), [server, codex]);
    assert.match(stderr, /run `memo uninstall --purge` again/);
    assert.deepEqual(texts(), before);
  } finally {
    unlock();
  }
});

Deno.test("memo uninstall says what to delete from settings that it cannot write, and deletes nothing that these run", async () => {
  await using home = makeHome();
  const store = join(home.root, "store"), settings = join(home.claude, "settings.json");
  const block = await succeed(home, ["init", "--print"]);
  const own = { ...JSON.parse(block), model: "opus" };
  mkdirSync(store);
  writeFileSync(join(store, "settings.json"), JSON.stringify(own), { mode: 0o444 });
  symlinkSync(join(store, "settings.json"), settings);
  chmodSync(store, 0o555);
  try {
    await succeed(home, ["init"]);
    const server = () => readFileSync(join(home.claude, ".claude.json"), "utf8");
    assert.match(server(), /"memo"/);
    const state = readdirSync(home.memoHome);
    const { code, stdout, stderr } = await runMemo(home, ["uninstall", "--purge"]);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /`~\/\.claude\/settings\.json` still has memo's hooks: it is a read-only link/,
    );
    assert.match(stderr, /run `memo uninstall --purge` again/);
    assert.deepEqual(JSON.parse(stderr.slice(stderr.indexOf("\n\n{"))), JSON.parse(block));
    assert.doesNotMatch(stdout, /settings\.json/);
    assert.doesNotMatch(existsSync(join(home.claude, ".claude.json")) ? server() : "", /"memo"/);
    assert.deepEqual(state.filter((name) => !existsSync(join(home.memoHome, name))), [
      "install.json", // it was of the server
    ]);
    assert.deepEqual(readdirSync(home.claude).filter((name) => name.includes("backup")), []);

    chmodSync(store, 0o755);
    rmSync(join(store, "settings.json"));
    writeFileSync(join(store, "settings.json"), '{"model":"opus"}', { mode: 0o444 });
    chmodSync(store, 0o555);
    const again = await runMemo(home, ["uninstall", "--purge"]);
    assert.equal(again.code, 0, again.stderr);
    assert.ok(!existsSync(join(home.memoHome, "install.json")));
  } finally {
    chmodSync(store, 0o755);
  }
});

Deno.test({
  name:
    "settings in a folder of another user, and immutable ones, are recognised; a file that is only read-only is not",
  ignore: process.getuid?.() !== 0,
  fn: async () => {
    await using home = makeHome({}, { isUnpacked: false });
    const settings = home.write(".claude/settings.json", '{"model":"opus"}\n');
    chmodSync(settings, 0o444);
    assert.equal(whyLocked({ path: settings, target: settings }), undefined);
    const user = 54321;
    for (const name of readdirSync(home.root)) {
      if (name !== ".claude") execFileSync("chown", ["-R", `${user}`, join(home.root, name)]);
    }
    chownSync(home.root, user, user);
    chmodSync(home.claude, 0o755);
    const { stdout } = await runMemo(home, ["init", "--yes", "--check", "no"], { user });
    assert.match(stdout.replace(/\s+/g, " "), /settings\.json`: you cannot write to its folder/);
    assert.match(stdout, /"UserPromptSubmit"/);
    assert.match(stdout, /memo init --print=nix/);
    assert.deepEqual(readdirSync(home.claude), ["settings.json"]);
    try {
      execFileSync("chattr", ["+i", settings], { stdio: "ignore" });
    } catch {
      return; // the disk has no such mark
    }
    try {
      const { stdout } = await runMemo(home, ["init", "--yes", "--check", "no"], {
        executable: MEMO,
      });
      assert.match(stdout.replace(/\s+/g, " "), /settings\.json`: it is immutable/);
    } finally {
      execFileSync("chattr", ["-i", settings]);
    }
  },
});
