import assert from "node:assert/strict";
import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { autoMemory } from "../../src/core/memory/claude_settings.ts";
import { type Place, projectAt, projectOf } from "../../src/core/memory/project.ts";
import {
  autoFolder,
  isOfOthers,
  memoryFolders,
  sharedFolders,
  sharedFolderToWrite,
} from "../../src/core/memory/scopes.ts";
import { linkWorktree } from "../support/worktree.ts";
import { temporaryFolder } from "../support/temp.ts";

/** A home with Claude Code's folder in it, and these folders. */
function makePlace(...folders: readonly string[]) {
  const temp = temporaryFolder();
  const home = realpathSync(temp.path);
  const claude = join(home, ".claude");
  for (const folder of [".claude/memory", ...folders]) {
    mkdirSync(join(home, folder), { recursive: true });
  }
  const at = (cwd: string): Place => ({ cwd: join(home, cwd), claude, home, trust: "", teams: "" });
  const shared = (cwd: string) =>
    memoryFolders(at(cwd)).filter(({ scope }) => scope === "shared").map(({ path }) => path);
  return { home, claude, at, shared, [Symbol.dispose]: () => temp[Symbol.dispose]() };
}

/** The name Claude Code gives a project's folder. */
function slugOf(path: string): string {
  return path.replace(/[^A-Za-z0-9]/g, "-");
}

Deno.test("every shared folder from the working directory up to the repository's root counts, nearest first", () => {
  using place = makePlace(
    "work/.claude/memory",
    "work/repo/.git",
    "work/repo/.claude/memory",
    "work/repo/pkg/.claude/memory",
    "work/repo/pkg/src",
  );
  const repo = join(place.home, "work/repo");
  assert.deepEqual(place.shared("work/repo/pkg/src"), [
    join(repo, "pkg/.claude/memory"),
    join(repo, ".claude/memory"),
  ]);
  assert.deepEqual(place.shared("work/repo"), [join(repo, ".claude/memory")]);
});

Deno.test("nothing of the home folder, above it, or of Claude Code's own folder is a project's", () => {
  using place = makePlace("above/home/code/deep", "above/.claude/memory", "above/home/.git");
  const home = join(place.home, "above/home");
  const claude = join(home, ".claude");
  mkdirSync(join(claude, "memory"), { recursive: true });
  const folders = (cwd: string) => memoryFolders({ cwd, claude, home, trust: "", teams: "" });
  const user = { scope: "user", path: join(claude, "memory") };
  for (const cwd of [home, dirname(home), "/", claude, join(claude, "memory")]) {
    assert.deepEqual(folders(cwd), [user]);
  }
  const deep = join(home, "code/deep");
  const { folder: path } = projectOf(deep, claude);
  assert.deepEqual(folders(deep), [{ scope: "project", path, project: deep }, user]);
});

Deno.test("Claude Code's own memory folder is known through links as well", () => {
  using place = makePlace("dotfiles/.git");
  const { home } = place;
  symlinkSync(join(home, "dotfiles"), join(home, "link"));
  const claude = join(home, "link", ".claude");
  mkdirSync(join(claude, "memory"), { recursive: true });
  const folders = memoryFolders({ ...place.at("dotfiles"), claude });
  assert.deepEqual(folders.map(({ scope }) => scope), ["project", "user"]);
});

Deno.test("a file in the place of a memory folder is none, and a link is refused by name", () => {
  using place = makePlace("a/.git", "a/.claude", "b/.git", "c/.git", "elsewhere/memory");
  const { home } = place;
  writeFileSync(join(home, "a/.claude/memory"), "");
  mkdirSync(join(home, "b/.claude"));
  symlinkSync(join(home, "elsewhere/memory"), join(home, "b/.claude/memory"));
  symlinkSync(join(home, "elsewhere"), join(home, "c/.claude"));
  const refused = (cwd: string) => sharedFolders(projectAt(place.at(cwd))!, place.at(cwd)).refused;
  for (const cwd of ["a", "b", "c"]) assert.deepEqual(place.shared(cwd), []);
  assert.deepEqual(refused("a"), []);
  assert.deepEqual(refused("b"), [
    { path: join(home, "b/.claude/memory"), because: "it is a symbolic link" },
  ]);
  assert.match(refused("c")[0]!.because, /points outside/);
});

