// Runs every test and ends with one plain line, `N passed, N failed`. The whole suite is run several files at a time:
// each has homes of its own, and most of its time it waits for other processes.
//
//   deno run -A tools/test.ts [path ...] [--filter text]
//   deno run -A tools/test.ts --reuse     not again what has passed on these very files

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { hashOfInputs } from "./test/inputs.ts";
import { longestFirst } from "./test/order.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const STAMP = fileURLToPath(new URL("../node_modules/.cache/tests_passed.json", import.meta.url));

/** A whole run in which every test passed, and what it ran on. */
interface Stamp {
  readonly inputs: string;
  readonly passed: number;
  readonly at: string;
}

const args = process.argv.slice(2);
const isReuse = args.length === 1 && args[0] === "--reuse";
const isWhole = args.length === 0 || isReuse;
const inputs = isWhole ? hashOfInputs(ROOT) : undefined;
const earlier = isReuse ? readStamp() : undefined;

if (earlier !== undefined && earlier.inputs === inputs) {
  console.log(`These files passed at ${earlier.at}, and none has changed since`);
  console.log(`${earlier.passed} passed, 0 failed`);
} else {
  if (isWhole) rmSync(STAMP, { force: true });
  const { code, passed, failed } = await runTests(isWhole ? everything() : args);
  // A file that was changed meanwhile has been tested in part.
  if (code === 0 && inputs !== undefined && hashOfInputs(ROOT) === inputs) {
    const stamp: Stamp = { inputs, passed, at: new Date().toISOString() };
    mkdirSync(dirname(STAMP), { recursive: true });
    writeFileSync(STAMP, JSON.stringify(stamp));
  }
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = code;
}

function everything(): string[] {
  return ["--parallel", ...longestFirst(join(ROOT, "test"))];
}

async function runTests(args: readonly string[]) {
  const paths = args.some((arg) => !arg.startsWith("-")) ? args : ["test", ...args];
  const child = spawn(process.execPath, ["test", "-A", "--cached-only", "--no-check", ...paths], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { DENO_JOBS: String(availableParallelism()), ...process.env, NO_COLOR: "1" },
  });
  let tail = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    process.stdout.write(text);
    tail = (tail + text).slice(-4000);
  });
  const code = await new Promise<number>((done) => child.on("close", (code) => done(code ?? 1)));
  const [, passed, failed] = /(\d+) passed.*?\| (\d+) failed/.exec(tail) ?? [];
  // A run that breaks down has a failure, whatever its tests did.
  return { code, passed: Number(passed ?? 0), failed: Number(failed ?? 0) || (code === 0 ? 0 : 1) };
}

function readStamp(): Stamp | undefined {
  return existsSync(STAMP) ? JSON.parse(readFileSync(STAMP, "utf8")) : undefined;
}
