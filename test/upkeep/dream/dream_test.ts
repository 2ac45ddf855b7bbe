import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { readChanges } from "../../../src/core/ledger/change_log.ts";
import { memoryIn, serializeMemory } from "../../../src/core/memory/file.ts";
import {
  type MemoryFile,
  type MemoryFolder,
  sourceSessions,
} from "../../../src/core/memory/memory.ts";
import { revertChange } from "../../../src/core/change/revert.ts";
import {
  dream,
  type DreamOptions,
  type DreamSurroundings,
  heal,
  lastDreamId,
  lastDreamOf,
  planDream,
} from "../../../src/features/upkeep/dream/dream.ts";
import { openKnown } from "../../../src/core/index/known_memories.ts";
import { Index, syncFolder } from "../../../src/core/index/mod.ts";
import { batchesOf } from "../../../src/features/upkeep/dream/question.ts";
import type { Question } from "../../../strategies/strategy.ts";
import { INDEX_FILE } from "../../../src/core/memory/folder.ts";
import { surroundings } from "../../support/change.ts";
import { memoryOf } from "../../support/memory.ts";
import { temporaryFolder } from "../../support/temp.ts";
import { plant, type Planted, plantSome } from "./planted.ts";

const NOW = new Date("2026-11-21T12:00:00Z");

/** A folder, and what a dream needs. */
function prepare() {
  const temp = temporaryFolder();
  const folder: MemoryFolder = { scope: "user", path: join(temp.path, "memory") };
  const options: DreamOptions & DreamSurroundings = {
    ...surroundings(NOW),
    ...{ paths: { dreams: join(temp.path, "dreams") }, patterns: [] },
  };
  const contents = () =>
    Object.fromEntries(
      readdirSync(folder.path).filter((name) => name.endsWith(".md") && name !== INDEX_FILE).sort()
        .map((name) => [name, readFileSync(join(folder.path, name), "latin1")]),
    );
  const suggestions = join(temp.path, "triggers");
  const undo = (id: string) => revertChange(id, [folder], { ...surroundings(NOW), suggestions });
  return { folder, options, contents, undo, [Symbol.dispose]: () => temp[Symbol.dispose]() };
}

