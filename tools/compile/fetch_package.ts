// Packages of other platforms, which no installation on this one lays out: fetched with npm's own client, so that its
// settings for registry, proxy and cache hold, and checked against the lock file.

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
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const CACHE = join(ROOT, "node_modules/.cache/packages");

/** The folder of a package that `deno.lock` names, fetched unless an earlier build has it. */
export function fetchPackage(name: string): string {
  const { id, integrity } = lockedPackage(name);
  const folder = join(CACHE, id.replace("/", "+"));
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  const fresh = mkdtempSync(join(CACHE, ".fetch-"));
  try {
    const archive = pack(id, fresh);
    checked(readFileSync(archive), { id, integrity });
    // Its files lie below one folder, whatever that is called.
    const inside = join(fresh, "package");
    mkdirSync(inside);
    const order = ["-xzf", archive, "--strip-components=1", "-C", inside];
    const { status, stderr } = spawnSync("tar", order, { encoding: "utf8" });
    if (status !== 0) throw new Error(`Cannot unpack ${id}: ${stderr}`);
    renameSync(inside, folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return folder;
}

/** A package's `name@version` and checksum as the lock file has them. */
export function lockedPackage(name: string): { readonly id: string; readonly integrity: string } {
  const found = [...idsInLock()].filter(([id]) => id.startsWith(`${name}@`));
  const [first] = found;
  if (found.length === 1 && first) return { id: first[0], integrity: first[1] };
  throw new Error(`deno.lock has ${found.length} versions of ${name}, not one`);
}

/** Every package of the lock file by `name@version`, with its checksum. */
export function idsInLock(): ReadonlyMap<string, string> {
  const { npm } = JSON.parse(readFileSync(join(ROOT, "deno.lock"), "utf8")) as {
    npm: Record<string, { integrity: string }>;
  };
  // Behind `_` stand the packages that one was resolved with.
  const withoutPeers = (id: string) => /^.[^@]*@[^_]+/.exec(id)![0];
  return new Map(Object.entries(npm).map(([id, { integrity }]) => [withoutPeers(id), integrity]));
}

/** The bytes of a package when they are those that the checksum stands for; throws otherwise. */
export function checked(
  archive: Uint8Array,
  { id, integrity }: { readonly id: string; readonly integrity: string },
): Uint8Array {
  const [algorithm, expected] = integrity.split(/-(.*)/s) as [string, string];
  const found = createHash(algorithm).update(archive).digest("base64");
  if (found === expected) return archive;
  throw new Error(`${id} has checksum ${algorithm}-${found}, and deno.lock says ${integrity}`);
}

/** Has npm put a package's archive into a folder; returns its path. */
function pack(id: string, folder: string): string {
  const { status, stderr } = spawnSync("npm", ["pack", id, "--pack-destination", folder], {
    cwd: folder,
    encoding: "utf8",
    shell: process.platform === "win32", // `npm` is a script there
  });
  const archive = readdirSync(folder).find((file) => file.endsWith(".tgz"));
  if (status !== 0 || archive === undefined) throw new Error(`Cannot fetch ${id}: ${stderr}`);
  return join(folder, archive);
}
