// What a project may have been before: its folder was renamed or moved, its repository cloned again, or now around the
// former one. A repository's commits and remotes can be copied by anybody, so they only let memo ask.

import { within } from "../../core/link/within.ts";
import { memoryPaths } from "../../core/memory/folder.ts";
import { projectsOn } from "../../core/memory/off.ts";
import {
  addressOf,
  type Identity,
  isFolder,
  isWithin,
  type KnownProject,
  type Place,
  placeIn,
  projectAt,
  realPath,
  safeIdentityOf,
} from "../../core/memory/project.ts";
import { isOneFolder, markOf, type ProjectRecord } from "../../core/memory/project_record.ts";
import { privateFolder } from "../../core/memory/scopes.ts";
import { counted } from "../../core/text/counted.ts";
import { visible } from "../../core/text/neutralise.ts";
import { shellQuoted } from "../../core/text/shell_words.ts";
import { type Env, tilde } from "../../paths.ts";
import { basename } from "node:path";

/** The project at hand. */
interface Successor {
  readonly root: string;
  readonly mark: string | undefined;
  readonly place: Place;
  readonly identity: Identity;
}

/** A project that it may have been. */
type Other = KnownProject & ProjectRecord;

interface FormerEvidence {
  /** What is said of the former project after its path. */
  readonly words: string;
  holds(other: Other, here: Successor): boolean;
}

/**
 * What tells that a project was another one before, the surest first. A root is looked at last: it may lie on a disk that
 * does not answer.
 */
export const EVIDENCE = {
  renamed: {
    words: "this folder's former path",
    holds: ({ root, mark }, here) =>
      mark !== undefined && mark === here.mark && (!isFolder(root) || realPath(root) === here.root),
  },
  inside: {
    words: "now part of this project",
    holds: ({ root }, here) =>
      isWithin(root, here.root) && isFolder(root) &&
      projectAt(placeIn(here.place, root, root))?.root === here.root,
  },
  cloned: {
    words: "another clone of this repository",
    holds: ({ root, identity }, { identity: own }) =>
      (hasCommon("remotes", identity, own) || own.remotes.includes(addressOf(root)!)) &&
      isFolder(root),
  },
  gone: {
    words: "which is gone",
    holds: ({ root, identity, mark }, { identity: own, mark: ownMark }) =>
      (isOneFolder(mark, ownMark) ||
        hasCommon("remotes", identity, own) || hasCommon("commits", identity, own) ||
        basename(root) === own.name && !isOther(identity, own)) && !isFolder(root),
  },
} as const satisfies Readonly<Record<string, FormerEvidence>>;

/** A project whose memories may belong to the one at hand. */
export interface FormerProject extends KnownProject {
  readonly memories: number;
  readonly evidence: keyof typeof EVIDENCE;
}

/** Maximum known projects that are compared. */
const MOST_COMPARED = 1000;
/** Maximum wait for git, which reads all commits of a repository to find its first. */
const GIT_MS = 300;

/**
 * The projects that the one at a place may have been before, the surest first. One with memories of its own is asked about
 * its folder's former path alone.
 */
export async function formerProjects(
  place: Place,
  identify = (root: string): Promise<Identity | undefined> => safeIdentityOf(root, GIT_MS),
): Promise<FormerProject[]> {
  const project = projectAt(place);
  if (project === undefined) return [];
  const { root } = project;
  const others = projectsOn(place).filter((each) => each.root !== root)
    .slice(0, MOST_COMPARED);
  const kinds = memoriesIn(project) === 0 ? KINDS : KINDS.slice(0, 1);
  const mayTell = kinds.length > 1 && others.some(({ identity }) => identity !== undefined);
  const identity = mayTell ? await within(GIT_MS, identify(root)) : undefined;
  const nothing = { name: basename(root), remotes: [], commits: [] };
  const here = { root, mark: markOf(root), place, identity: identity ?? nothing };
  return others.flatMap((other) => {
    const evidence = kinds.find((kind) => EVIDENCE[kind].holds(other, here));
    return evidence === undefined ? [] : withMemories(other, evidence);
  }).sort((a, b) =>
    KINDS.indexOf(a.evidence) - KINDS.indexOf(b.evidence) || b.memories - a.memories
  );
}

const KINDS = Object.keys(EVIDENCE) as (keyof typeof EVIDENCE)[];

/** Every project with memories whose folder is gone, those with most memories first. */
export function goneProjects(place: Parameters<typeof projectsOn>[0]): FormerProject[] {
  return projectsOn(place).filter(({ root }) => !isFolder(root))
    .flatMap((each) => withMemories(each, "gone")).sort((a, b) => b.memories - a.memories);
}

function withMemories(other: Other, evidence: keyof typeof EVIDENCE): FormerProject[] {
  const { root, folder } = other, memories = memoriesIn(other);
  return memories === 0 ? [] : [{ root, folder, memories, evidence }];
}

function memoriesIn(project: KnownProject): number {
  return memoryPaths(privateFolder(project)).length;
}

/** Whose memories are not used, as in “12 memories of `~/old/p`, which is gone”. */
export function formatMemoriesOf({ root, memories, evidence }: FormerProject, env: Env): string {
  const { words } = EVIDENCE[evidence];
  return `${counted(memories, "memory")} of \`${visible(tilde(root, env))}\`, ${words}`;
}

/** A line about what a project may have been before: the surest, and how many others there are; undefined: nothing. */
export function formatFormer(
  [first, ...others]: readonly FormerProject[],
  env: Env,
): string | undefined {
  if (first === undefined) return undefined;
  const [are, them] = first.memories === 1 ? ["is", "it"] : ["are", "them"];
  const so = first.evidence === "gone" ? "if it was this project, " : "";
  const then = `\`${commandFor(first, env)}\` moves ${them} here`;
  const more = others.length === 0 ? "" : `; \`memo doctor\` lists ${others.length} more`;
  return `${formatMemoriesOf(first, env)}, ${are} not used here; ${so}${then}${more}`;
}

/** The command that moves a project's memories to the one that it is run in. */
export function commandFor({ root }: Pick<KnownProject, "root">, env: Env): string {
  const path = visible(tilde(root, env)), below = path.startsWith("~/");
  return `memo doctor --moved ${below ? "~/" + shellQuoted(path.slice(2)) : shellQuoted(path)}`;
}

function hasCommon(key: "remotes" | "commits", a: Identity | undefined, b: Identity): boolean {
  return a?.[key].some((each) => b[key].includes(each)) ?? false;
}

/** Whether two repositories are known to have nothing in common. */
function isOther(a: Identity | undefined, b: Identity): boolean {
  const isBoth = (key: "remotes" | "commits") => (a?.[key].length ?? 0) > 0 && b[key].length > 0;
  return isBoth("commits") || isBoth("remotes");
}
