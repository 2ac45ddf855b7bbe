import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { changeLog, logged, readChanges, versionAt } from "../../src/core/ledger/change_log.ts";
import type { MemoryFolder } from "../../src/core/memory/memory.ts";
import { revertChange } from "../../src/core/change/revert.ts";
import { archive, create, rewrite } from "../../src/core/change/file.ts";
import { surroundings } from "../support/change.ts";
import { listArchive } from "../../src/core/ledger/archive.ts";
import { temporaryFolder } from "../support/temp.ts";

/** A folder with a memory, and a clock that goes on by a minute with each look. */
function prepare() {
  const temp = temporaryFolder();
  const folder: MemoryFolder = { scope: "user", path: join(temp.path, "memory") };
  let minutes = 0;
  const now = () => new Date(Date.UTC(2026, 10, 21, 12, minutes++));
  const path = create("a.md", text("one"), folder, { what: "add", now: now() });
  const read = () => readFileSync(path, "utf8");
  const undo = (id: string) =>
    revertChange(id, [folder], {
      ...surroundings(now()),
      suggestions: join(temp.path, "triggers.jsonl"),
    });
  const changes = () => readChanges([folder]);
  return {
    ...{ folder, path, now, read, undo, changes },
    beside: temp.path,
    [Symbol.dispose]: () => temp[Symbol.dispose](),
  };
}

const text = (body: string, name = "A") => `---\nname: ${name}\ntype: tool\n---\n${body}\n`;
const bodyOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes).split("\n").at(-2);

Deno.test("each change is a line that only its owner can read, with the version before it", () => {
  using place = prepare();
  const { folder, path, now } = place;
  rewrite(path, text("two"), folder, { what: "edit", now: now() });
  rewrite(path, text("two"), folder, { what: "pin", now: now() }); // changes nothing
  archive(path, folder, { what: "forget", now: now() });
  const changes = place.changes();
  assert.deepEqual(changes.map(({ what, name, file }) => [what, name, file]), [
    ...[["add", "A", "a.md"], ["edit", "A", "a.md"], ["forget", "A", "a.md"]],
  ]);
  assert.deepEqual(changes.map(({ before }) => before?.archived), [
    ...[undefined, "a.20261121-120100.md", "a.20261121-120300.md"],
  ]);
  assert.equal(changes[1]!.after, changes[2]!.before!.digest);
  assert.equal(changes[2]!.after, undefined);
  assert.equal(statSync(changeLog(folder)).mode & 0o777, 0o600);
});

Deno.test("the log is one per folder, beside its archive, and Claude Code's own memories have none", () => {
  using place = prepare();
  const shared: MemoryFolder = {
    ...{ scope: "shared", path: join(place.beside, "repo") },
    archive: join(place.beside, "kept"),
  };
  create("s.md", "text", shared, { what: "add", now: place.now() });
  assert.equal(changeLog(shared), join(place.beside, "kept", "changes.jsonl"));
  assert.equal(readChanges([place.folder, shared]).length, 2);
  const auto: MemoryFolder = { scope: "auto", path: place.folder.path };
  assert.deepEqual(readChanges([auto]), []);
});

Deno.test("a change that fails is not in the log, and one that was killed and made again is there once", () => {
  using place = prepare();
  const { folder, path, now } = place;
  const change = {
    at: now().toISOString(),
    what: "edit",
    name: "A",
    type: "x",
    file: "a.md",
  } as const;
  assert.throws(() => logged(folder, change, () => assert.fail("disk")), /disk/);
  logged(folder, { ...change, after: "x" }, () => {}); // killed before the change
  logged(folder, { ...change, after: "x" }, () => {});
  writeFileSync(path, "by hand");
  appendFileSync(changeLog(folder), 'damaged\n{"id":1}\nnull\n{"id":"x","what":"nonsense"}\n');
  // What an earlier memo logged of a rule's steps, which there are no more.
  const former = { id: "y", at: "2026-11-21T12:00:00Z", name: "A", file: "a.md", key: "k" };
  appendFileSync(changeLog(folder), `${JSON.stringify({ ...former, what: "raise" })}\n{"id":"z"`);
  assert.deepEqual(place.changes().map(({ what }) => what), ["add", "edit"]);
});

