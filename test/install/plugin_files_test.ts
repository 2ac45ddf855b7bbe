import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { generatedFiles, LAUNCHER } from "../../src/features/install/plugin.ts";
import { pluginManifests } from "../../tools/release/plugins.ts";
import { repository } from "../../tools/release/repository.ts";

const ROOT = new URL("../../", import.meta.url);

const FILES = {
  ...Object.fromEntries(
    Object.entries(generatedFiles(LAUNCHER)).map(([path, text]) => [`plugin/${path}`, text]),
  ),
  ...pluginManifests(repository()),
};

for (const [path, text] of Object.entries(FILES)) {
  Deno.test(`${path} is what the tables say (else: deno task plugin)`, () => {
    assert.equal(readFileSync(new URL(path, ROOT), "utf8"), text, "Run `deno task plugin`");
  });
}
