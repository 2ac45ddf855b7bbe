// Builds dist/memo, the one executable, with Bun; does nothing when no source changed.
//
//   deno run -A tools/compile.ts [--target linux-arm64]

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { VERSION } from "../src/version.ts";
import type { Order } from "./compile/build.ts";
import { assetsOf } from "./compile/embed.ts";
import { bunExecutable } from "./compile/locate.ts";
import { type Target, TARGETS } from "./compile/targets.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const DIST = join(ROOT, "dist");
const MODEL = join(DIST, "model");

/** Everything that the executable is made from; the model's record stands for the model. */
const INPUTS = [
  "src",
  "hooks",
  "strategies",
  "bench",
  "plugin",
  "tools/compile",
  "tools/compile.ts",
  "deno.json",
  "deno.lock",
  "dist/model/memo.json",
];

/** What lies in them and does not get into the executable. */
const LEFT_OUT = /^(results|recorded)$|\.md$/;

const HOST = `${process.platform}-${process.arch}`;

const { values } = parseArgs({ options: { target: { type: "string", default: HOST } } });
compile(targetNamed(values.target));

function compile(target: Target): void {
  const name = target.name === HOST ? "memo" : `memo-${target.name}`;
  const outfile = join(DIST, target.name.startsWith("win32") ? `${name}.exe` : name);
  const stamp = join(DIST, `.${name}.stamp`);
  const hash = hashInputs();
  if (existsSync(outfile) && readStamp(stamp) === hash) return;

  mkdirSync(DIST, { recursive: true });
  const fresh = join(DIST, `.${process.pid}-${name}`);
  const order: Order = {
    entry: join(ROOT, "src/main.ts"),
    outfile: fresh,
    runtime: target.bun,
    build: `${VERSION}-${hash.slice(0, 8)}`,
    assets: assetsOf(target, { model: MODEL, suites: join(ROOT, "bench/suites") }),
  };
  try {
    const builder = join(ROOT, "tools/compile/build.ts");
    const { status, error } = spawnSync(bunExecutable(), [builder, JSON.stringify(order)], {
      cwd: ROOT,
      stdio: ["ignore", "inherit", "inherit"],
    });
    if (error) throw error;
    if (status !== 0) process.exit(1); // Bun has said why
    rmSync(stamp, { force: true });
    renameSync(existsSync(fresh) ? fresh : `${fresh}.exe`, outfile);
    writeFileSync(stamp, hash);
  } finally {
    rmSync(fresh, { force: true });
  }
  console.error(
    `Wrote ${outfile} (${(statSync(outfile).size / 1e6).toFixed(0)} MB), ${order.build}`,
  );
}

function targetNamed(name: string): Target {
  const target = TARGETS.find((row) => row.name === name);
  if (target !== undefined) return target;
  throw new Error(`There is no target ${name}, only ${TARGETS.map((row) => row.name).join(", ")}`);
}

function hashInputs(): string {
  const hash = createHash("sha256");
  for (const path of INPUTS.flatMap((input) => filesIn(input))) {
    hash.update(`${path}\n`).update(readFileSync(join(ROOT, path)));
  }
  return hash.digest("hex");
}

/** A file, or all files below a folder, in an order that does not depend on the machine. */
function filesIn(path: string): string[] {
  const stat = statSync(join(ROOT, path), { throwIfNoEntry: false });
  if (stat === undefined) return [];
  if (!stat.isDirectory()) return [path];
  return readdirSync(join(ROOT, path)).sort()
    .filter((name) => !LEFT_OUT.test(name))
    .flatMap((name) => filesIn(`${path}/${name}`));
}

function readStamp(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}
