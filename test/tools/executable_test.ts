// The executable as it is shipped: with no packages near, and several of it at once.

import assert from "node:assert/strict";
import { cpSync, existsSync, readdirSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MINILM } from "../support/minilm.ts";
import { temporaryFolder } from "../support/temp.ts";
import { run } from "../support/run.ts";

const DIST = fileURLToPath(new URL("../../dist", import.meta.url));
const EXECUTABLE = join(DIST, process.platform === "win32" ? "memo.exe" : "memo");

/** Runs the executable in an empty folder with nothing but a home in its environment. */
function memo(home: string, ...argv: string[]) {
  return run(EXECUTABLE, argv, { cwd: home, env: { HOME: home, MEMO_HOME: home } });
}

/** Four at once, each of which loads ONNX Runtime to try a model of its own. */
async function tryFour(home: string): Promise<void> {
  const runs = ["a", "b", "c", "d"].map((name) => memo(home, "config", "set", `model=./${name}`));
  for (const { code, stderr } of await Promise.all(runs)) assert.equal(code, 0, stderr);
}

Deno.test("The executable unpacks its native parts once for all processes, and mends them", async () => {
  using home = temporaryFolder();
  for (const name of ["a", "b", "c", "d"]) {
    cpSync(MINILM, join(home.path, name), { recursive: true });
  }
  const runtime = join(home.path, "runtime");
  await tryFour(home.path);
  const unpacked = readdirSync(runtime);
  assert.equal(unpacked.length, 1, String(unpacked));
  assert.match(unpacked[0]!, /^onnx-/);

  const [library, binding] = readdirSync(join(runtime, unpacked[0]!)).sort();
  truncateSync(join(runtime, unpacked[0]!, library!), 1000);
  rmSync(join(runtime, unpacked[0]!, binding!));
  await tryFour(home.path);
  assert.deepEqual(readdirSync(runtime), unpacked);
});

Deno.test("The executable unpacks nothing for a command that needs none of it", async () => {
  using home = temporaryFolder();
  const { code, stderr } = await memo(home.path, "config", "list");
  assert.equal(code, 0, stderr);
  assert.equal(existsSync(join(home.path, "runtime")), false);
});
