// Where the parts that are not JavaScript are on disk: beside the sources in development, unpacked
// once into the state folder by the executable. Not for the hot path.

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Paths, pathsFor } from "../paths.ts";
import { EMBEDDED } from "./embedded.ts";
import { unpackGroup } from "./unpack.ts";

/** The folder of the built-in embedding model. */
export function builtinModelFolder(paths: Paths): string {
  return EMBEDDED === undefined
    ? fileURLToPath(new URL("../../dist/model", import.meta.url))
    : unpackGroup("model", EMBEDDED.model, paths.runtime);
}

/** The folder of the bench's own suites, a folder each. */
export function suitesFolder(paths: Paths): string {
  return EMBEDDED === undefined
    ? fileURLToPath(new URL("../../bench/suites", import.meta.url))
    : unpackGroup("suites", EMBEDDED.suites, paths.runtime);
}

/**
 * Unpacks all that answering a prompt takes. Best done by a process that ends soon: the parts of the executable that
 * it reads stay in the memory of the one that reads them, 80 MB.
 */
export function unpackForPrompts(paths: Paths): void {
  if (EMBEDDED === undefined) return;
  for (const group of ["libsql", "onnx", "model"] as const) {
    unpackGroup(group, EMBEDDED[group], paths.runtime);
  }
}

/**
 * The path of a native library. Called inside the executable by the packages that load one, where
 * `tools/compile` rewrites them; in development they find their own.
 */
export function nativeLibrary(group: "libsql" | "onnx", file: string): string {
  if (EMBEDDED === undefined) throw new Error(`No ${group} is embedded in development`);
  return join(unpackGroup(group, EMBEDDED[group], pathsFor().runtime), file);
}
