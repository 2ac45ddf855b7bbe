// Which folder of the repository is which project here: paths differ between machines.

import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { readState, writeState } from "../../core/files/state.ts";
import { parsed } from "../../core/files/there.ts";
import {
  type Identity,
  identityOf,
  isSameProject,
  knownProjects,
  projectOf,
} from "../../core/memory/project.ts";
import type { MemoryFolder } from "../../core/memory/memory.ts";
import { privateFolder } from "../../core/memory/scopes.ts";
import { slug } from "../../core/memory/title.ts";
import { type Env, shortHash } from "../../paths.ts";
import { identityIn, PROJECT_FILE } from "./portable.ts";
import type { Repository } from "./repository.ts";
import type { Tree } from "./merge_trees.ts";

/** A memory folder with its place in the repository. */
export interface Synced {
  /** `user` or `projects/ID`. */
  readonly place: string;
  readonly folder: MemoryFolder;
  /** What the repository says of a project. */
  readonly identity?: Identity;
}

/**
 * The projects of this machine with their places in the repository: as recorded, else by their identity among those of
 * the trees, else new ones.
 */
export async function syncedProjects(
  trees: readonly Tree[],
  { claude, env, repository, file, roots }: {
    readonly claude: string;
    readonly env: Env;
    readonly repository: Repository;
    /** The file that keeps which root has which place. */
    readonly file: string;
    /** Roots of projects that are on this machine and may have no memories yet. */
    readonly roots: readonly string[];
  },
): Promise<Synced[]> {
  const kept = Object.entries(readState(file) ?? {}); // none yet, or damaged: they are found again
  const recorded: Record<string, string> = Object.fromEntries(
    kept.filter((place): place is [string, string] => typeof place[1] === "string"),
  );
  const there = await identitiesIn(trees, repository);
  const own = knownProjects(claude);
  const taken = new Set<string>();
  const found: Synced[] = [];
  const all = [...own.map(({ root }) => root), ...roots].filter((root) => existsSync(root));
  const gone = own.map(({ root }) => root).filter((root) => recorded[root] && !existsSync(root));
  for (const root of new Set([...all, ...gone])) {
    const identity = gone.includes(root) ? undefined : await identityOf(root, env);
    const isKnown = own.some((project) => project.root === root);
    const place = recorded[root] ??
      [...there].find(([, known]) => isSameProject(known, identity!))?.[0] ??
      (isKnown ? newPlace(identity!, there) : undefined);
    if (place === undefined || taken.has(place)) continue; // no memories here, and none there
    taken.add(place);
    recorded[root] = place;
    const { folder } = own.find((project) => project.root === root) ?? projectOf(root, claude);
    const said = merged(there.get(place), identity);
    if (said !== undefined) there.set(place, said);
    found.push({ place, folder: privateFolder({ root, folder }), ...said && { identity: said } });
  }
  writeState(file, recorded, { durable: true });
  return found;
}

function newPlace(identity: Identity, there: ReadonlyMap<string, Identity>): string {
  const { name, remotes, commits } = identity;
  const key = remotes[0] ?? commits[0] ?? `name/${name}`;
  for (let n = 1;; n++) {
    const place = `projects/${slug(name)}-${shortHash(n === 1 ? key : `${key}#${n}`)}`;
    if (!there.has(place)) return place;
  }
}

/** What both know: a remote that a machine has seen helps the next one. */
function merged(there: Identity | undefined, own: Identity | undefined): Identity | undefined {
  if (there === undefined || own === undefined) return there ?? own;
  const join = (key: "remotes" | "commits") => [...new Set([...there[key], ...own[key]])];
  return { name: there.name, remotes: join("remotes"), commits: join("commits") };
}

async function identitiesIn(
  trees: readonly Tree[],
  repository: Repository,
): Promise<Map<string, Identity>> {
  const found = new Map<string, Identity>();
  const files = trees.flatMap((tree) => [...tree]).filter(([relativePath, id]) =>
    relativePath.endsWith(`/${PROJECT_FILE}`) && !repository.isTooLarge(relativePath, id)
  );
  await repository.readAhead(files.map(([, id]) => id));
  for (const [relativePath, id] of files) {
    const identity = identityIn(parsed(await repository.readText(id)));
    if (identity !== undefined) found.set(dirname(relativePath), identity);
  }
  return found;
}
