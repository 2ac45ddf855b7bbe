import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type {
  ImportSource,
  SourceContent,
  SourceRecord,
} from "../../src/features/import/record.ts";
import { sourceNamed, SOURCES } from "../../src/features/import/sources.ts";
import { LONGEST, parts } from "../../src/features/import/split.ts";
import { archive } from "../../src/core/change/file.ts";
import { readMemoryFile } from "../../src/core/memory/folder.ts";
import { temporaryFolder } from "../support/temp.ts";
import { importInto, NOW, placeIn, test } from "./support.ts";

/** A source that holds the given records. */
function holding(records: readonly SourceRecord[]): ImportSource {
  const reading: SourceContent = { records, skipped: [] };
  const row = { name: "held", summary: "", where: "", gives: "" };
  return { ...row, places: () => [], read: () => reading };
}

function record(id: string, body: string, more: Partial<SourceRecord> = {}): SourceRecord {
  return { id, scope: "user", content: { name: `About ${id}`, type: "tool", body }, ...more };
}

test("a changed record updates its memory, and the old text goes to the archive", async ({ place }) => {
  await importInto(place, holding([record("a", "Redis listens on 6379")]), "");
  const second = await importInto(place, holding([record("a", "Redis listens on 6380")]), "");
  assert.deepEqual(second.written.map(({ kind }) => kind), ["update"]);
  const { path } = second.written[0]!;
  assert.equal(readMemoryFile(path, "user").body, "Redis listens on 6380");
  const archived = readdirSync(join(place.claude, "memory", ".archive"))
    .filter((name) => name.endsWith(".md"));
  assert.equal(archived.length, 1);
  const third = await importInto(place, holding([record("a", "Redis listens on 6380")]), "");
  assert.equal(third.same, 1);
});

test("a day is counted from the date that a record has, and is no change where that is another", async ({ place }) => {
  const told = (created?: string) => {
    const held = record("a", "The freeze starts next Monday");
    return holding([{ ...held, content: { ...held.content, ...created && { created } } }]);
  };
  const bodyOf = async (source: ImportSource) => {
    const { written } = await importInto(place, source, "");
    return written.map(({ path }) => readMemoryFile(path, "user").body);
  };
  const dated = "The freeze starts next Monday (2026-12-07)";
  assert.deepEqual(await bodyOf(told("2026-12-02T12:00:00Z")), [dated]);
  assert.deepEqual(await bodyOf(told("2026-12-09T12:00:00Z")), []);
  const { same } = await importInto(place, told(), "");
  assert.equal(same, 1);
  const undated = holding([record("b", "The demo is tomorrow")]);
  assert.deepEqual(await bodyOf(undated), ["The demo is tomorrow"]);
});

test("what was edited here is not overwritten unless that is asked for", async ({ place }) => {
  const { written } = await importInto(place, holding([record("a", "One thing")]), "");
  const { path } = written[0]!;
  writeFileSync(path, readFileSync(path, "utf8").replace("One thing", "My own words"));
  const changed = holding([record("a", "Another thing")]);
  const kept = await importInto(place, changed, "");
  assert.deepEqual(kept.steps, []);
  assert.match(kept.skipped[0]!.because, /edited here/);
  const taken = await importInto(place, changed, "", { overwrite: true });
  assert.equal(taken.written.length, 1);
  assert.equal(readMemoryFile(path, "user").body, "Another thing");
});

test("a memory that was forgotten does not come back", async ({ place }) => {
  const { written: [first] } = await importInto(place, holding([record("a", "Old news")]), "");
  archive(first!.path, first!.folder, { what: "forget", now: NOW });
  assert.deepEqual((await importInto(place, holding([record("a", "Old news")]), "")).steps, []);
  const changed = await importInto(place, holding([record("a", "Older news")]), "");
  assert.match(changed.skipped[0]!.because, /is archived here/);
  const wanted = holding([record("a", "Old news")]);
  const back = await importInto(place, wanted, "", { overwrite: true });
  assert.deepEqual(back.written.map(({ kind }) => kind), ["add"]);
});

test("secrets are taken out on the way in", async ({ place }) => {
  const secret = `ghp_${"a1B2".repeat(9)}`;
  const held = record("a", `The token is ${secret}`);
  const plan = await importInto(
    place,
    holding([{ ...held, content: { ...held.content, name: `Token ${secret}`, tags: [secret] } }]),
    "",
  );
  assert.ok(plan.redacted >= 3);
  const text = readFileSync(plan.written[0]!.path, "utf8");
  assert.ok(!text.includes(secret));
  assert.ok(!plan.written[0]!.path.includes("a1b2a1b2"));
});

Deno.test("no id or name of a record leads out of the memory folder", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          id: fc.oneof(fc.string(), fc.constantFrom("../../x", "/etc/passwd", "a\nb: c", "\0")),
          name: fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("../../../x", "..", "")),
          type: fc.oneof(fc.string(), fc.constantFrom("../up", "/abs", "user")),
          body: fc.string({ unit: "binary", minLength: 1 }),
          tags: fc.array(fc.string({ unit: "binary" }), { maxLength: 3 }),
        }),
        { maxLength: 4 },
      ),
      async (given) => {
        using folder = temporaryFolder();
        const place = placeIn(folder.path);
        const before = listing(folder.path);
        const records = given.map(({ id, ...content }): SourceRecord => ({
          id,
          scope: "user",
          content,
        }));
        const { failed } = await importInto(place, holding(records), "");
        assert.deepEqual(failed, []);
        const outside = listing(folder.path).filter((path) =>
          !before.includes(path) && !path.startsWith(".claude")
        );
        assert.deepEqual(outside, []);
        assert.deepEqual((await importInto(place, holding(records), "")).steps, []);
      },
    ),
    { numRuns: 15 },
  );
});

