import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { folderForNew } from "../../src/core/change/change.ts";
import {
  applyImport,
  type ImportPlan,
  planImport,
  type PlanOptions,
  type WrittenMemory,
} from "../../src/features/import/plan.ts";
import type { ImportPlace, ImportSource, Skipped } from "../../src/features/import/record.ts";
import { projectAt } from "../../src/core/memory/project.ts";
import { privateFolder, userFolder } from "../../src/core/memory/scopes.ts";
import { surroundings } from "../support/change.ts";
import { temporaryFolder } from "../support/temp.ts";

const FIXTURES = fileURLToPath(new URL("../fixtures/import/", import.meta.url));

/** Path of a fixture of `test/fixtures/import`. */
export function fixture(name: string): string {
  return join(FIXTURES, name);
}

/** Unpacks claude-mem's database. */
export function unpackClaudeMem(to: string): string {
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, gunzipSync(readFileSync(fixture("claude-mem.db.gz"))));
  return to;
}

/** A project `shop` in a home. */
export function placeIn(home: string, env: Record<string, string> = {}): ImportPlace {
  const cwd = join(home, "shop");
  mkdirSync(join(cwd, ".git"), { recursive: true });
  const claude = join(home, ".claude");
  return { home, cwd, claude, trust: join(home, "trust.json"), teams: join(home, "team"), env };
}

/** A test in such a place, below a folder that is removed behind it. */
export function test(
  name: string,
  run: (given: { place: ImportPlace; folder: { readonly path: string } }) => Promise<void>,
): void {
  Deno.test(name, async () => {
    using folder = temporaryFolder();
    await run({ place: placeIn(folder.path), folder });
  });
}

export const NOW = new Date("2026-11-21T12:00:00Z");

/** Imports a path as the command does. */
export async function importInto(
  place: ImportPlace,
  source: ImportSource,
  path: string,
  options: Partial<PlanOptions> = {},
): Promise<ImportPlan & { written: readonly WrittenMemory[]; failed: readonly Skipped[] }> {
  const user = userFolder(place);
  const project = privateFolder(projectAt(place)!);
  const plan = await planImport(await source.read(path, place), {
    source: source.name,
    folderFor: (memory) => folderForNew(memory, { place, setting: "auto" }),
    known: [user, project],
    patterns: [],
    now: NOW,
    ...options,
  });
  return { ...plan, ...await applyImport(plan.steps, surroundings(NOW)) };
}
