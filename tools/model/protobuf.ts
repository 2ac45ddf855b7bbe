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
