// Reads no more than a limit: what is read may be a pipe, a device, or made to fill the memory.

import { closeSync, openSync, readFileSync, readSync, type Stats, statSync } from "node:fs";

/** Reads a regular file of at most `maxBytes`. Throws for a pipe or a device: reading one may block, or never end. */
export function readRegular(path: string, maxBytes: number): Buffer {
  const stats = statSync(path);
  refuseIrregular(stats);
  if (stats.size > maxBytes) throw new Error(tooLarge(maxBytes));
  return readFileSync(path);
}

/** So many bytes of a file at most, from one on. */
export function readPart(path: string, bytes: number, from = 0): Buffer {
  const part = Buffer.alloc(bytes);
  const file = openSync(path, "r");
  try {
    return part.subarray(0, readSync(file, part, 0, bytes, from));
  } finally {
    closeSync(file);
  }
}

/** Throws unless a path's status is that of a file. */
export function refuseIrregular(stats: Stats): void {
  if (!stats.isFile()) throw new Error(irregular(stats));
}

/** Says what is in the place of a file. */
export function irregular(stats: Stats): string {
  return `it is ${kindOf(stats)}, not a file`;
}

/** Reads a stream of at most `maxBytes` to its end. */
export async function readStream(
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of stream) {
    if ((length += part.length) > maxBytes) throw new Error(tooLarge(maxBytes));
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Says that something has more bytes than are read. */
export function tooLarge(maxBytes: number): string {
  return `it is larger than ${formatLimit(maxBytes)}`;
}

/** A size and the limit that it exceeds: `300 KB: the limit is 256 KB`. */
export function overLimit(bytes: number, maxBytes: number): string {
  return `${Math.ceil(bytes / 1024)} KB: the limit is ${formatLimit(maxBytes)}`;
}

/** A limit as people read it: `256 KB`, `1 MB`. */
export function formatLimit(maxBytes: number): string {
  const kilobytes = Math.round(maxBytes / 1024);
  return kilobytes < 1024 ? `${kilobytes} KB` : `${kilobytes / 1024} MB`;
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return "a folder";
  if (stats.isFIFO()) return "a named pipe";
  return stats.isSocket() ? "a socket" : "a device";
}
