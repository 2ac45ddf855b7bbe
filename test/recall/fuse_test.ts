import assert from "node:assert/strict";
import fc from "fast-check";
import { loadConfig } from "../../src/core/settings/config.ts";
import type { IndexedMemory } from "../../src/core/index/corpus.ts";
import { budget } from "../../src/core/recall/budget.ts";
import { fuse, type FuseOptions } from "../../src/core/recall/fuse.ts";
import type { Ranking } from "../../src/core/recall/retrieve.ts";
import { NOTHING_SHOWN, type Shown, versionOf } from "../../src/core/recall/shown.ts";
import { withGlobs } from "../../src/core/memory/applies.ts";
import { whereaboutsOf } from "../../src/core/recall/at_work.ts";
import { indexedMemory } from "../support/index.ts";

const NOW = new Date("2026-11-21T12:00:00Z");
const config = loadConfig("/nowhere/config.yaml", {});
const memory = (id: number, fields: Partial<IndexedMemory> = {}): IndexedMemory =>
  indexedMemory(id, { mtimeMs: NOW.getTime(), ...fields });
type Found = Omit<Ranking, "ms" | "failures">;
const ranking = (hits: Ranking["hits"], strategy = "hybrid"): Found => ({ strategy, hits });

/** Fuses rankings, or scores by id; a memory that is not named has nothing special. */
function fused(
  found: readonly Found[] | Readonly<Record<number, number>>,
  memories: readonly IndexedMemory[] = [],
  more: Partial<Omit<FuseOptions, "shown">> & { readonly shown?: Partial<Shown> } = {},
) {
  const lists = Array.isArray(found)
    ? found as readonly Found[]
    : [ranking(Object.entries(found).map(([id, score]) => ({ memory: Number(id), score })))];
  const ids = lists.flatMap(({ hits }) => hits.map(({ memory }) => memory));
  const all = [...ids.map((id) => memory(id)), ...memories];
  const { hits: kept, dropped } = fuse(lists.map((list) => ({ ...list, ms: 0, failures: [] })), {
    ...{ config, now: NOW, memories: new Map(all.map((each) => [each.id, each])) },
    ...more,
    shown: { ...NOTHING_SHOWN, ...more.shown },
  });
  return {
    ...{ kept, dropped, ids: kept.map(({ memory }) => memory.id) },
    because: Object.fromEntries(dropped.map(({ memory, because }) => [memory.id, because])),
  };
}
const budgeted = (kept: Parameters<typeof budget>[0]) =>
  budget(kept, { config, now: NOW, terms: [], bytesLeft: 100_000 }).entries
    .map(({ fused }) => fused.memory.id);

Deno.test("fuse() keeps the order of a single list", () => {
  const scores = fc.uniqueArray(fc.integer({ min: 900, max: 1000 }), { maxLength: 20 });
  fc.assert(fc.property(scores, (scores) => {
    const hits = scores.sort((a, b) => b - a).map((score, memory) => ({
      memory,
      score: score / 1000,
    }));
    assert.deepEqual(fused([ranking(hits)]).ids, hits.map(({ memory }) => memory));
  }));
});

Deno.test("fuse() leaves out what is far below the best, of whatever list", () => {
  const { ids, because } = fused([
    ranking([{ memory: 1, score: 0.8 }, { memory: 2, score: 0.65 }, { memory: 3, score: 0.63 }]),
    ranking([{ memory: 4, score: 0.5 }], "recency"),
  ]);
  assert.deepEqual(ids, [1, 2]);
  assert.deepEqual(because, { 3: "far below the best", 4: "far below the best" });
});

Deno.test("fuse() lets neither a repository's memories nor a trigger push out the user's own", () => {
  const shared = [memory(1, { scope: "shared" })];
  assert.deepEqual(fused({ 1: 1, 2: 0.5 }, shared).ids, [2, 1]);
  assert.deepEqual(fused({ 2: 1, 1: 0.5 }, shared).ids, [2]);
  const lists = [
    ranking([{ memory: 3, score: 1 }], "trigger"),
    ranking([{ memory: 2, score: 0.5 }]),
  ];
  assert.deepEqual(fused(lists).ids, [3, 2]);
});

