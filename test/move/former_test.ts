// What a project may have been before, in real folders and repositories.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import {
  identityOf,
  makeProjectFolder,
  type Place,
  projectOf,
  safeIdentityOf,
} from "../../src/core/memory/project.ts";
import { markOf, readRecord, recordRoot } from "../../src/core/memory/project_record.ts";
import { changeSettingsFile } from "../../src/core/settings/config_file.ts";
import { readCommits } from "../../src/features/history/sync.ts";
import { recordProjects } from "../../src/features/move/arrive.ts";
import type { JobContext } from "../../src/core/engine/jobs.ts";
import {
  commandFor,
  formatFormer,
  formerProjects,
  goneProjects,
} from "../../src/features/move/former.ts";
import { gitHistory } from "../support/git_history.ts";
import { temporaryFolder } from "../support/temp.ts";

/** A home in which folders become projects with memories. */
function makeHome() {
  const temp = temporaryFolder(), home = realpathSync(temp.path), claude = join(home, ".claude");
  const env = { ...Deno.env.toObject(), HOME: home, GIT_CONFIG_GLOBAL: "/dev/null" };
  const path = (name: string) => join(home, name);
  const config = path("config.yaml");
  const at = (cwd: string): Place => ({
    ...{ cwd: path(cwd), claude, home, config, trust: "", teams: "" },
  });
  const recordOf = (name: string) => readRecord(projectOf(path(name), claude).folder);
  const git = (name: string, ...args: string[]) => gitHistory(path(name)).git(...args);
  return {
    ...{ path, at, git, recordOf },
    folder: (name: string) => mkdirSync(path(name), { recursive: true }),
    repository(name: string, ...remotes: string[]) {
      mkdirSync(path(name), { recursive: true });
      gitHistory(path(name)).commit(`First of ${name}`);
      for (const remote of remotes) git(name, "remote", "add", "origin", remote);
    },
    /** Has a project have memories, and be known as sessions in it leave it. */
    async keep(name: string, memories = 1, { isRecorded = true } = {}) {
      const { folder } = projectOf(path(name), claude);
      makeProjectFolder(folder, path(name));
      if (isRecorded) recordRoot(folder, path(name), await identityOf(path(name), env));
      for (let n = 1; n <= memories; n++) {
        writeFileSync(join(folder, `fact_${n}.md`), `Fact ${n}\n`);
      }
    },
    /** Has a project have been seen last by another machine, such as the host of a container. */
    seeElsewhere(name: string) {
      const record = { ...recordOf(name), mark: markOf(path(name), "elsewhere") };
      writeFileSync(
        join(projectOf(path(name), claude).folder, "project.json"),
        JSON.stringify(record),
      );
    },
    /** Switches memo off in a folder. */
    switchOff: (name: string) => changeSettingsFile(config, { off: path(name) }),
    move: (from: string, to: string) => renameSync(path(from), path(to)),
    /** As between two disks: another folder with the same content. */
    copy: (from: string, to: string) => cpSync(path(from), path(to), { recursive: true }),
    remove: (name: string) => rmSync(path(name), { recursive: true }),
    found: (cwd: string) => formerProjects(at(cwd), (root) => identityOf(root, env)),
    gone: () => goneProjects(at("")),
    say: (found: Parameters<typeof formatFormer>[0]) => formatFormer(found, env),
    env,
    [Symbol.dispose]: () => temp[Symbol.dispose](),
  };
}
type Made = ReturnType<typeof makeHome>;

const URL = "https://example.com/ada/shop.git";

