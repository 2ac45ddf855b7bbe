import assert from "node:assert/strict";
import { Command } from "commander";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { define } from "../../src/cli/model.ts";
import { loadConfig } from "../../src/settings/config.ts";
import { listModels } from "../../src/embed/installed.ts";
import { BUILT_IN } from "../../src/embed/models.ts";
import { MemoError } from "../../src/errors.ts";
import { pathsFor } from "../../src/paths.ts";
import { MINILM } from "../support/minilm.ts";
import { temporaryFolder } from "../support/temp.ts";

async function memoModel(home: string, ...argv: string[]): Promise<void> {
  const env = { MEMO_HOME: home, HOME: home };
  const command = new Command("model").exitOverride();
  define(command, { env, paths: pathsFor(env), cwd: home });
  await command.parseAsync(argv, { from: "user" });
}

Deno.test("memo model use refuses a model that is not here, and changes nothing", async () => {
  using home = temporaryFolder();
  const paths = pathsFor({ MEMO_HOME: home.path });
  await assert.rejects(
    memoModel(home.path, "use", "multilingual-e5-small"),
    (error) =>
      error instanceof MemoError &&
      error.hint === "Run `memo model pull Xenova/multilingual-e5-small`",
  );
  assert.equal(loadConfig(paths.config, {}).model, "builtin");
});

Deno.test("memo model pull and use make a local model the one in force, comments kept", async () => {
  using home = temporaryFolder();
  const paths = pathsFor({ MEMO_HOME: home.path });
  writeFileSync(paths.config, "# mine\nrecall:\n  min_chars: 12\n");
  await memoModel(home.path, "pull", MINILM);
  await memoModel(home.path, "use", "local/model-minilm");
  assert.equal(loadConfig(paths.config, {}).model, "local/model-minilm");
  assert.match(readFileSync(paths.config, "utf8"), /^# mine\n/);
  assert.equal(statSync(paths.config).mode & 0o777, 0o600);
  const listed = listModels(paths).find(({ name }) => name === "local/model-minilm");
  assert.equal(listed?.state, "pulled");
  assert.equal(listed?.dimensions, 384);
});

Deno.test("memo model use goes back to the built-in model", async () => {
  using home = temporaryFolder();
  const paths = pathsFor({ MEMO_HOME: home.path });
  await memoModel(home.path, "use", "builtin");
  assert.equal(loadConfig(paths.config, {}).model, "builtin");
});

Deno.test("memo model list says which model is built in", () => {
  using home = temporaryFolder();
  const builtin = listModels(pathsFor({ MEMO_HOME: home.path })).find(({ name }) =>
    name === "builtin"
  );
  assert.ok(BUILT_IN.some(({ name }) => name === builtin?.model));
  assert.equal(builtin?.state, "built in");
});
