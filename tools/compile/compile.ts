import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readRecord } from "../../src/core/embed/files.ts";
import type { AssetGroup, EmbeddedFile, GroupName } from "../../src/core/native/embedded.ts";
import { VERSION } from "../../src/version.ts";
import type { Order } from "./build.ts";
import { assetsOf, PACK_LEVEL, packedPath } from "./embed.ts";
import { type CompiledPackage, type Metafile, packagesOf } from "./graph.ts";
import { bunExecutable, bunVersion, runtimeOf } from "./locate.ts";
import { releaseKeys } from "./release_keys.ts";
import { executableName, HOST, type Target } from "./targets.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const DIST = join(ROOT, "dist");
const MODEL = join(DIST, "model");
/** Another Bun may compress to other bytes. */
const PACKED = join(ROOT, "node_modules/.cache/packed", `${PACK_LEVEL}-${bunVersion()}`);

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

/** An executable, and what it was made from. */
export interface Compiled {
  readonly path: string;
  /** Whether it was made just now, and not by an earlier call. */
  readonly isFresh: boolean;
  readonly build: string;
  /** Bytes of the runtime that it begins with. */
  readonly runtimeBytes: number;
  readonly assets: Record<GroupName, AssetGroup>;
  /** The file that stands in the executable for an asset. */
  readonly embedded: (file: EmbeddedFile) => string;
  readonly packages: () => CompiledPackage[];
}

/** What an executable is to be, other than what its target makes it. */
export interface CompileOptions {
  /** Where `memo upgrade` looks for releases. */
  readonly releases?: string;
  /** The public keys of releases; those of `packaging/release.pub` unless said. */
  readonly keys?: readonly string[];
  /** The version that it calls itself, for a trial of an upgrade; it is not the one that `dist/memo` is. */
  readonly version?: string;
}

/** Builds memo for a target, in `dist`, unless no source changed. */
export function compile(target: Target, options: CompileOptions = {}): Compiled {
  const name = nameOf(target) + (options.version ? `-${options.version}` : "");
  const path = join(DIST, target.name.startsWith("win32") ? `${name}.exe` : name);
  const stamp = join(DIST, `.${name}.stamp`);
  const metafile = metafileOf(name);
  const hash = hashInputs();
  const about = aboutBuild(target, hash, options);
  const runtime = runtimeOf(target);
  const built = {
    path,
    build: about.MEMO_BUILD,
    runtimeBytes: statSync(runtime).size,
    assets: assetsOf(
      target,
      { model: MODEL, suites: join(ROOT, "bench/suites") },
      about.MEMO_BUILD,
    ),
    embedded: ({ form, source, sha256 }: EmbeddedFile) =>
      form === "zstd" ? packedPath(PACKED, sha256) : source,
    packages: () => packagesIn(metafile),
  };
  const mark = JSON.stringify([hash, about]);
  if (existsSync(path) && existsSync(metafile) && readStamp(stamp) === mark) {
    return { ...built, isFresh: false };
  }
  // The name of the output goes into the executable: a folder of its own instead of a name of its own.
  const work = mkdtempSync(join(DIST, ".compile-"));
  const fresh = join(work, executableName(target));
  rmSync(stamp, { force: true });
  try {
    build({
      entry: join(ROOT, "src/main.ts"),
      outfile: join(work, "memo"),
      platform: target.bun,
      runtime,
      engine: target.engine,
      about,
      metafile,
      assets: built.assets,
      packed: PACKED,
    });
    renameSync(fresh, path);
    writeFileSync(stamp, mark);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return { ...built, isFresh: true };
}

/** The packages that the last build for a target was made from. */
export function compiledPackages(target: Target): CompiledPackage[] {
  return packagesIn(metafileOf(nameOf(target)));
}

function packagesIn(metafile: string): CompiledPackage[] {
  return packagesOf(JSON.parse(readFileSync(metafile, "utf8")) as Metafile, ROOT);
}

function nameOf(target: Target): string {
  return target.name === HOST ? "memo" : `memo-${target.name}`;
}

function metafileOf(name: string): string {
  return join(DIST, `.${name}.graph.json`);
}

function build(order: Order): void {
  const builder = join(ROOT, "tools/compile/build.ts");
  const { status, error } = spawnSync(bunExecutable(), [builder, JSON.stringify(order)], {
    cwd: ROOT,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (error) throw error;
  if (status !== 0) process.exit(1); // Bun has said why
}

/** What the executable is to know of itself. */
function aboutBuild(
  target: Target,
  hash: string,
  { releases = "", version = VERSION, keys = releaseKeys() }: CompileOptions,
) {
  return {
    MEMO_VERSION: version,
    MEMO_BUILD: `${version}-${hash.slice(0, 8)}`,
    MEMO_COMMIT: commit(),
    MEMO_TARGET: target.name,
    MEMO_MODEL: readRecord(MODEL).repo ?? "",
    MEMO_RELEASES: releases,
    MEMO_KEYS: keys.join(" "),
  };
}

/** The commit that lies here, with a `+` where files have been changed since; empty outside a repository. */
export function commit(): string {
  const git = (...args: string[]) => spawnSync("git", args, { cwd: ROOT, encoding: "utf8" });
  const { status, stdout } = git("rev-parse", "--short=12", "HEAD");
  if (status !== 0) return "";
  return stdout.trim() + (git("diff", "--quiet", "HEAD").status === 0 ? "" : "+");
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
