import { fileURLToPath } from "node:url";

/** A line of a package that a bundler cannot follow, and what stands there in the executable. */
export interface Rewrite {
  readonly file: RegExp;
  readonly find: string;
  readonly replace: string;
}

const NATIVE = fileURLToPath(new URL("../../src/native/mod.ts", import.meta.url));

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
    file: /[\\/]onnxruntime-node[\\/]dist[\\/]binding\.js$/,
    find: "require(`../bin/napi-v6/${process.platform}/${process.arch}/onnxruntime_binding.node`)",
    replace: requireNative("onnx", "onnxruntime_binding.node"),
  },
  {
    // Looks for the package at run time.
    file: /[\\/]transformers\.node\.mjs$/,
    find: 'requireFromHere("onnxruntime-node")',
    replace: 'require("onnxruntime-node")',
  },
  {
    // For images only, with a native library of its own; no picture ever reaches memo.
    file: /[\\/]transformers\.node\.mjs$/,
    find: 'import sharp from "sharp";',
    replace: "const sharp = {};",
  },
];

function requireNative(group: string, file: string): string {
  return `require(require(${JSON.stringify(NATIVE)}).nativeLibrary("${group}", "${file}"))`;
}

/** The text of a file with the rewrites that concern it; throws when a line is not there exactly once. */
export function rewrite(path: string, text: string): string {
  for (const { file, find, replace } of REWRITES) {
    if (!file.test(path)) continue;
    const parts = text.split(find);
    if (parts.length !== 2) {
      throw new Error(`${path} has ${parts.length - 1} times, not once: ${find}`);
    }
    text = parts.join(replace);
  }
  return text;
}
