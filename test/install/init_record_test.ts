import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { undoInitSettings, writeInitSettings } from "../../src/features/install/record.ts";
import { pathsFor } from "../../src/paths.ts";
import { type Home, makeHome } from "../support/home.ts";

function pathsIn({ root }: Home) {
  return pathsFor({ HOME: root }, "linux");
}

Deno.test("undoInitSettings() takes back the file and the folders that init made", async () => {
  await using home = makeHome();
  const paths = pathsIn(home);
  writeInitSettings(paths, { "recall.preset": "best" });
  writeInitSettings(paths, { "capture.enabled": false });
  assert.match(readFileSync(paths.config, "utf8"), /best/);
  assert.ok(undoInitSettings(paths));
  assert.ok(!existsSync(dirname(dirname(paths.config))));
});

Deno.test("undoInitSettings() restores a file to the byte", async () => {
  await using home = makeHome();
  const paths = pathsIn(home);
  const mine = "# mine\nrecall:   {preset: best} # and why\n\n\ncapture.enabled: true\n";
  home.write(".config/memo/config.yaml", mine);
  writeInitSettings(paths, { "recall.preset": undefined, "llm.provider": "claude" });
  assert.notEqual(readFileSync(paths.config, "utf8"), mine);
  undoInitSettings(paths);
  assert.equal(readFileSync(paths.config, "utf8"), mine);
});

Deno.test("undoInitSettings() takes only its own values out of a file that was changed since", async () => {
  await using home = makeHome();
  const paths = pathsIn(home);
  writeInitSettings(paths, { "recall.preset": "best", "llm.provider": "claude" });
  const changed = readFileSync(paths.config, "utf8").replace("claude", "anthropic");
  writeFileSync(paths.config, changed + "model: builtin\n");
  undoInitSettings(paths);
  assert.equal(readFileSync(paths.config, "utf8"), "llm:\n  provider: anthropic\nmodel: builtin\n");
});
