import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { executableName, type Target } from "../compile/targets.ts";
import type { ArchiveFile } from "./archive.ts";
import { projectAt } from "./packaging.ts";

const FOLDER = fileURLToPath(new URL("../../packaging/npm", import.meta.url));

/** A package for the npm registry. */
export interface NpmPackage {
  readonly name: string;
  readonly files: readonly ArchiveFile[];
}

const base = JSON.parse(readFileSync(join(FOLDER, "package.json"), "utf8"));

/** The package that carries the executable of a target; npm installs it only on that platform. */
export function platformPackage(
  target: Target,
  { version, files }: { readonly version: string; readonly files: readonly ArchiveFile[] },
): NpmPackage {
  const [os, cpu, libc] = target.name.split("-");
  const name = `${base.name}-${target.name}`;
  const manifest = {
    name,
    version,
    description: `${base.description}: ${target.label}`,
    license: base.license,
    os: [os],
    cpu: [cpu],
    ...(os === "linux" && { libc: [libc ?? "glibc"] }),
    files: [executableName(target), "LICENSE", "NOTICE", "licenses"],
    preferUnplugged: true,
  };
  return { name, files: [...files, manifestFile(manifest)] };
}

/** The package that people name: a few lines that run the executable of the right platform package, for a terminal and for programs. */
export function mainPackage(
  targets: readonly Target[],
  { version, files, releases = "" }: {
    readonly version: string;
    readonly files: readonly ArchiveFile[];
    readonly releases?: string;
  },
): NpmPackage {
  const { homepage, mcp: mcpName } = projectAt(releases); // the MCP registry asks for the same name in both
  const links = releases === "" ? {} : { homepage, mcpName };
  const optional = targets.map(({ name }) => [`${base.name}-${name}`, version]);
  const manifest = {
    ...base,
    version,
    ...links,
    optionalDependencies: Object.fromEntries(optional),
  };
  const own = ["memo.js", "index.js", "index.d.ts", "example.mjs"].map((name) => ({
    name,
    data: readFileSync(join(FOLDER, name)),
    ...name === "memo.js" && { isExecutable: true },
  }));
  return { name: base.name, files: [...files, ...own, manifestFile(manifest)] };
}

/** What npm calls a package's archive, and what is in it. */
export function npmArchive({ name, files }: NpmPackage, version: string) {
  return {
    file: `${name.replace("@", "").replace("/", "-")}-${version}.tgz`,
    files: files.map((file) => ({ ...file, name: `package/${file.name}` })),
  };
}

function manifestFile(manifest: object): ArchiveFile {
  return {
    name: "package.json",
    data: new TextEncoder().encode(JSON.stringify(manifest, null, 2) + "\n"),
  };
}
