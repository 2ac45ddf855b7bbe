import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { MentionRow } from "../../src/core/index/mod.ts";
import { anchorsIn } from "../../src/features/guard/anchors.ts";
import { defines, definitionsOf, filesOf } from "../../src/features/guard/work_tree.ts";
import { temporaryFolder } from "../support/temp.ts";
import { readRows } from "../support/fixtures.ts";

const FILES = ["src/a.ts", "src/b.ts", "lib/a.ts", "gen/one.ts", "gen/two.ts", "package.json"];
const mention = (memory: number, kind: MentionRow["kind"], text: string, isTitle = false) => ({
  ...{ memory, kind, text, isTitle },
});

/** The files that one memory is anchored to. */
function filesFor(mentions: MentionRow[], definitions: Record<string, string[]> = {}): string[] {
  const found = new Map(Object.entries(definitions).map(([name, of]) => [name, new Set(of)]));
  return [...anchorsIn(mentions, { files: FILES, definitions: found }).keys()].sort();
}

Deno.test("a path leads to its file, and a name only where one file has it", () => {
  assert.deepEqual(filesFor([mention(1, "file", "src/a.ts")]), ["src/a.ts"]);
  assert.deepEqual(filesFor([mention(1, "file", "b.ts")]), ["src/b.ts"]);
  assert.deepEqual(filesFor([mention(1, "file", "a.ts")]), [], "two files have this name");
  assert.deepEqual(filesFor([mention(1, "file", "gone.ts")]), [], "the work tree has none");
});

Deno.test("a name that every project has counts in a title alone", () => {
  assert.deepEqual(filesFor([mention(1, "file", "package.json")]), []);
  assert.deepEqual(filesFor([mention(1, "file", "package.json", true)]), ["package.json"]);
});

Deno.test("a symbol leads to the one file that defines it, tests and declarations apart", () => {
  const symbol = [mention(1, "symbol", "openStore")];
  assert.deepEqual(filesFor(symbol, { openStore: ["src/b.ts"] }), ["src/b.ts"]);
  const others = ["src/b.ts", "test/b_test.ts", "src/b.d.ts"];
  assert.deepEqual(filesFor(symbol, { openStore: others }), ["src/b.ts"]);
  assert.deepEqual(filesFor(symbol, { openStore: ["src/a.ts", "src/b.ts"] }), []);
});

Deno.test("a folder leads to its files", () => {
  assert.deepEqual(filesFor([mention(1, "folder", "gen")]), ["gen/one.ts", "gen/two.ts"]);
});

Deno.test("a memory that names many files by the way is about none of them; one in its title stays", () => {
  const files = Array.from({ length: 9 }, (_, i) => `f${i}.ts`);
  const mentions = files.map((text) => mention(1, "file", text));
  const tree = { files: [...files, "x.ts"], definitions: new Map() };
  assert.equal(anchorsIn(mentions, tree).size, 0);
  assert.deepEqual(
    [...anchorsIn([mention(1, "file", "x.ts", true), ...mentions], tree).keys()],
    ["x.ts"],
  );
});

Deno.test("the memory that is most about a file comes first", () => {
  const mentions = [
    mention(1, "folder", "src"),
    mention(2, "file", "b.ts"),
    mention(3, "file", "b.ts", true),
  ];
  const anchors = anchorsIn(mentions, { files: FILES, definitions: new Map() });
  assert.deepEqual(anchors.get("src/b.ts")!.map(({ memory }) => memory), [3, 2, 1]);
});

Deno.test("defines() knows definitions in the usual languages, and tells them from uses", () => {
  for (const [what, line = ""] of readRows("guard/definitions.tsv")) {
    assert.equal(defines(line, "openStore"), what === "defines", line);
  }
});

function tree(files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder.path, name)), { recursive: true });
    writeFileSync(join(folder.path, name), text);
  }
  return folder;
}

Deno.test("filesOf() lists what git knows and what is new, and nothing that is ignored", async () => {
  using folder = tree({ "a.ts": "", ".gitignore": "out/\n", "out/b.js": "", "ü b/c.ts": "" });
  execFileSync("git", ["init", "--quiet"], { cwd: folder.path });
  execFileSync("git", ["add", "a.ts"], { cwd: folder.path });
  assert.deepEqual([...(await filesOf(folder.path))!].sort(), [".gitignore", "a.ts", "ü b/c.ts"]);
  const files = { "x/store.py": "def openStore(path):\n    pass\n", "y.py": "openStore('z')\n" };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder.path, name)), { recursive: true });
    writeFileSync(join(folder.path, name), text);
  }
  const found = await definitionsOf(folder.path, ["openStore", "nothing"]);
  assert.deepEqual([...found].map(([name, of]) => [name, [...of]]), [["openStore", [
    "x/store.py",
  ]]]);
});

Deno.test("filesOf() walks a folder without a repository, past what nobody writes", async () => {
  using folder = tree({ "a.ts": "", "lib/b.ts": "", "node_modules/c/c.js": "", ".cache/d": "" });
  assert.deepEqual([...(await filesOf(folder.path))!].sort(), ["a.ts", "lib/b.ts"]);
  assert.equal((await definitionsOf(folder.path, ["openStore"])).size, 0);
  rmSync(folder.path, { recursive: true });
  assert.deepEqual(await filesOf(folder.path), []);
});