Deno.test("fuse() puts the user's word first, then what a person kept, what was seen, and what was concluded", () => {
  const memories = [["concluded"], ["read-tool"], ["read-web", "confirmed"], []].map((tags, i) =>
    memory(i, { tags, body: `${"abcd"[i]} note of its own with words of its kind ${i}` })
  );
  const { kept, ids } = fused({ 0: 0.9, 1: 0.88, 2: 0.86, 3: 0.84 }, memories);
  assert.deepEqual(ids, [3, 2, 1, 0]);
  assert.deepEqual(budgeted(kept), [3, 2, 1, 0]);
  const flood = Array.from({ length: 6 }, (_, i) => {
    const body = `claim ${"stuvwx"[i]} from ${"ghijkl"[i]} pages`;
    return memory(i, { tags: ["read-web"], body });
  });
  const all = fused(Object.fromEntries(flood.map(({ id }) => [id, 0.9])), flood);
  assert.equal(budgeted(all.kept).length, 2);
});

Deno.test("fuse() takes near-copies of what the user has not said for one claim", () => {
  const claim = "The audit of Meridian was finished in August and is current for all access";
  const memories = ["", " requests", " today"].map((more, i) =>
    memory(i, { tags: ["read-tool"], body: claim + more })
  );
  const { ids, because } = fused({ 0: 0.9, 1: 0.89, 2: 0.88 }, memories);
  assert.deepEqual(ids, [0]);
  assert.deepEqual(because, { 1: "repeats another", 2: "repeats another" });
});

Deno.test("r12: fuse() points to a likely line once, and still gives it where it comes whole", () => {
  const line = memory(1, { name: "Use pnpm", body: "Use pnpm." });
  const pointed = new Map([["/m/1.md", undefined]]);
  const kept = (score: number) =>
    fused({ 1: score }, [line], { shown: { pointed } }).kept.map(({ isWhole }) => isWhole);
  assert.deepEqual([kept(0.355), kept(0.9)], [[], [true]]);
});

Deno.test("fuse() takes each memory once, with its best score", () => {
  const { kept } = fused([
    ranking([{ memory: 1, score: 0.5 }]),
    ranking([{ memory: 1, score: 0.8 }], "keyword"),
  ]);
  assert.deepEqual(kept.map(({ score, strategy }) => [score, strategy]), [[0.8, "keyword"]]);
});

Deno.test("fuse() says why it drops a memory", () => {
  const memories = [
    memory(3, { type: "progress", updated: "2026-11-14T12:00:00Z" }),
    memory(4, { tags: ["suspect"], confidence: 0.1 }),
    memory(5, { turn: "u1" }),
  ];
  const shown = { seen: new Map([["/m/2.md", undefined]]), turns: new Set(["u1"]) };
  const { ids, because } = fused({ 1: 0.2, 2: 0.9, 3: 0.9, 4: 0.9, 5: 0.9 }, memories, { shown });
  assert.deepEqual(ids, []);
  assert.deepEqual(because, {
    1: "below threshold",
    2: "seen in this session",
    3: "faded",
    4: "held back",
    5: "written from this conversation",
  });
});

Deno.test("fuse() measures nothing against what is given to nobody", () => {
  for (
    const [fields, refused] of [
      [{ tags: ["suspect"], confidence: 0.1 }, []],
      [{ confidence: 0.05 }, []],
      [{}, [1]],
    ] as const
  ) {
    const more = { refused: new Set<number>(refused) };
    assert.deepEqual(fused({ 1: 0.9, 2: 0.5 }, [memory(1, fields)], more).ids, [2]);
  }
});

Deno.test("fuse() fades progress by the day, not the hour of its file", () => {
  const at = (days: number) => new Date(NOW.getTime() - days * 86_400_000).toISOString();
  const kept = [0, 4.8, 5, 8].filter((days) =>
    fused({ 1: 0.9 }, [memory(1, { type: "progress", updated: at(days) })]).kept.length > 0
  );
  assert.deepEqual(kept, [0, 4.8]);
});

Deno.test("fuse() passes over a hit whose memory has gone", () => {
  const { kept, dropped } = fused({ 7: 1 }, [], { memories: new Map() });
  assert.deepEqual([kept, dropped], [[], []]);
});

const SAFE = "Deploy the shop with make deploy-safe only, never by hand, from the main branch.";

/** What fuse() keeps of two memories, the first of which fits the prompt better. */
const keptOf = (first: Partial<IndexedMemory>, second: Partial<IndexedMemory> = { body: SAFE }) =>
  fused({ 1: 0.94, 2: 0.9 }, [memory(1, first), memory(2, second)]).ids;

