// Builds dist/memo, the one executable, with Bun; does nothing when no source changed.
//
//   deno run -A tools/compile.ts [--target linux-arm64]

import { statSync } from "node:fs";
import { parseArgs } from "node:util";
import { compile } from "./compile/compile.ts";
import { HOST, targetNamed } from "./compile/targets.ts";

const { values } = parseArgs({ options: { target: { type: "string", default: HOST } } });
const { path, build, isFresh } = compile(targetNamed(values.target));
if (isFresh) {
  console.error(`Wrote ${path} (${(statSync(path).size / 1e6).toFixed(0)} MB), ${build}`);
}
