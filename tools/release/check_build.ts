import { readFileSync } from "node:fs";
import type { Compiled } from "../compile/compile.ts";
import type { Target } from "../compile/targets.ts";
import { misfit } from "./binary.ts";

const LIBRARY = /\.(node|so(\.\d+)*|dylib|dll)$/;
const WEBASSEMBLY = 0x0061736d;

/** Checks by structure that an executable and every native part in it are a target's; throws with all that is wrong. */
export function checkBuild({ path, assets, embedded }: Compiled, target: Target): void {
  const whole = readFileSync(path);
  const wrong = [`memo: ${misfit(whole, target.name) ?? ""}`];
  for (const file of Object.values(assets).flatMap(({ files }) => files)) {
    const { name } = file;
    const part = readFileSync(file.source);
    if (LIBRARY.test(name)) wrong.push(`${name}: ${misfit(part, target.name) ?? ""}`);
    if (name.endsWith(".wasm") && part.readUInt32BE(0) !== WEBASSEMBLY) {
      wrong.push(`${name}: it is no WebAssembly`);
    }
    if (!whole.includes(readFileSync(embedded(file)))) {
      wrong.push(`${name}: it is not in the executable`);
    }
  }
  const found = wrong.filter((line) => !line.endsWith(": "));
  if (found.length > 0) throw new Error(`${target.name} is not sound:\n${found.join("\n")}`);
}
