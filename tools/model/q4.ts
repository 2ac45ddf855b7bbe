// Blocks of Q4_0 in the layout that ONNX Runtime's operators take. Bits are moved, no weight changes.

import { BLOCK_BYTES, BLOCK_WEIGHTS, halfAt, SCALE_BYTES } from "../../src/core/embed/words.ts";

const HALF = BLOCK_WEIGHTS / 2;
/** What makes a nibble that means 0 when it is 8 one with a sign. */
const SIGNS = 0x88;

/**
 * Nibbles in two's complement, two a byte, neighbours together (the low one first), and the scale of each block: what
 * `GatherBlockQuantized` takes without a zero point.
 */
export function signedBlocks(blocks: Uint8Array) {
  const count = blocks.length / BLOCK_BYTES;
  const nibbles = new Uint8Array(count * HALF);
  const scales = new Float32Array(count);
  for (let block = 0; block < count; block++) {
    const start = block * BLOCK_BYTES;
    scales[block] = halfAt(blocks, start);
    const weight = (j: number) => {
      const byte = blocks[start + SCALE_BYTES + j % HALF]!;
      return j < HALF ? byte & 15 : byte >> 4;
    };
    for (let i = 0; i < HALF; i++) {
      nibbles[block * HALF + i] = (weight(2 * i) | weight(2 * i + 1) << 4) ^ SIGNS;
    }
  }
  return { nibbles, scales };
}