/** What happens to a project `shop`, where a session then starts, and what `shop` is there: nothing, or its former self. */
const SITUATIONS: readonly [
  what: string,
  happens: (home: Made) => unknown,
  cwd: string,
  evidence: string | undefined,
][] = [
  [
    "renamed",
    async (home) => {
      home.repository("shop");
      await home.keep("shop");
      home.move("shop", "store");
    },
    "store",
    "renamed",
  ],
  [
    "renamed before a session was in it",
    async (home) => {
      home.repository("shop");
      await home.keep("shop", 1, { isRecorded: false });
      home.move("shop", "store");
    },
    "store",
    "renamed",
  ],
  [
    "renamed with the folder around it",
    async (home) => {
      home.repository("work/shop");
      await home.keep("work/shop");
      home.move("work", "code");
    },
    "code/shop",
    "renamed",
  ],
  [
    "renamed, and a link left in its place",
    async (home) => {
      home.folder("shop");
      await home.keep("shop");
      home.move("shop", "store");
      symlinkSync(home.path("store"), home.path("shop"));
    },
    "store",
    "renamed",
  ],
  [
    "a folder without a repository, renamed",
    async (home) => {
      home.folder("shop");
      await home.keep("shop");
      home.move("shop", "store");
    },
    "store",
    "renamed",
  ],
  [
    "renamed, and another folder put in its place",
    async (home) => {
      home.folder("shop");
      await home.keep("shop");
      home.move("shop", "store");
      home.folder("shop");
    },
    "store",
    undefined,
  ],
  [
    "of the same folder on another machine, as a container mounts it",
    async (home) => {
      home.folder("shop");
      await home.keep("shop");
      home.seeElsewhere("shop");
      home.move("shop", "store");
    },
    "store",
    "gone",
  ],
  [
    "renamed, and off",
    async (home) => {
      home.repository("shop", URL);
      await home.keep("shop");
      home.move("shop", "store");
      home.switchOff("shop");
    },
    "store",
    undefined,
  ],
  [
    "moved to another disk under another name",
    async (home) => {
      home.repository("shop");
      await home.keep("shop");
      home.copy("shop", "store");
      home.remove("shop");
    },
    "store",
    "gone",
  ],
  [
    "moved to another disk, and its remote changed",
    async (home) => {
      home.repository("shop", URL);
      await home.keep("shop");
      home.copy("shop", "store");
      home.remove("shop");
      home.git("store", "remote", "set-url", "origin", "https://example.com/bo/shop");
    },
    "store",
    "gone",
  ],
  [
    "moved to another disk, and its remote removed",
    async (home) => {
      home.repository("shop", URL);
      await home.keep("shop");
      home.copy("shop", "store");
      home.remove("shop");
      home.git("store", "remote", "remove", "origin");
    },
    "store",
    "gone",
  ],
  [
    "deleted, and cloned again with a new history",
    async (home) => {
      home.repository("shop", URL);
      await home.keep("shop");
      home.remove("shop");
      home.repository("store", "git@example.com:ada/shop");
    },
    "store",
    "gone",
  ],
  [
    "without a repository, and now elsewhere under its name",
    async (home) => {
      home.folder("shop");
      await home.keep("shop");
      home.remove("shop");
      home.folder("code/shop");
    },
    "code/shop",
    "gone",
  ],
  [
    "deleted, and a new repository has its name",
    async (home) => {
      home.repository("shop");
      await home.keep("shop");
      home.remove("shop");
      home.repository("code/shop");
    },
    "code/shop",
    undefined,
  ],
  [
    "still there, and another folder has its name",
    async (home) => {
      home.folder("shop");
      await home.keep("shop");
      home.folder("code/shop");
    },
    "code/shop",
    undefined,
  ],
  [
    "now in a repository that began above it",
    async (home) => {
      home.folder("all/shop");
      await home.keep("all/shop");
      home.repository("all");
    },
    "all",
    "inside",
  ],
  [
    "now in a repository that began above it, and the session in it",
    async (home) => {
      home.folder("all/shop");
      await home.keep("all/shop");
      home.repository("all");
    },
    "all/shop",
    "inside",
  ],
  [
    "around a repository that began below it",
    async (home) => {
      home.repository("shop");
      await home.keep("shop");
      home.repository("shop/cart");
    },
    "shop/cart",
    undefined,
  ],
  [
    "cloned again, and still there",
    async (home) => {
      home.repository("shop", URL);
      await home.keep("shop");
      home.repository("again", URL);
    },
    "again",
    "cloned",
  ],
  [
    "cloned from its folder",
    async (home) => {
      home.repository("shop");
      await home.keep("shop");
      home.repository("again", home.path("shop"));
    },
    "again",
    "cloned",
  ],
  [
    "forked, and still there",
    async (home) => {
      home.repository("shop", URL);
      await home.keep("shop");
      home.copy("shop", "fork");
      home.git("fork", "remote", "set-url", "origin", "https://example.com/bo/shop");
    },
    "fork",
    undefined,
  ],
  [
    "the template of another one, and still there",
    async (home) => {
      home.repository("shop");
      await home.keep("shop");
      home.copy("shop", "blog");
    },
    "blog",
    undefined,
  ],
  [
    "gone without memories",
    async (home) => {
      home.repository("shop");
      await home.keep("shop", 0);
      home.move("shop", "store");
    },
    "store",
    undefined,
  ],
  [
    "gone, and what is there has memories of its own",
    async (home) => {
      home.repository("shop", URL);
      await home.keep("shop");
      home.copy("shop", "store");
      home.remove("shop");
      await home.keep("store");
    },
    "store",
    undefined,
  ],
  [
    "renamed, and has memories of its own already",
    async (home) => {
      home.repository("shop");
      await home.keep("shop");
      home.move("shop", "store");
      await home.keep("store");
    },
    "store",
    "renamed",
  ],
];

