import assert from "node:assert/strict";
import { mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { Engine } from "../../src/core/engine/engine.ts";
import { syncFolder } from "../../src/core/index/sync.ts";
import { writeIndexFile } from "../../src/core/change/follow.ts";
import type { MemoryFolder } from "../../src/core/memory/memory.ts";
import { pathsFor } from "../../src/paths.ts";
import { temporaryFolder } from "../support/temp.ts";

/** An engine of a command, or of a daemon, with an empty folder of the user's memories. */
function makeEngine({ background = false } = {}) {
  const home = temporaryFolder();
  const env = { HOME: home.path, MEMO_HOME: join(home.path, "state") };
  const engine = new Engine({ paths: pathsFor(env), env, log: () => {}, background });
  const folder: MemoryFolder = { scope: "user", path: join(home.path, "memory") };
  mkdirSync(folder.path);
  const at = (name: string) => join(folder.path, name);
  let closing: Promise<void> | undefined;
  const close = () => closing ??= engine.close();
  return {
    engine,
    folder,
    at,
    write(name: string, text: string, seconds = 1_700_000_000) {
      mkdirSync(dirname(at(name)), { recursive: true });
      writeFileSync(at(name), text);
      utimesSync(at(name), seconds, seconds);
    },
    follow: (...names: readonly string[]) =>
      engine.follow([{ folder, paths: names.map(at) }], assert.fail),
    /** The names that the index has. */
    names: async () =>
      (await (await engine.index()).heads([folder])).map(({ name }) => name).sort(),
    /** Fails unless `MEMORY.md` is what the files alone would make it. */
    isAsFromFiles: () => assert.equal(writeIndexFile(folder), "unchanged"),
    /** Ends the engine, when all that it does in the background is done. */
    close,
    async [Symbol.asyncDispose]() {
      await close();
      home[Symbol.dispose]();
    },
  };
}

const NAMES = ["a.md", "b.md", "deep/c.md", "deep/er/d é.md", "記憶.md", "\u{1f600}.md"];
const DATES = ["2026-01-01", "2026-01-01T00:00:00.001Z", "Nov 3 2025", "soon", "2024-02-30", ""];
const front = fc.record({
  name: fc.constantFrom("Deploys", "[x](y)", "\\", "  "),
  description: fc.constantFrom("", "why", "a\tb"),
  tags: fc.constantFrom("[]", "[suspect]", '[un"suspect"ed]', "[read-web]", "[Suspect, x]"),
  created: fc.constantFrom(...DATES),
  updated: fc.constantFrom(...DATES),
}).map((fields) =>
  `---\n${
    Object.entries(fields).map(([key, value]) =>
      key === "tags" ? `${key}: ${value}\n` : `${key}: ${JSON.stringify(value)}\n`
    ).join("")
  }---\ntext\n`
);
const file = fc.constantFrom(...NAMES);
const step = fc.oneof(
  fc.record({
    what: fc.constant("write" as const),
    file,
    text: fc.oneof(front, fc.constant("no front matter")),
    seconds: fc.integer({ min: 1_600_000_000, max: 1_600_000_003 }),
  }),
  fc.record({ what: fc.constant("remove" as const), file }),
  fc.record({ what: fc.constant("rename" as const), file, to: file }),
);

Deno.test("MEMORY.md from the index is what it would be from the files, after any change", async () => {
  await using made = makeEngine();
  const { folder, at } = made;
  for (let i = 0; i < 199; i++) made.write(`other_${i}.md`, `Other ${i}`, 1_500_000_000 + i % 7);
  await made.follow("other_0.md");
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
      for (const step of steps) {
        if (step.what === "write") made.write(step.file, step.text, step.seconds);
        if (step.what === "remove") rmSync(at(step.file), { force: true });
        if (step.what === "rename") {
          mkdirSync(dirname(at(step.to)), { recursive: true });
          try {
            renameSync(at(step.file), at(step.to));
          } catch { /* there is none */ }
        }
        await made.follow(step.file, ..."to" in step ? [step.to] : []);
        made.isAsFromFiles();
      }
    }),
    { numRuns: 30 },
  );
  rmSync(folder.path, { recursive: true });
  mkdirSync(folder.path);
  await made.engine.follow([{ folder }], assert.fail);
  made.isAsFromFiles();
});

Deno.test("of a change of one file no other is looked at, until the next sync", async () => {
  await using made = makeEngine();
  made.write("a.md", "---\nname: A\n---\n");
  made.write("b.md", "---\nname: B\n---\n");
  await made.follow("a.md", "b.md");
  made.write("a.md", "---\nname: New A\n---\n");
  made.write("b.md", "---\nname: New B\n---\n");
  await made.follow("a.md");
  assert.deepEqual(await made.names(), ["B", "New A"]);
  await made.engine.follow([{ folder: made.folder }], assert.fail);
  assert.deepEqual(await made.names(), ["New A", "New B"]);
  made.isAsFromFiles();
});

Deno.test("what is no plain memory file is found by a look at the whole folder", async () => {
  await using made = makeEngine();
  made.write("a.md", "---\nname: A\n---\n");
  await made.follow("a.md");
  made.write("b.md", "---\nname: B\n---\n"); // nobody tells of it
  for (
    const name of [".hidden.md", "journal/2026-01-01.md", "projects/p/c.md", "../d.md", "e.txt"]
  ) {
    made.write(name, "---\nname: No memory\n---\n");
    await made.follow(name);
    made.isAsFromFiles();
  }
  assert.deepEqual(await made.names(), ["A", "B"]);
});

Deno.test("files and folders that cannot be read have no line", async () => {
  await using made = makeEngine();
  for (const name of ["a.md", "ab.md", "deep/c.md", "deep.md"]) made.write(name, name);
  const index = await made.engine.index();
  await syncFolder(index, made.folder);
  const listed = async (...unreadable: readonly string[]) => {
    const lines = await index.lines(made.folder, unreadable.map(made.at));
    const names = lines!.memories.map(({ path }) => path.slice(made.folder.path.length + 1));
    assert.equal(lines!.total, names.length);
    return names.sort();
  };
  assert.deepEqual(await listed(), ["a.md", "ab.md", "deep.md", "deep/c.md"]);
  assert.deepEqual(await listed("a.md"), ["ab.md", "deep.md", "deep/c.md"]);
  assert.deepEqual(await listed("deep", "ab.md"), ["a.md", "deep.md"]);
});

for (const background of [true, false]) {
  const who = background ? "the daemon writes" : "no other command writes";
  Deno.test(`${who} MEMORY.md when a sync finds that somebody has changed a memory`, async () => {
    await using made = makeEngine({ background });
    made.write("a.md", "---\nname: A\n---\n");
    await made.follow("a.md");
    made.write("a.md", "---\nname: Edited\n---\n");
    await made.engine.sync(made.folder);
    await made.close();
    const expected = background ? "\n- [Edited](a.md)\n" : "\n- [A](a.md)\n";
    assert.ok(readFileSync(made.at("MEMORY.md"), "utf8").endsWith(expected));
  });
}

Deno.test("a folder that the index has never seen gets its MEMORY.md too", async () => {
  await using made = makeEngine();
  made.write("a.md", "---\nname: A\n---\n");
  made.write("b.md", "---\nname: B\n---\n");
  await made.follow("a.md");
  made.isAsFromFiles();
});
