// As much of the protobuf wire format as an ONNX file needs.

const VARINT = 0;
const LENGTH_DELIMITED = 2;
const FIXED_32 = 5;

/** An integer, boolean or enum field. */
export function integer(field: number, value: number): Uint8Array {
  return concat([key(field, VARINT), varint(BigInt(value))]);
}

/** A 32-bit float field. */
export function float(field: number, value: number): Uint8Array {
  return concat([key(field, FIXED_32), bytesOf(Float32Array.of(value))]);
}

/** A string, bytes or embedded-message field. */
export function bytes(field: number, value: string | Uint8Array): Uint8Array {
  const content = typeof value === "string" ? new TextEncoder().encode(value) : value;
  return concat([key(field, LENGTH_DELIMITED), varint(BigInt(content.length)), content]);
}

/** A message: its fields, one after another. */
export function concat(parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}

/** One field of a message. */
export interface Field {
  readonly number: number;
  /** What a string, bytes or embedded message holds; empty for a number. */
  readonly content: Uint8Array;
  /** The field with its key, as it stands in the message. */
  readonly whole: Uint8Array;
}

/** The fields of a message, one after another. */
export function* fields(message: Uint8Array): Generator<Field> {
  for (let start = 0; start < message.length;) {
    const [tag, afterTag] = readVarint(message, start);
    const wireType = tag & 7;
    if (!(wireType in SIZES)) throw new Error(`Wire type ${wireType} is not known`);
    const [from, to] = SIZES[wireType as keyof typeof SIZES](message, afterTag);
    if (to > message.length) throw new Error("The message is cut short");
    const content = message.subarray(from, wireType === LENGTH_DELIMITED ? to : from);
    yield { number: tag >>> 3, content, whole: message.subarray(start, to) };
    start = to;
  }
}

/** Where the content of each kind of field begins and ends. */
const SIZES = {
  [VARINT]: (message: Uint8Array, at: number) => [at, readVarint(message, at)[1]],
  [LENGTH_DELIMITED]: (message: Uint8Array, at: number) => {
    const [length, from] = readVarint(message, at);
    return [from, from + length];
  },
  [FIXED_32]: (_: Uint8Array, at: number) => [at, at + 4],
} as const satisfies Record<number, (message: Uint8Array, at: number) => [number, number]>;

/** A number, and where it ends; exact up to 2^53, and lengths are far below. */
function readVarint(message: Uint8Array, at: number): [number, number] {
  let value = 0;
  for (let factor = 1;; factor *= 128) {
    const byte = message[at++];
    if (byte === undefined) throw new Error("The message is cut short");
    value += (byte & 127) * factor;
    if (byte < 128) return [value, at];
  }
}

/** The memory of a typed array; protobuf and this converter are little-endian alike. */
export function bytesOf(array: ArrayBufferView): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

function key(field: number, wireType: number): Uint8Array {
  return varint(BigInt((field << 3) | wireType));
}

function varint(value: bigint): Uint8Array {
  const out: number[] = [];
  let rest = BigInt.asUintN(64, value); // negative numbers are written as two's complement
  while (rest > 127n) {
    out.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  out.push(Number(rest));
  return Uint8Array.from(out);
}
