import assert from "node:assert/strict";
import fc from "fast-check";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { journalEntry } from "../../src/core/journal/journal.ts";
import { carryOut } from "../../src/core/change/carry_out.ts";
import type { Add, ChangePlan, Replace } from "../../src/core/change/change.ts";
import { digestOf } from "../../src/core/memory/trust.ts";
import type { LogEntry } from "../../src/core/ledger/change_log.ts";
import { serializeMemory } from "../../src/core/memory/file.ts";
import { temporaryFolder } from "../support/temp.ts";
import { memoryFile } from "../support/index.ts";
import { surroundings } from "../support/change.ts";
import { filesIn, NOW } from "../capture/support.ts";
import { mergeLines } from "../../src/core/change/merge.ts";

/** Applies a plan; returns the files that it has written. */
async function apply({ changes }: ChangePlan, onStep?: () => void): Promise<string[]> {
  const { done } = await carryOut(changes, { ...surroundings(NOW), onStep });
  return done.filter(({ change }) => change.kind === "add" || change.kind === "replace")
    .map(({ path }) => path);
}

const memory = (name: string, body: string, turn = "t1") =>
  serializeMemory(
    memoryFile({ path: "", name, body, updated: "2026-11-20", source: { session: "s1", turn } }),
  );

/** A folder with two memories, and a plan that does one thing of each kind to it. */
function prepare(path: string): ChangePlan {
  const folder = { scope: "user", path: join(path, "memory") } as const;
  mkdirSync(folder.path);
  const at = (name: string) => join(folder.path, name);
  const old = Object.fromEntries(["a", "b", "c"].map((name) => {
    const text = memory(name, `Old ${name}`, "t0");
    writeFileSync(at(`${name}.md`), text);
    return [name, digestOf(text)];
  }));
  const add = (name: string): Add => ({
    ...{ kind: "add", what: "add", file: `${name}.md`, folder },
    text: memory(name, `New ${name}`),
  });
  const replace = (name: string, what: "supersede" | "confirm", text: string): Replace => ({
    ...{ kind: "replace", what, path: at(`${name}.md`), folder, before: old[name]!, text },
    ...what === "supersede" && { orAdd: true },
  });
  return {
    changes: [
      journalEntry({ id: "t1", session: "s1" }, {
        ...{ bullets: ["Said so"], transcript: "/t", at: NOW },
        journal: { path: at("journal"), folder },
      })!,
      add("new"),
      { kind: "archive", what: "supersede", path: at("a.md"), folder, before: old["a"]! },
      replace("b", "supersede", memory("b", "New b")),
      replace("c", "confirm", memory("c", "Old c, and surer", "t0")),
    ],
  };
}

/** The changes in the log among some files, without their ids; the log is taken away. */
function takeLog(files: Record<string, string>): Omit<LogEntry, "id">[] {
  const text = files[LOG]!;
  delete files[LOG];
  return text.trimEnd().split("\n").map((line) => {
    const { id: _, ...change } = JSON.parse(line) as LogEntry;
    return change;
  });
}

const LOG = "memory/.archive/changes.jsonl";

class Killed extends Error {}

/** Applies a plan until so many steps are done; returns whether it came to its end. */
async function applyUntil(plan: ChangePlan, steps: number): Promise<boolean> {
  let left = steps;
  const onStep = () => {
    if (left-- === 0) throw new Killed();
  };
  try {
    await apply(plan, onStep);
    return true;
  } catch (error) {
    if (error instanceof Killed) return false;
    throw error;
  }
}

Deno.test("a plan that is cut short before any step and applied again comes to the same", async () => {
  using whole = temporaryFolder();
  await apply(prepare(whole.path));
  const expected = filesIn(whole.path, { withLog: true });
  const logged = takeLog(expected);
  assert.deepEqual(Object.keys(expected).map((name) => name.replace("memory/", "")), [
    ...[".archive/a.20261121-120000.md", ".archive/b.20261121-120000.md"],
    ...[".archive/c.20261121-120000.md", "MEMORY.md", "b.md"],
    ...["c.md", Object.keys(expected).find((name) => name.includes("journal"))!.slice(7), "new.md"],
  ]);
  let steps = 0;
  for (let isDone = false; !isDone; steps++) {
    using folder = temporaryFolder();
    const plan = prepare(folder.path);
    isDone = await applyUntil(plan, steps);
    const again = steps % 2 === 0 ? plan : JSON.parse(JSON.stringify(plan)); // as the queue keeps it
    await apply(again);
    await apply(again);
    const files = filesIn(folder.path, { withLog: true });
    assert.deepEqual(takeLog(files), logged, `cut short before step ${steps}`);
    assert.deepEqual(files, expected, `cut short before step ${steps}`);
  }
  assert.equal(steps - 1, 5); // journal, new, archive, supersede, confirm
  assert.deepEqual(logged.map(({ what, file }) => `${what} ${file}`), [
    ...["add new.md", "supersede a.md", "supersede b.md", "confirm c.md"],
  ]);
});

