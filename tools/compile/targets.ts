/** The runtime of the embedding model: ONNX Runtime as a native library, or as WebAssembly if a target has none. */
export type Engine = "native" | "wasm";

/** A platform that memo is compiled for, and where its parts come from. */
export interface Target {
  /** Names archives and packages: `<platform>-<architecture>` in the words of `process`, and `-musl`. */
  readonly name: string;
  /** How a person calls the platform. */
  readonly label: string;
  /** Bun's name of the runtime. */
  readonly bun: string;
  /** The npm package with the runtime. */
  readonly runtime: string;
  /** The npm package with libSQL's library. */
  readonly libsql: string;
  readonly engine: Engine;
  /** ONNX Runtime's files, below its package. */
  readonly onnx: { readonly folder: string; readonly files: readonly string[] };
}

const WASM = {
  engine: "wasm",
  onnx: { folder: "dist", files: ["ort-wasm-simd-threaded.mjs", "ort-wasm-simd-threaded.wasm"] },
} as const;

/**
 * Every platform for which Bun and libSQL are both published. ONNX Runtime has no library for musl, and none for macOS on
 * Intel any more: there the same model runs in WebAssembly, which takes longer for a text and needs nothing else.
 * DirectML is left out on Windows: ONNX Runtime loads it only for a graphics card, which memo never asks for.
 */
export const TARGETS = [
  {
    name: "linux-x64",
    label: "Linux, x86-64 (glibc)",
    bun: "bun-linux-x64",
    runtime: "@oven/bun-linux-x64",
    libsql: "@libsql/linux-x64-gnu",
    engine: "native",
    onnx: {
      folder: "bin/napi-v6/linux/x64",
      files: ["onnxruntime_binding.node", "libonnxruntime.so.1"],
    },
  },
  {
    name: "linux-arm64",
    label: "Linux, ARM64 (glibc)",
    bun: "bun-linux-arm64",
    runtime: "@oven/bun-linux-aarch64",
    libsql: "@libsql/linux-arm64-gnu",
    engine: "native",
    onnx: {
      folder: "bin/napi-v6/linux/arm64",
      files: ["onnxruntime_binding.node", "libonnxruntime.so.1"],
    },
  },
  {
    name: "linux-x64-musl",
    label: "Linux, x86-64 (musl, such as Alpine)",
    bun: "bun-linux-x64-musl",
    runtime: "@oven/bun-linux-x64-musl",
    libsql: "@libsql/linux-x64-musl",
    ...WASM,
  },
  {
    name: "linux-arm64-musl",
    label: "Linux, ARM64 (musl, such as Alpine)",
    bun: "bun-linux-arm64-musl",
    runtime: "@oven/bun-linux-aarch64-musl",
    libsql: "@libsql/linux-arm64-musl",
    ...WASM,
  },
  {
    name: "darwin-arm64",
    label: "macOS, Apple silicon",
    bun: "bun-darwin-arm64",
    runtime: "@oven/bun-darwin-aarch64",
    libsql: "@libsql/darwin-arm64",
    engine: "native",
    onnx: {
      folder: "bin/napi-v6/darwin/arm64",
      files: ["onnxruntime_binding.node", "libonnxruntime.1.dylib"],
    },
  },
  {
    name: "darwin-x64",
    label: "macOS, Intel",
    bun: "bun-darwin-x64",
    runtime: "@oven/bun-darwin-x64",
    libsql: "@libsql/darwin-x64",
    ...WASM,
  },
  {
    name: "win32-x64",
    label: "Windows, x86-64",
    bun: "bun-windows-x64",
    runtime: "@oven/bun-windows-x64",
    libsql: "@libsql/win32-x64-msvc",
    engine: "native",
    onnx: {
      folder: "bin/napi-v6/win32/x64",
      files: ["onnxruntime_binding.node", "onnxruntime.dll"],
    },
  },
] as const satisfies readonly Target[];

/** The platform of this very process. */
export const HOST = `${process.platform}-${process.arch}`;

/** The target of a name; throws with all names for an unknown one. */
export function targetNamed(name: string): Target {
  const target = TARGETS.find((row) => row.name === name);
  if (target !== undefined) return target;
  throw new Error(`There is no target ${name}, only ${TARGETS.map((row) => row.name).join(", ")}`);
}

/** The file name of a target's executable. */
export function executableName(target: Target): string {
  return target.name.startsWith("win32") ? "memo.exe" : "memo";
}
