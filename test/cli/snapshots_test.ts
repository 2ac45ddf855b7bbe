// Whole commands print what test/snapshots holds; `deno task snapshots` writes it anew after a change that is meant.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { takeSnapshots } from "../support/snapshots.ts";

const FOLDER = fileURLToPath(new URL("../snapshots", import.meta.url));

Deno.test({
  name: "whole commands print what their snapshots hold (else: deno task snapshots)",
  ignore: process.platform === "win32",
  async fn() {
    const kept = readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".txt"));
    const taken = await takeSnapshots();
    assert.deepEqual(kept.sort(), [...taken.keys()].sort());
    for (const [name, text] of taken) {
      assert.equal(text, readFileSync(join(FOLDER, name), "utf8"), name);
    }
  },
});