for (const [what, happens, cwd, evidence] of SITUATIONS) {
  Deno.test(`a project ${what}: ${evidence ?? "nothing"}`, async () => {
    using home = makeHome();
    await happens(home);
    assert.deepEqual(
      (await home.found(cwd)).map(({ evidence, memories }) => [evidence, memories]),
      evidence === undefined ? [] : [[evidence, 1]],
    );
  });
}

Deno.test("a repository that copies commits and remotes of a project is not taken for its folder", async () => {
  using home = makeHome();
  home.repository("shop", URL);
  await home.keep("shop");
  home.copy("shop", "evil");
  assert.deepEqual((await home.found("evil")).map(({ evidence }) => evidence), ["cloned"]);
  home.remove("shop");
  assert.deepEqual((await home.found("evil")).map(({ evidence }) => evidence), ["gone"]);
});

/** What is said of a project's former selves. */
const LINES: readonly [what: string, happens: (home: Made) => unknown, line: string][] = [
  [
    "a folder that was renamed",
    async (home) => {
      home.folder("old shop");
      await home.keep("old shop");
      home.move("old shop", "shop");
    },
    "1 memory of `~/old shop`, this folder's former path, is not used here; `memo doctor --moved ~/'old shop'` moves it here",
  ],
  [
    "one that is gone",
    async (home) => {
      home.repository("old", URL);
      await home.keep("old", 2);
      home.remove("old");
      home.repository("shop", URL);
    },
    "2 memories of `~/old`, which is gone, are not used here; if it was this project, `memo doctor --moved ~/old` moves them here",
  ],
  [
    "two candidates, the surest and largest first",
    async (home) => {
      home.repository("one", URL);
      home.repository("two", URL);
      home.repository("three", URL);
      await home.keep("one");
      await home.keep("two", 2);
      await home.keep("three", 3);
      home.remove("three");
      home.repository("shop", URL);
    },
    "2 memories of `~/two`, another clone of this repository, are not used here; `memo doctor --moved ~/two` moves them here; `memo doctor` lists 2 more",
  ],
];

for (const [what, happens, line] of LINES) {
  Deno.test(`a line about ${what}`, async () => {
    using home = makeHome();
    await happens(home);
    assert.equal(home.say(await home.found("shop")), line);
  });
}

Deno.test("git that does not answer in time leaves what the file system says", async () => {
  using home = makeHome();
  home.repository("shop");
  await home.keep("shop");
  home.copy("shop", "code/shop");
  home.remove("shop");
  const never = () => new Promise<never>(() => {});
  const found = await formerProjects(home.at("code/shop"), never);
  assert.deepEqual(found.map(({ evidence }) => evidence), ["gone"]); // by its name
});

