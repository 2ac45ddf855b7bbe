import fc from "fast-check";
import assert from "node:assert/strict";
import { bytes, concat, fields, float, integer } from "../../tools/model/protobuf.ts";

function readVarint(encoded: Uint8Array, start: number): { value: bigint; end: number } {
  let value = 0n;
  let end = start;
  do value |= BigInt(encoded[end]! & 127) << BigInt(7 * (end - start)); while (
    encoded[end++]! > 127
  );
  return { value, end };
}

Deno.test("integer() writes what a reader of varints gets back, negative numbers as well", () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 1000 }), fc.maxSafeInteger(), (field, value) => {
    const encoded = integer(field, value);
    const key = readVarint(encoded, 0);
    const content = readVarint(encoded, key.end);
    assert.equal(key.value, BigInt(field) << 3n);
    assert.equal(BigInt.asIntN(64, content.value), BigInt(value));
    assert.equal(content.end, encoded.length);
  }));
});

Deno.test("bytes() writes the length and then the contents", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (content) => {
    const encoded = bytes(9, content);
    const length = readVarint(encoded, 1);
    assert.equal(encoded[0], (9 << 3) | 2);
    assert.equal(length.value, BigInt(content.length));
    assert.deepEqual(Uint8Array.from(encoded.subarray(length.end)), content);
  }));
});

Deno.test("float() writes four bytes, the lowest first", () => {
  assert.deepEqual([...float(2, 1)], [(2 << 3) | 5, 0, 0, 0x80, 0x3f]);
});

Deno.test("fields() reads what the others wrote, and refuses what is cut short", () => {
  const message = concat([integer(7, 300), bytes(2, "words"), float(9, 1), bytes(30, "")]);
  const read = [...fields(message)];
  assert.deepEqual(read.map(({ number }) => number), [7, 2, 9, 30]);
  assert.equal(new TextDecoder().decode(read[1]!.content), "words");
  assert.deepEqual(concat(read.map(({ whole }) => whole)), message);
  for (let end = 1; end < 3; end++) {
    assert.throws(() => [...fields(message.subarray(0, end))], /cut short/);
  }
});
