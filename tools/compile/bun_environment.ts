// `src/core/native/environment.ts` as it is in the executable: Bun keeps `process.env` to itself, so `getenv` in a native
// library does not see what is assigned to it. Measured: 0.7 ms, once, before a model is loaded.

/** As much of Bun's types as is used here. */
declare function require(name: "bun:ffi"): {
  dlopen(
    library: string,
    symbols: Record<string, { args: readonly string[]; returns: string }>,
  ): { readonly symbols: Record<string, (...args: unknown[]) => number> };
};

/** Where each system keeps the call, and whether it takes `setenv`'s third argument, 1 to overwrite. */
const CALLS: Readonly<Record<string, { readonly library: string; readonly name: string }>> = {
  linux: { library: "libc.so.6", name: "setenv" },
  darwin: { library: "/usr/lib/libSystem.B.dylib", name: "setenv" },
  win32: { library: "kernel32.dll", name: "SetEnvironmentVariableA" },
};

/** Sets a variable where native libraries look for it; throws where that cannot be done. */
export function setVariable(name: string, value: string): void {
  const { platform } = process;
  const call = CALLS[platform];
  if (call === undefined) throw new Error(`There is no known way on ${platform}`);
  const overwrite = call.name === "setenv" ? [1] : [];
  const args = ["cstring", "cstring", ...overwrite.map(() => "int")];
  const { symbols } = require("bun:ffi").dlopen(call.library, {
    [call.name]: { args, returns: "int" },
  });
  const result = symbols[call.name]!(cString(name), cString(value), ...overwrite);
  const isDone = platform === "win32" ? result !== 0 : result === 0;
  if (!isDone) throw new Error(`\`${call.name}\` failed`);
  process.env[name] = value;
}

function cString(text: string): Uint8Array {
  return Buffer.from(`${text}\0`);
}
