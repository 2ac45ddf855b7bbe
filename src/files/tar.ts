// Reads and writes tar archives. nanotar reads whole archives alone, and cuts names at 100 bytes when it writes.

import { tooLarge } from "./bounded.ts";

/** A file of an archive. */
export interface TarFile {
  readonly name: string;
  readonly data: Uint8Array;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

const BLOCK = 512;
const LONGEST_NAME = 100;

/** The bytes of an archive; a long name goes before its file, as GNU tar writes it. */
export function tarOf(files: readonly TarFile[]): Uint8Array {
  const parts = files.flatMap((file) => {
    const name = Buffer.from(file.name);
    const isLong = name.length > LONGEST_NAME;
    const long = { name: "././@LongLink", data: Buffer.from(`${file.name}\0`), modified: 0 };
    return [...isLong ? entry(long, "L") : [], ...entry(file, "0")];
  });
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

function entry({ name, data, modified }: TarFile, type: "0" | "L"): Uint8Array[] {
  const head = Buffer.alloc(BLOCK);
  Buffer.from(name).copy(head, 0, 0, LONGEST_NAME);
  const octal = (value: number, length: number) =>
    Math.max(0, Math.trunc(value)).toString(8).padStart(length - 1, "0") + "\0";
  head.write(octal(0o600, 8), 100);
  head.write(octal(0, 8), 108);
  head.write(octal(0, 8), 116);
  head.write(octal(data.length, 12), 124);
  head.write(octal(modified / 1000, 12), 136);
  head.write("        ", 148);
  head.write(type, 156);
  head.write("ustar\0", 257);
  head.write("00", 263);
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(sum.toString(8).padStart(6, "0") + "\0 ", 148);
  return [head, data, Buffer.alloc((BLOCK - data.length % BLOCK) % BLOCK)];
}

/** What may be in an archive, in bytes. */
export interface TarLimits {
  readonly maxFile: number;
  readonly maxBytes: number;
}

/** The files of an archive as its bytes come. Throws at the first that breaks a limit, before it is held. */
export async function* filesOfTar(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { maxFile, maxBytes }: TarLimits,
): AsyncGenerator<Omit<TarFile, "modified">> {
  const take = taker(chunks, maxBytes);
  let longName: string | undefined;
  for (let head = await take(BLOCK); head[0]; head = await take(BLOCK)) {
    const size = parseInt(textIn(head, 124, 12), 8);
    const name = longName ?? textIn(head, 0, LONGEST_NAME);
    if (!(size >= 0)) throw new Error(`\`${name}\` has no size`);
    if (size > maxFile) throw new Error(`\`${name}\`: ${tooLarge(maxFile)}`);
    const data = (await take(Math.ceil(size / BLOCK) * BLOCK)).subarray(0, size);
    longName = undefined;
    const type = textIn(head, 156, 1) || "0";
    if (type === "L") longName = textIn(data, 0, size);
    else if (type === "x") longName = /^\d+ path=(.*)$/m.exec(data.toString("utf8"))?.[1];
    else if (type === "0") yield { name: name.replace(/^(?:\.?\/)+/, ""), data };
  }
}

/** Takes so many bytes of a stream at a time, less at its end. */
function taker(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, maxBytes: number) {
  const iterator = (async function* () {
    yield* chunks;
  })();
  let held = Buffer.alloc(0);
  let taken = 0;
  return async (count: number): Promise<Buffer> => {
    if ((taken += count) > maxBytes) throw new Error(`unpacked, ${tooLarge(maxBytes)}`);
    const parts: Uint8Array[] = [held];
    for (let missing = count - held.length; missing > 0;) {
      const { value, done } = await iterator.next();
      if (done) break;
      parts.push(value);
      missing -= value.byteLength;
    }
    if (parts.length > 1) held = Buffer.concat(parts);
    const wanted = held.subarray(0, count);
    held = held.subarray(count);
    return wanted;
  };
}

/** The text in a field that ends with a NUL byte, or at its length. */
function textIn(bytes: Buffer, at: number, length: number): string {
  return bytes.subarray(at, at + length).toString("utf8").replace(/\0[^]*$/, "");
}
