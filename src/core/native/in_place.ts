// A file that is used where it lies in the executable: the weights, which ONNX Runtime maps into memory, and the table of
// words. A second name of the executable stands where they are looked for, so that they are on the disk once.

import { createHash } from "node:crypto";
import { closeSync, linkSync, openSync, readSync } from "node:fs";
import { realPathOf } from "../files/real_path.ts";
import type { EmbeddedFile } from "./embedded.ts";

/** Bytes of a file that are looked for, and bytes that are read at a time. */
export const HEAD_BYTES = 32;
const PIECE = 4 * 1024 * 1024;

/**
 * Gives the executable a second name, and returns where in it the file begins; undefined where that cannot be: on
 * another disk, on a system that lets nobody link what is not his, or where the file is not found in it.
 */
export function linkExecutable(
  file: Pick<EmbeddedFile, "head" | "size" | "sha256">,
  path: string,
  executable = process.execPath,
): number | undefined {
  try {
    const real = realPathOf(executable);
    const start = placeIn(real, file);
    if (start !== undefined) linkSync(real, path);
    return start;
  } catch {
    return undefined;
  }
}

function placeIn(
  path: string,
  { head, size, sha256 }: Pick<EmbeddedFile, "head" | "size" | "sha256">,
): number | undefined {
  if (head === undefined) return undefined;
  const wanted = Buffer.from(head, "hex");
  const file = openSync(path, "r");
  const piece = Buffer.alloc(PIECE);
  try {
    for (let at = 0;; at += PIECE - wanted.length) {
      const read = readSync(file, piece, 0, PIECE, at);
      const bytes = piece.subarray(0, read);
      for (let i = bytes.indexOf(wanted); i >= 0; i = bytes.indexOf(wanted, i + 1)) {
        if (hashOf(file, at + i, size) === sha256) return at + i;
      }
      if (read < PIECE) return undefined;
    }
  } finally {
    closeSync(file);
  }
}

function hashOf(file: number, start: number, size: number): string {
  const hash = createHash("sha256");
  const piece = Buffer.alloc(Math.min(size, PIECE));
  for (let at = 0; at < size;) {
    const read = readSync(file, piece, 0, Math.min(piece.length, size - at), start + at);
    if (read === 0) break;
    hash.update(piece.subarray(0, read));
    at += read;
  }
  return hash.digest("hex");
}

/** Where something begins in the file beside this one, as `tools/model` writes it: a key and a value of protobuf, or JSON. */
const OFFSET = /(?<=\n\p{Cc}offset\p{Cc}\f|"offset": ")\d{12}/gu;

/** A model's graph, or the place of its table of words, whose numbers begin further on in the file beside it. */
export function movedBy(content: Uint8Array, bytes: number): Uint8Array {
  const text = Buffer.from(content).toString("latin1");
  const moved = text.replace(
    OFFSET,
    (offset) => String(Number(offset) + bytes).padStart(offset.length, "0"),
  );
  return Buffer.from(moved, "latin1");
}
