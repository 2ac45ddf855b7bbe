import assert from "node:assert/strict";
import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { WORDS } from "../../src/core/embed/files.ts";
import {
  BLOCK_BYTES,
  BLOCK_WEIGHTS,
  dequantize,
  openWords,
  type WordsPlace,
} from "../../src/core/embed/words.ts";
import { temporaryFolder } from "../support/temp.ts";

/** A block whose nibbles are all the same pair: the low one for its first half, the high one for its second. */
function block(scaleBits: number, byte: number): number[] {
  return [scaleBits & 255, scaleBits >> 8, ...Array<number>(BLOCK_BYTES - 2).fill(byte)];
}

/** Half a block of one number and half of another. */
function halves(first: number, second: number): number[] {
  const half = BLOCK_WEIGHTS / 2;
  return [...Array<number>(half).fill(first), ...Array<number>(half).fill(second)];
}

function layOut(folder: string, bytes: Uint8Array, place: WordsPlace): void {
  writeFileSync(join(folder, WORDS.place), JSON.stringify(place));
  writeFileSync(join(folder, WORDS.rows), bytes);
}

Deno.test("dequantize() gives each nibble, less 8, times the 16-bit scale of its block", () => {
  const blocks = [
    block(0x3c00, 0xf0), // 1
    block(0xb800, 0x9f), // -0.5
    block(0x0001, 0x00), // 2^-24, too small for an exponent
    block(0x2e66, 0x7a), // 0.0999755859375
  ];
  const expected = [
    halves(-8, 7),
    halves(-3.5, -0.5),
    halves(-8 * 2 ** -24, -8 * 2 ** -24),
    halves(2 * 0.0999755859375, -0.0999755859375),
  ];
  assert.deepEqual([...dequantize(Uint8Array.from(blocks.flat()))], expected.flat());
  assert.throws(() => dequantize(Uint8Array.from(block(0x7c00, 0))), /not a number/);
});

Deno.test("openWords() reads the rows of tokens, in their order, from any place of a file", () => {
  using folder = temporaryFolder();
  const rows = [0x00, 0x11, 0xff].map((byte) => [...block(0x3c00, byte), ...block(0x4000, byte)]);
  for (const before of [0, 1234]) {
    const bytes = Uint8Array.from([...Array<number>(before).fill(7), ...rows.flat(), 7, 7]);
    layOut(folder.path, bytes, { offset: String(before).padStart(12, "0"), rows: 3, width: 64 });
    const words = openWords(folder.path)!;
    assert.equal(words.width, 64);
    const row = (number: number) => [...halves(number, number), ...halves(2 * number, 2 * number)];
    assert.deepEqual([...words.rowsOf([2, 0, 2, 1])], [
      ...row(7),
      ...row(-8),
      ...row(7),
      ...row(-7),
    ]);
    assert.deepEqual(words.rowsOf([]), new Float32Array());
    words.close();
  }
});

Deno.test("openWords() has no row for a token beyond its table, or of a table that was cut", () => {
  using folder = temporaryFolder();
  assert.equal(openWords(folder.path), undefined, "a model that looks words up by itself");
  const bytes = Uint8Array.from([...block(0x3c00, 0), ...block(0x3c00, 0), ...block(0x3c00, 0)]);
  layOut(folder.path, bytes, { offset: "000000000000", rows: 2, width: 32 });
  const words = openWords(folder.path)!;
  assert.throws(() => words.rowsOf([0, 2]), /table of 2 words has no row 2/);
  truncateSync(join(folder.path, WORDS.rows), BLOCK_BYTES + 5);
  assert.equal(words.rowsOf([0]).length, 32);
  assert.throws(() => words.rowsOf([1]), /has no row 1/);
  words.close();
});
