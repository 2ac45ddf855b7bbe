// Notes with links and tags, where memories apply, and imports of many.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sourceNamed } from "../../src/features/import/sources.ts";
import { linkedWith } from "../../src/surfaces/mcp/run/show.ts";
import { readMemories } from "../../src/core/memory/list.ts";
import { userFolder } from "../../src/core/memory/scopes.ts";
import { makeHome, runMemo, succeed } from "../support/home.ts";
import { importInto, test } from "./support.ts";

const VAULT = {
  "Postgres tuning.md":
    "---\naliases: [PG tuning]\ntags: [database]\n---\n\n# Settings that matter\n\nshared_buffers is a quarter of RAM. #ops/db #1234 #a1b2c3 `#code`\n",
  "Incidents/2026-11-02.md":
    "The replica lagged, see [[Postgres tuning#Memory|the settings]].\n\n```\n#include [[Nothing]]\n```\n",
  "Cats.md": "# Cats\n\nThey sleep.\n",
  "picture.png": "no text",
  "Canvas.canvas": "{}",
};

function layVault(folder: string): string {
  for (const [name, text] of Object.entries(VAULT)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

test("a vault keeps its tags, aliases and links, and says what it leaves", async ({ place, folder }) => {
  const vault = layVault(join(folder.path, "vault"));
  const { written, skipped } = await importInto(place, sourceNamed("markdown"), vault);
  assert.deepEqual(skipped, [{
    what: "2 other files",
    because: "not Markdown (.canvas, .png)",
    count: 2,
  }]);
  const tuning = written.find(({ memory }) => memory.name === "Settings that matter")!.memory;
  assert.deepEqual([tuning.tags, tuning.triggers], [
    ["database", "ops/db", "elsewhere"],
    ["PG tuning"],
  ]);
  const { memories } = readMemories(userFolder(place));
  const linked = (name: string) =>
    linkedWith(memories.find((memory) => memory.name === name)!, memories).map(({ name }) => name);
  const incident = "2026-11-02: The replica lagged, see [[Postgres tuning#Memory|the settings]]";
  assert.deepEqual(linked("Settings that matter"), [incident]);
  assert.deepEqual(linked(incident), ["Settings that matter"]);
  assert.deepEqual(linked("Cats"), []);
});

Deno.test("memo search --like lists what a memory links to first, and memo list finds a vault's tags", async () => {
  await using home = makeHome();
  mkdirSync(join(home.project, ".git"));
  const vault = layVault(join(home.root, "vault"));
  const imported = await runMemo(home, ["import", "markdown", vault]);
  assert.equal(imported.code, 0, imported.stderr);
  assert.match(imported.stderr, /skipped `2 other files`: not Markdown/);
  assert.match(imported.stderr, /3 added, 2 skipped\nSaved for every project; `--scope`/);
  const like = await runMemo(home, ["search", "--like", "Settings that matter", "--json"]);
  assert.equal(like.code, 0, like.stderr);
  const [first, ...others] = JSON.parse(like.stdout);
  assert.match(first.name, /^2026-11-02/);
  assert.equal(first.linked, true);
  assert.ok(others.every((each: { linked?: boolean }) => each.linked === undefined));
  const tagged = await runMemo(home, ["list", "--tag", "ops/db", "--json"]);
  assert.match(tagged.stdout, /Settings that matter/);
});

test("what lies in a project is imported for this project, and what is about its user for all", async ({ place, folder }) => {
  const graph = [
    `{"type":"entity","name":"API","entityType":"service","observations":["Listens on 8080"]}`,
    `{"type":"entity","name":"default_user","entityType":"person","observations":["Likes tea"]}`,
  ].join("\n");
  const mem0 = JSON.stringify({
    results: [
      { id: "1", memory: "Project uses Bazel" },
      { id: "2", memory: "Prefers dark mode" },
      { id: "3", memory: "Deploys run on Wednesdays" },
    ],
  });
  writeFileSync(join(place.cwd, "memory.jsonl"), graph);
  const scopes = async (source: string, path: string) =>
    (await importInto(place, sourceNamed(source), path)).written
      .map(({ memory, folder }) => `${folder.scope} ${memory.name}`);
  assert.deepEqual(await scopes("knowledge-graph", join(place.cwd, "memory.jsonl")), [
    "project API",
    "user default_user",
  ]);
  writeFileSync(join(folder.path, "outside.json"), mem0);
  writeFileSync(
    join(place.cwd, "inside.json"),
    mem0.replaceAll(`"id":"`, `"id":"in-`).replaceAll(".", "!").replaceAll(
      `"memory":"`,
      `"memory":"Now: `,
    ),
  );
  assert.deepEqual(await scopes("mem0", join(folder.path, "outside.json")), [
    "project Project uses Bazel",
    "user Prefers dark mode",
    "user Deploys run on Wednesdays",
  ]);
  assert.deepEqual(await scopes("mem0", join(place.cwd, "inside.json")), [
    "project Now: Project uses Bazel",
    "project Now: Prefers dark mode",
    "project Now: Deploys run on Wednesdays",
  ]);
});

test("hundreds of memories of one name all arrive", async ({ place, folder }) => {
  const results = Array.from({ length: 500 }, (_, i) => ({
    id: `m${i}`,
    memory: `Prefers this.\n\nDetail number ${i}`,
  }));
  const path = join(folder.path, "mem0.json");
  writeFileSync(path, JSON.stringify({ results }));
  const { written, failed } = await importInto(place, sourceNamed("mem0"), path);
  assert.deepEqual([written.length, failed], [500, []]);
  const { memories } = readMemories(userFolder(place));
  assert.equal(new Set(memories.map(({ body }) => body)).size, 500);
});

Deno.test("memo import memo says which project's the memories are, wherever it is run", async () => {
  await using home = makeHome();
  mkdirSync(join(home.project, ".git"));
  for (const args of [["Ports begin at 8000"], ["I prefer dark mode", "--scope", "user"]]) {
    await succeed(home, ["add", ...args]);
  }
  const path = join(home.root, "all.tar.gz");
  await succeed(home, ["export", path]);
  await using other = makeHome();
  const taken = await runMemo(other, ["import", "memo", path]);
  assert.equal(taken.code, 0, taken.stderr);
  assert.match(taken.stderr, /^ {2}1 memory for every project$/m);
  assert.match(taken.stderr, /^ {2}1 memory for `.*`$/m);
  const json = await runMemo(other, ["import", "memo", path, "--json"]);
  const { targets } = JSON.parse(json.stdout);
  assert.deepEqual(
    targets.map(({ scope, memories }: Record<string, unknown>) => [scope, memories]),
    [["user", 1], ["project", 1]],
  );
});
