import assert from "node:assert/strict";
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { followLinks, realPathOf } from "../../src/core/files/real_path.ts";
import { temporaryFolder } from "../support/temp.ts";

Deno.test("followLinks() finds what the system finds: links in the middle, at the end, relative and absolute", () => {
  using temp = temporaryFolder();
  const at = (...parts: string[]) => join(temp.path, ...parts);
  mkdirSync(at("a", "b"), { recursive: true });
  writeFileSync(at("a", "b", "file"), "x");
  symlinkSync(at("a"), at("absolute"));
  symlinkSync(join("..", "absolute", "b"), at("a", "relative"));
  symlinkSync(join("relative", "..", "b", "file"), at("a", "file"));
  for (const path of ["a", "absolute", "a/relative", "absolute/relative/file", "absolute/file"]) {
    assert.equal(followLinks(at(path)), realpathSync(at(path)), path);
    assert.equal(realPathOf(at(path)), realpathSync(at(path)), path);
  }
  assert.equal(followLinks(sep), sep);
});

Deno.test("realPathOf() throws where a path leads to nothing, or round in circles", () => {
  using temp = temporaryFolder();
  symlinkSync("b", join(temp.path, "a"));
  symlinkSync("a", join(temp.path, "b"));
  assert.throws(() => realPathOf(join(temp.path, "a")), /ELOOP/);
  assert.throws(() => realPathOf(join(temp.path, "none")), /ENOENT/);
});
