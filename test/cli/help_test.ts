import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import type { Command } from "commander";
import stringWidth from "string-width";
import { contextIn } from "../../src/surfaces/cli/shared/command.ts";
import { buildProgram, COMMANDS } from "../../src/surfaces/cli/mod.ts";
import { pathOf } from "../../src/surfaces/cli/shared/usage.ts";
import { TOPICS } from "../../src/surfaces/cli/help.ts";
import { refused, SETTINGS, variableOf } from "../../src/core/settings/table.ts";
import { makeHome, runMemo } from "../support/home.ts";

Deno.test("memo help explains each topic, each command, and itself", async () => {
  await using home = makeHome();
  for (const { name } of TOPICS) {
    const { code, stdout } = await runMemo(home, ["help", name]);
    assert.equal(code, 0, name);
    assert.ok(stdout.trim().length > 100, name);
  }
  const topics = (await runMemo(home, ["help", "help"])).stdout;
  for (const { name, summary } of TOPICS) assert.match(topics, new RegExp(`  ${name} +${summary}`));
  assert.match((await runMemo(home, ["help", "config", "set"])).stdout, /^Usage: memo config set/);
  assert.match(
    (await runMemo(home, ["help"])).stdout,
    /^Persistent memory for Claude Code and other agents\nUsage: memo /,
  );
});

Deno.test("memo help environment lists the variable of every setting that one can set", async () => {
  await using home = makeHome();
  const { stdout } = await runMemo(home, ["help", "environment"]);
  for (const { key, narrow } of SETTINGS.filter((setting) => !setting.key.endsWith(".*"))) {
    const row = new RegExp(`  ${variableOf(key)} +${key.replaceAll(".", "\\.")}`);
    assert.equal(row.test(stdout), narrow !== refused, key);
  }
});

Deno.test("the help of memo, of each command and of each subcommand fits 40 lines of 80 columns", async () => {
  await using home = makeHome();
  const context = contextIn(home.env, home.project);
  const program = await buildProgram(context, "*");
  const tooLong: string[] = [];
  const measure = (command: Command) => {
    const lines = command.helpInformation().trimEnd().split("\n");
    const wide = lines.filter((line) => stringWidth(line) > 80);
    if (lines.length > 40 || wide.length > 0) {
      tooLong.push(`${pathOf(command)}: ${lines.length} lines; ${wide.join("; ")}`);
    }
    command.commands.filter((each) => each.name() !== "help").forEach(measure);
  };
  measure(program);
  assert.deepEqual(tooLong, []);
});

Deno.test("each file in src/surfaces/cli is a command; what several share is in src/surfaces/cli/shared", () => {
  const folder = new URL("../../src/surfaces/cli/", import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith(".ts") && name !== "mod.ts");
  const named = COMMANDS.map(({ name }) => name === "index" ? "reindex.ts" : `${name}.ts`);
  assert.deepEqual(files.sort(), named.sort());
});
