// The suite of moments: what Claude reads and what fails, in real code trees, and which memory has to come.

import { cpSync, readdirSync, readFileSync, realpathSync } from "node:fs";
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
  /** `dev`: thresholds were chosen with it; `test`: it was only measured. */
  split: z.enum(["dev", "test"]),
  memories: z.array(Memory),
  /** Files that Claude reads; `memory` is the one that has to come (or several with `|`, one of them), null if none may. */
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
export function layOutTree({ package: name, folder }: Repository, to: string): void {
  const from = realpathSync(join(NODE_MODULES, name, folder));
  cpSync(from, to, {
    recursive: true,
    filter: (path) => !path.slice(from.length).split(/[/\\]/).includes("node_modules"),
  });
}
