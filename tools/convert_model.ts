// Writes the built-in embedding model to dist/model in the layout that transformers.js loads: the first of the table of
// sources whose package can be had.
//
//   deno run -A tools/convert_model.ts
//   MEMO_BUILD_MODEL=all-MiniLM-L6-v2 deno run -A tools/convert_model.ts    this one, or none
//   deno run -A tools/convert_model.ts --plain dist/model-plain             the built-in one without memo's adapter, elsewhere

import { createHash } from "node:crypto";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { messageOf } from "../src/errors.ts";
import {
  type ModelFile,
  type ModelRecord,
  outsideOf,
  readRecord,
  RECORD,
  UNSIGNED,
} from "../src/core/embed/files.ts";
import { splitModel } from "./model/outside.ts";
import { openPackage } from "./model/packages.ts";
import { type Converted, type ModelSource, PLAIN, SOURCES, WEIGHTS } from "./model/sources.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** The inputs of the conversion besides the package. */
const CONVERTER = join(ROOT, "tools/model");

/** Converts a model unless the folder already has this conversion; returns whether it did. */
export function convertModel(folder: string, source: ModelSource): boolean {
  const revision = revisionOf(source);
  const present = readRecord(folder);
  if (present.revision === revision && isWhole(folder, present)) return false;

  const converted = source.convert(openPackage(source.package));
  const { weights, files: laidOut } = mapped(converted);
  const files = { ...laidOut, NOTICE: readFileSync(join(CONVERTER, "NOTICE")) };
  mkdirSync(dirname(folder), { recursive: true });
  const fresh = mkdtempSync(`${folder}.`);
  try {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(join(fresh, dirname(path)), { recursive: true });
      writeFileSync(join(fresh, path), content);
    }
    const record: ModelRecord = {
      repo: source.model,
      revision,
      ...weights && { weights },
      files: Object.keys(files).map((path) => describe(fresh, path)),
    };
    writeFileSync(join(fresh, RECORD), JSON.stringify(record, null, 2) + "\n");
    rmSync(folder, { recursive: true, force: true });
    renameSync(fresh, folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return true;
}

function describe(folder: string, path: string): ModelFile {
  const content = readFileSync(join(folder, path));
  const sha256 = createHash("sha256").update(content).digest("hex");
  return { path, size: content.length, sha256 };
}

/** Whether all files of a record are there, with their sizes. */
function isWhole(folder: string, { files = [] }: Partial<ModelRecord>): boolean {
  return files.every(({ path, size }) =>
    statSync(join(folder, path), { throwIfNoEntry: false })?.size === size
  );
}

/** The files of a model with its large constants in one of their own, and the hash of the one that had them all. */
function mapped({ files, whole }: Converted) {
  if (whole === undefined) return { files };
  const outsidePath = outsideOf(WEIGHTS);
  const split = (path: string) => splitModel(files[path] as Uint8Array, basename(outsidePath));
  const { graph, outside } = split(WEIGHTS), unsigned = split(UNSIGNED.path);
  if (!Buffer.from(outside).equals(unsigned.outside)) {
    throw new Error(`${UNSIGNED.path} and ${WEIGHTS} have different constants`);
  }
  return {
    weights: createHash("sha256").update(whole).digest("hex"),
    files: { ...files, [WEIGHTS]: graph, [UNSIGNED.path]: unsigned.graph, [outsidePath]: outside },
  };
}

/** Names the inputs of the conversion: the package and this converter. */
function revisionOf({ package: { name, version } }: ModelSource): string {
  const hash = createHash("sha256");
  for (const file of readdirSync(CONVERTER).sort()) {
    hash.update(readFileSync(join(CONVERTER, file)));
  }
  return `${name}@${version}-${hash.digest("hex").slice(0, 8)}`;
}

/** The sources to try: all of them, or the one that `MEMO_BUILD_MODEL` names. */
function wanted(): readonly ModelSource[] {
  const name = process.env["MEMO_BUILD_MODEL"];
  const chosen = SOURCES.filter(({ model }) => !name || model === name);
  if (chosen.length > 0) return chosen;
  const known = SOURCES.map(({ model }) => model).join(", ");
  throw new Error(`MEMO_BUILD_MODEL is ${name}; it must be one of ${known}`);
}

function main([option, folder]: readonly string[]): void {
  if (option === "--plain" && folder !== undefined) {
    convertModel(folder, PLAIN);
    return;
  }
  const failures: string[] = [];
  for (const source of wanted()) {
    const { model, package: from } = source;
    try {
      if (convertModel(join(ROOT, "dist/model"), source)) {
        console.error(`Wrote dist/model: ${model}`);
      }
      for (const failure of failures) console.error(`Using ${model} instead: ${failure}`);
      return;
    } catch (error) {
      failures.push(`${from.registry} cannot fetch ${from.name} (${messageOf(error)})`);
    }
  }
  throw new Error(`Cannot build in any model: ${failures.join("; ")}`);
}

if (import.meta.main) main(process.argv.slice(2));