Deno.test("memoryFolders() names shared, private, user and auto, nearest first", () => {
  using place = makePlace("a/.git", "a/.claude/memory");
  const { home, claude } = place;
  const auto = join(claude, "projects", slugOf(join(home, "a")), "memory");
  mkdirSync(auto, { recursive: true });
  const folders = memoryFolders(place.at("a"));
  assert.deepEqual(folders.map(({ scope }) => scope), ["shared", "project", "user", "auto"]);
  const [shared, own, ...rest] = folders;
  assert.equal(shared!.path, join(home, "a/.claude/memory"));
  assert.equal(shared!.project, join(home, "a"));
  assert.ok(shared!.archive!.startsWith(own!.path));
  assert.match(own!.path, /memory\/projects\/a-[0-9a-f]{10}$/);
  assert.deepEqual(rest, [
    { scope: "user", path: join(claude, "memory") },
    { scope: "auto", path: auto, trust: place.at("a").trust },
  ]);
});

Deno.test("the user's folder counts before it exists", () => {
  using place = makePlace();
  rmSync(place.claude, { recursive: true });
  assert.deepEqual(memoryFolders(place.at("")), [
    { scope: "user", path: join(place.claude, "memory") },
  ]);
});

Deno.test("a working directory that is gone still has its folders", () => {
  using place = makePlace("a/.git", "a/.claude/memory");
  const folders = memoryFolders(place.at("a/was/here"));
  assert.deepEqual(folders.map(({ scope }) => scope), ["shared", "project", "user"]);
});

Deno.test("what is shared goes to the nearest folder that there is, else to the work tree's root", () => {
  using place = makePlace("repo/.git", "repo/src", "repo/pkg/.claude/memory", "repo/pkg/src");
  const folder = (cwd: string) =>
    sharedFolderToWrite(projectAt(place.at(cwd))!, place.at(cwd)).path;
  assert.equal(folder("repo/src"), join(place.home, "repo/.claude/memory"));
  assert.equal(folder("repo/pkg/src"), join(place.home, "repo/pkg/.claude/memory"));
});

Deno.test("a linked work tree has the shared folder of the main one where it has none of its own", () => {
  using place = makePlace("repo/.claude/memory");
  const { home } = place;
  linkWorktree(join(home, "repo/.git"), join(home, "fix"));
  assert.deepEqual(place.shared("fix"), [join(home, "repo/.claude/memory")]);
  mkdirSync(join(home, "fix/.claude/memory"), { recursive: true });
  assert.deepEqual(place.shared("fix"), [join(home, "fix/.claude/memory")]);
});

/** Places, and the root that the auto memory there is of. */
const ROOTS: readonly (readonly [what: string, cwd: string, root: string])[] = [
  ["a repository", "my repo.x/src/deep", "my repo.x"],
  ["a folder without one", "plain/sub", "plain/sub"],
  ["a linked work tree", "elsewhere/fix/src", "repo"],
  ["a link to a repository", "link", "repo"],
  ["a work tree of a bare repository", "bare/fix", "bare/repo.git"],
  ["a submodule", "repo/sub", "repo/sub"],
  ["a work tree whose repository has gone", "orphan", "orphan"],
];

Deno.test("auto memory is that of the repository's root", () => {
  using place = makePlace(
    ...["my repo.x/.git", "my repo.x/src/deep", "plain/sub", "elsewhere/fix/src"],
    ...["repo/.git/modules/sub", "repo/sub", "orphan"],
  );
  const { home, claude } = place;
  linkWorktree(join(home, "repo/.git"), join(home, "elsewhere/fix"));
  linkWorktree(join(home, "bare/repo.git"), join(home, "bare/fix"));
  symlinkSync(join(home, "repo"), join(home, "link"));
  writeFileSync(join(home, "repo/sub/.git"), "gitdir: ../.git/modules/sub\n");
  writeFileSync(join(home, "orphan/.git"), "gitdir: /gone/.git/worktrees/orphan\n");
  for (const [what, cwd, root] of ROOTS) {
    const folder = join(claude, "projects", slugOf(join(home, root)), "memory");
    assert.equal(autoFolder(place.at(cwd)), folder, what);
  }
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
    const auto = autoFolder(place.at(name));
    assert.equal(auto, join(claude, "projects", slugOf(join(home, name)), "memory"));
  }
});

