// Which memories a session in a submodule has, in real repositories.

import assert from "node:assert/strict";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Place } from "../../src/core/memory/project.ts";
import { changeSettingsFile } from "../../src/core/settings/config_file.ts";
import { localFolders, memoryFolders } from "../../src/core/memory/scopes.ts";
import { gitHistory } from "../support/git_history.ts";
import { linkWorktree } from "../support/worktree.ts";
import { temporaryFolder } from "../support/temp.ts";

/** A home with these repositories, as far as memo looks at them. */
function makeHome(...repositories: readonly string[]) {
  const temp = temporaryFolder(), home = realpathSync(temp.path), claude = join(home, ".claude");
  for (const name of repositories) mkdirSync(join(home, name, ".git"), { recursive: true });
  const config = join(home, "config.yaml");
  const at = (cwd: string): Place => ({
    ...{ cwd: join(home, cwd), claude, home, config, trust: "", teams: "" },
  });
  return {
    ...{ home, at, config },
    /** The projects whose private memories a session has, nearest first. */
    projects: (cwd: string) =>
      memoryFolders(at(cwd)).filter(({ scope }) => scope === "project").map(({ project }) =>
        project!.slice(home.length + 1)
      ),
    list: (top: string, path: string) =>
      writeFileSync(join(home, top, ".gitmodules"), `[submodule "x"]\n\tpath = ${path}\n`),
    [Symbol.dispose]: () => temp[Symbol.dispose](),
  };
}

/** A home with a superproject `app`, whose submodule `vendor/lib` has a submodule `deep` of its own. */
function makeSuperproject() {
  const place = makeHome(), { home } = place;
  const repository = (name: string) => {
    mkdirSync(join(home, name), { recursive: true });
    const made = gitHistory(join(home, name));
    made.commit("First");
    return (...args: string[]) => made.git("-c", "protocol.file.allow=always", ...args);
  };
  const [, lib, app] = ["sources/deep", "sources/lib", "app"].map(repository);
  const commit = ["commit", "-q", "-m", "Add a submodule"];
  lib!("submodule", "add", "-q", join(home, "sources/deep"), "deep");
  lib!(...commit);
  app!("submodule", "add", "-q", join(home, "sources/lib"), "vendor/lib");
  app!(...commit);
  app!("submodule", "update", "-q", "--init", "--recursive");
  return { ...place, git: app! };
}

Deno.test("a session in a submodule has the memories of every project around it, nearest first", () => {
  using place = makeSuperproject();
  const { home, git } = place;
  git("worktree", "add", "-q", join(home, "app-fix"));
  git("-C", join(home, "app-fix"), "submodule", "update", "-q", "--init");
  git("-C", "vendor/lib", "worktree", "add", "-q", join(home, "lib-fix"));
  mkdirSync(join(place.home, "app/vendor/lib/src"));
  const rows: [cwd: string, ...projects: string[]][] = [
    ["app", "app"],
    ["app/vendor", "app"],
    ["app/vendor/lib", "app/vendor/lib", "app"],
    ["app/vendor/lib/src", "app/vendor/lib", "app"],
    ["app/vendor/lib/deep", "app/vendor/lib/deep", "app/vendor/lib", "app"],
    ["sources/lib/deep", "sources/lib/deep", "sources/lib"],
    ["lib-fix", "app/vendor/lib", "app"], // a work tree of the submodule, outside
    ["app-fix/vendor/lib", "app-fix/vendor/lib", "app"], // a submodule in a work tree
  ];
  for (const [cwd, ...projects] of rows) assert.deepEqual(place.projects(cwd), projects, cwd);
});

Deno.test("a submodule in a linked work tree of a project where memo is off has no memories of that", () => {
  using place = makeSuperproject();
  const { home, git } = place;
  git("worktree", "add", "-q", join(home, "app-fix"));
  git("-C", join(home, "app-fix"), "submodule", "update", "-q", "--init");
  changeSettingsFile(place.config, { off: "~/app" });
  assert.deepEqual(place.projects("app-fix/vendor/lib"), ["app-fix/vendor/lib"]);
  assert.deepEqual(place.projects("app-fix"), []);
});

Deno.test("a submodule's own memories come first, and only those are written in it", () => {
  using place = makeHome("app", "app/vendor/lib");
  place.list("app", "vendor/lib");
  for (const at of ["app", "app/vendor", "app/vendor/lib"]) {
    mkdirSync(join(place.home, at, ".claude/memory"), { recursive: true });
  }
  const all = memoryFolders(place.at("app/vendor/lib"));
  assert.deepEqual(
    all.map(({ scope, project = "", isAround }) => [scope, basename(project), isAround ?? false]),
    [
      ["shared", "lib", false],
      ["project", "lib", false],
      ["shared", "app", true],
      ["shared", "app", true],
      ["project", "app", true],
      ["user", "", false],
    ],
  );
  assert.deepEqual(
    localFolders(place.at("app/vendor/lib")).map(({ scope }) => scope),
    ["shared", "project", "user"],
  );
});

Deno.test("consent to what a superproject shares is consent given in the superproject", () => {
  using place = makeHome("app", "app/lib");
  place.list("app", '"lib"');
  mkdirSync(join(place.home, "app/.claude/memory"), { recursive: true });
  const folders = memoryFolders({ ...place.at("app/lib"), trust: "t" });
  const shared = folders.filter(({ scope }) => scope === "shared");
  assert.deepEqual(shared.map(({ project, trust }) => [project, trust]), [
    [join(place.home, "app"), "t"],
  ]);
});

/** Repositories in others that are no submodules, and whose memories a session in the last one has. */
const APART: readonly [what: string, files: Record<string, string>, ...repositories: string[]][] = [
  ["a repository that merely lies in another one", {}, "app", "app/clone"],
  ["one beside a submodule", { "app/.gitmodules": "path = lib\n" }, "app", "app/lib-2"],
  ["one in a submodule's folder", { "app/.gitmodules": "path = lib\n" }, "app", "app/lib/x"],
  ["one that lists itself", { "app/x/.gitmodules": "path = .\n" }, "app", "app/x"],
  ["one in a repository of the whole home", { ".gitmodules": "path = app\n" }, "", "app"],
  [
    "one above which a list is too long to read",
    {
      "app/.gitmodules": "path = lib\n" + "#".repeat(1_100_000),
    },
    "app",
    "app/lib",
  ],
];

for (const [what, files, ...repositories] of APART) {
  Deno.test(`${what} has no project around it`, () => {
    using place = makeHome(...repositories);
    for (const [file, text] of Object.entries(files)) writeFileSync(join(place.home, file), text);
    const last = repositories.at(-1)!;
    assert.deepEqual(place.projects(last), [last]);
  });
}

Deno.test("a crafted work tree around its own repository is read once", () => {
  using place = makeHome("outer/main");
  linkWorktree(join(place.home, "outer/main/.git"), join(place.home, "outer"));
  place.list("outer", "main");
  assert.deepEqual(place.projects("outer/main"), ["outer/main"]);
});

Deno.test("no repository becomes the work tree of another project's by its own word", () => {
  using place = makeHome("app");
  const common = join(place.home, "bare.d");
  linkWorktree(common, join(place.home, "evil"));
  writeFileSync(join(common, "config"), `[core]\n\tworktree = ${join(place.home, "app")}\n`);
  assert.deepEqual(place.projects("evil"), ["bare.d"]); // a bare repository's, as it was
});
