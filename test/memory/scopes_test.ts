import assert from "node:assert/strict";
import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import {
  autoFolder,
  memoryFolders,
  projectFolder,
  projectFolderToWrite,
} from "../../src/memory/scopes.ts";
import { temporaryFolder } from "../support/temp.ts";

/** A home with Claude Code's folder in it, and these folders. */
function makePlace(...folders: readonly string[]) {
  const temp = temporaryFolder();
  const home = realpathSync(temp.path);
  const claude = join(home, ".claude");
  for (const folder of [".claude/memory", ...folders]) {
    mkdirSync(join(home, folder), { recursive: true });
  }
  return { home, claude, [Symbol.dispose]: () => temp[Symbol.dispose]() };
}

/** The name Claude Code gives a project's folder. */
function slugOf(path: string): string {
  return path.replace(/[^A-Za-z0-9]/g, "-");
}

Deno.test("the nearest .claude/memory going up is the project's", () => {
  using place = makePlace("a/.claude/memory", "a/b/.claude/memory", "a/b/c/d", "a/e");
  const { home, claude } = place;
  const found = (cwd: string) => projectFolder({ cwd: join(home, cwd), claude });
  assert.equal(found("a/b/c/d"), join(home, "a/b/.claude/memory"));
  assert.equal(found("a/b"), join(home, "a/b/.claude/memory"));
  assert.equal(found("a/e"), join(home, "a/.claude/memory"));
});

Deno.test("Claude Code's own memory folder is no project's, from wherever one looks", () => {
  using place = makePlace("work/deep");
  const { home, claude } = place;
  for (const cwd of [home, join(home, "work/deep"), claude, join(claude, "memory")]) {
    assert.equal(projectFolder({ cwd, claude }), undefined);
    assert.deepEqual(memoryFolders({ cwd, claude }), [
      { scope: "user", path: join(claude, "memory") },
    ]);
  }
});

Deno.test("Claude Code's own memory folder is known through links as well", () => {
  using place = makePlace("dotfiles");
  const { home } = place;
  symlinkSync(home, join(home, "dotfiles", "home"));
  const claude = join(home, "dotfiles", "home", ".claude");
  assert.equal(projectFolder({ cwd: home, claude }), undefined);
});

Deno.test("a file in the place of a memory folder is none", () => {
  using place = makePlace("a/.claude");
  const { home, claude } = place;
  writeFileSync(join(home, "a/.claude/memory"), "");
  assert.equal(projectFolder({ cwd: join(home, "a"), claude }), undefined);
});

Deno.test("memoryFolders() names project, user and auto, nearest first", () => {
  using place = makePlace("a/.claude/memory");
  const { home, claude } = place;
  const cwd = join(home, "a");
  const auto = join(claude, "projects", slugOf(cwd), "memory");
  mkdirSync(auto, { recursive: true });
  assert.deepEqual(memoryFolders({ cwd, claude }), [
    { scope: "project", path: join(cwd, ".claude/memory") },
    { scope: "user", path: join(claude, "memory") },
    { scope: "auto", path: auto },
  ]);
});

Deno.test("the user's folder counts before it exists", () => {
  using place = makePlace();
  const { home, claude } = place;
  rmSync(claude, { recursive: true });
  assert.deepEqual(memoryFolders({ cwd: home, claude }), [
    { scope: "user", path: join(claude, "memory") },
  ]);
});

Deno.test("a working directory that is gone still has its folders", () => {
  using place = makePlace("a/.claude/memory");
  const { home, claude } = place;
  const folders = memoryFolders({ cwd: join(home, "a/was/here"), claude });
  assert.deepEqual(folders.map(({ scope }) => scope), ["project", "user"]);
});

Deno.test("a project's memories would be written at its folder, its repository's root, or here", () => {
  using place = makePlace("repo/.git", "repo/src", "with/.claude/memory", "with/src", "bare");
  const { home, claude } = place;
  const folder = (cwd: string) => projectFolderToWrite({ cwd: join(home, cwd), claude });
  assert.equal(folder("with/src"), join(home, "with/.claude/memory"));
  assert.equal(folder("repo/src"), join(home, "repo/.claude/memory"));
  assert.equal(folder("bare"), join(home, "bare/.claude/memory"));
});

