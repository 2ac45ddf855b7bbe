import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { MentionRow } from "../../src/core/index/mod.ts";
import { anchorsIn } from "../../src/features/guard/anchors.ts";
import { defines, definitionsOf } from "../../src/features/guard/definitions.ts";
import { filesOf } from "../../src/core/files/work_tree.ts";
import { temporaryFolder } from "../support/temp.ts";
import { readRows } from "../support/fixtures.ts";

const FILES = ["src/a.ts", "src/b.ts", "lib/a.ts", "gen/one.ts", "gen/two.ts", "package.json"];
const mention = (memory: number, kind: MentionRow["kind"], text: string, isTitle = false) => ({
  ...{ memory, kind, text, isTitle },
});

Deno.test("a name leads to a file only if it leads to one alone, and a common one only from a title", () => {
  const one = { openStore: ["src/b.ts"] }, two = { openStore: ["src/a.ts", "src/b.ts"] };
  const others = { openStore: ["src/b.ts", "test/b_test.ts", "src/b.d.ts"] };
  const rows: [mention: MentionRow, files: string[], definitions?: Record<string, string[]>][] = [
    [mention(1, "file", "src/a.ts"), ["src/a.ts"]],
    [mention(1, "file", "b.ts"), ["src/b.ts"]],
    [mention(1, "file", "a.ts"), []],
    [mention(1, "file", "gone.ts"), []],
    [mention(1, "file", "package.json"), []],
    [mention(1, "file", "package.json", true), ["package.json"]],
    [mention(1, "symbol", "openStore"), ["src/b.ts"], one],
    [mention(1, "symbol", "openStore"), ["src/b.ts"], others],
    [mention(1, "symbol", "openStore"), [], two],
    [mention(1, "folder", "gen"), ["gen/one.ts", "gen/two.ts"]],
  ];
  for (const [said, files, definitions = {}] of rows) {
    const found = new Map(Object.entries(definitions).map(([name, of]) => [name, new Set(of)]));
    const anchors = anchorsIn([said], { files: FILES, definitions: found });
    assert.deepEqual([...anchors.files.keys()].sort(), files, said.text);
  }
});

Deno.test("a memory that names many files by the way is about none of them; one in its title stays", () => {
  const files = Array.from({ length: 9 }, (_, i) => `f${i}.ts`);
  const mentions = files.map((text) => mention(1, "file", text));
  const tree = { files: [...files, "x.ts"], definitions: new Map() };
  assert.equal(anchorsIn(mentions, tree).files.size, 0);
  assert.deepEqual(
    [...anchorsIn([mention(1, "file", "x.ts", true), ...mentions], tree).files.keys()],
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
  assert.deepEqual(anchors.files.get("src/b.ts")!.map(({ memory }) => memory), [3, 2, 1]);
});

Deno.test("defines() knows definitions in the usual languages, and tells them from uses", () => {
  for (const [what, line = ""] of readRows("guard/definitions.tsv")) {
    assert.equal(defines(line, "openStore"), what === "defines", line);
  }
});

function put(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

function tree(files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder();
  put(folder.path, files);
  return folder;
}

Deno.test("filesOf() lists what git knows and what is new, and nothing that is ignored", async () => {
  using folder = tree({ "a.ts": "", ".gitignore": "out/\n", "out/b.js": "", "ü b/c.ts": "" });
  execFileSync("git", ["init", "--quiet"], { cwd: folder.path });
  execFileSync("git", ["add", "a.ts"], { cwd: folder.path });
  assert.deepEqual([...await filesOf(folder.path)].sort(), [".gitignore", "a.ts", "ü b/c.ts"]);
  put(folder.path, {
    "x/store.py": "def openStore(path):\n    pass\n",
    "y.py": "openStore('z')\n",
  });
  const found = await definitionsOf(folder.path, ["openStore", "nothing"]);
  assert.deepEqual(found, new Map([["openStore", new Set(["x/store.py"])]]));
});

Deno.test("filesOf() walks a folder without a repository, past what nobody writes", async () => {
  using folder = tree({ "a.ts": "", "lib/b.ts": "", "node_modules/c/c.js": "", ".cache/d": "" });
  assert.deepEqual([...await filesOf(folder.path)].sort(), ["a.ts", "lib/b.ts"]);
  assert.equal((await definitionsOf(folder.path, ["openStore"])).size, 0);
  rmSync(folder.path, { recursive: true });
  assert.deepEqual(await filesOf(folder.path), []);
});
