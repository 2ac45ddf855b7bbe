import assert from "node:assert/strict";
import {
  globsIn,
  isForFile,
  isForFolder,
  withGlobs,
  withoutGlobs,
} from "../../src/core/memory/applies.ts";

Deno.test("the last line of a memory says which files it applies to, and nothing else does", () => {
  const globs = ["src/api/**", "**/*.{ts,tsx}"];
  const said = withGlobs("Never return a raw error", globs);
  assert.equal(said, "Never return a raw error\n\nApplies to `src/api/**`, `**/*.{ts,tsx}`.");
  assert.deepEqual([globsIn(said), withoutGlobs(said)], [globs, "Never return a raw error"]);
  assert.equal(withGlobs("Use tabs", []), "Use tabs");
  for (const text of ["Applies to all", "Applies to `a` and more.", "Applies to `a`.\n\nMore"]) {
    assert.deepEqual([globsIn(text), withoutGlobs(text)], [[], text]);
  }
});

Deno.test("globs are for the files that match, and for the folder that these are in", () => {
  const files: [glob: string, file: string, is: boolean][] = [
    ["packages/api/**", "packages/api/src/a.ts", true],
    ["packages/api/**", "packages/apis/a.ts", false],
    ["**/*.{ts,tsx}", "src/deep/a.tsx", true],
    ["src/*.ts", "src/deep/a.ts", false],
  ];
  for (const [glob, file, is] of files) {
    assert.equal(isForFile([glob], file), is, `${glob} ${file}`);
  }
  const folders: [glob: string, folder: string, is: boolean | undefined][] = [
    ["packages/api/**", "packages/api", true],
    ["packages/api/**", "packages/api/src", true],
    ["packages/api/**", "packages/apis", false],
    ["packages/api/**", "packages", undefined],
    ["packages/api/**", "", undefined],
    ["src/api/**/*.ts", "src/api/rest", true],
    ["**/*.ts", "src", undefined],
  ];
  for (const [glob, folder, is] of folders) {
    assert.equal(isForFolder([glob], folder), is, `${glob} ${folder}`);
  }
  assert.equal(isForFolder([], "src"), undefined);
  const but = ["src/**", "!src/vendor/**"];
  const found = ["src/a.ts", "src/vendor/a.ts", "docs/a.md"].map((file) => isForFile(but, file));
  assert.deepEqual([...found, isForFolder(but, "docs")], [true, false, false, false]);
});
