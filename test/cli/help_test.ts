import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { COMMANDS } from "../../src/cli/mod.ts";
import { TOPICS } from "../../src/cli/help/topics.ts";
import { SETTINGS, variableOf } from "../../src/settings/table.ts";
import { unpackDebian } from "../support/debian.ts";
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
  assert.match((await runMemo(home, ["help"])).stdout, /^Usage: memo \[options\] \[command\]/);
});

Deno.test("memo help names the nearest topic to one that it does not know", async () => {
  await using home = makeHome();
  const { code, stderr } = await runMemo(home, ["help", "enviroment"]);
  assert.equal(code, 2);
  assert.match(stderr, /No help on `enviroment`[\s\S]*Did you mean `environment`\?/);
});

Deno.test("memo help environment lists the variable of every setting", async () => {
  await using home = makeHome();
  const { stdout } = await runMemo(home, ["help", "environment"]);
  for (const { key } of SETTINGS.filter((setting) => !setting.key.endsWith(".*"))) {
    assert.match(stdout, new RegExp(`  ${variableOf(key)} +${key.replaceAll(".", "\\.")}`));
  }
});

const mandoc = unpackDebian("mandoc", join(tmpdir(), "memo-test-mandoc"));

Deno.test("memo help --man holds every command, in a form that man can show", async () => {
  await using home = makeHome();
  const { code, stdout } = await runMemo(home, ["help", "--man"]);
  assert.equal(code, 0);
  for (const { name } of COMMANDS) assert.match(stdout, new RegExp(`^\\.SS "memo ${name}\\b`, "m"));
  const command = ["mandoc", join(mandoc ?? "", "usr/bin/mandoc")]
    .find((each) => spawnSync(each, ["-T", "ascii"], { input: "" }).status === 0);
  if (command === undefined) return; // no mandoc for this machine
  const lint = spawnSync(command, ["-T", "lint", "-W", "error"], { input: stdout });
  assert.equal(lint.status, 0, String(lint.stdout));
});
