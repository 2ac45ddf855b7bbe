// Writes a tar archive. nanotar, which reads them, cuts names at 100 bytes when it writes.

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