Deno.test("what somebody writes between plan and application is never lost, nor any of the plan", async () => {
  const names = ["a.md", "b.md", "c.md", "new.md"];
  const edits = fc.array(
    fc.record({ name: fc.constantFrom(...names), before: fc.nat(8) }),
    { maxLength: 4 },
  );
  await fc.assert(
    fc.asyncProperty(edits, async (edits) => {
      using folder = temporaryFolder();
      const plan = prepare(folder.path);
      const texts: string[] = [];
      for (const [i, { name, before }] of edits.entries()) {
        await applyUntil(plan, before);
        const text = memory(`Mine ${i}`, `Written by hand ${i}`, `hand${i}`);
        texts.push(text);
        const path = join(folder.path, "memory", name);
        const there = filesIn(folder.path)[`memory/${name}`];
        if (there !== undefined && texts.includes(there)) texts.splice(texts.indexOf(there), 1);
        writeFileSync(path, text);
      }
      await apply(plan);
      const kept = Object.values(filesIn(folder.path));
      for (const text of texts) assert.ok(kept.includes(text), text);
      const written = kept.filter((text) => /^New new$/m.test(text)).length;
      assert.ok(written === 1 || edits.some(({ name }) => name === "new.md"));
    }),
    { numRuns: 15 },
  );
});

Deno.test("a memory that was changed since stays as it is, and a new one gets a number", async () => {
  using temp = temporaryFolder();
  const plan = prepare(temp.path);
  const folder = join(temp.path, "memory");
  for (const name of ["a.md", "b.md", "c.md", "new.md"]) writeFileSync(join(folder, name), "Mine");
  const written = await apply(plan);
  for (const name of ["a.md", "b.md", "c.md", "new.md"]) {
    assert.equal(readFileSync(join(folder, name), "utf8"), "Mine");
  }
  assert.deepEqual(written, [join(folder, "new-2.md"), join(folder, "b-2.md")]);
});

Deno.test("a plan cannot write outside its folder", async () => {
  using temp = temporaryFolder();
  const folder = { scope: "user", path: join(temp.path, "memory") } as const;
  const path = join(temp.path, "outside.md");
  writeFileSync(path, "Mine");
  const common = { what: "edit", path, folder, text: "x", before: digestOf("Mine") } as const;
  for (const kind of ["replace", "archive", "redact"] as const) {
    await assert.rejects(apply({ changes: [{ ...common, kind }] }), { kind: "file" });
  }
  for (const file of ["../outside.md", "../new/outside.md"]) {
    const add = { kind: "add", what: "add", file, folder, text: "x" } as const;
    await assert.rejects(apply({ changes: [add] }), { kind: "file" });
  }
  assert.deepEqual(Object.keys(filesIn(temp.path)), ["outside.md"]);
  assert.equal(readFileSync(path, "utf8"), "Mine");
});

const line = (id: string, at: string) => JSON.stringify({ id, at }) + "\n";

Deno.test("two logs are merged by their times, and each keeps its order where its clock was set back", () => {
  const base = line("a", "2026-01-01");
  const ours = base + line("b", "2026-03-01") + line("c", "2025-03-01");
  const theirs = base + line("d", "2026-02-01") + line("e", "2026-04-01");
  const ids = (text: string) => [...text.matchAll(/"id":"(.)"/g)].map(([, id]) => id).join("");
  assert.equal(ids(mergeLines({ base, ours, theirs })), "adbce");
  assert.equal(ids(mergeLines({ base, ours: theirs, theirs: ours })), "adbce");
});