Deno.test("any run of changes can be reverted one by one to each state before, byte for byte", async () => {
  const steps = fc.array(fc.constantFrom("edit", "forget", "restore", "odd bytes"), {
    maxLength: 6,
  });
  await fc.assert(
    fc.asyncProperty(steps, async (steps) => {
      using place = prepare();
      const { folder, path, now } = place;
      const looks = () => {
        try {
          return readFileSync(path, "latin1");
        } catch {
          return "none";
        }
      };
      const states = [looks()];
      for (const [i, step] of steps.entries()) {
        const isThere = looks() !== "none";
        const [last] = listArchive(folder);
        if (step === "edit" && isThere) {
          rewrite(path, text(`edited ${i}`), folder, { what: "edit", now: now() });
        } else if (step === "odd bytes" && isThere) {
          rewrite(path, Buffer.from([0xff, 0, i]), folder, { what: "edit", now: now() });
        } else if (step === "forget" && isThere) {
          archive(path, folder, { what: "forget", now: now() });
        } else if (step === "restore" && !isThere) {
          create("a.md", readFileSync(last!.path), folder, { what: "restore", now: now() });
        } else continue;
        states.push(looks());
      }
      const changes = place.changes();
      assert.equal(changes.length, states.length);
      for (let i = changes.length - 1; i > 0; i--) {
        assert.equal(looks(), states[i]);
        const { reverted, left } = await place.undo(changes[i]!.id);
        assert.deepEqual([reverted.map(({ id }) => id), left], [[changes[i]!.id], []]);
        assert.equal(looks(), states[i - 1]);
      }
      assert.ok(
        place.changes().filter(({ what }) => what !== "undo").slice(1)
          .every(({ undone }) => undone),
      );
    }),
    { numRuns: 15 },
  );
});

Deno.test("a memory that was changed by hand since is left alone, and so is the rest of its group", async () => {
  using place = prepare();
  const { folder, path, now } = place;
  const other = create("b.md", text("b"), folder, { what: "add", now: now() });
  const change = { now: now(), group: "run/1" };
  rewrite(path, text("merged"), folder, { what: "merge", ...change });
  archive(other, folder, { what: "merge", ...change });
  archive(create("c.md", text("c"), folder, { what: "add", now: now() }), folder, {
    ...{ what: "drop", now: now(), group: "run/2" },
  });
  writeFileSync(path, "by hand");
  const { reverted, left } = await place.undo("run");
  assert.deepEqual(reverted.map(({ file }) => file), ["c.md"]);
  assert.deepEqual(left.map(({ change, because }) => [change.file, because]), [
    ["a.md", "it has changed since"],
  ]);
  assert.equal(place.read(), "by hand");
  rewrite(path, text("merged"), folder, { what: "edit", now: now() });
  assert.deepEqual((await place.undo("run/1")).reverted.map(({ file }) => file), ["b.md", "a.md"]);
  assert.deepEqual([bodyOf(readFileSync(path)), bodyOf(readFileSync(other))], ["one", "b"]);
});

Deno.test("a reversion can be reverted, and what the archive has lost is said", async () => {
  using place = prepare();
  const { folder, path, now } = place;
  rewrite(path, text("two"), folder, { what: "edit", now: now() });
  await place.undo(place.changes()[1]!.id);
  assert.match(place.read(), /one/);
  await place.undo(place.changes()[2]!.id);
  assert.match(place.read(), /two/);
  assert.deepEqual(place.changes().map(({ undone }) => undone), [false, false, true, false]);
  for (const { path } of listArchive(folder)) rmSync(path);
  const { left: [left] } = await place.undo(place.changes()[1]!.id);
  assert.equal(left?.because, "its earlier version is no longer in the archive");
});

Deno.test("versionAt() finds the version of a time, with a log, before it, and by the id of a change", () => {
  using place = prepare();
  const { folder, path, now } = place;
  for (const body of ["two", "three"]) {
    rewrite(path, text(body), folder, { what: "edit", now: now() });
  }
  archive(path, folder, { what: "forget", now: now() });
  const at = (minute: number, second = 30) => {
    const found = versionAt(
      { folder, file: "a.md" },
      new Date(Date.UTC(2026, 10, 21, 12, minute, second)),
    );
    return found.kind === "none" ? found.because : bodyOf(found.bytes);
  };
  assert.deepEqual([-1, 0, 1, 2, 3].map((minute) => at(minute)), [
    ...["it did not exist then", "one", "two", "three", "it was archived then"],
  ]);
  const byId = versionAt({ folder, file: "a.md" }, { change: place.changes()[1]!.id.slice(0, 6) });
  assert.equal(byId.kind === "version" && bodyOf(byId.bytes), "two");
  rmSync(changeLog(folder));
  assert.deepEqual([-1, 0, 1, 2].map((minute) => at(minute)), ["one", "one", "two", "three"]);
});

Deno.test("a log that names files elsewhere leads nowhere", async () => {
  using place = prepare();
  const { folder } = place;
  const secret = join(place.beside, "secret.md");
  writeFileSync(secret, "kept");
  mkdirSync(join(place.beside, "x"));
  for (const file of ["../secret.md", secret, "../x/new.md"]) {
    const digest = "0".repeat(64);
    logged(folder, {
      ...{ at: place.now().toISOString(), what: "forget", name: "A", type: "tool", file },
      before: { archived: "../../secret.md", digest },
    }, () => {});
  }
  for (const { id } of place.changes().slice(1)) {
    assert.deepEqual((await place.undo(id)).reverted, []);
  }
  assert.equal(readFileSync(secret, "utf8"), "kept");
});