Deno.test("auto memory is that of the repository's root", () => {
  using place = makePlace("my repo.x/.git", "my repo.x/src/deep", "plain/sub");
  const { home, claude } = place;
  const auto = (cwd: string) => autoFolder({ cwd: join(home, cwd), claude });
  const folder = (root: string) => join(claude, "projects", slugOf(join(home, root)), "memory");
  assert.equal(auto("my repo.x/src/deep"), folder("my repo.x"));
  assert.equal(auto("plain/sub"), folder("plain/sub"));
});

/** Lays out a linked worktree as git does: `.git` leads to the repository, which knows it. */
function linkWorktree(repository: string, worktree: string): void {
  const gitdir = join(repository, "worktrees", basename(worktree));
  mkdirSync(gitdir, { recursive: true });
  mkdirSync(worktree, { recursive: true });
  writeFileSync(join(worktree, ".git"), `gitdir: ${gitdir}\n`);
  writeFileSync(join(gitdir, "commondir"), "../..\n");
  writeFileSync(join(gitdir, "gitdir"), `${join(worktree, ".git")}\n`);
}

Deno.test("linked worktrees share the auto memory of their repository", () => {
  using place = makePlace("elsewhere/fix/src");
  const { home, claude } = place;
  linkWorktree(join(home, "repo/.git"), join(home, "elsewhere/fix"));
  const auto = autoFolder({ cwd: join(home, "elsewhere/fix/src"), claude });
  assert.equal(auto, autoFolder({ cwd: join(home, "repo"), claude }));
});

Deno.test("the worktrees of a bare repository have the auto memory of the repository", () => {
  using place = makePlace();
  const { home, claude } = place;
  linkWorktree(join(home, "bare/repo.git"), join(home, "bare/fix"));
  const auto = autoFolder({ cwd: join(home, "bare/fix"), claude });
  assert.equal(auto, join(claude, "projects", slugOf(join(home, "bare/repo.git")), "memory"));
});

Deno.test("a file .git gives nobody the auto memory of a repository that does not know it", () => {
  using place = makePlace("copy", "forged/own/worktrees/fix");
  const { home, claude } = place;
  linkWorktree(join(home, "repo/.git"), join(home, "fix"));
  const known = join(home, "repo/.git/worktrees/fix");
  writeFileSync(join(home, "copy/.git"), `gitdir: ${known}\n`);
  const forged = join(home, "forged/own/worktrees/fix");
  writeFileSync(join(home, "forged/.git"), `gitdir: ${forged}\n`);
  writeFileSync(join(forged, "commondir"), join(home, "repo/.git"));
  writeFileSync(join(forged, "gitdir"), join(home, "forged/.git"));
  for (const name of ["copy", "forged"]) {
    const auto = autoFolder({ cwd: join(home, name), claude });
    assert.equal(auto, join(claude, "projects", slugOf(join(home, name)), "memory"));
  }
});

Deno.test("auto memory of a long path has the name that Claude Code gives it", () => {
  // Both as Claude Code 2.1.329 made them.
  const cwd = `/tmp/memo-home-sNtjIv/project/${"a".repeat(100)}/${"b".repeat(100)}/c`;
  const name = `-tmp-memo-home-sNtjIv-project-${"a".repeat(100)}-${"b".repeat(69)}-5s8oaq`;
  assert.equal(autoFolder({ cwd, claude: "/claude" }), `/claude/projects/${name}/memory`);
});

Deno.test("a submodule, and a worktree whose repository has gone, have their own auto memory", () => {
  using place = makePlace("repo/.git/modules/sub", "repo/sub", "orphan");
  const { home, claude } = place;
  writeFileSync(join(home, "repo/sub/.git"), "gitdir: ../.git/modules/sub\n");
  writeFileSync(join(home, "orphan/.git"), "gitdir: /gone/.git/worktrees/orphan\n");
  for (const name of ["repo/sub", "orphan"]) {
    const auto = autoFolder({ cwd: join(home, name), claude });
    assert.equal(auto, join(claude, "projects", slugOf(join(home, name)), "memory"));
  }
});

Deno.test("auto memory is found through a link to the repository", () => {
  using place = makePlace("repo/.git");
  const { home, claude } = place;
  symlinkSync(join(home, "repo"), join(home, "link"));
  assert.equal(
    autoFolder({ cwd: join(home, "link"), claude }),
    autoFolder({ cwd: join(home, "repo"), claude }),
  );
});
