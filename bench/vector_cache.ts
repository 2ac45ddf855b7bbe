import { createHash } from "node:crypto";
import { appendFileSync, mkdirSync, readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import type { Embedder } from "../src/core/embed/mod.ts";
import { codeOf } from "../src/errors.ts";
import { shortHash } from "../src/paths.ts";

const HASH_BYTES = 32;
/** Vectors are written out this many at a time, so that an interrupted run is not lost. */
const BATCH = 500;

/** An embedder that remembers vectors of passages between runs. */
export interface CachedEmbedder extends Embedder {
  /** Writes pending vectors to disk. */
  flush(): void;
}

/**
 * Keeps passages' vectors in a file of `folder`, one file a model: records of the text's SHA-256 and the
 * vector's 32-bit floats. Queries are always embedded again, since their time is measured.
 */
export function cached(embedder: Embedder, folder: string): CachedEmbedder {
  const path = join(folder, `vectors-${shortHash(embedder.id)}.bin`);
  const known = readVectors(path, embedder.dimensions);
  let fresh: Uint8Array[] = [];

  function flush(): void {
    if (fresh.length === 0) return;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    appendFileSync(path, Buffer.concat(fresh), { mode: 0o600 });
    fresh = [];
  }

  return {
    id: embedder.id,
    dimensions: embedder.dimensions,
    countTokens: (text) => embedder.countTokens(text),
    async embed(text, role) {
      if (role === "query") return await embedder.embed(text, role);
      const hash = createHash("sha256").update(text).digest();
      const key = hash.toString("hex");
      let vector = known.get(key);
      if (vector === undefined) {
        vector = await embedder.embed(text, role);
        known.set(key, vector);
        fresh.push(hash, new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
        if (fresh.length >= 2 * BATCH) flush();
      }
      return vector;
    },
    flush,
    async close() {
      flush();
      await embedder.close();
    },
  };
}

function readVectors(path: string, dimensions: number): Map<string, Float32Array> {
  const vectors = new Map<string, Float32Array>();
  const bytes = read(path);
  const record = HASH_BYTES + dimensions * Float32Array.BYTES_PER_ELEMENT;
  const whole = bytes.length - bytes.length % record;
  for (let at = 0; at < whole; at += record) {
    const hash = Buffer.from(bytes.subarray(at, at + HASH_BYTES)).toString("hex");
    vectors.set(hash, new Float32Array(bytes.slice(at + HASH_BYTES, at + record).buffer));
  }
  if (whole < bytes.length) truncateSync(path, whole); // a run was killed while it wrote
  return vectors;
}

function read(path: string): Uint8Array {
  try {
    return new Uint8Array(readFileSync(path)); // a Buffer's slices would share its memory
  } catch (error) {
    if (codeOf(error) === "ENOENT") return new Uint8Array();
    throw error;
  }
}