Deno.test("auto memory of a long path has the name that Claude Code gives it", () => {
  // Both as Claude Code 2.1.329 made them.
  const cwd = `/tmp/memo-home-sNtjIv/project/${"a".repeat(100)}/${"b".repeat(100)}/c`;
  const name = `-tmp-memo-home-sNtjIv-project-${"a".repeat(100)}-${"b".repeat(69)}-5s8oaq`;
  assert.equal(
    autoFolder({ cwd, claude: "/claude", home: "/", trust: "", teams: "" }),
    `/claude/projects/${name}/memory`,
  );
});

Deno.test("auto memory lies where the user's settings put it, and nowhere that a repository says", () => {
  using place = makePlace("repo/.git", "repo/.claude", "notes/claude", "elsewhere");
  const { home, claude } = place;
  const own = autoFolder(place.at("repo"));
  const user = (settings: unknown) =>
    writeFileSync(join(claude, "settings.json"), JSON.stringify(settings));
  for (const name of ["settings.json", "settings.local.json"]) {
    const settings = { autoMemoryDirectory: join(home, "elsewhere") };
    writeFileSync(join(home, "repo/.claude", name), JSON.stringify(settings));
  }
  assert.equal(autoFolder(place.at("repo")), own);
  for (const directory of ["~/notes/claude/", join(home, "notes/claude")]) {
    user({ autoMemoryDirectory: directory });
    assert.equal(autoFolder(place.at("repo")), join(home, "notes/claude"));
    assert.deepEqual(memoryFolders(place.at("repo")).at(-1), {
      scope: "auto",
      path: join(home, "notes/claude"),
    });
  }
  for (const odd of ["notes", "/", "~", "//server/share", 7, "/a\0b"]) {
    user({ autoMemoryDirectory: odd });
    assert.equal(autoFolder(place.at("repo")), own, String(odd));
  }
});

for (
  const [began, isRead] of [
    [[], true],
    [["東風"], false],
    [["南海"], true],
    [["南海/src"], true],
    [["東風", "南海"], false],
    [["a renamed", "南海"], true],
    [["something else"], true],
  ] as const
) {
  const what = began.length === 0 ? "nothing" : began.map((name) => `"${name}"`).join(" and ");
  Deno.test(`auto memory beside conversations in ${what} is ${isRead ? "" : "not "}that of "南海"`, () => {
    using place = makePlace("東風/.git", "南海/.git", "南海/src");
    const here = place.at("南海");
    const folder = dirname(autoFolder(here));
    assert.equal(folder, dirname(autoFolder(place.at("東風"))), "Claude Code names both alike");
    mkdirSync(join(folder, "memory"), { recursive: true });
    for (const [i, name] of began.entries()) {
      // A project before it was renamed has a name of the same length, with other signs.
      const cwd = join(place.home, name === "a renamed" ? "--" : name);
      writeFileSync(join(folder, `${i}.jsonl`), `{"type":"x"}\n${JSON.stringify({ cwd })}\n`);
    }
    const read = memoryFolders(here).filter(({ scope }) => scope === "auto");
    assert.equal(read.length, isRead ? 1 : 0);
    assert.equal(isOfOthers(autoFolder(here), here), !isRead);
  });
}

Deno.test("auto memory that is switched off does not count, and one folder counts once", () => {
  using place = makePlace("repo/.git");
  const { claude } = place;
  mkdirSync(autoFolder(place.at("repo")), { recursive: true });
  const scopes = () => memoryFolders(place.at("repo")).map(({ scope }) => scope);
  const user = (settings: unknown) =>
    writeFileSync(join(claude, "settings.json"), JSON.stringify(settings));
  assert.ok(scopes().includes("auto"));
  user({ autoMemoryEnabled: false });
  assert.ok(!scopes().includes("auto"));
  user({ autoMemoryEnabled: true, autoMemoryDirectory: join(claude, "memory") });
  assert.ok(!scopes().includes("auto"));
});

Deno.test("managed settings count more than the user's", () => {
  using place = makePlace("managed/managed-settings.d");
  const { home, claude } = place;
  const managed = join(home, "managed");
  const write = (path: string, settings: unknown) => writeFileSync(path, JSON.stringify(settings));
  const set = () => autoMemory({ claude, home }, managed);
  write(join(claude, "settings.json"), { autoMemoryDirectory: "~/mine", autoMemoryEnabled: true });
  assert.deepEqual(set(), { isOff: false, directory: join(home, "mine") });
  write(join(managed, "managed-settings.json"), { autoMemoryDirectory: "/srv/notes" });
  write(join(managed, "managed-settings.d", "10.json"), { autoMemoryEnabled: false });
  assert.deepEqual(set(), { isOff: true, directory: "/srv/notes" });
});
