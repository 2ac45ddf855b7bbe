import assert from "node:assert/strict";
import { join } from "node:path";
import { checkNotes, type NoteBasis } from "../../src/features/head/check_notes.ts";
import { CodeRepository, refsOf } from "../../src/features/head/repository.ts";
import { formatDriftLine } from "../../src/core/relation/standing.ts";
import { readRows } from "../support/fixtures.ts";
import { dateOf, gitHistory } from "../support/git_history.ts";
import { temporaryFolder } from "../support/temp.ts";

function history() {
  const folder = temporaryFolder();
  const repo = gitHistory(folder.path);
  /** Commits files with their texts. */
  const put = (files: Readonly<Record<string, string>>, subject = "Change") => {
    for (const [name, text] of Object.entries(files)) repo.write(name, text);
    repo.commit(subject);
  };
  return { ...repo, put, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

/** Long enough, and unlike any other. */
const text = (name: string) => `${name} says this\n`.repeat(30);

async function open(top: string) {
  const refs = await refsOf(top);
  return refs && await CodeRepository.open(top, { signal: new AbortController().signal, refs });
}

async function check(
  top: string,
  name: string,
  { body = "", day = 1, known }: { body?: string; day?: number; known?: NoteBasis } = {},
) {
  const note = { name, body, description: "", at: Date.parse(dateOf(day)) + 60_000, known };
  const repository = await open(top);
  return (await checkNotes(repository!, [note], () => false)).get(note)!;
}

async function told(top: string, name: string, options?: Parameters<typeof check>[2]) {
  const { drift } = await check(top, name, options);
  return drift.map((each) => `${each.verdict}: ${formatDriftLine(each)}`);
}

Deno.test("a file that went is gone, one that git saw renamed has moved, and both name their commit", async () => {
  using repo = history();
  repo.put({
    "src/cart.ts": text("cart"),
    "src/old.ts": text("something else entirely"),
    "lib/one.ts": text("one"),
    "lib/two.ts": text("two, another"),
  });
  repo.remove("src/old.ts");
  repo.commit("Drop old");
  repo.move("src/cart.ts", "src/basket/cart.ts");
  repo.move("lib", "core");
  repo.commit("Split the basket");
  repo.move("src/basket/cart.ts", "src/basket/basket.ts");
  repo.commit("Name it");
  assert.deepEqual(await told(repo.top, "The cart is in src/cart.ts"), [
    "moved: src/cart.ts → src/basket/basket.ts",
  ]);
  const { drift: [old] } = await check(repo.top, "Never touch old.ts");
  assert.equal(old?.verdict, "gone");
  assert.equal(old?.by?.subject, "Drop old");
  assert.equal(old?.isMain, true);
  assert.deepEqual(await told(repo.top, "Everything is in lib/"), ["moved: lib/ → core"]);
});

Deno.test("what the tree never had is nothing, nor what a name alone does not tell", async () => {
  using repo = history();
  repo.put({ "a/util.ts": text("a"), "b/util.ts": text("b"), "main.ts": "node();\n" });
  repo.remove("a/util.ts");
  repo.commit("Second");
  const name = "See foo.py, node.js, teams/x.md and util.ts; `openStore` is elsewhere";
  assert.deepEqual(await told(repo.top, name), []);
  assert.deepEqual(await told(repo.top, "a/util.ts", { day: 0 }), [], "before the first commit");
});

Deno.test("a symbol is gone when no code has its word, whatever the documents say", async () => {
  using repo = history();
  repo.put({ "src/a.ts": "export function openStore() {\n}\nexport function closeStore() {\n}\n" });
  repo.put({ "src/a.ts": "// closeStore was here\n", "CHANGELOG.md": "Removed openStore\n" });
  assert.deepEqual(await told(repo.top, "Call openStore before closeStore"), ["gone: openStore"]);
});

Deno.test("a symbol has moved where the note names its file too, and its definition is alike", async () => {
  using repo = history();
  const line = "export function parseCart(text: string, at: number): Cart {\n}\n";
  repo.put({ "src/a.ts": line, "src/b.ts": "export const b = 1;\n" });
  repo.put({ "src/a.ts": "import { parseCart } from './b.ts';\n", "src/b.ts": line });
  assert.deepEqual(await told(repo.top, "parseCart in src/a.ts is slow"), [
    "moved: parseCart → src/b.ts",
  ]);
  assert.deepEqual(await told(repo.top, "parseCart is slow"), []);
});

/** What is told of each note of a table. */
async function holds(table: string, top: string): Promise<void> {
  for (const [of, note = "", ...drift] of readRows("head/values.tsv")) {
    if (of === table) assert.deepEqual((await told(top, note)).toSorted(), drift, note);
  }
}

Deno.test("a value has changed where the note states the old one beside its name", async () => {
  using repo = history();
  const manifest = (lint: string, pg: string) =>
    JSON.stringify({ scripts: { lint, stub: "x" }, dependencies: { pg } }, null, 2);
  repo.put({
    "package.json": manifest("eslint .", "^8.1.0"),
    "web/package.json": '{\n  "scripts": {\n    "docs": "x"\n  }\n}\n',
    "src/limits.ts": "export const MAX_ITEMS = 20;\n",
    "compose.env": "DB_PORT=5433\n",
    "Cargo.toml": '[dependencies]\nserde = { version = "1.0.1", features = ["x"] }\n',
    "pyproject.toml": '[project]\ndependencies = [\n  "click>=8.1",\n  "rich",\n]\n',
  });
  repo.put({
    "package.json": manifest("biome check", "^9.0.0").replace('"stub": "x"', '"docs": "x"'),
    "web/package.json": "{}\n",
    "src/limits.ts": "export const MAX_ITEMS = 50;\n",
    "compose.env": "DB_PORT=5440\n",
    "Cargo.toml": '[dependencies]\nserde = "2.0.0"\n',
    "pyproject.toml": '[project]\ndependencies = ["click>=8.2"]\n',
  });
  await holds("stated", repo.top);
});

Deno.test("a plain word is the name of a value only where all code gives it one, and the note states that", async () => {
  using repo = history();
  const two = (port: number) => `retries = ${port}\n`;
  repo.put({
    "src/server.ts": "const report = 5433;\nexport const server = {\n  port: 5433,\n};\n",
    "src/pool.py": "SIZE = 20\nregion = 'eu-west-1'\nbatch = 7\n",
    "a.cfg": two(30),
    "b.cfg": two(30),
    "src/late.go": "timeout := 15\n",
    "src/gone.rb": "budget = 99\n",
  });
  repo.put({
    "src/server.ts": "const report = 5433;\nexport const server = {\n  port: 5440,\n};\n",
    "src/pool.py": "SIZE = 40\nregion = 'eu-west-2'\nbatch = 8\n",
    "a.cfg": two(50),
    "b.cfg": two(50),
    "src/late.go": "timeout := 25\n",
    "src/early.go": "timeout := 35\n",
    "src/gone.rb": "nothing\n",
    "CHANGELOG.md": "port = 5433\n",
  });
  await holds("plain", repo.top);
});

Deno.test("what was seen later counts, and what was looked for is kept", async () => {
  using repo = history();
  repo.put({ "main.ts": text("main") }, "Nothing");
  repo.put({ "src/new.ts": text("new") });
  const known = await check(repo.top, "Begun in src/new.ts");
  assert.deepEqual(known.drift, []);
  repo.remove("src/new.ts");
  repo.commit("Drop it");
  assert.deepEqual(await told(repo.top, "Begun in src/new.ts"), [], "not known to have been there");
  assert.deepEqual(await told(repo.top, "Begun in src/new.ts", { known }), ["gone: src/new.ts"]);
});

Deno.test("a shallow clone says nothing of what lies before its cut, and no folder without git", async () => {
  using repo = history();
  repo.put({ "a.ts": text("a") });
  repo.remove("a.ts");
  repo.put({ "b.ts": text("quite another") });
  using folder = temporaryFolder();
  const shallow = join(folder.path, "shallow");
  repo.git("clone", "-q", "--depth", "1", `file://${repo.top}`, shallow);
  assert.deepEqual(await told(repo.top, "Read a.ts"), ["gone: a.ts"]);
  assert.deepEqual(await told(shallow, "Read a.ts"), []);
  assert.equal(await open(folder.path), undefined);
  assert.notEqual(await open(repo.top), undefined);
  repo.git("config", "remote.origin.promisor", "true");
  assert.equal(await open(repo.top), undefined, "a question might fetch");
});
