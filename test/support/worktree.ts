import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

/** Lays out a linked work tree as git does: `.git` leads to the repository, which knows it. */
export function linkWorktree(repository: string, worktree: string): void {
  const gitdir = join(repository, "worktrees", basename(worktree));
  mkdirSync(gitdir, { recursive: true });
  mkdirSync(worktree, { recursive: true });
  writeFileSync(join(worktree, ".git"), `gitdir: ${gitdir}\n`);
  writeFileSync(join(gitdir, "commondir"), "../..\n");
  writeFileSync(join(gitdir, "gitdir"), `${join(worktree, ".git")}\n`);
}
