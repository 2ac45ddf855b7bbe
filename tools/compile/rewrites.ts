import { fileURLToPath } from "node:url";
import type { Engine } from "./targets.ts";

/** A line of a package that a bundler cannot follow, and its replacement in the executable. */
export interface Rewrite {
  readonly file: RegExp;
  /** The engine of the targets that it is for; all of them unless said. */
  readonly engine?: Engine;
  readonly find: string;
  readonly replace: string;
}

const NATIVE = fileURLToPath(new URL("../../src/core/native/mod.ts", import.meta.url));

/** Every change that is made to other people's code. */
export const REWRITES: readonly Rewrite[] = [
  {
    // Picks a platform package by a name that it computes.
    file: /[\\/]libsql[\\/]index\.js$/,
    find: "} = requireNative();",
    replace: `} = ${requireNative("libsql", "index.node")};`,
  },
  {
    // The same, by a path.
    engine: "native",
    file: /[\\/]onnxruntime-node[\\/]dist[\\/]binding\.js$/,
    find: "require(`../bin/napi-v6/${process.platform}/${process.arch}/onnxruntime_binding.node`)",
    replace: requireNative("onnx", "onnxruntime_binding.node"),
  },
  {
    // Looks for the package at run time.
    engine: "native",
    file: /[\\/]transformers\.node\.mjs$/,
    find: 'requireFromHere("onnxruntime-node")',
    replace: 'require("onnxruntime-node")',
  },
  {
    // There is no library for this platform: its WebAssembly, from the disk and not from a server, in one thread,
    // because a pool of workers costs more than it saves on short texts.
    engine: "wasm",
    file: /[\\/]transformers\.node\.mjs$/,
    find: 'requireFromHere("onnxruntime-node")',
    replace: `((ort) => (Object.assign(ort.env.wasm, { numThreads: 1, wasmPaths: ${
      folderUrl("ort-wasm-simd-threaded.mjs")
    } }), ort))(require("onnxruntime-web"))`,
  },
  {
    // For images only, with a native library of its own; no picture ever reaches memo.
    file: /[\\/]transformers\.node\.mjs$/,
    find: 'import sharp from "sharp";',
    replace: "const sharp = {};",
  },
];

/** The rewrites for a target whose model runs on an engine. */
export function rewritesFor(engine: Engine): readonly Rewrite[] {
  return REWRITES.filter((row) => row.engine === undefined || row.engine === engine);
}

function requireNative(group: string, file: string): string {
  return `require(${unpacked(group, file)})`;
}

function unpacked(group: string, file: string): string {
  return `require(${JSON.stringify(NATIVE)}).nativeLibrary("${group}", "${file}")`;
}

/** The folder that a file is unpacked to, as an address that ends in a slash. */
function folderUrl(file: string): string {
  return `new URL(".", require("node:url").pathToFileURL(${unpacked("onnx", file)})).href`;
}

/** The text of a file with the rewrites that concern it; throws when a line is not there exactly once. */
export function rewrite(path: string, text: string, rewrites: readonly Rewrite[]): string {
  for (const { file, find, replace } of rewrites) {
    if (!file.test(path)) continue;
    const parts = text.split(find);
    if (parts.length !== 2) {
      throw new Error(`${path} has ${parts.length - 1} times, not once: ${find}`);
    }
    text = parts.join(replace);
  }
  return text;
}
