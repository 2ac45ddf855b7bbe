// What a newcomer sees in a terminal of 60, 100 and 160 columns is what test/screens holds; `deno task snapshots` writes
// it anew after a change that is meant.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import stringWidth from "string-width";
import { HAS_TERMINAL } from "./support/terminal.ts";
import { takeWalks } from "./support/walks.ts";

const FOLDER = fileURLToPath(new URL("screens", import.meta.url));

Deno.test({
  name: "a newcomer's first hour looks as test/screens holds it (else: deno task snapshots)",
  ignore: !HAS_TERMINAL,
  async fn() {
    const taken = await takeWalks();
    assert.deepEqual(readdirSync(FOLDER).sort(), [...taken.keys()].sort());
    for (const [name, { width, screen, joined }] of taken) {
      assert.equal(screen, readFileSync(join(FOLDER, name), "utf8"), name);
      const broken = joined.split("\n").filter((line) =>
        stringWidth(line) > width && !line.startsWith("$ ") && !LONG_WORD.test(line)
      );
      assert.deepEqual(broken, [], `${name}: the terminal has broken what memo should have`);
    }
  },
});

/** A path may be longer than a line. */
const LONG_WORD = /\S{45}/;
