import assert from "node:assert/strict";
import fc from "fast-check";
import { chunk } from "../../src/index/chunk.ts";

const words = (text: string) => text.split(/\s+/).filter((word) => word !== "").length;
const options = { tokens: 20, overlap: 5, count: words };
const pieces = (text: string) =>
  chunk(text, options).map(({ start, end }) => text.slice(start, end));
const sentence = (n: number, word = "word") => Array(n).fill(word).join(" ") + ".";

Deno.test("chunk() keeps a short text whole", () => {
  assert.deepEqual(pieces("One line.\n\nAnother."), ["One line.\n\nAnother."]);
});

Deno.test("chunk() of a blank text is nothing", () => {
  assert.deepEqual(pieces(" \n\n\t"), []);
});

Deno.test("chunk() begins a passage at a heading when there is enough before it", () => {
  const [first, second] = pieces(`# A\n\n${sentence(8)}\n\n# B\n\n${sentence(8)}`);
  assert.match(first!, /^# A/);
  assert.match(second!, /^# B/);
});

Deno.test("chunk() cuts between paragraphs before it cuts within one", () => {
  const [first, second] = pieces(`${sentence(15, "one")}\n\n${sentence(15, "two")}`);
  assert.match(first!, /^one[^]*one\.$/);
  assert.match(second!, /two\.$/);
});

Deno.test("chunk() repeats the end of a passage at the start of the next", () => {
  const text = Array.from({ length: 12 }, (_, i) => `S${i} has four words.`).join(" ");
  const [first, second] = pieces(text);
  assert.equal(first!.slice(-18), second!.slice(0, 18));
});

Deno.test("chunk() halves a word that no cut makes short enough", () => {
  const count = (text: string) => text.length;
  const text = "x".repeat(90);
  const spans = chunk(text, { tokens: 20, overlap: 5, count });
  assert.ok(spans.every(({ start, end }) => end - start <= 20));
  assert.equal(spans.at(-1)!.end, 90);
});

Deno.test("chunk() of any text covers every word, in order, within the limit", () => {
  const texts = fc.array(
    fc.constantFrom("word", "# Head", "\n\n", "\n", "end.", "词语。", "x".repeat(50)),
  )
    .map((parts) => parts.join(" "));
  fc.assert(fc.property(texts, (text) => {
    const spans = chunk(text, options);
    const covered = new Array(text.length).fill(false);
    spans.forEach((span, i) => {
      assert.ok(words(text.slice(span.start, span.end)) <= 20);
      if (i > 0) assert.ok(span.end > spans[i - 1]!.end && span.start > spans[i - 1]!.start);
      covered.fill(true, span.start, span.end);
    });
    for (const [i, character] of [...text].entries()) {
      if (/\S/.test(character) && text.length === [...text].length) {
        assert.ok(covered[i], `gap at ${i}`);
      }
    }
  }));
});
