// Builds dist/memo-deno with Deno's own compiler, where Deno can fetch the runtime that it puts in; says why where not.
//
//   deno run -A tools/compile_deno.ts

import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { PERMISSIONS } from "../src/link/self.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

const output = join(ROOT, `dist/memo-deno${process.platform === "win32" ? ".exe" : ""}`);
const { status, stderr } = spawnSync(process.execPath, [
  "compile",
  "--quiet",
  "--no-check",
  "--output",
  output,
  ...PERMISSIONS.map((name) => `--allow-${name}`),
  // Only packages that the sources import, and not the compilers and models beside them.
  "--node-modules-dir=none",
  "--exclude-unused-npm",
  "--include",
  "dist/model",
  "src/main.ts",
], { cwd: ROOT, encoding: "utf8" });

const said = stripVTControlCharacters(stderr);
if (status === 0) {
  console.error(`Wrote ${output} (${(statSync(output).size / 1e6).toFixed(0)} MB)`);
} else if (said.includes("Setting up base binary")) {
  const why = said.split("\n").find((line) => line.trim().startsWith("1: "))?.trim().slice(3);
  console.error(`Skipped: Deno cannot fetch the runtime that it puts in: ${why}

hint: Set DENORT_BIN to a denort of this version, or run \`deno task compile\``);
} else {
  console.error(said.trim());
  process.exitCode = 1;
}
