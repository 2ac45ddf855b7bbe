import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  addressOf,
  isSameProject,
  knownProjects,
  makeProjectFolder,
  type Place,
  projectAt,
  projectOf,
} from "../../src/core/memory/project.ts";
import { temporaryFolder } from "../support/temp.ts";
import { linkWorktree } from "../support/worktree.ts";

/** A home with these folders. */
function makeHome(...folders: readonly string[]) {
  const temp = temporaryFolder();
  const home = realpathSync(temp.path);
  for (const folder of folders) mkdirSync(join(home, folder), { recursive: true });
  const claude = join(home, ".claude");
  const at = (cwd: string, projectDir?: string): Place => ({
    ...{ claude, home, trust: "", teams: "" },
    cwd: resolve(home, cwd),
    projectDir: projectDir === undefined ? undefined : join(home, projectDir),
  });
  const root = (cwd: string, projectDir?: string) => projectAt(at(cwd, projectDir))?.root;
  return { home, claude, at, root, [Symbol.dispose]: () => temp[Symbol.dispose]() };
}

Deno.test("a project is its main work tree: subfolders and linked work trees belong to it", () => {
  using place = makeHome("repo/.git", "repo/src/deep");
  const repo = join(place.home, "repo");
  linkWorktree(join(repo, ".git"), join(place.home, "fix"));
  mkdirSync(join(place.home, "fix/src"));
  assert.equal(place.root("repo/src/deep"), repo);
  assert.equal(place.root("fix/src"), repo);
  assert.equal(projectAt(place.at("fix/src"))!.top, join(place.home, "fix"));
});

Deno.test({
  name:
    "a pipe in the place of one of git's files makes a work tree a project of its own, and nothing waits",
  ignore: Deno.build.os === "windows",
  fn() {
    using place = makeHome("repo/.git", "bare.git");
    const pipe = (path: string) => {
      rmSync(join(place.home, path), { force: true });
      execFileSync("mkfifo", [join(place.home, path)]);
    };
    for (const file of ["commondir", "gitdir", ".git"]) {
      linkWorktree(join(place.home, "repo/.git"), join(place.home, `fix-${file}`));
      pipe(file === ".git" ? "fix-.git/.git" : `repo/.git/worktrees/fix-${file}/${file}`);
      assert.equal(place.root(`fix-${file}`), join(place.home, `fix-${file}`), file);
    }
    linkWorktree(join(place.home, "bare.git"), join(place.home, "fix"));
    pipe("bare.git/config");
    assert.equal(place.root("fix"), join(place.home, "bare.git"));
  },
});

Deno.test("the model's own cd does not leave the project that Claude Code runs in", () => {
  using place = makeHome("repo/.git", "repo/vendor/lib/.git", "other/.git", "elsewhere");
  const repo = join(place.home, "repo");
  for (const cwd of ["repo", "repo/vendor/lib", "other", "elsewhere", ""]) {
    assert.equal(place.root(cwd, "repo"), repo);
  }
  assert.equal(projectAt(place.at("other", "repo"))!.from, repo);
  assert.equal(projectAt(place.at("repo/vendor/lib", "repo"))!.from, join(repo, "vendor/lib"));
});

Deno.test("without a repository a folder is a project of its own, in a client and in a terminal", () => {
  using place = makeHome("notes/.claude/memory", "notes/deep");
  const notes = join(place.home, "notes"), deep = join(notes, "deep");
  makeProjectFolder(projectOf(notes, place.claude).folder, notes);
  assert.deepEqual([place.root("notes"), place.root("notes/deep")], [notes, deep]);
  assert.deepEqual([place.root("notes/deep", "notes"), place.root("", "notes/deep")], [
    notes,
    deep,
  ]);
});

Deno.test("the home folder is no project, with or without a repository", () => {
  using place = makeHome(".git", "plain", "repo/.git");
  assert.equal(place.root("", ""), undefined);
  for (const folder of ["..", "/"]) assert.equal(place.root(folder), undefined);
  assert.equal(place.root("plain"), join(place.home, "plain"));
  assert.equal(place.root("repo"), join(place.home, "repo"));
});

Deno.test("projects of the same name have folders of their own, and a link is the same project", () => {
  using place = makeHome("a/shop/.git", "b/shop/.git");
  symlinkSync(join(place.home, "a/shop"), join(place.home, "link"));
  const folder = (cwd: string) => projectAt(place.at(cwd))!.folder;
  assert.notEqual(folder("a/shop"), folder("b/shop"));
  assert.equal(folder("link"), folder("a/shop"));
});

Deno.test("a private folder knows whose it is, and takes nothing of another project", () => {
  using place = makeHome();
  const { folder } = projectOf("/srv/shop", place.claude);
  makeProjectFolder(folder, "/srv/shop");
  makeProjectFolder(folder, "/srv/shop");
  const known = knownProjects(place.claude).map(({ root, folder }) => ({ root, folder }));
  assert.deepEqual(known, [{ root: "/srv/shop", folder }]);
  assert.throws(() => makeProjectFolder(folder, "/srv/other"), /belongs to `\/srv\/shop`/);
});

Deno.test("every way to write a remote's address is one address", () => {
  const same = [
    "git@github.com:ada/shop.git",
    "https://github.com/ada/shop",
    "https://ada:token@GitHub.com/ada/shop.git/",
    "ssh://git@github.com:22/ada/shop.git",
    "git://github.com/ada/shop",
  ];
  assert.deepEqual([...new Set(same.map(addressOf))], ["github.com/ada/shop"]);
  assert.equal(addressOf("/srv/git/shop.git"), "file/srv/git/shop");
  assert.equal(addressOf("file:///srv/git/shop"), "file/srv/git/shop");
  assert.equal(addressOf("C:\\git\\shop"), "file/C:\\git\\shop");
  assert.equal(addressOf(""), undefined);
});

Deno.test("a fork is a project of its own, a clone without remote is not", () => {
  const of = (remotes: string[], commits: string[], name = "shop") => ({ name, remotes, commits });
  assert.ok(isSameProject(of(["h/a"], ["1"]), of(["h/b", "h/a"], ["1"])));
  assert.ok(!isSameProject(of(["h/a"], ["1"]), of(["h/fork"], ["1"])));
  assert.ok(isSameProject(of(["h/a"], ["1"]), of([], ["1"])));
  assert.ok(!isSameProject(of([], ["1"]), of([], ["2"])));
  assert.ok(isSameProject(of([], []), of([], [])));
  assert.ok(!isSameProject(of([], []), of([], [], "blog")));
});