/** The notes in a question, by number. */
function notesIn(
  { prompt }: Pick<Question, "prompt">,
): { number: number; name: string; text: string }[] {
  return [...prompt.matchAll(/<note number="(\d+)">\n(.*?) \(([a-z]+);[^]*?\n([^]*?)\n<\/note>/g)]
    .map(([, number, name, , text]) => ({ number: Number(number), name: name!, text: text! }));
}

/** A model that knows what was planted. */
function knowing(store: Iterable<Planted>) {
  const byName = new Map([...store].map((memory) => [memory.name, memory]));
  const questions: Question[] = [];
  const ask = (question: Question) => {
    questions.push(question);
    const notes = notesIn(question);
    const numbers = new Map(notes.map(({ name, number }) => [byName.get(name)!.file, number]));
    const operations = notes.flatMap(({ name, number }) => {
      const { kind, of } = byName.get(name)!;
      const because = "Its day has passed";
      if (kind === "expired") return [{ op: "drop", notes: [number], because }];
      const other = numbers.get(of ?? "");
      return kind === "contradicts" && other !== undefined
        ? [{ op: "contradiction", notes: [other, number], because: "The number has changed" }]
        : [];
    });
    return Promise.resolve({ operations });
  };
  return { ask, questions };
}

/** What is left of each kind. */
function left(store: Iterable<Planted>, contents: Record<string, string>) {
  const kinds = { fact: 0, duplicate: 0, contradicts: 0, expired: 0 };
  for (const { kind, file } of store) if (file in contents) kinds[kind]++;
  return kinds;
}

Deno.test("without a model the 100 of 300 memories that say the same are merged, no other is touched, and all come back", async () => {
  using place = prepare();
  const { folder, options, contents, undo } = place;
  const store = [...plant(folder.path).keys()];
  assert.equal(store.length, 300);
  const before = contents();
  const result = (await dream(folder, options))!;
  assert.equal(result.after, 200);
  const after = contents();
  const { fact, duplicate, ...rest } = left(store, after);
  assert.deepEqual([fact + duplicate, rest], [150, { contradicts: 20, expired: 30 }]);
  for (const { kind, file, of } of store) {
    if (kind === "duplicate") assert.equal(Number(file in after) + Number(of! in after), 1, file);
  }
  const untouched = store.filter(({ file, kind }) =>
    kind !== "duplicate" && !store.some(({ of, kind }) => kind === "duplicate" && of === file)
  );
  for (const { file } of untouched) assert.equal(after[file], before[file]);
  assert.deepEqual((await undo(result.id)).left, []);
  assert.deepEqual(contents(), before);
});

Deno.test("what stays of two memories keeps the talks of both", async () => {
  using place = prepare();
  const { folder, options, contents } = place;
  mkdirSync(folder.path, { recursive: true });
  let day = 1;
  const write = (file: string, session: string, body: string) => {
    const created = `2026-11-0${day++}`; // which of two is newer does not hang on the clock
    const memory = memoryOf({ name: body, body, type: "decision", created, source: { session } });
    writeFileSync(join(folder.path, file), serializeMemory(memory));
  };
  write("one.md", "first", "The wiki is on the intranet host");
  write("two.md", "second", "The wiki is on the intranet host.");
  write("old.md", "third", "The port of the wiki is 8080");
  write("new.md", "fourth", "The port of the wiki is 9090 since Monday");
  const ask = (question: Question) => {
    const numbers = new Map(
      notesIn(question).map(({ name, number }) => [/\d{4}/.exec(name)?.[0], number]),
    );
    const notes = [numbers.get("8080")!, numbers.get("9090")!];
    return Promise.resolve({ operations: [{ op: "contradiction", notes, because: "It changed" }] });
  };
  const result = (await dream(folder, { ...options, ask, force: true }))!;
  assert.deepEqual([result.after, result.refused], [2, []]);
  const talks = Object.values(contents()).map((text) =>
    sourceSessions(memoryIn(text, "a.md")).sort()
  );
  assert.deepEqual(talks.sort(), [["first", "second"], ["fourth", "third"]]);
});

Deno.test("with a model contradictions are resolved and expired memories dropped too, with reasons, and all come back", async () => {
  using place = prepare();
  const { folder, options, contents, undo } = place;
  const store = [...plant(folder.path).keys()];
  const before = contents();
  const { ask, questions } = knowing(store);
  const result = (await dream(folder, { ...options, ask }))!;
  assert.deepEqual(result.refused, []);
  assert.equal(result.unasked, undefined);
  assert.ok(questions.length > 5, "in batches");
  const { fact, duplicate, ...rest } = left(store, contents());
  assert.deepEqual([fact + duplicate, rest], [130, { contradicts: 20, expired: 0 }]);
  const log = readChanges([folder]);
  assert.ok(log.every(({ group, because, before }) => group && because && before));
  assert.deepEqual(lastDreamOf(folder, options.paths), { at: NOW.getTime(), after: result.after });
  assert.deepEqual((await undo(result.id)).left, []);
  assert.deepEqual(contents(), before);
  const again = (await dream(folder, { ...options, ask }))!;
  assert.deepEqual(again.steps, [], "what was undone is not done again");
  const forced = await planDream(folder, { ...options, ask, force: true });
  assert.equal(forced.after, 150);
});

const all = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

/** Answers that would harm. */
const HARMFUL: Readonly<Record<string, (count: number) => unknown>> = {
  "delete everything": (count) =>
    all(count).map((n) => ({ op: "drop", notes: [n], because: "Useless" })),
  "merge everything": (count) => [
    { op: "merge", notes: all(count), name: "x", body: "ok", because: "Tidy" },
  ],
  "merge eight into nothing": () => [
    { op: "merge", notes: all(8), name: "All", body: "It is fine.", because: "Tidy" },
  ],
  "name paths": () => [
    { op: "drop", notes: ["../../x", "/etc/passwd", 999, -1, 0, 1.5], because: "x" },
  ],
  "unknown operations": () => [{ op: "exec", notes: [1], because: "x" }, null, "drop", 7],
  "no reason": () => [{ op: "drop", notes: [1] }],
  "older and newer mixed up": (count) =>
    all(count - 1).map((n) => ({ op: "contradiction", notes: [n, n], because: "x" })),
};

for (const [what, operations] of Object.entries(HARMFUL)) {
  Deno.test(`a model that says to ${what} changes nothing`, async () => {
    using place = prepare();
    const { folder, options, contents } = place;
    const isMuch = what === "delete everything";
    plant(folder.path, ({ kind }) => kind !== "duplicate" && (isMuch || kind !== "fact"));
    const before = contents();
    const ask = (question: Question) =>
      Promise.resolve({ operations: operations(notesIn(question).length) });
    const { steps, refused } = (await dream(folder, { ...options, ask }))!;
    assert.deepEqual(steps, []);
    assert.deepEqual(contents(), before);
    if (isMuch) {
      assert.match(refused[0]!.because, /would remove 200 of 200 .* without `--force` is 50/);
    }
  });
}

Deno.test("a model that does not answer, or not in this form, costs nothing but its operations", async () => {
  for (const answer of [null, {}, { operations: "none" }, new Error("no network")]) {
    using place = prepare();
    const { folder, options } = place;
    plantSome(folder.path, 6);
    const ask = () => answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    const result = (await dream(folder, { ...options, ask }))!;
    assert.equal(result.after, 6);
    assert.match(result.unasked!, /no network|no `operations`/);
  }
});

Deno.test("what is changed by hand while the model thinks is left alone, with all of its group", async () => {
  using place = prepare();
  const { folder, options, contents } = place;
  const store = [...plant(folder.path).keys()];
  const { ask } = knowing(store);
  const { file, of } = store.find(({ kind }) => kind === "duplicate")!;
  let isEdited = false;
  const slow = (question: Question) => {
    if (!isEdited) writeFileSync(join(folder.path, file), "by hand");
    isEdited = true;
    return ask(question);
  };
  const before = contents();
  const result = (await dream(folder, { ...options, ask: slow }))!;
  assert.ok(result.left.length >= 2);
  assert.equal(contents()[file], "by hand");
  assert.equal(contents()[of!], before[of!]);
  assert.equal(left(store, contents()).expired, 0);
});

class Killed extends Error {}

Deno.test("a dream that is killed before any step is finished by the next, and each group is there whole or not at all", async () => {
  using whole = prepare();
  plantSome(whole.folder.path, 6);
  const { steps } = (await dream(whole.folder, whole.options))!;
  const expected = whole.contents();
  for (let moment = 0; moment < steps.length; moment++) {
    using place = prepare();
    const { folder, options, contents } = place;
    plantSome(folder.path, 6);
    const before = contents();
    let at = 0;
    const onStep = () => {
      if (at++ === moment) throw new Killed();
    };
    await assert.rejects(dream(folder, { ...options, onStep }), Killed);
    assert.equal(await heal(folder, options), true);
    assert.deepEqual(contents(), expected, `killed before step ${moment}`);
    assert.equal(await heal(folder, options), false);
    assert.deepEqual((await place.undo(lastDreamId([folder])!)).left, []);
    assert.deepEqual(contents(), before);
  }
});

Deno.test("Two that contradict each other are asked about together, whatever their types and however many there are", async () => {
  const note = (i: number, type: string, name: string): MemoryFile => ({
    ...memoryOf({ name, type, body: name }),
    ...{ path: `/m/${type}_${i}.md`, scope: "user", size: 1, mtimeMs: i, problems: [] },
  });
  const others = all(70).map((i) =>
    note(i, i < 36 ? "decision" : "reference", `Topic${i} of chapter${i} and verse${i}`)
  );
  const older = note(71, "decision", "Payments are handled by Stripe");
  const later = note(72, "reference", "Payments are handled by Adyen");
  for (const memories of [[older, ...others, later], [later, ...others, older]]) {
    const batches = await batchesOf(memories, new Map(), [[older.path, later.path]]);
    assert.deepEqual(
      batches.flat().map(({ path }) => path).sort(),
      memories.map(({ path }) => path).sort(),
    );
    assert.ok(batches.every(({ length }) => length <= 30));
    const [batch, ...more] = batches.filter((each) => each.includes(older) || each.includes(later));
    assert.ok(batch!.includes(older) && more.length === 0);
  }
});

/** What a dream plans about notes that the index knows, whose files are changed after that. */
async function planKnown(notes: Readonly<Record<string, string>>, change: (path: string) => void) {
  using temp = temporaryFolder();
  const path = join(temp.path, "memory"), db = join(temp.path, "index.db");
  mkdirSync(path);
  for (const [name, text] of Object.entries(notes)) writeFileSync(join(path, name), text);
  const folder = { scope: "user", path } as const;
  const index = await Index.open(db);
  await syncFolder(index, folder);
  index.close();
  const known = (await openKnown(db, [path]))!;
  change(path);
  const options = { paths: { dreams: join(temp.path, "dreams") }, now: NOW, patterns: [] };
  const { before, after, steps } = await planDream({ ...folder, known }, options);
  return { before, after, changed: steps.map(({ path }) => basename(path)).sort() };
}

const WIKI = "---\nname: Wiki\ntype: tool\n---\nThe wiki is on a host\n";

Deno.test("a dream opens no file but of the memories that it changes, where the index knows them all", async () => {
  const others = Array.from({ length: 20 }, (_, i) => [`${i}.md`, `Queue ${i} has a worker\n`]);
  const notes = { "a.md": WIKI, "b.md": WIKI, ...Object.fromEntries(others) };
  const plan = await planKnown(notes, (path) => {
    for (const [name] of others) rmSync(join(path, name!));
  });
  assert.deepEqual(plan, { before: 22, after: 21, changed: ["a.md", "b.md"] });
});

Deno.test("two that say the same are left alone where one has changed or gone since it was listed", async () => {
  const notes = { "a.md": WIKI, "b.md": WIKI };
  const changes = [
    (file: string) => writeFileSync(file, WIKI.replace("a host", "no host")),
    (file: string) => rmSync(file),
  ];
  for (const change of changes) {
    const plan = await planKnown(notes, (path) => change(join(path, "b.md")));
    assert.deepEqual(plan.changed, []);
  }
});
