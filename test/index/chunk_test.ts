import assert from "node:assert/strict";
import fc from "fast-check";
import { chunk, measure, type Span } from "../../src/core/index/chunk.ts";

const words = (text: string) => text.split(/\s+/).filter((word) => word !== "").length;
const LIMITS = { tokens: 20, overlap: 5 };

async function spansOf(text: string, count = words): Promise<Span[]> {
  return chunk(text, { ...LIMITS, sizes: await measure(text, { count }) });
}

async function pieces(text: string): Promise<string[]> {
  return (await spansOf(text)).map(({ start, end }) => text.slice(start, end));
}

const sentence = (n: number, word = "word") => Array(n).fill(word).join(" ") + ".";

Deno.test("chunk() keeps a short text whole", async () => {
  assert.deepEqual(await pieces("One line.\n\nAnother."), ["One line.\n\nAnother."]);
});

Deno.test("chunk() of a blank text is nothing", async () => {
  assert.deepEqual(await pieces(" \n\n\t"), []);
});

Deno.test("chunk() begins a passage at a heading when there is enough before it", async () => {
  const [first, second] = await pieces(`# A\n\n${sentence(8)}\n\n# B\n\n${sentence(8)}`);
  assert.match(first!, /^# A/);
  assert.match(second!, /^# B/);
});

Deno.test("chunk() cuts between paragraphs before it cuts within one", async () => {
  const [first, second] = await pieces(`${sentence(15, "one")}\n\n${sentence(15, "two")}`);
  assert.match(first!, /^one[^]*one\.$/);
  assert.match(second!, /two\.$/);
});

Deno.test("chunk() repeats the end of a passage at the start of the next", async () => {
  const text = Array.from({ length: 12 }, (_, i) => `S${i} has four words.`).join(" ");
  const [first, second] = await pieces(text);
  assert.equal(first!.slice(-18), second!.slice(0, 18));
});

Deno.test("chunk() halves a word that no cut makes short enough", async () => {
  const count = (text: string) => text.length;
  const text = "x".repeat(90);
  const spans = await spansOf(text, count);
  assert.ok(spans.every(({ start, end }) => end - start <= 20));
  assert.equal(spans.at(-1)!.end, 90);
});

Deno.test("chunk() of any text covers every word, in order, within the limit", async () => {
  const texts = fc.array(
    fc.constantFrom("word", "# Head", "\n\n", "\n", "end.", "词语。", "x".repeat(50)),
  )
    .map((parts) => parts.join(" "));
  await fc.assert(fc.asyncProperty(texts, async (text) => {
    const spans = await spansOf(text);
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

Deno.test("chunk() counts each distinct word once, however often and at whatever level it is cut", async () => {
  const counted: string[] = [];
  const count = (text: string) => counted.push(text) && Math.ceil(text.length / 4);
  const line = `${"abcd".repeat(25)}\n`;
  const spans = await spansOf(line.repeat(400), count);
  assert.ok(spans.length > 400);
  assert.equal(counted.length, new Set(counted).size);
  assert.ok(counted.every((text) => text.length <= 32));
});

Deno.test("measure() pauses while it counts", async () => {
  let pauses = 0;
  const count = (text: string) => {
    const until = performance.now() + 1;
    while (performance.now() < until);
    return text.length;
  };
  const text = Array.from({ length: 60 }, (_, i) => `word${i}`).join(" ");
  await measure(text, { count, pause: () => Promise.resolve(void pauses++) });
  assert.ok(pauses > 1);
});
