import assert from "node:assert/strict";
import fc from "fast-check";
import { loadConfig } from "../../src/core/settings/config.ts";
import type { IndexedMemory } from "../../src/core/index/corpus.ts";
import { budget } from "../../src/core/recall/budget.ts";
import { fuse } from "../../src/core/recall/fuse.ts";
import { NOTHING_SHOWN, versionOf } from "../../src/core/recall/shown.ts";
import { indexedMemory } from "../support/index.ts";

const NOW = new Date("2026-11-21T12:00:00Z");
const config = loadConfig("/nowhere/config.yaml", {});
const memory = (id: number, fields: Partial<IndexedMemory> = {}): IndexedMemory =>
  indexedMemory(id, { mtimeMs: NOW.getTime(), ...fields });
const options = (memories: readonly IndexedMemory[], seen: readonly string[] = []) => ({
  config,
  now: NOW,
  shown: {
    ...NOTHING_SHOWN,
    seen: new Map(seen.map((path) => [path, undefined])),
  },
  memories: new Map(memories.map((each) => [each.id, each])),
});
const budgeted = (kept: Parameters<typeof budget>[0]) =>
  budget(kept, { config, now: NOW, terms: [], bytesLeft: 100_000 }).entries
    .map(({ fused }) => fused.memory.id);
const ranking = (hits: readonly { memory: number; score: number }[], strategy = "hybrid") => ({
  strategy,
  hits,
  ms: 0,
  failures: [],
});

Deno.test("fuse() keeps the order of a single list", () => {
  const scores = fc.uniqueArray(fc.integer({ min: 900, max: 1000 }), { maxLength: 20 });
  fc.assert(fc.property(scores, (scores) => {
    const hits = scores.sort((a, b) => b - a).map((score, i) => ({
      memory: i,
      score: score / 1000,
    }));
    const { kept } = fuse([ranking(hits)], options(hits.map((hit) => memory(hit.memory))));
    assert.deepEqual(kept.map((fused) => fused.memory.id), hits.map((hit) => hit.memory));
  }));
});

Deno.test("fuse() leaves out what is far below the best, of whatever list", () => {
  const lists = [
    ranking([{ memory: 1, score: 0.8 }, { memory: 2, score: 0.73 }, { memory: 3, score: 0.7 }]),
    ranking([{ memory: 4, score: 0.5 }], "recency"),
  ];
  const { kept, dropped } = fuse(lists, options([1, 2, 3, 4].map((id) => memory(id))));
  assert.deepEqual(kept.map((each) => each.memory.id), [1, 2]);
  assert.deepEqual(dropped.map((each) => [each.memory.id, each.because]), [
    [3, "far below the best"],
    [4, "far below the best"],
  ]);
});

Deno.test("fuse() keeps what has as many of the prompt's words as the best: two rules for one thing", () => {
  const kept = (score: number, lexical: number) => {
    const hits = [
      { memory: 1, score: 0.6, parts: { lexical: 0.5 } },
      { memory: 2, score, parts: { lexical } },
    ];
    return fuse([ranking(hits)], options([memory(1), memory(2)])).kept.length;
  };
  assert.deepEqual([kept(0.5, 0.5), kept(0.5, 0.4), kept(0.47, 0.5)], [2, 1, 1]);
});

Deno.test("fuse() lets neither a repository's memories nor a trigger push out the user's own", () => {
  const memories = [memory(1, { scope: "shared" }), memory(2), memory(3)];
  const ids = (lists: Parameters<typeof fuse>[0]) =>
    fuse(lists, options(memories)).kept.map((each) => each.memory.id);
  assert.deepEqual(ids([ranking([{ memory: 1, score: 1 }, { memory: 2, score: 0.5 }])]), [2, 1]);
  assert.deepEqual(
    ids([ranking([{ memory: 3, score: 1 }], "trigger"), ranking([{ memory: 2, score: 0.5 }])]),
    [3, 2],
  );
  assert.deepEqual(ids([ranking([{ memory: 2, score: 1 }, { memory: 1, score: 0.5 }])]), [2]);
});

