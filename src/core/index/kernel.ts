// The few loops that JavaScript runs too slowly, over rows of numbers that lie behind each other in memory. They are
// small enough to be written instruction by instruction (webassembly.github.io/spec/core/binary), so that they need no
// compiler, no file beside the executable and nothing for each platform.

/**
 * A loop over the rows from address `row` up to `end` that writes a 32-bit integer for each of them from `out` on.
 * Reads what the rows are compared with at address 0.
 */
export type Kernel = (row: number, end: number, out: number) => void;

/** How a kernel computes the number of one row. */
export interface KernelBody {
  /** The bytes of a row. */
  readonly stride: number;
  /** The type of a local that the instructions may use (`LOCAL`). */
  readonly local: number;
  /** Leave the row's number, an `i32`, on the stack. */
  readonly instructions: readonly number[];
}

export const I32 = 0x7f, V128 = 0x7b;
export const I32_ADD = 0x6a;
const EMPTY = 0x40, LOOP = 0x03, END = 0x0b, BR_IF = 0x0d;
const I32_STORE = 0x36, I32_LT_U = 0x49;
/** Alignment of what is stored, as a power of two. */
const BY_4 = 2;

/** The parameters, and the local. */
export const ROW = 0, ROWS_END = 1, OUT = 2, LOCAL = 3;

export const get = (local: number) => [0x20, local];
export const set = (local: number) => [0x21, local];
const tee = (local: number) => [0x22, local];
export const constant = (value: number) => [0x41, ...signed(value)];
export const simd = (operation: number, ...rest: number[]) => [
  0xfd,
  ...unsigned(operation),
  ...rest,
];

/** The kernel in a memory; undefined where it cannot run: no WebAssembly, or none of this kind. */
export function kernelFor(body: KernelBody, memory: WebAssembly.Memory): Kernel | undefined {
  const key = JSON.stringify(body);
  if (!modules.has(key)) modules.set(key, compiled(body));
  const module = modules.get(key);
  if (module === undefined) return undefined;
  return new WebAssembly.Instance(module, { m: { m: memory } }).exports["f"] as Kernel;
}

const modules = new Map<string, WebAssembly.Module | undefined>();

function compiled(body: KernelBody): WebAssembly.Module | undefined {
  try {
    return new WebAssembly.Module(moduleFor(body));
  } catch {
    return undefined;
  }
}

/** do { out[0] = number of the row; row += stride; out += 4 } while (row < end) */
function loop({ stride, instructions }: KernelBody): number[] {
  return [
    ...[LOOP, EMPTY],
    ...[...get(OUT), ...instructions, I32_STORE, BY_4, 0],
    ...[...get(OUT), ...constant(4), I32_ADD, ...set(OUT)],
    ...[...get(ROW), ...constant(stride), I32_ADD, ...tee(ROW)],
    ...[...get(ROWS_END), I32_LT_U, BR_IF, 0],
    ...[END, END],
  ];
}

/** A module with that one function, which imports its memory. */
function moduleFor(body: KernelBody): Uint8Array<ArrayBuffer> {
  const code = [1, 1, body.local, ...loop(body)]; // one local
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
export function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [value & 0x7f | 0x80, ...unsigned(value >>> 7)];
}

/** The same for a number that might be negative: the highest bit of the last byte is its sign. */
function signed(value: number): number[] {
  return value < 0x40 ? [value] : [value & 0x7f | 0x80, ...signed(value >>> 7)];
}

/** The bytes of a kernel's result. */
const I32_BYTES = 4;
/** The size of a page of WebAssembly's memory, and the most pages that it may grow to. */
const PAGE = 65_536, MOST_PAGES = 32_768;
/** What is kept at addresses that processors like. */
const ALIGNED = 64;

/** A memory for kernels that grows in its place: the query, room for the results of some rows, and the rows. */
export class RowMemory {
  readonly memory: WebAssembly.Memory;
  /** Where the results begin. */
  readonly out: number;
  /** Rows whose results have room. */
  readonly atOnce = 4096;
  readonly #query: number;
  readonly #rows: number;
  readonly #stride: number;

  /** Bytes of the query and of a row. Throws where so much memory cannot be had. */
  constructor({ query, stride, capacity }: {
    readonly query: number;
    readonly stride: number;
    readonly capacity: number;
  }) {
    this.#query = query;
    this.#stride = stride;
    this.out = Math.ceil(query / ALIGNED) * ALIGNED;
    this.#rows = this.out + this.atOnce * I32_BYTES;
    const initial = this.#pagesFor(capacity);
    this.memory = new WebAssembly.Memory({ initial, maximum: MOST_PAGES });
  }

  get bytes(): number {
    return this.memory.buffer.byteLength;
  }

  /** Where a row begins, or the one before it ends. */
  address(row: number): number {
    return this.#rows + row * this.#stride;
  }

  /** The bytes of a row, with their signs; they are no longer there when the memory has grown. */
  bytesOf(row: number): Int8Array<ArrayBuffer> {
    return new Int8Array(this.memory.buffer, this.address(row), this.#stride);
  }

  /** What rows are compared with. */
  query(): Int16Array<ArrayBuffer> {
    return new Int16Array(this.memory.buffer, 0, this.#query / 2);
  }

  /** The results of the last call. */
  results(): Int32Array<ArrayBuffer> {
    return new Int32Array(this.memory.buffer, this.out, this.atOnce);
  }

  /** Makes room for so many rows. */
  grow(capacity: number): void {
    const missing = this.#pagesFor(capacity) - this.bytes / PAGE;
    if (missing > 0) this.memory.grow(missing);
  }

  #pagesFor(capacity: number): number {
    return Math.ceil((this.#rows + capacity * this.#stride) / PAGE);
  }
}
