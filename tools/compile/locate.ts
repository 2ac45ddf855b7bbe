// Where packages are: by module resolution from the package that depends on them, never by a path; and those of other
// platforms where they were fetched to.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fetchPackage } from "./fetch_package.ts";
import { executableName, HOST, type Target, targetNamed } from "./targets.ts";

const fromHere = createRequire(import.meta.url);

/** Bun's own executable for this machine; the wrapper in the `bun` package needs an install script. */
export function bunExecutable(): string {
  return runtimeOf(targetNamed(HOST));
}

/** The version of Bun that compiles. */
export function bunVersion(): string {
  const manifest = join(dirname(dirname(bunExecutable())), "package.json");
  return JSON.parse(readFileSync(manifest, "utf8")).version;
}

/** Bun's executable for a target, the first part of a compiled program. */
export function runtimeOf(target: Target): string {
  const file = executableName(target).replace("memo", "bun");
  return join(folderOf(target.runtime, "bun/package.json"), "bin", file);
}

/** The folder of the platform package of libSQL. */
export function libsqlFolder(target: Target): string {
  const fromClient = createRequire(fromHere.resolve("@libsql/client"));
  return folderOf(target.libsql, fromClient.resolve("libsql"));
}

/** The folder of the ONNX Runtime that a target's engine runs on: the one that transformers.js depends on. */
export function onnxFolder({ engine, onnx }: Pick<Target, "engine" | "onnx">): string {
  return join(onnxPackage(engine), onnx.folder);
}

/** The folder of `onnxruntime-node` or `onnxruntime-web`. */
export function onnxPackage(engine: Target["engine"]): string {
  const fromTransformers = createRequire(fromHere.resolve("@huggingface/transformers"));
  if (engine === "native") {
    return dirname(fromTransformers.resolve("onnxruntime-node/package.json"));
  }
  return dirname(dirname(fromTransformers.resolve("onnxruntime-web"))); // it hides its package.json
}

/** The folder of a platform package: as its dependent finds it, else fetched. */
function folderOf(name: string, dependent: string): string {
  try {
    return dirname(createRequire(fromHere.resolve(dependent)).resolve(`${name}/package.json`));
  } catch {
    return fetchPackage(name);
  }
}
