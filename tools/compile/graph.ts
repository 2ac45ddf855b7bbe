import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** A package of which modules are in the executable. */
export interface CompiledPackage {
  readonly name: string;
  readonly version: string;
  readonly folder: string;
  /** What of it is compiled, before it is made small. */
  readonly bytes: number;
}

/** As much of Bun's record of a build as is used here. */
export interface Metafile {
  readonly inputs: Readonly<Record<string, { readonly bytes: number }>>;
}

/** The packages that a build was made from, by name; `root` is what its paths are relative to. */
export function packagesOf({ inputs }: Metafile, root: string): CompiledPackage[] {
  const found = new Map<string, CompiledPackage>();
  for (const [path, { bytes }] of Object.entries(inputs)) {
    if (!path.includes("node_modules")) continue;
    const folder = packageFolder(resolve(root, path));
    const { name, version } = readManifest(folder)!;
    const before = found.get(folder)?.bytes ?? 0;
    found.set(folder, { name, version, folder, bytes: before + bytes });
  }
  return [...found.values()].sort((a, b) => idOf(a) < idOf(b) ? -1 : 1);
}

/** `name@version`, as the lock file writes it. */
export function idOf({ name, version }: Pick<CompiledPackage, "name" | "version">): string {
  return `${name}@${version}`;
}

/** The nearest folder above a module whose manifest names a package: some packages have more, with a type alone. */
function packageFolder(module: string): string {
  for (let folder = dirname(module); dirname(folder) !== folder; folder = dirname(folder)) {
    if (readManifest(folder) !== undefined) return folder;
  }
  throw new Error(`${module} belongs to no package`);
}

function readManifest(folder: string): { name: string; version: string } | undefined {
  const path = join(folder, "package.json");
  if (!existsSync(path)) return undefined;
  const { name, version } = JSON.parse(readFileSync(path, "utf8"));
  return name && version ? { name, version } : undefined;
}
