import { join } from "node:path";
import { MemoError } from "../../errors.ts";
import { askGit } from "../../core/memory/git.ts";
import { readMemories, withCommitDates } from "../../core/memory/list.ts";
import type { MemoryFile } from "../../core/memory/memory.ts";
import { type Place, projectAt, repositoryRoot } from "../../core/memory/project.ts";
import { privateFolder, sharedFolders } from "../../core/memory/scopes.ts";
import { mayRead } from "../../core/memory/trust.ts";
import { readUsage, usageOf } from "../../core/ledger/usage.ts";
import type { Paths } from "../../paths.ts";
import { type Briefing, briefingOf, countBriefed } from "./briefing.ts";

export interface BriefProjectOptions {
  readonly place: Place;
  readonly paths: Pick<Paths, "usage">;
  /** The file in the project that it is for. */
  readonly file: string;
  readonly now: Date;
  /** Has private memories in it even where others read the file. */
  readonly withPrivate?: boolean | undefined;
}

/** A project's briefing for a file. */
export interface ProjectBriefing {
  /** Absolute path of the file. */
  readonly path: string;
  /** The work tree that the file is in. */
  readonly root: string;
  /** Whether others get the file with the repository. */
  readonly isShared: boolean;
  readonly briefing: Briefing;
  /** Private memories that are not in it because others would read them. */
  readonly leftOut: number;
}

/**
 * The briefing of a project. A file that the repository shares has shared memories alone, and uses do not count in it:
 * it would be another one for each who reads it. Throws outside any project.
 */
export async function briefProject(options: BriefProjectOptions): Promise<ProjectBriefing> {
  const { place, paths, file, now, withPrivate = false } = options;
  const project = projectAt(place);
  if (project === undefined) {
    throw new MemoError("usage", `Cannot brief \`${place.cwd}\`: it is not in a project`, {
      hint: "Run it in a repository, or in a folder that Claude Code has worked in",
    });
  }
  const path = join(project.top, ...file.split("/"));
  const isShared = await isSharedFile(project.top, path);
  const shared: MemoryFile[] = [];
  for (const folder of sharedFolders(project, place).folders) {
    const listed = readMemories(folder).memories.filter(({ digest }) => mayRead(folder, digest));
    shared.push(...await withCommitDates(folder, listed));
  }
  const own = readMemories(privateFolder(project)).memories;
  const usage = readUsage(paths.usage);
  const usesOf = (path: string) => isShared ? 0 : usageOf(usage, path).used;
  const isTold = withPrivate || !isShared;
  return {
    path,
    root: project.top,
    isShared,
    briefing: briefingOf([...shared, ...isTold ? own : []], { now, usesOf, isShared: !isTold }),
    leftOut: isTold ? 0 : countBriefed(own, { now, usesOf }),
  };
}

/** Whether a file is in a repository, or would be with the next commit of everything. */
async function isSharedFile(root: string, path: string): Promise<boolean> {
  if (repositoryRoot(root) === undefined) return false;
  const tracked = await askGit(root, ["ls-files", "--", path]);
  if (tracked !== "") return true;
  return await askGit(root, ["check-ignore", "--", path]) === "";
}
