// The executable as it is shipped: with no packages near, and several of it at once.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cpSync, existsSync, readdirSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MINILM } from "../support/minilm.ts";
import { temporaryFolder } from "../support/temp.ts";

const DIST = fileURLToPath(new URL("../../dist", import.meta.url));
const EXECUTABLE = join(DIST, process.platform === "win32" ? "memo.exe" : "memo");

interface Ended {
  readonly status: number | null;
  readonly errors: string;
}

/** Runs the executable in an empty folder with nothing but a home in its environment. */
function memo(home: string, ...argv: string[]): Promise<Ended> {
  const child = spawn(EXECUTABLE, argv, {
    cwd: home,
    env: { HOME: home, MEMO_HOME: home },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text) => errors += text);
  return new Promise((ended) => child.on("close", (status) => ended({ status, errors })));
}

/** Four at once, each of which loads ONNX Runtime to try a model of its own. */
async function pullFour(home: string): Promise<void> {
  const runs = ["a", "b", "c", "d"].map((name) =>
    memo(home, "config", "model", "pull", join(home, name))
  );
  for (const { status, errors } of await Promise.all(runs)) assert.equal(status, 0, errors);
}

Deno.test("The executable unpacks its native parts once for all processes, and mends them", async () => {
  using home = temporaryFolder();
  for (const name of ["a", "b", "c", "d"]) {
    cpSync(MINILM, join(home.path, name), { recursive: true });
  }
  const runtime = join(home.path, "runtime");
  await pullFour(home.path);
  const unpacked = readdirSync(runtime);
  assert.equal(unpacked.length, 1, String(unpacked));
  assert.match(unpacked[0]!, /^onnx-/);

  const [library, binding] = readdirSync(join(runtime, unpacked[0]!)).sort();
  truncateSync(join(runtime, unpacked[0]!, library!), 1000);
  rmSync(join(runtime, unpacked[0]!, binding!));
  await pullFour(home.path);
  assert.deepEqual(readdirSync(runtime), unpacked);
});

Deno.test("The executable unpacks nothing for a command that needs none of it", async () => {
  using home = temporaryFolder();
  const { status, errors } = await memo(home.path, "config", "model");
  assert.equal(status, 0, errors);
  assert.equal(existsSync(join(home.path, "runtime")), false);
});
