// Stores that other tools' own code has written; `test/fixtures/import/README.md` says how.

import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Memory } from "../../src/core/memory/memory.ts";
import { findImportable, recognise } from "../../src/features/import/mod.ts";
import { sourceNamed, SOURCES } from "../../src/features/import/sources.ts";
import { temporaryFolder } from "../support/temp.ts";
import { fixture, importInto, placeIn, test, unpackClaudeMem } from "./support.ts";

/** The fixture of each source, and the memories that it must become. */
const STORES: readonly {
  readonly source: string;
  readonly lay: (folder: string) => string;
  /** `scope type created name` */
  readonly memories: readonly string[];
  readonly old?: readonly string[];
  readonly skipped?: readonly string[];
}[] = [
  {
    source: "claude-mem",
    lay: (folder) => unpackClaudeMem(join(folder, "claude-mem.db")),
    memories: [
      "project decision 2026-10-05 Checkout uses optimistic locking",
      "project gotcha 2026-10-05 Prices were rounded twice",
      "project architecture 2026-10-05 The worker reads jobs from Redis streams",
      "project progress 2026-10-05 Gift cards can be redeemed",
      "project context 2026-10-05 Fix the checkout",
    ],
    skipped: ["observation 5", "1 from project blog"],
  },
  {
    source: "memory-mcp",
    lay: () => fixture("memory-mcp.json"),
    memories: [
      "project architecture 2026-10-09 The API is a Fastify server with one plugin per resource",
      "project decision 2026-10-09 Chose Drizzle over Prisma because migrations are plain SQL",
      "project progress 2026-10-09 Login page is half done; the reset mail is missing",
    ],
    old: ["Chose Prisma for migrations"],
  },
  {
    source: "memsearch",
    lay: () => fixture("memsearch"),
    memories: [
      "project context 2026-10-14 User asked about slow order lists",
      "project context 2026-10-14 Decided to cache order totals in Redis for 60 seconds",
    ],
    skipped: ["2026-10-14 15:10"],
  },
  {
    source: "knowledge-graph",
    lay: () => fixture("knowledge-graph.jsonl"),
    memories: [
      "user user 2026-11-21 default_user",
      "user project 2026-11-21 Atlas",
      "user tool 2026-11-21 Postgres 17",
      "user reference 2026-11-21 Ana Ruiz",
    ],
  },
  {
    source: "mem0",
    lay: () => fixture("mem0.json"),
    memories: [
      "user project 2026-11-21 Deploys run on Wednesdays",
      "user user 2026-11-21 Prefers dark mode in every editor",
      "user user 2026-11-21 Is allergic to walnuts",
    ],
  },
  {
    source: "mem0",
    lay: () => fixture("mem0-history.db"),
    memories: [
      "user user 2026-11-21 Prefers dark mode in every editor",
      "user user 2026-11-21 Is allergic to walnuts",
      "user user 2026-11-21 Deploys run on Wednesdays",
    ],
  },
  {
    source: "basic-memory",
    lay(folder) {
      cpSync(fixture("basic-memory"), join(folder, "notes"), { recursive: true });
      return join(folder, "notes");
    },
    memories: [
      "user user  Coffee Brewing Methods",
      "user decision  Use SQLite: one file, no server",
    ],
  },
];

for (const { source: name, lay, memories, old = [], skipped = [] } of STORES) {
  using scratch = temporaryFolder();
  const store = basename(lay(scratch.path));
  Deno.test(`memo import ${name} takes the whole store over, and nothing the second time (${store})`, async () => {
    using folder = temporaryFolder();
    const place = placeIn(folder.path);
    const source = sourceNamed(name);
    const path = lay(folder.path);
    assert.equal(await recognise(path, place), name);
    const first = await importInto(place, source, path);
    const line = ({ type, created, name }: Memory, scope: string, isDated: boolean) =>
      `${scope} ${type} ${isDated ? created!.slice(0, 10) : ""} ${name}`;
    const isDated = name !== "basic-memory"; // its notes have the date of their file
    const added = first.written.filter(({ kind }) => kind === "add");
    const isToday = name === "knowledge-graph"; // its file has no dates
    assert.deepEqual(
      added.map(({ memory, folder }) =>
        line(isToday ? { ...memory, created: "2026-11-21" } : memory, folder.scope, isDated)
      ),
      memories,
    );
    const put = first.written.filter(({ kind }) => kind === "archive");
    assert.deepEqual(put.map(({ memory }) => memory.name), old);
    assert.deepEqual(first.skipped.map(({ what }) => what), skipped);
    assert.deepEqual(first.failed, []);

    const again = await importInto(place, source, path);
    assert.deepEqual(again.steps, []);
    assert.equal(again.same, memories.length + old.length);
  });
}