function listing(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" });
}

test("no source throws anything but a MemoError, whatever its file holds", async ({ place, folder }) => {
  const path = join(folder.path, "2026-11-21.md");
  const values = fc.oneof(
    fc.string({ unit: "binary", maxLength: 300 }),
    fc.json().map((json) => json),
    fc.jsonValue().map((value) => JSON.stringify({ memories: value, results: value })),
    fc.array(fc.jsonValue()).map((all) => all.map((each) => JSON.stringify(each)).join("\n")),
    fc.array(fc.constantFrom("### 10:00", "<!-- session:a turn:b -->", "---", "- x", "# T", "```"))
      .map((lines) => lines.join("\n")),
  );
  for (const source of SOURCES.filter(({ name }) => name !== "claude-mem")) {
    await fc.assert(
      fc.asyncProperty(values, async (text) => {
        writeFileSync(path, text);
        try {
          const { records, skipped } = await source.read(path, place);
          for (const { id, content } of records) {
            assert.equal(typeof id, "string");
            assert.equal(typeof content.body, "string");
          }
          assert.ok(skipped.every(({ what, because }) => what !== "" && because !== ""));
        } catch (error) {
          assert.equal((error as Error).name, "MemoError", String((error as Error).stack));
        }
      }),
      { numRuns: 40 },
    );
  }
});

test("a database that is none is refused with a reason", async ({ place, folder }) => {
  const path = join(folder.path, "claude-mem.db");
  writeFileSync(path, "not a database at all, but long enough to be read as one".repeat(20));
  await assert.rejects(
    async () => await sourceNamed("claude-mem").read(path, place),
    { name: "MemoError", message: /Cannot import .*claude-mem\.db/ },
  );
});

test("a bad record is named and the others are taken", async ({ place, folder }) => {
  const path = join(folder.path, "memory.jsonl");
  writeFileSync(
    path,
    [
      `{"type":"entity","name":"Redis","entityType":"technology","observations":["Port 6379"]}`,
      `{"type":"entity","name":"cut sho`,
      `{"type":"relation","from":"Nobody","to":"Redis","relationType":"uses"}`,
    ].join("\n"),
  );
  const { written, skipped } = await importInto(place, sourceNamed("knowledge-graph"), path);
  assert.deepEqual(written.map(({ memory }) => memory.name), ["Redis"]);
  assert.deepEqual(skipped.map(({ what }) => what), ["line 2", "Nobody"]);
});

test("a folder of notes is read without following its links", async ({ place, folder }) => {
  const notes = join(folder.path, "notes");
  mkdirSync(join(notes, "decisions"), { recursive: true });
  writeFileSync(join(folder.path, "secret.md"), "Not among the notes");
  symlinkSync(join(folder.path, "secret.md"), join(notes, "link.md"));
  symlinkSync(notes, join(notes, "loop"));
  writeFileSync(join(notes, "decisions", "db.md"), "# One database\n\nEach service shares it.\n");
  writeFileSync(join(notes, "empty.md"), "\n");
  writeFileSync(
    join(notes, "latin.md"),
    Buffer.from("# Caf\xe9\n\nThe caf\xe9 opens at nine.\n", "latin1"),
  );
  writeFileSync(
    join(notes, "picture.md"),
    Buffer.from(Array.from({ length: 999 }, (_, i) => i * 7)),
  );
  const { written, skipped } = await importInto(place, sourceNamed("markdown"), notes);
  assert.deepEqual(written.map(({ memory }) => `${memory.type} ${memory.name}`), [
    "decision One database",
    "project Caf\ufffd",
  ]);
  assert.deepEqual(skipped, [
    { what: "empty.md", because: "it is empty" },
    { what: "picture.md", because: "it is not text" },
  ]);
});

Deno.test("a long document is cut at its headings, and nothing of it is lost", () => {
  const text = Array.from(
    { length: 40 },
    (_, i) => `## Part ${i}\n\n${`Sentence ${i} of the document. `.repeat(40)}\n`,
  ).join("\n");
  const cut = parts(text);
  assert.ok(cut.length > 2);
  assert.ok(cut.every((part) => part.text.length <= LONGEST));
  for (let i = 0; i < 40; i++) {
    assert.equal(cut.filter((part) => part.text.includes(`## Part ${i}\n`)).length, 1);
  }
  fc.assert(fc.property(fc.string({ maxLength: 400 }), (text) => {
    const words = (of: string) => of.match(/[a-z0-9]+/gi) ?? [];
    const kept = new Set(parts(text, 50).flatMap((part) => words(part.text)).join(""));
    return words(text).every((word) => [...word].every((letter) => kept.has(letter)));
  }));
});