Deno.test("fuse() puts the user's word first, then what a person kept, what was seen, and what was concluded", () => {
  const memories = [["concluded"], ["read-tool"], ["read-web", "confirmed"], []].map((tags, i) =>
    memory(i, { tags, body: `${"abcd"[i]} note of its own with words of its kind ${i}` })
  );
  const hits = memories.map(({ id }) => ({ memory: id, score: 0.9 - id / 50 }));
  const { kept } = fuse([ranking(hits)], options(memories));
  assert.deepEqual(kept.map((each) => each.memory.id), [3, 2, 1, 0]);
  assert.deepEqual(budgeted(kept), [3, 2, 1, 0]);
  const flood = Array.from(
    { length: 6 },
    (_, i) =>
      memory(i, { tags: ["read-web"], body: `claim ${"stuvwx"[i]} from ${"ghijkl"[i]} pages` }),
  );
  const all = fuse(
    [ranking(flood.map(({ id }) => ({ memory: id, score: 0.9 })))],
    options(flood),
  );
  assert.equal(budgeted(all.kept).length, 2);
});

Deno.test("fuse() takes near-copies of what the user has not said for one claim", () => {
  const claim = "The audit of Meridian was finished in August and is current for all access";
  const memories = ["", " requests", " today"].map((more, i) =>
    memory(i, { tags: ["read-tool"], body: claim + more })
  );
  const hits = memories.map(({ id }) => ({ memory: id, score: 0.9 - id / 100 }));
  const { kept, dropped } = fuse([ranking(hits)], options(memories));
  assert.deepEqual(kept.map((each) => each.memory.id), [0]);
  assert.deepEqual(new Set(dropped.map(({ because }) => because)), new Set(["repeats another"]));
});

Deno.test("r12: fuse() points to a likely line once, and still gives it where it comes whole", () => {
  const line = memory(1, { name: "Use pnpm", body: "Use pnpm." });
  const pointed = new Map([["/m/1.md", undefined]]);
  const kept = (score: number) =>
    fuse([ranking([{ memory: 1, score }])], {
      ...options([line]),
      shown: { ...NOTHING_SHOWN, pointed },
    }).kept.map(({ isWhole }) => isWhole);
  assert.deepEqual(kept(0.355), []);
  assert.deepEqual(kept(0.9), [true]);
});

Deno.test("fuse() takes each memory once, with its best score", () => {
  const lists = [
    ranking([{ memory: 1, score: 0.5 }]),
    ranking([{ memory: 1, score: 0.8 }], "keyword"),
  ];
  const { kept } = fuse(lists, options([memory(1)]));
  assert.deepEqual(kept.map(({ score, strategy }) => ({ score, strategy })), [{
    score: 0.8,
    strategy: "keyword",
  }]);
});

Deno.test("fuse() says why it drops a memory", () => {
  const old = memory(3, { type: "progress", updated: "2026-11-14T12:00:00Z" });
  const held = memory(4, { tags: ["suspect"], confidence: 0.1 });
  const hits = [1, 2, 3, 4].map((id) => ({ memory: id, score: id === 1 ? 0.2 : 0.9 }));
  const { kept, dropped } = fuse(
    [ranking(hits)],
    options([memory(1), memory(2), old, held], ["/m/2.md"]),
  );
  assert.deepEqual(kept, []);
  assert.deepEqual(
    Object.fromEntries(dropped.map(({ memory, because }) => [memory.id, because])),
    { 1: "below threshold", 2: "seen in this session", 3: "faded", 4: "held back" },
  );
});

Deno.test("fuse() measures nothing against what is given to nobody", () => {
  for (
    const [withheld, refused] of [
      [memory(1, { tags: ["suspect"], confidence: 0.1 })],
      [memory(1, { confidence: 0.05 })],
      [memory(1), [1]],
    ] as const
  ) {
    const hits = [{ memory: 1, score: 0.9 }, { memory: 2, score: 0.5 }];
    const { kept } = fuse([ranking(hits)], {
      ...options([withheld, memory(2)]),
      refused: new Set(refused),
    });
    assert.deepEqual(kept.map(({ memory }) => memory.id), [2]);
  }
});

Deno.test("fuse() fades progress by the day, not the hour of its file", () => {
  const at = (days: number) => new Date(NOW.getTime() - days * 86_400_000).toISOString();
  const kept = [0, 4.8, 5, 8].filter((days) => {
    const one = memory(1, { type: "progress", updated: at(days) });
    return fuse([ranking([{ memory: 1, score: 0.9 }])], options([one])).kept.length > 0;
  });
  assert.deepEqual(kept, [0, 4.8]);
});

Deno.test("fuse() passes over a hit whose memory has gone", () => {
  assert.deepEqual(fuse([ranking([{ memory: 7, score: 1 }])], options([])), {
    kept: [],
    dropped: [],
  });
});

