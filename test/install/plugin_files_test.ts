import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { generatedFiles, LAUNCHER, marketplace } from "../../src/install/plugin_files.ts";

const ROOT = new URL("../../", import.meta.url);

const FILES = {
  ...Object.fromEntries(
    Object.entries(generatedFiles(LAUNCHER)).map(([path, text]) => [`plugin/${path}`, text]),
  ),
  ".claude-plugin/marketplace.json": marketplace(),
};

for (const [path, text] of Object.entries(FILES)) {
  Deno.test(`${path} is what the tables say (else: deno task plugin)`, () => {
    assert.equal(readFileSync(new URL(path, ROOT), "utf8"), text, "Run `deno task plugin`");
  });
}
