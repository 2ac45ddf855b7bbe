import assert from "node:assert/strict";
import { join } from "node:path";
import { checkNotes, type Known } from "../../src/features/head/check_notes.ts";
import { Repository } from "../../src/features/head/repository.ts";
import { formatDriftLine } from "../../src/core/relation/standing.ts";
import { dateOf, gitHistory } from "../support/git_history.ts";
import { temporaryFolder } from "../support/temp.ts";

function history() {
  const folder = temporaryFolder();
  return { ...gitHistory(folder.path), [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

/** Long enough, and unlike any other. */
const text = (name: string) => `${name} says this\n`.repeat(30);

const open = (top: string) => Repository.open(top, { signal: new AbortController().signal });

async function check(
  top: string,
  name: string,
  { body = "", day = 1, known }: { body?: string; day?: number; known?: Known } = {},
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
  repo.write("src/cart.ts", text("cart"));
  repo.write("src/old.ts", text("something else entirely"));
  repo.write("lib/one.ts", text("one"));
  repo.write("lib/two.ts", text("two, another"));
  repo.commit("First");
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
  repo.write("a/util.ts", text("a"));
  repo.write("b/util.ts", text("b"));
  repo.write("main.ts", "node();\n");
  repo.commit("First");
  repo.remove("a/util.ts");
  repo.commit("Second");
  const name = "See foo.py, node.js, teams/x.md and util.ts; `openStore` is elsewhere";
  assert.deepEqual(await told(repo.top, name), []);
  assert.deepEqual(await told(repo.top, "a/util.ts", { day: 0 }), [], "before the first commit");
});

Deno.test("a symbol is gone when no code has its word, whatever the documents say", async () => {
  using repo = history();
  repo.write("src/a.ts", "export function openStore() {\n}\nexport function closeStore() {\n}\n");
  repo.commit("First");
  repo.write("src/a.ts", "// closeStore was here\n");
  repo.write("CHANGELOG.md", "Removed openStore\n");
  repo.commit("Second");
  assert.deepEqual(await told(repo.top, "Call openStore before closeStore"), ["gone: openStore"]);
});

Deno.test("a symbol has moved where the note names its file too, and its definition is alike", async () => {
  using repo = history();
  const line = "export function parseCart(text: string, at: number): Cart {\n}\n";
  repo.write("src/a.ts", line);
  repo.write("src/b.ts", "export const b = 1;\n");
  repo.commit("First");
  repo.write("src/a.ts", "import { parseCart } from './b.ts';\n");
  repo.write("src/b.ts", line);
  repo.commit("Second");
  assert.deepEqual(await told(repo.top, "parseCart in src/a.ts is slow"), [
    "moved: parseCart → src/b.ts",
  ]);
  assert.deepEqual(await told(repo.top, "parseCart is slow"), []);
});

Deno.test("a value has changed where the note states the old one beside its name", async () => {
  using repo = history();
  const manifest = (lint: string, pg: string) =>
    JSON.stringify({ scripts: { lint, stub: "x" }, dependencies: { pg } }, null, 2);
  repo.write("package.json", manifest("eslint .", "^8.1.0"));
  repo.write("web/package.json", '{\n  "scripts": {\n    "docs": "x"\n  }\n}\n');
  repo.write("src/limits.ts", "export const MAX_ITEMS = 20;\n");
  repo.write("compose.env", "DB_PORT=5433\n");
  repo.write("Cargo.toml", '[dependencies]\nserde = { version = "1.0.1", features = ["x"] }\n');
  repo.write("pyproject.toml", '[project]\ndependencies = [\n  "click>=8.1",\n  "rich",\n]\n');
  repo.commit("First");
  repo.write(
    "package.json",
    manifest("biome check", "^9.0.0").replace('"stub": "x"', '"docs": "x"'),
  );
  repo.write("web/package.json", "{}\n");
  repo.write("src/limits.ts", "export const MAX_ITEMS = 50;\n");
  repo.write("compose.env", "DB_PORT=5440\n");
  repo.write("Cargo.toml", '[dependencies]\nserde = "2.0.0"\n');
  repo.write("pyproject.toml", '[project]\ndependencies = ["click>=8.2"]\n');
  repo.commit("Second");
  const cases: [note: string, drift: string[]][] = [
    ["`npm run lint` is `eslint .`", ["changed: npm run lint eslint ."]],
    ["Run `npm run stub` first", ["gone: npm run stub"]],
    ["Run `npm run docs` in web/ first", ["gone: npm run docs (in web/)"]],
    ["We stay on pg ^8.1.0", ["changed: pg ^8.1.0 → ^9.0.0"]],
    ["We use pg for this", []],
    ["MAX_ITEMS is 20", ["changed: MAX_ITEMS 20 → 50"]],
    ["MAX_ITEMS is 30", []],
    ["In compose.env DB_PORT is 5433", ["changed: DB_PORT 5433 → 5440"]],
    ["serde 1.0.1 is pinned", ["changed: serde 1.0.1 → 2.0.0"]],
    ["We use click 8.1 with rich", ["changed: click >=8.1 → >=8.2", "gone: rich"]],
  ];
  for (const [note, drift] of cases) {
    assert.deepEqual((await told(repo.top, note)).toSorted(), drift, note);
  }
});

Deno.test("a plain word is the name of a value only where all code gives it one, and the note states that", async () => {
  using repo = history();
  const two = (port: number) => `retries = ${port}\n`;
  repo.write("src/server.ts", "const report = 5433;\nexport const server = {\n  port: 5433,\n};\n");
  repo.write("src/pool.py", "SIZE = 20\nregion = 'eu-west-1'\nbatch = 7\n");
  repo.write("a.cfg", two(30));
  repo.write("b.cfg", two(30));
  repo.write("src/late.go", "timeout := 15\n");
  repo.write("src/gone.rb", "budget = 99\n");
  repo.commit("First");
  repo.write("src/server.ts", "const report = 5433;\nexport const server = {\n  port: 5440,\n};\n");
  repo.write("src/pool.py", "SIZE = 40\nregion = 'eu-west-2'\nbatch = 8\n");
  repo.write("a.cfg", two(50));
  repo.write("b.cfg", two(50));
  repo.write("src/late.go", "timeout := 25\n");
  repo.write("src/early.go", "timeout := 35\n");
  repo.write("src/gone.rb", "nothing\n");
  repo.write("CHANGELOG.md", "port = 5433\n");
  repo.commit("Second");
  const cases: [note: string, drift: string[]][] = [
    ["The port is 5433, since 5432 is taken", ["changed: port 5433 → 5440"]],
    ["The pool has a size of 20", ["changed: size 20 → 40"]],
    ["Its region is eu-west-1", ["changed: region eu-west-1 → eu-west-2"]],
    ["The port is 5432", []],
    ["The report of ticket 5433 came late", []],
    ["We see 30 retries at most", []],
    ["The timeout is 15 s", []],
    ["The budget is 99", []],
    ["The batch has 7", []],
    ["The port was chosen by hand. Ticket 5433 says more", []],
    ["The transport has 5433 seats", []],
  ];
  for (const [note, drift] of cases) assert.deepEqual(await told(repo.top, note), drift, note);
});

Deno.test("what was seen later counts, and what was looked for is kept", async () => {
  using repo = history();
  repo.write("main.ts", text("main"));
  repo.commit("Nothing");
  repo.write("src/new.ts", text("new"));
  repo.commit("First");
  const known = await check(repo.top, "Begun in src/new.ts");
  assert.deepEqual(known.drift, []);
  repo.remove("src/new.ts");
  repo.commit("Drop it");
  assert.deepEqual(await told(repo.top, "Begun in src/new.ts"), [], "not known to have been there");
  assert.deepEqual(await told(repo.top, "Begun in src/new.ts", { known }), ["gone: src/new.ts"]);
});

Deno.test("a shallow clone says nothing of what lies before its cut, and no folder without git", async () => {
  using repo = history();
  repo.write("a.ts", text("a"));
  repo.commit("First");
  repo.remove("a.ts");
  repo.write("b.ts", text("quite another"));
  repo.commit("Second");
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