Deno.test("fuse() drops what says the same, and never the user's for a repository's", () => {
  assert.deepEqual(keptOf({ body: SAFE }), [1]);
  assert.deepEqual(keptOf({ body: SAFE, scope: "shared" }), [2]);
  assert.deepEqual(keptOf({ body: SAFE }, { body: SAFE, scope: "shared" }), [1]);
});

Deno.test("fuse() keeps what uses the same words to say the opposite, or names another figure", () => {
  const opposites = [
    "Deploy the shop by hand only, never with make deploy-safe, from the main branch.",
    "Deploy the shop with make deploy-safe only, by hand, from the main branch.",
    "Deploy the shop with make deploy-safe2 only, never by hand, from the main branch.",
  ];
  for (const body of opposites) assert.deepEqual(keptOf({ body }), [1, 2], body);
  const spanish = "El servidor de pruebas no se reinicia nunca los viernes por la tarde";
  assert.deepEqual(keptOf({ body: spanish.replace("no ", "") }, { body: spanish }), [1, 2]);
});

Deno.test("fuse() gives a memory that changed since it was shown again, and says so", () => {
  const seen = new Map([["/m/1.md", versionOf(memory(1))], ["/m/2.md", "what it said before"]]);
  const { kept, because } = fused({ 1: 0.9, 2: 0.85 }, [], { shown: { seen } });
  assert.deepEqual(kept.map(({ memory, isChanged }) => [memory.id, isChanged]), [[2, true]]);
  assert.deepEqual(because, { 1: "seen in this session" });
});

Deno.test("fuse() knows what only an earlier prompt's answer has picked", () => {
  const late = ranking([{ memory: 1, score: 0.85 }, { memory: 2, score: 0.85 }]);
  const { kept } = fused([ranking([{ memory: 1, score: 0.9 }]), { ...late, isLate: true }]);
  assert.deepEqual(kept.map(({ isLate }) => isLate), [undefined, true]);
});

Deno.test("a memory of one line comes whole only where it is sure; a start that named it is no reason to hold it back, a prompt that did is", () => {
  const line = memory(1, { name: "Use pnpm, never npm", body: "Use pnpm, never npm." });
  const longer = memory(2, { name: "How we deploy", body: "Run `just ship`.\n\n**Why:** tags." });
  const given = (score: number, where: "listed" | "pointed" = "listed") => {
    const shown = { [where]: new Map([[line.path, undefined]]) };
    return fused({ 1: score, 2: score }, [line, longer], { shown }).kept
      .map(({ memory, isWhole }) => [memory.id, isWhole]);
  };
  assert.deepEqual(given(0.4), [[1, false], [2, true]]);
  assert.deepEqual(given(0.36), [[2, true]]);
  assert.deepEqual(given(0.76), [[1, true], [2, true]]);
  assert.deepEqual(given(0.4, "pointed"), [[2, true]]);
  assert.deepEqual(given(0.76, "pointed"), [[1, true], [2, true]]);
});

Deno.test("of two equal memories the one for the prompt's files comes, and one for others does not", () => {
  const both = ["api", "web"].map((name, id) =>
    memory(id, { name, body: withGlobs("Calls go through the client", [`packages/${name}/**`]) })
  );
  const rows: [folder: string, prompt: string, ids: number[]][] = [
    ["", "which client do calls go through?", [0, 1]],
    ["packages/web/src", "which client do calls go through?", [1]],
    ["", "add a call in packages/api/src/user.ts", [0]],
    ["packages/web", "add a call in packages/api/src/user.ts", [0]],
    ["", "add a call in packages/web", [1]],
  ];
  for (const [folder, prompt, ids] of rows) {
    const where = whereaboutsOf(prompt, () => folder);
    assert.deepEqual(fused({ 0: 0.5, 1: 0.5 }, both, { where }).ids, ids, `${folder} ${prompt}`);
  }
});

Deno.test("a memory for a kind of file is for a prompt that names one, and no less for any other", () => {
  const strict = memory(0, { name: "strict", body: withGlobs("Types are strict", ["**/*.ts"]) });
  const score = (prompt: string) =>
    fused({ 0: 0.5 }, [strict], { where: whereaboutsOf(prompt) }).kept[0]!.score;
  assert.ok(score("fix src/app.ts") > 0.5);
  assert.equal(score("fix src/app.css"), 0.5);
});
