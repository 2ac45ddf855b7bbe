// Q4_0: blocks of 32 weights, each a 16-bit scale and a nibble a weight; weight = (nibble − 8) × the block's scale.

/** Weights of a block, and its bytes. */
export const BLOCK_WEIGHTS = 32, BLOCK_BYTES = 18;
/** The bytes of a block that its scale takes, before the nibbles. */
export const SCALE_BYTES = 2;

const HALF = BLOCK_WEIGHTS / 2;

/**
 * The weights of blocks as 32-bit floats, in an array of their own or in another from a position on. Floats have them
 * exactly, because a product of a nibble and a scale takes 15 bits: they are those of any other arithmetic.
 */
export function dequantize(
  blocks: Uint8Array,
  weights = new Float32Array(blocks.length / BLOCK_BYTES * BLOCK_WEIGHTS),
  at = 0,
): Float32Array {
  for (let start = 0; start < blocks.length; start += BLOCK_BYTES, at += BLOCK_WEIGHTS) {
    const scale = scaleOf(blocks, start);
    // The low nibble of byte j is weight j, its high one weight j + 16.
    for (let j = 0; j < HALF; j++) {
      const byte = blocks[start + SCALE_BYTES + j]!;
      weights[at + j] = ((byte & 15) - 8) * scale;
      weights[at + HALF + j] = ((byte >> 4) - 8) * scale;
    }
  }
  return weights;
}

/** The scale of the block that begins at a byte: a 16-bit float. */
export function scaleOf(blocks: Uint8Array, start: number): number {
  const bits = blocks[start]! | blocks[start + 1]! << 8;
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = bits >> 10 & 31, fraction = bits & 1023;
  if (exponent === 31) throw new Error("A scale is not a number");
  return exponent === 0
    ? sign * fraction * 2 ** -24
    : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
