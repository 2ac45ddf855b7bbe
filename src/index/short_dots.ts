// The one loop that JavaScript runs too slowly: dot products of 16-bit numbers, eight an instruction. It is small
// enough to be written here, instruction by instruction (webassembly.github.io/spec/core/binary), so that it needs no
// compiler, no file beside the executable and nothing for each platform. Where it cannot run (a processor without
// AVX), `shortDots` is undefined and everything is compared exactly.

/** Numbers that one instruction takes; rows are filled up with zeros to a multiple of it. */
export const LANES = 8;

/** The bytes that those take. */
const BYTES = 16;

/** Dot products of the rows from `row` up to `end` with the query at address 0, as 32-bit integers from `out` on. */
export type ShortDots = (row: number, end: number, out: number) => void;

const I32 = 0x7f, V128 = 0x7b, EMPTY = 0x40, LOOP = 0x03, END = 0x0b, BR_IF = 0x0d;
const I32_STORE = 0x36, I32_LT_U = 0x49, I32_ADD = 0x6a;
const V128_LOAD = 0x00, DOT_I16X8 = 0xba, I32X4_ADD = 0xae, EXTRACT_LANE = 0x1b;
/** Alignments, as powers of two. */
const BY_4 = 2, BY_16 = 4;

const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const tee = (local: number) => [0x22, local];
const constant = (value: number) => [0x41, ...signed(value)];
const simd = (operation: number, ...rest: number[]) => [0xfd, ...unsigned(operation), ...rest];
const load = (offset: number) => simd(V128_LOAD, BY_16, ...unsigned(offset));

/** The parameters, and the four sums that the lanes of a row come to. */
const ROW = 0, ROWS_END = 1, OUT = 2, SUMS = 3;

/** Eight numbers of the row times those of the query, added to the four sums on the stack. */
function step(offset: number): number[] {
  const products = [...get(ROW), ...load(offset), ...constant(0), ...load(offset)];
  return [...products, ...simd(DOT_I16X8), ...(offset === 0 ? [] : simd(I32X4_ADD))];
}

/** do { out[0] = row · query; row += width; out += 4 } while (row < end) */
function body(width: number): number[] {
  const steps = Array.from({ length: width / LANES }, (_, i) => step(i * BYTES)).flat();
  const lane = (i: number) => [...get(SUMS), ...simd(EXTRACT_LANE, i)];
  const sum = [...lane(0), ...lane(1), I32_ADD, ...lane(2), I32_ADD, ...lane(3), I32_ADD];
  return [
    ...[LOOP, EMPTY],
    ...[...steps, ...set(SUMS)],
    ...[...get(OUT), ...sum, I32_STORE, BY_4, 0],
    ...[...get(OUT), ...constant(4), I32_ADD, ...set(OUT)],
    ...[...get(ROW), ...constant(2 * width), I32_ADD, ...tee(ROW)],
    ...[...get(ROWS_END), I32_LT_U, BR_IF, 0],
    ...[END, END],
  ];
}

/** A module with that one function, which imports its memory. */
function moduleFor(width: number): Uint8Array<ArrayBuffer> {
  const code = [1, 1, V128, ...body(width)]; // one local, of 128 bits
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0], // "\0asm", version 1
    ...section(1, [0x60, 3, I32, I32, I32, 0]), // type 0: three numbers, no result
    ...section(2, [...name("m"), ...name("m"), 0x02, 0x00, 0]), // a memory of any size
    ...section(3, [0]), // function 0 is of type 0
    ...section(7, [...name("f"), 0x00, 0]), // and is exported
    ...section(10, [...unsigned(code.length), ...code]),
  ]);
}

/** A section with one entry. */
function section(id: number, entry: readonly number[]): number[] {
  return [id, ...unsigned(entry.length + 1), 1, ...entry];
}

function name(text: string): number[] {
  return [text.length, ...new TextEncoder().encode(text)];
}

/** LEB128: seven bits a byte, the lowest first. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [value & 0x7f | 0x80, ...unsigned(value >>> 7)];
}

/** The same for a number that might be negative: the highest bit of the last byte is its sign. */
function signed(value: number): number[] {
  return value < 0x40 ? [value] : [value & 0x7f | 0x80, ...signed(value >>> 7)];
}

const modules = new Map<number, WebAssembly.Module | undefined>();

/** The function for rows of `width` numbers in a memory; undefined where it cannot run. */
export function shortDots(width: number, memory: WebAssembly.Memory): ShortDots | undefined {
  if (!modules.has(width)) modules.set(width, compiled(width));
  const module = modules.get(width);
  if (module === undefined) return undefined;
  return new WebAssembly.Instance(module, { m: { m: memory } }).exports["f"] as ShortDots;
}

function compiled(width: number): WebAssembly.Module | undefined {
  try {
    return new WebAssembly.Module(moduleFor(width));
  } catch {
    return undefined; // no WebAssembly, or none of this kind
  }
}
