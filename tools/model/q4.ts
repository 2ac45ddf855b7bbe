// Q4_0, blocks of 32 weights with one 16-bit scale, in the layout that ONNX Runtime's operators take, and as floats.
// Bits are moved, no weight changes.

import { BLOCK_BYTES, BLOCK_WEIGHTS } from "./packed_e5.ts";

const HALF = BLOCK_WEIGHTS / 2;
const SCALE_BYTES = 2;

/** Nibbles two a byte, neighbours together (the low one first), and the scale of each block. */
export interface NibbleBlocks {
  readonly nibbles: Uint8Array;
  readonly scales: Float32Array;
}

/** Unsigned nibbles, 8 meaning 0. */
function unsignedBlocks(blocks: Uint8Array): NibbleBlocks {
  const count = blocks.length / BLOCK_BYTES;
  const view = new DataView(blocks.buffer, blocks.byteOffset, blocks.byteLength);
  const nibbles = new Uint8Array(count * HALF);
  const scales = new Float32Array(count);
  for (let block = 0; block < count; block++) {
    const start = block * BLOCK_BYTES;
    scales[block] = halfToFloat(view.getUint16(start, true));
    // Q4_0 has weight j in the low half of byte j, and weight j + 16 in its high half.
    const weight = (j: number) => {
      const byte = blocks[start + SCALE_BYTES + j % HALF]!;
      return j < HALF ? byte & 15 : byte >> 4;
    };
    for (let i = 0; i < HALF; i++) {
      nibbles[block * HALF + i] = weight(2 * i) | weight(2 * i + 1) << 4;
    }
  }
  return { nibbles, scales };
}

/** Signed nibbles, in two's complement: what `GatherBlockQuantized` takes without a zero point. */
export function signedBlocks(blocks: Uint8Array): NibbleBlocks {
  const { nibbles, scales } = unsignedBlocks(blocks);
  return { nibbles: nibbles.map((byte) => byte ^ 0x88), scales };
}

/** The weights as floats. */
export function dequantizeBlocks(blocks: Uint8Array): Float32Array {
  const { nibbles, scales } = unsignedBlocks(blocks);
  const values = new Float32Array(nibbles.length * 2);
  for (let i = 0; i < values.length; i++) {
    const nibble = i % 2 === 0 ? nibbles[i >> 1]! & 15 : nibbles[i >> 1]! >> 4;
    values[i] = (nibble - 8) * scales[Math.floor(i / BLOCK_WEIGHTS)]!;
  }
  return values;
}

/** A 16-bit float's value. */
function halfToFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = bits >> 10 & 31, fraction = bits & 1023;
  if (exponent === 31) throw new Error("A scale is not a number");
  return exponent === 0
    ? sign * fraction * 2 ** -24
    : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
