import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { writeFileAtomic } from "../../core/files/atomic.ts";
import { realPathOf } from "../../core/files/real_path.ts";
import { orNothing } from "../../core/files/there.ts";
import type { Paths } from "../../paths.ts";
import { MemoError } from "../../errors.ts";
import type { Command } from "../../core/link/self.ts";
import { type PathSearchOptions, safeFolders } from "../../core/files/search_path.ts";

/**
 * What `install.sh` or `memo init` put here, with the folders that it made, the deepest first; undefined unless it put
 * this very executable.
 */
export function placedHere({ placed }: Paths, self: string) {
  if (!existsSync(placed)) return undefined;
  const [executable = "", ...folders] = readFileSync(placed, "utf8").split("\n").filter(Boolean);
  if (!/^memo(\.exe)?$/.test(basename(executable)) || !existsSync(executable)) return undefined;
  return realPathOf(executable) === realPathOf(self) ? { executable, folders } : undefined;
}

/** Copies an executable to where it stays, in one step, and records it as `install.sh` does. */
export function placeExecutable({ placed, state }: Paths, from: string, executable: string): void {
  const folders = [...missingFolders(dirname(executable)), ...missingFolders(dirname(state))];
  mkdirSync(dirname(executable), { recursive: true });
  mkdirSync(state, { recursive: true, mode: 0o700 });
  // A folder of its own, which nobody else can write to.
  const folder = mkdtempSync(join(dirname(executable), ".memo-new-"));
  try {
    const fresh = join(folder, basename(executable));
    copyFileSync(from, fresh);
    chmodSync(fresh, 0o755);
    writeFileAtomic(placed, [executable, ...folders, ""].join("\n"), { mode: 0o600 });
    renameSync(fresh, executable);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Package runners: they fetch memo into a cache of theirs, which they empty when they like. */
const RUNNERS = [
  { name: "npx", path: /[\\/]_npx[\\/]/, instead: "npm install --global claude-code-memo" },
  { name: "bunx", path: /[\\/]bunx-[^\\/]+[\\/]/, instead: "bun add --global claude-code-memo" },
  {
    name: "pnpm dlx",
    path: /[\\/]dlx(-[^\\/]+)?[\\/]/,
    instead: "pnpm add --global claude-code-memo",
  },
] as const;

/** The package runner whose cache an executable is in; undefined if it is in none. */
export function runnerOf(executable: string): typeof RUNNERS[number] | undefined {
  return RUNNERS.find(({ path }) => path.test(executable));
}

/** Why hooks must not name an executable in the cache of a package runner. */
export function inCache({ name }: typeof RUNNERS[number], executable: string): string {
  return `\`${executable}\` is in ${name}'s cache, which may be emptied at any time`;
}

/** Throws if hooks would name an executable in the cache of a package runner. */
export function refuseRunner(executable: string): void {
  const runner = runnerOf(executable);
  if (runner === undefined) return;
  throw new MemoError("usage", `Cannot add hooks: ${inCache(runner, executable)}`, {
    hint: `Run \`${runner.instead}\`, then \`memo init\`; or let \`memo init --yes\` copy it`,
  });
}

// The name under which hooks start memo. A package manager gives each version a place of its own and keeps a link to it on
// the search path: hooks that name the place stop with the next upgrade, hooks that name the link do not.
/** The link to an executable in a folder of a search path that programs may be run from; undefined if there is none. */
export function linkTo(
  executable: string,
  searchPath: string,
  options: PathSearchOptions,
): string | undefined {
  return safeFolders(searchPath, options).map((folder) => join(folder, "memo"))
    .find((path) => path !== executable && isSameFile(path, executable));
}

/** A program under the name that it has already, if one of those leads to the same executable. */
export function asNamed(self: Command, names: readonly (string | undefined)[]): Command {
  if (self.args.length > 0) return self; // Deno, with memo's sources
  const known = names.find((name) => name !== undefined && isSameFile(name, self.command));
  return known === undefined ? self : { ...self, command: known };
}

/** Whether two paths lead to one file. */
export function isSameFile(path: string, other: string): boolean {
  return orNothing(() => realPathOf(path) === realPathOf(other)) ?? false;
}

/** The folders on the way to a path that do not exist, the deepest first. */
export function missingFolders(path: string): string[] {
  return existsSync(path) ? [] : [path, ...missingFolders(dirname(path))];
}

/** Removes a folder unless something is in it. */
export function removeIfEmpty(folder: string): void {
  orNothing(() => rmdirSync(folder));
}
