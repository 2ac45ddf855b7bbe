import assert from "node:assert/strict";
import fc from "fast-check";
import { clip, densest, excerpt } from "../../src/core/recall/excerpt.ts";

Deno.test("clip() leaves a short text alone", () => {
  assert.deepEqual(clip("one\ntwo"), { text: "one\ntwo", cut: false });
});

Deno.test("clip() cuts at 200 lines", () => {
  const { text, cut } = clip("line\n".repeat(500));
  assert.equal(text.split("\n").length, 200);
  assert.ok(cut);
});

Deno.test("clip() of any text stays within 4,096 bytes and never splits a character", () => {
  const texts = fc.array(fc.constantFrom("é", "漢", "😀", "word ", "\n", "x".repeat(300)), {
    maxLength: 3000,
  })
    .map((parts) => parts.join(""));
  fc.assert(fc.property(texts, (text) => {
    const { text: kept } = clip(text);
    assert.ok(Buffer.byteLength(kept) <= 4096);
    assert.ok(kept.isWellFormed() && !kept.includes("\ufffd"));
    assert.ok(text.startsWith(kept));
  }));
});

const LINES = Array.from({ length: 30 }, (_, i) => `Line ${i} says something of its own`);
const TEXT = LINES.join("\n");

Deno.test("excerpt() shows the lines round the passage and marks the gaps", () => {
  const start = TEXT.indexOf("Line 15");
  const part = excerpt(TEXT, { start, end: start + 40 }, 200);
  assert.match(part, /^\[…\]\n[^]*Line 15[^]*\n\[…\]$/);
});

Deno.test("excerpt() of any passage fits", () => {
  fc.assert(
    fc.property(fc.nat(TEXT.length - 1), fc.integer({ min: 0, max: 2000 }), (start, room) => {
      assert.ok(excerpt(TEXT, { start, end: start + 50 }, room).length <= room);
    }),
  );
});

Deno.test("excerpt() cuts a line that is longer than the room", () => {
  const part = excerpt("word ".repeat(100), { start: 0, end: 10 }, 100);
  assert.ok(part.length <= 100 && part.startsWith("word"));
});

Deno.test("densest() finds the line with most of the words", () => {
  const { start, end } = densest(TEXT + "\nThe pool size is twenty", ["pool", "size"]);
  assert.equal((TEXT + "\nThe pool size is twenty").slice(start, end), "The pool size is twenty");
});
