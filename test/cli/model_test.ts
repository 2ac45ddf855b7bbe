import assert from "node:assert/strict";
import { Command } from "commander";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { contextIn } from "../../src/surfaces/cli/shared/command.ts";
import { define, figuresOf } from "../../src/surfaces/cli/config/model.ts";
import { loadConfig } from "../../src/core/settings/config.ts";
import { listModels, type ModelStatus } from "../../src/core/embed/installed.ts";
import { BUILT_IN, MEASURED, type ModelRow, MODELS } from "../../src/core/embed/models.ts";
import { pathsFor } from "../../src/paths.ts";
import { makeHome, runMemo, succeed } from "../support/home.ts";
import { MINILM } from "../support/minilm.ts";
import { temporaryFolder } from "../support/temp.ts";

async function memoModel(home: string, ...argv: string[]): Promise<void> {
  const env = { MEMO_HOME: home, HOME: home };
  const command = new Command("model").exitOverride();
  define(command, contextIn(env, home));
  await command.parseAsync(argv, { from: "user" });
}

Deno.test("memo config model pull says that a folder does not exist", async () => {
  using home = temporaryFolder();
  await assert.rejects(
    memoModel(home.path, "pull", "./nothing"),
    /Cannot copy a model from `.*nothing`: no such folder/,
  );
});

Deno.test("a model that was pulled from a folder can be set, comments kept", async () => {
  await using home = makeHome({}, { hasModel: true });
  const paths = pathsFor(home.env);
  writeFileSync(paths.config, "# mine\nrecall:\n  min_chars: 12\n");
  const pulled = await runMemo(home, ["config", "model", "pull", MINILM, "--json"]);
  assert.equal(JSON.parse(pulled.stdout).name, "local/model-minilm");
  await succeed(home, ["config", "set", "model=local/model-minilm"]);
  assert.equal(loadConfig(paths.config, {}).model, "local/model-minilm");
  assert.match(readFileSync(paths.config, "utf8"), /^# mine\n/);
  assert.equal(statSync(paths.config).mode & 0o777, 0o600);
  const listed = listModels(paths).find(({ name }) => name === "local/model-minilm");
  assert.equal(listed?.state, "pulled");
  assert.equal(listed?.dimensions, 384);
});

Deno.test("memo config model says which model is built in", () => {
  using home = temporaryFolder();
  const builtin = listModels(pathsFor({ MEMO_HOME: home.path })).find(({ name }) =>
    name === "builtin"
  );
  const row = BUILT_IN.find(({ name }) => name === builtin?.model);
  assert.equal(builtin?.state, "built in");
  assert.deepEqual(builtin?.measured, row?.measured);
  assert.equal(builtin?.bytes, row?.bytes);
});

Deno.test("memo config model shows what was measured of a model, and a dash for what was not", async () => {
  await using home = makeHome({}, { hasModel: true });
  const { code, stdout } = await runMemo(home, ["config", "model"]);
  assert.equal(code, 0);
  const cellsOf = (name: string) =>
    stdout.split("\n").find((line) => line.includes(name))?.trim().split(/ {2,}/);
  assert.deepEqual(cellsOf("Xenova/multilingual-e5-small")?.slice(1), [
    "not pulled",
    "384",
    "135 MB",
    ...figuresOf(MEASURED["multilingual-e5-small"]!),
    "94 languages",
  ]);
  const unmeasured = cellsOf("Xenova/paraphrase-multilingual-MiniLM-L12-v2");
  assert.deepEqual(unmeasured?.slice(4, 8), ["-", "-", "-", "-"]);
});

Deno.test("memo config model --json has the figures of every model, null for one that was not measured", async () => {
  await using home = makeHome({}, { hasModel: true });
  const { stdout } = await runMemo(home, ["config", "model", "--json"]);
  const models = JSON.parse(stdout) as (ModelStatus & { readonly used: boolean })[];
  assert.deepEqual(models.filter(({ used }) => used).map(({ name }) => name), ["builtin"]);
  for (const { name, measured } of MODELS as readonly ModelRow[]) {
    const listed = models.find((each) => each.name === name);
    assert.deepEqual(listed?.measured, measured ?? null);
  }
});
