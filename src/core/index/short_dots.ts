import {
  constant,
  get,
  I32_ADD,
  type Kernel,
  kernelFor,
  LOCAL,
  ROW,
  set,
  simd,
  unsigned,
  V128,
} from "./kernel.ts";

/** Numbers that one instruction takes; rows are filled up with zeros to a multiple of it. */
export const LANES = 8;

const V128_LOAD = 0x00, LOAD8X8_S = 0x01, DOT_I16X8 = 0xba, I32X4_ADD = 0xae, EXTRACT_LANE = 0x1b;
/** Alignments, as powers of two. */
const BY_8 = 3, BY_16 = 4;

/**
 * Dot products of rows of `width` whole numbers of 8 bits with the query at address 0, whose numbers have 16. Undefined
 * where they cannot be had (a processor without AVX).
 */
export function shortDots(width: number, memory: WebAssembly.Memory): Kernel | undefined {
  const lane = (i: number) => [...get(LOCAL), ...simd(EXTRACT_LANE, i)];
  const steps = Array.from({ length: width / LANES }, (_, i) => step(i)).flat();
  const instructions = [
    ...[...steps, ...set(LOCAL)],
    ...[...lane(0), ...lane(1), I32_ADD, ...lane(2), I32_ADD, ...lane(3), I32_ADD],
  ];
  return kernelFor({ stride: width, local: V128, instructions }, memory);
}

/** Eight numbers of the row times those of the query, added to the four sums on the stack. */
function step(i: number): number[] {
  return [
    ...[...get(ROW), ...simd(LOAD8X8_S, BY_8, ...unsigned(i * LANES))],
    ...[...constant(0), ...simd(V128_LOAD, BY_16, ...unsigned(i * LANES * 2))],
    ...simd(DOT_I16X8),
    ...i === 0 ? [] : simd(I32X4_ADD),
  ];
}
