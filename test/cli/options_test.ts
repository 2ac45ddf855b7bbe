// Options as a whole: where they may stand, what they take, and that every command that prints has `--json`.

import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { dirname } from "node:path";
import type { Command } from "commander";

import { contextIn } from "../../src/surfaces/cli/shared/command.ts";
import { buildProgram } from "../../src/surfaces/cli/mod.ts";
import { pathOf } from "../../src/surfaces/cli/shared/usage.ts";

import { makeHome, runMemo } from "../support/home.ts";

Deno.test("--color may stand before the command, and the command runs", async () => {
  await using home = makeHome();
  for (const color of [["--color", "never"], ["--color=always"]]) {
    const added = await runMemo(home, [...color, "add", `Use pnpm, ${color[0]}`]);
    assert.equal(added.code, 0, added.stderr);
    assert.ok(existsSync(added.stdout.trim()));
  }
  const nested = await runMemo(home, ["--color", "never", "config", "get", "recall.min_chars"]);
  assert.deepEqual([nested.code, nested.stdout], [0, "10\n"]);
  const wrong = await runMemo(home, ["--color", "blue", "list"]);
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /`blue` is invalid/);
});

Deno.test("an option is not taken for another option's value", async () => {
  await using home = makeHome();
  for (const [words, option] of [[["--type", "--json"], "-t, --type"], [["-d", "-t"], "-d, "]]) {
    const { code, stderr } = await runMemo(home, ["add", "Use pnpm", ...words as string[]]);
    assert.equal(code, 2);
    assert.match(stderr, new RegExp(`Option \`${option}.*lacks its value`));
  }
  assert.equal((await runMemo(home, ["list"])).code, 1);
  const text = await runMemo(home, ["add", "--", "--type", "--json"]);
  assert.equal(text.code, 0, text.stderr);
});

Deno.test("an option behind a subcommand is that subcommand's", async () => {
  await using home = makeHome();
  const { stdout } = await runMemo(home, ["sync", "status", "--json"]);
  assert.equal(JSON.parse(stdout).remote, null);
});

Deno.test("memo daemon start, restart and stop print JSON", async () => {
  await using home = makeHome();
  const daemon = async (what: string) =>
    JSON.parse((await runMemo(home, ["daemon", what, "--json"])).stdout);
  const started = await daemon("start");
  assert.deepEqual([started.running, started.changed], [true, true]);
  assert.equal((await daemon("start")).changed, false);
  assert.notEqual((await daemon("restart")).pid, started.pid);
  assert.deepEqual(await daemon("stop"), { running: false, pid: null, changed: true });
});

/** Commands whose output is no data. */
const WITHOUT_JSON: Readonly<Record<string, string>> = {
  "memo completions": "a shell's script",
  "memo config edit": "an editor",
  "memo daemon embed": "a process of the daemon's",
  "memo daemon run": "the log of a process in the foreground",
  "memo help": "text to read",
  "memo mcp": "a protocol of its own",
};

Deno.test("every command that prints has --json", async () => {
  await using home = makeHome();
  const context = contextIn(home.env, home.project);
  const without: string[] = [];
  const walk = (command: Command) => {
    const own = command.commands.filter((each) => each.name() !== "help");
    if (own.length === 0 && command.options.every(({ long }) => long !== "--json")) {
      without.push(pathOf(command));
    }
    own.forEach(walk);
  };
  const program = await buildProgram(context, "*");
  program.commands.forEach(walk);
  assert.deepEqual(without.sort(), Object.keys(WITHOUT_JSON).sort());
});

Deno.test("memo edit and memo config edit start no editor of terminals where there is none", async () => {
  await using home = makeHome();
  const path = home.write("tool_pnpm.md", "---\nname: Use pnpm\ntype: tool\n---\nNever npm.\n");
  const bare = Object.fromEntries(
    Object.entries(home.env).filter(([name]) => !["EDITOR", "VISUAL"].includes(name)),
  );
  for (const env of [bare, { ...bare, EDITOR: "/usr/bin/nvim -f" }]) {
    for (const words of [["edit", "Use pnpm"], ["config", "edit"]]) {
      const { code, stderr } = await runMemo({ ...home, env }, words);
      assert.equal(code, 2);
      assert.match(stderr, /^error: Cannot open `.*`: there is no terminal\n\nhint: /);
    }
  }
  assert.ok(readdirSync(dirname(path)).includes("tool_pnpm.md"));
});
