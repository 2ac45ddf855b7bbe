// Options as a whole: where they may stand, what they take, and that every command that prints has `--json`.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { dirname } from "node:path";
import type { Command } from "commander";

import { contextIn } from "../../src/surfaces/cli/shared/command.ts";
import { buildProgram } from "../../src/surfaces/cli/mod.ts";
import { pathOf } from "../../src/surfaces/cli/shared/usage.ts";

import { makeHome, runMemo } from "../support/home.ts";

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
