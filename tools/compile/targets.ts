/** A platform that memo is compiled for, and what its native parts are called. */
export interface Target {
  /** `<platform>-<architecture>` in the words of `process`. */
  readonly name: string;
  /** Bun's name of the runtime. */
  readonly bun: string;
  /** The npm package with libSQL's library. */
  readonly libsql: string;
  /** The folder of ONNX Runtime's files below `onnxruntime-node/bin/napi-v6`. */
  readonly onnx: string;
  /** What `onnxruntime_binding.node` loads from beside it. */
  readonly onnxLibraries: readonly string[];
}

/** Every platform for which libSQL and ONNX Runtime are both published. */
export const TARGETS = [
  {
    name: "linux-x64",
    bun: "bun-linux-x64",
    libsql: "@libsql/linux-x64-gnu",
    onnx: "linux/x64",
    onnxLibraries: ["libonnxruntime.so.1"],
  },
  {
    name: "linux-arm64",
    bun: "bun-linux-arm64",
    libsql: "@libsql/linux-arm64-gnu",
    onnx: "linux/arm64",
    onnxLibraries: ["libonnxruntime.so.1"],
  },
  {
    name: "darwin-arm64",
    bun: "bun-darwin-arm64",
    libsql: "@libsql/darwin-arm64",
    onnx: "darwin/arm64",
    onnxLibraries: ["libonnxruntime.1.dylib"],
  },
  {
    name: "win32-x64",
    bun: "bun-windows-x64",
    libsql: "@libsql/win32-x64-msvc",
    onnx: "win32/x64",
    onnxLibraries: ["onnxruntime.dll", "DirectML.dll"],
  },
] as const satisfies readonly Target[];
