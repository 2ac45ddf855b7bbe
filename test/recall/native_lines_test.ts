import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isSaidIn, linkedIn, nativeLines, wordsOf } from "../../src/core/recall/repeats.ts";
import { temporaryFolder } from "../support/temp.ts";

Deno.test("Claude Code's own MEMORY.md is read again when it changes, moves or goes", () => {
  using temp = temporaryFolder();
  using other = temporaryFolder();
  const at = (path: string) => [{ scope: "auto" as const, path }];
  const saying = "Releases are cut on Thursday by the person on call";
  const says = (path: string) =>
    isSaidIn(nativeLines(at(path)), wordsOf({ name: "", body: saying }));
  assert.equal(says(temp.path), false);
  writeFileSync(join(temp.path, "MEMORY.md"), `- [releases](releases.md): ${saying}\n`);
  assert.equal(says(temp.path), true);
  assert.equal(says(temp.path), true);
  assert.deepEqual([...linkedIn(at(temp.path))], [join(temp.path, "releases.md")]);
  assert.equal(says(other.path), false);
  writeFileSync(
    join(temp.path, "MEMORY.md"),
    "- something else altogether, and longer than that was before: yes\n",
  );
  assert.equal(says(temp.path), false);
  assert.equal(linkedIn(at(temp.path)).size, 0);
  rmSync(join(temp.path, "MEMORY.md"));
  assert.deepEqual(nativeLines(at(temp.path)), []);
});