Deno.test("git asked about a repository runs nothing that the repository names", async () => {
  using home = makeHome();
  home.repository("shop");
  await home.keep("shop");
  home.repository("evil", ".");
  writeFileSync(home.path("evil/evil"), `#!/bin/sh\ntouch ${home.path("ran")}\nexit 1\n`);
  chmodSync(home.path("evil/evil"), 0o755);
  const settings = {
    "core.repositoryformatversion": "1",
    "extensions.partialclone": "origin",
    "remote.origin.promisor": "true",
    "remote.origin.uploadpack": "./evil",
    "protocol.file.allow": "always",
  };
  for (const [key, value] of Object.entries(settings)) home.git("evil", "config", key, value);
  writeFileSync(home.path("evil/.git/refs/heads/main"), `${"1".repeat(40)}\n`);
  assert.deepEqual((await safeIdentityOf(home.path("evil")))?.commits, []);
  await formerProjects(home.at("evil"));
  await identityOf(home.path("evil"), home.env);
  await readCommits(home.path("evil"), home.env);
  assert.equal(existsSync(home.path("ran")), false);
  assert.throws(() => home.git("evil", "rev-list", "HEAD"));
  assert.ok(existsSync(home.path("ran")), "the repository is one that would run it");
});

Deno.test({
  name: "git that does not answer leaves what is recorded of a project, and is asked again",
  ignore: Deno.build.os === "windows",
  async fn() {
    using home = makeHome();
    home.repository("shop");
    await home.keep("shop");
    const { git, commit } = gitHistory(home.path("shop"));
    git("checkout", "-q", "--orphan", "again");
    commit("First again");
    git("checkout", "-q", "main");
    const record = () => recordProjects({ place: home.at("shop") } as JobContext);
    const before = home.recordOf("shop")?.identity, head = home.path("shop/.git/HEAD");
    assert.equal(before?.commits.length, 1);
    rmSync(head);
    execFileSync("mkfifo", [head]); // which git waits for
    await record();
    assert.deepEqual(home.recordOf("shop")?.identity, before);
    rmSync(head);
    writeFileSync(head, "ref: refs/heads/again\n");
    await record();
    assert.equal(home.recordOf("shop")?.identity?.commits.length, 1);
    assert.notDeepEqual(home.recordOf("shop")?.identity, before);
    assert.equal(await safeIdentityOf(home.path("shop"), 1), undefined);
  },
});

Deno.test("a project where memo is off is neither asked about, recorded nor listed as gone", async () => {
  using home = makeHome();
  for (const name of ["shop", "off"]) {
    home.repository(name);
    await home.keep(name, 1, { isRecorded: false });
  }
  home.switchOff("off");
  await recordProjects({ place: home.at("shop") } as JobContext);
  assert.deepEqual(
    ["shop", "off"].map((name) => home.recordOf(name)?.identity !== undefined),
    [true, false],
  );
  home.remove("off");
  assert.deepEqual(home.gone(), []);
});

Deno.test("projects with memories whose folders are gone are known, the largest first", async () => {
  using home = makeHome();
  for (const [name, memories] of [["one", 1], ["two", 2], ["there", 3], ["empty", 0]] as const) {
    home.folder(name);
    await home.keep(name, memories);
  }
  for (const name of ["one", "two", "empty"]) home.remove(name);
  assert.deepEqual(
    home.gone().map(({ root, memories }) => [root, memories]),
    [[home.path("two"), 2], [home.path("one"), 1]],
  );
});

Deno.test("a command names a path as a shell reads it, and steers no terminal", () => {
  const env = { HOME: "/home/ada" };
  assert.deepEqual(
    ["/home/ada/shop", "/home/ada/old 'shop'; rm", "/srv/My Shop", "/srv/a\x1b[2J"].map((root) =>
      commandFor({ root }, env)
    ),
    [
      "memo doctor --moved ~/shop",
      "memo doctor --moved ~/'old '\\''shop'\\''; rm'",
      "memo doctor --moved '/srv/My Shop'",
      "memo doctor --moved '/srv/a\ufffd[2J'",
    ],
  );
});
