// The suite of moments: what Claude reads and what fails, in real code trees, and which memory has to come.

import { cpSync, existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const Memory = z.object({
  id: z.string(),
  type: z.string(),
  name: z.string(),
  description: z.string(),
  body: z.string(),
});

/** One code tree with a developer's memories of it. */
const Repository = z.object({
  /** The package whose files it has, and the folder in it. */
  package: z.string(),
  folder: z.string().default("."),
  /** Folders that are left out: the same code, compiled for another use. */
  without: z.array(z.string()).default([]),
  /** `dev`: thresholds were chosen with it; `test`: they were not (README.md of the suite). */
  split: z.enum(["dev", "test"]),
  memories: z.array(Memory),
  /**
   * Files that Claude reads; `memory` is the one that has to come, null if none may. Several notes about one file stand
   * with `|` between them, and any of them is right.
   */
  reads: z.array(z.object({ file: z.string(), memory: z.string().nullable() })),
  /** Commands that fail, and what they print. */
  failures: z.array(
    z.object({ command: z.string(), output: z.string(), memory: z.string().nullable() }),
  ),
});

export type Repository = z.infer<typeof Repository> & { readonly name: string };

const NODE_MODULES = fileURLToPath(new URL("../../../node_modules", import.meta.url));

/** Every repository of a suite, by name. */
export function readMomentsSuite(folder: string): Repository[] {
  return readdirSync(folder).filter((file) => file.endsWith(".json")).sort().map((file) => ({
    ...Repository.parse(JSON.parse(readFileSync(join(folder, file), "utf8"))),
    name: file.slice(0, -".json".length),
  }));
}

/** Copies a repository's code tree, without the packages in it. */
export function layOutTree({ package: name, folder, without }: Repository, to: string): void {
  const from = realpathSync(join(folderOf(name), folder));
  const left = new Set(["node_modules", ...without]);
  cpSync(from, to, {
    recursive: true,
    filter: (path) => !path.slice(from.length).split(/[/\\]/).some((part) => left.has(part)),
  });
}

/** Where a package lies: one of memo's own, or one that these need. */
function folderOf(name: string): string {
  const own = join(NODE_MODULES, name);
  if (existsSync(own)) return own;
  const all = join(NODE_MODULES, ".deno");
  const found = readdirSync(all).find((entry) => entry.startsWith(`${name}@`));
  if (found === undefined) throw new Error(`There is no package ${name}; run \`deno task setup\``);
  return join(all, found, "node_modules", name);
}
