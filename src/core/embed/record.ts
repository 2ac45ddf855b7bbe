import { createHash } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The file in a model's folder that lists its contents. */
const RECORD = "memo.json";

/** One file of a model. */
export interface ModelFile {
  /** Relative to the model's folder, with `/`. */
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

/** The contents and source of a model's folder; written last, so that it marks a complete folder. */
export interface ModelRecord {
  readonly repo: string;
  /** The commit, or another identifier of this state of the repository. */
  readonly revision: string;
  readonly dimensions: number;
  /** The SHA-256 of the weights while they were one file, if they are two: it names the vectors, which are the same. */
  readonly weights?: string;
  readonly files: readonly ModelFile[];
}

/** The record of a model's folder; undefined if it is missing or unreadable. */
export function readRecord(folder: string): ModelRecord | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, RECORD), "utf8"));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Hashes the files of a model's folder and writes its record. */
export function writeRecord(
  folder: string,
  about: Omit<ModelRecord, "files">,
  paths: readonly string[],
): ModelRecord {
  const files = paths.map((path): ModelFile => {
    const content = readFileSync(join(folder, path));
    const sha256 = createHash("sha256").update(content).digest("hex");
    return { path, size: content.length, sha256 };
  });
  const record = { ...about, files };
  writeFileSync(join(folder, RECORD), JSON.stringify(record, null, 2) + "\n");
  return record;
}

/** The first file of a record that is missing or has another size; undefined if the folder is complete. */
export function damagedFile(folder: string, record: ModelRecord): string | undefined {
  return record.files.find(({ path, size }) =>
    statSync(join(folder, path), { throwIfNoEntry: false })?.size !== size
  )?.path;
}

function isRecord(value: unknown): value is ModelRecord {
  const { repo, revision, dimensions, files } = (value ?? {}) as Partial<ModelRecord>;
  return typeof repo === "string" && typeof revision === "string" &&
    typeof dimensions === "number" && Array.isArray(files) &&
    files.every((file: Partial<ModelFile> | null) =>
      typeof file?.path === "string" && typeof file.size === "number" &&
      typeof file.sha256 === "string"
    );
}