/** What fuse() keeps of two memories, the first of which fits the prompt better. */
function keptOf(first: Partial<IndexedMemory>, second: Partial<IndexedMemory>): number[] {
  const memories = [memory(1, first), memory(2, second)];
  const hits = [{ memory: 1, score: 0.94 }, { memory: 2, score: 0.9 }];
  return fuse([ranking(hits)], options(memories)).kept.map(({ memory }) => memory.id);
}

const SAFE = "Deploy the shop with make deploy-safe only, never by hand, from the main branch.";

Deno.test("fuse() drops what says the same, and never the user's for a repository's", () => {
  assert.deepEqual(keptOf({ body: SAFE }, { body: SAFE }), [1]);
  assert.deepEqual(keptOf({ body: SAFE, scope: "shared" }, { body: SAFE }), [2]);
  assert.deepEqual(keptOf({ body: SAFE }, { body: SAFE, scope: "shared" }), [1]);
});

Deno.test("fuse() keeps what uses the same words to say the opposite, or names another figure", () => {
  const opposites = [
    "Deploy the shop by hand only, never with make deploy-safe, from the main branch.",
    "Deploy the shop with make deploy-safe only, by hand, from the main branch.",
    "Deploy the shop with make deploy-safe2 only, never by hand, from the main branch.",
  ];
  for (const body of opposites) assert.deepEqual(keptOf({ body }, { body: SAFE }), [1, 2], body);
  const spanish = "El servidor de pruebas no se reinicia nunca los viernes por la tarde";
  assert.deepEqual(keptOf({ body: spanish.replace("no ", "") }, { body: spanish }), [1, 2]);
});

Deno.test("fuse() gives a memory that changed since it was shown again, and says so", () => {
  const [same, changed] = [memory(1), memory(2)];
  const seen = new Map([["/m/1.md", versionOf(same)], ["/m/2.md", "what it said before"]]);
  const lists = [ranking([{ memory: 1, score: 0.9 }, { memory: 2, score: 0.85 }])];
  const { kept, dropped } = fuse(lists, {
    ...options([same, changed]),
    shown: { ...NOTHING_SHOWN, seen },
  });
  assert.deepEqual(kept.map(({ memory, isChanged }) => [memory.id, isChanged]), [[2, true]]);
  assert.deepEqual(dropped.map(({ because }) => because), ["seen in this session"]);
});

Deno.test("fuse() leaves out what was written from this very conversation", () => {
  const own = memory(1, { turn: "u1" });
  const { dropped } = fuse([ranking([{ memory: 1, score: 0.9 }])], {
    ...options([own]),
    shown: { ...NOTHING_SHOWN, turns: new Set(["u1"]) },
  });
  assert.deepEqual(dropped.map(({ because }) => because), ["written from this conversation"]);
});

Deno.test("fuse() knows what only an earlier prompt's answer has picked", () => {
  const memories = [memory(1), memory(2)];
  const late = {
    ...ranking([{ memory: 1, score: 0.85 }, { memory: 2, score: 0.85 }]),
    isLate: true,
  };
  const { kept } = fuse([ranking([{ memory: 1, score: 0.9 }]), late], options(memories));
  assert.deepEqual(kept.map(({ memory, isLate }) => [memory.id, isLate]), [
    [1, undefined],
    [2, true],
  ]);
});

Deno.test("a memory of one line comes whole only where it is sure; a start that named it is no reason to hold it back, a prompt that did is", () => {
  const line = memory(1, { name: "Use pnpm, never npm", body: "Use pnpm, never npm." });
  const longer = memory(2, { name: "How we deploy", body: "Run `just ship`.\n\n**Why:** tags." });
  const given = (score: number, where: "listed" | "pointed" = "listed") => {
    const shown = { ...NOTHING_SHOWN, [where]: new Map([[line.path, undefined]]) };
    const { kept } = fuse([ranking([{ memory: 1, score }, { memory: 2, score }])], {
      ...options([line, longer]),
      shown,
    });
    return kept.map(({ memory, isWhole }) => [memory.id, isWhole]);
  };
  assert.deepEqual(given(0.4), [[1, false], [2, true]]);
  assert.deepEqual(given(0.54), [[1, true], [2, true]]);
  assert.deepEqual(given(0.4, "pointed"), [[2, true]]);
  assert.deepEqual(given(0.54, "pointed"), [[1, true], [2, true]]);
});
