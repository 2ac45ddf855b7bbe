// Where packages are: by module resolution from the package that depends on them, never by a path.

import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const fromHere = createRequire(import.meta.url);

/** Bun's own executable for this machine; the wrapper in the `bun` package needs an install script. */
export function bunExecutable(): string {
  const { platform, arch } = process;
  const system = platform === "win32" ? "windows" : platform;
  const processor = arch === "arm64" ? "aarch64" : arch;
  const file = platform === "win32" ? "bun.exe" : "bun";
  const fromBun = createRequire(fromHere.resolve("bun/package.json"));
  return fromBun.resolve(`@oven/bun-${system}-${processor}/bin/${file}`);
}

/** The folder of the platform package of libSQL. */
export function libsqlFolder(name: string): string {
  const fromClient = createRequire(fromHere.resolve("@libsql/client"));
  const fromLibsql = createRequire(fromClient.resolve("libsql"));
  return dirname(fromLibsql.resolve(`${name}/package.json`));
}

/** The folder of `onnxruntime-node`, the one that transformers.js loads. */
export function onnxFolder(): string {
  const fromTransformers = createRequire(fromHere.resolve("@huggingface/transformers"));
  return join(dirname(fromTransformers.resolve("onnxruntime-node/package.json")), "bin/napi-v6");
}