test("an imported memory says where it is from, and keeps what was said", async ({ place, folder }) => {
  const path = unpackClaudeMem(join(folder.path, "claude-mem.db"));
  const before = readFileSync(path);
  const { written } = await importInto(place, sourceNamed("claude-mem"), path);
  assert.equal(
    readFileSync(written[0]!.path, "utf8"),
    `---
name: Checkout uses optimistic locking
description: A version column instead of row locks
type: decision
tags:
  - trade-off
  - why-it-exists
  - elsewhere
created: 2026-10-05T09:30:00.000Z
source:
  import: claude-mem
  id: 3fb5672fabfe/1
  digest: ${written[0]!.memory.source!.digest}
---
Row locks stalled the queue under load, so the team chose a version column.

- orders.version is checked on update
- Retries three times
`,
  );
  assert.deepEqual(readFileSync(path), before, "the database is not touched");
});

Deno.test("claude-mem's other projects are counted record by record, and --all takes them", async () => {
  using folder = temporaryFolder();
  const path = unpackClaudeMem(join(folder.path, "claude-mem.db"));
  const source = sourceNamed("claude-mem");
  const read = async (project: string, isAll: boolean) => {
    const place = { ...placeIn(folder.path), cwd: join(folder.path, project), isAll };
    const { records, skipped } = await source.read(path, place);
    return [records.length, skipped.map(({ what, count = 1 }) => `${count}: ${what}`).join()];
  };
  const shop = "1: observation 5";
  assert.deepEqual(await read("shop", false), [5, `${shop},1: 1 from project blog`]);
  assert.deepEqual(await read("renamed", false), [
    0,
    "6: 6 from project shop,1: 1 from project blog",
  ]);
  assert.deepEqual(await read("renamed", true), [6, shop]);
});

test("findImportable() names the stores that lie where their tools keep them", async ({ place, folder }) => {
  assert.deepEqual(await findImportable(place), []);
  unpackClaudeMem(join(folder.path, ".claude-mem", "claude-mem.db"));
  cpSync(fixture("memory-mcp.json"), join(place.cwd, ".memory", "state.json"));
  cpSync(fixture("memsearch"), join(place.cwd, ".memsearch", "memory"), { recursive: true });
  cpSync(fixture("basic-memory"), join(folder.path, "basic-memory"), { recursive: true });
  cpSync(fixture("mem0-history.db"), join(folder.path, ".mem0", "history.db"));
  cpSync(fixture("knowledge-graph.jsonl"), join(place.cwd, "memory.jsonl"));
  writeFileSync(join(place.cwd, "CLAUDE.md"), "# Shop\n\n- Use pnpm, never npm, here\n");
  const found = await findImportable(place);
  assert.deepEqual(found.map(({ source, records }) => [source, records]), [
    ["claude-mem", 5],
    ["memory-mcp", 4],
    ["memsearch", 2],
    ["basic-memory", 2],
    ["knowledge-graph", 4],
    ["mem0", 3],
    ["rules", 1],
  ]);
});

Deno.test("every source has a store here, but what Claude Code and people write", () => {
  const stores = new Set(STORES.map(({ source }) => source));
  const others = SOURCES.map(({ name }) => name).filter((name) => !stores.has(name));
  assert.deepEqual(others, ["auto-memory", "rules", "markdown"]);
});

test("a path is recognised by where it lies, by its form, or not at all", async ({ place, folder }) => {
  const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text);
  write("notes.md", "# A note\n");
  write("AGENTS.md", "- Use pnpm\n");
  write("session.jsonl", '{"type":"user","sessionId":"s"}\n');
  write("other.json", '{"a":1}');
  write("export.json", '{"format":1,"folders":[{"id":"user"}],"modified":{},"files":[]}');
  for (
    const [name, source] of [
      ["notes.md", "markdown"],
      [".", "markdown"],
      ["AGENTS.md", "rules"],
      ["session.jsonl", "conversations"],
      ["export.json", "memo"],
      ["other.json", undefined],
    ] as const
  ) assert.equal(await recognise(join(folder.path, name), place), source, name);
});

Deno.test("every source has a name of its own and reads nothing but what it is given", () => {
  const names = SOURCES.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  for (const path of ["~/vault", "./notes", "a.md", "C:\\vault"]) {
    assert.throws(() => sourceNamed(path), { hint: /^Run `memo import markdown \S+`/ });
  }
  assert.throws(() => sourceNamed("claude-memm"), { hint: /Did you mean `claude-mem`/ });
});
