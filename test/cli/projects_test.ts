// memo share, memo project and memo migrate, through the executable.

import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { saveCursor } from "../../src/capture/cursor.ts";
import { projectOf } from "../../src/memory/project.ts";
import { pathsFor } from "../../src/paths.ts";
import { type Home, makeHome, runMemo } from "../support/home.ts";

/** A repository in a home, and what memo says there. */
function repository(home: Home, name: string) {
  const project = join(home.root, name);
  mkdirSync(join(project, ".git"), { recursive: true });
  const run = async (...args: string[]) => await runMemo({ ...home, project }, args);
  return {
    project,
    run,
    privately: projectOf(project, home.claude).folder,
    memo: async (...args: string[]) => {
      const { code, stdout, stderr } = await run(...args);
      assert.equal(code, 0, stderr);
      return (stdout + stderr).trimEnd();
    },
  };
}

Deno.test("memo share puts a memory into the repository without where it came from, and takes it out again", async () => {
  await using home = makeHome();
  const { project, privately, memo } = repository(home, "shop");
  const text = "---\nname: Staging is pegasus\ntype: decision\nown: 1 # kept\nsource:\n" +
    "  session: s1\n  transcript: /home/ada/.claude/x.jsonl\n---\nSince May.\n";
  mkdirSync(privately, { recursive: true });
  writeFileSync(join(privately, "decision_staging.md"), text);
  const shared = join(project, ".claude/memory/decision_staging-is-pegasus.md");
  assert.match(await memo("share", "Staging"), /commit `\.claude\/memory\/decision_staging-is-p/);
  assert.equal(
    readFileSync(shared, "utf8"),
    "---\nname: Staging is pegasus\ntype: decision\nown: 1 # kept\n---\nSince May.\n",
  );
  assert.match(await memo("list"), /^today +decision +shared +Staging is pegasus$/);
  assert.match(await memo("recall", "is staging pegasus or kraken?"), /Since May/);
  assert.match(await memo("share", "Staging", "--undo"), /it is private now/);
  assert.equal(existsSync(shared), false);
  assert.match(await memo("list"), /^today +decision +project +Staging is pegasus$/);
  assert.deepEqual(readdirSync(join(project, ".claude/memory")), ["MEMORY.md"]);
});

Deno.test("memo share leaves the user's own copy, refuses secrets, and needs a project", async () => {
  await using home = makeHome();
  const { project, run, memo } = repository(home, "shop");
  await memo("add", "Deploys are on Tuesdays", "--scope", "user");
  assert.match(await memo("share", "Deploys"), /Your own copy still applies/);
  assert.match(await memo("list"), /user +Deploys[^]*shared +Deploys/);
  await memo("add", "The token is " + "ghp_" + "a1B2".repeat(9), "--anyway");
  const refused = await run("share", "The token");
  assert.match(refused.stderr, /looks like a secret/);
  assert.equal(readdirSync(join(project, ".claude/memory")).length, 2);
  const outside = await runMemo({ ...home, project: home.root }, ["share", "Deploys"]);
  assert.match(outside.stderr, /is not in a project/);
});

Deno.test("memo project lists what memo knows and follows a folder that moves", async () => {
  await using home = makeHome();
  const shop = repository(home, "shop");
  await shop.memo("add", "Staging is pegasus");
  await shop.memo("add", "Deploys are on Tuesdays", "--scope", "shared");
  await shop.memo("index");
  assert.match(await shop.memo("project"), /^shop +1 memory +0 days +~\/shop$/);

  renameSync(shop.project, join(home.root, "store"));
  const store = repository(home, "store");
  assert.doesNotMatch((await store.run("list")).stdout, /pegasus/);
  assert.match(await store.memo("project", "list"), /gone; `memo project mv/);
  await store.memo("add", "Staging is pegasus"); // a namesake, before anybody thought of it
  assert.match(await store.memo("project", "mv", shop.project, "."), /are those of `~\/store` now/);
  const listed = JSON.parse(await store.memo("list", "--json"));
  assert.deepEqual(
    listed.map(({ name, trusted }: { name: string; trusted?: boolean }) => [name, trusted]).sort(),
    [
      ["Deploys are on Tuesdays", true],
      ["Staging is pegasus", undefined],
      ["Staging is pegasus", undefined],
    ],
  );
  assert.match(await store.memo("search", "pegasus staging"), /pegasus/);
  assert.equal(existsSync(shop.privately), false);
  assert.equal((await store.run("project", "mv", "/nowhere", ".")).code, 1);
  const typo = await store.run("project", "mv", ".", "/nowhere");
  assert.equal(typo.code, 1);
  assert.match(
    typo.stderr,
    /^error: Cannot give the notes to `\/nowhere`: there is no such folder/,
  );
});

/** A home as an older memo has left it: everything of two projects in the user's folder. */
function makeMixed(home: Home) {
  const [shop, blog] = [repository(home, "shop"), repository(home, "blog")];
  const transcript = (name: string, cwd: string) => {
    const path = join(home.claude, "projects", `-${name}`, `${name}.jsonl`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify({ type: "user", cwd, sessionId: name }) + "\n");
    return path;
  };
  const known = { shop: transcript("shop", shop.project), blog: transcript("blog", blog.project) };
  const source = (name: string, path: string) =>
    `source:\n  session: ${name}\n  turn: t-${name}\n  transcript: ${path}\n`;
  const note = (name: string, type: string, from: string) =>
    home.write(
      `${type}_${name}.md`,
      `---\nname: ${name}\ntype: ${type}\n${from}---\nAbout ${name}.\n`,
    );
  note("pegasus", "decision", source("shop", known.shop));
  note("kraken", "gotcha", source("blog", known.blog));
  note("habits", "user", source("shop", known.shop));
  note("lost", "decision", source("gone", "/nowhere/gone.jsonl"));
  note("own", "decision", "");
  const entry = (name: string, time: string, path: string) =>
    `### ${time}\n<!-- session:${name} turn:t-${name} transcript:${path} -->\n- Did ${name}\n`;
  home.write(
    ".claude/memory/journal/2026-11-20.md",
    `Mine\n\n## Session 09:00\n\n${entry("shop", "09:00", known.shop)}\n## Session 10:00\n\n${
      entry("blog", "10:00", known.blog)
    }\n### 11:00\n- by hand\n`,
  );
  // In the repository: what this memo has captured, and what somebody else has written.
  home.write(
    "shop/.claude/memory/journal/2026-11-19.md",
    `## Session 08:00\n\n${
      entry("shop", "08:00", known.shop)
    }\n### 08:30\n<!-- session:x turn:other transcript:/x -->\n- evil\n`,
  );
  home.write("shop/.claude/memory/.archive/decision_old.20261101-101010.md", "Old and private.\n");
  const { capture } = pathsFor(home.env);
  saveCursor(capture, {
    ...{ transcript: known.shop, cwd: shop.project, claude: home.claude },
    ...{ offset: 1, turns: ["t-shop"] },
  });
  return { shop, blog };
}

/** Every file below the folders that a migration touches. */
function filesOf(home: Home): Record<string, string> {
  return Object.fromEntries(
    [join(home.claude, "memory"), join(home.root, "shop/.claude")].flatMap((folder) =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) =>
          entry.isFile() && entry.name.endsWith(".md") && entry.name !== "MEMORY.md"
        )
        .map((entry) => join(entry.parentPath, entry.name))
        .map((path) => [path, readFileSync(path, "utf8")])
    ),
  );
}

Deno.test("memo migrate sorts by session what an older memo mixed, shows it first, and can be undone", async () => {
  await using home = makeHome();
  const { shop, blog } = makeMixed(home);
  const before = filesOf(home);
  const doctor = await shop.run("doctor", "--offline");
  assert.match(doctor.stdout, /warn +projects +\d files of projects in the wrong place/);

  const dry = await shop.memo("migrate", "--dry-run");
  assert.match(dry, /memory +pegasus +to `shop`/);
  assert.match(dry, /memory +kraken +to `blog`/);
  assert.match(dry, /journal +2026-11-20 \(1 entry\) +to `blog`/);
  assert.match(dry, /archive +decision_old/);
  assert.match(dry, /decision_lost\.md` stays: no session says/);
  assert.doesNotMatch(dry, /habits|own/);
  assert.deepEqual(filesOf(home), before);

  await shop.memo("migrate");
  assert.match(await shop.memo("list"), /project +pegasus/);
  assert.doesNotMatch(await shop.memo("list"), /kraken/);
  assert.match(await blog.memo("list"), /project +kraken/);
  assert.match(await shop.memo("journal", "2026-11-20"), /Did shop/);
  assert.doesNotMatch(await shop.memo("journal", "2026-11-20"), /Did blog|by hand|Mine/);
  assert.match(await shop.memo("journal", "2026-11-19"), /Did shop/);
  const users = readFileSync(join(home.claude, "memory/journal/2026-11-20.md"), "utf8");
  assert.equal(users, "Mine\n\n### 11:00\n- by hand\n\n");
  const theirs = readFileSync(join(shop.project, ".claude/memory/journal/2026-11-19.md"), "utf8");
  assert.match(theirs, /evil/);
  assert.doesNotMatch(theirs, /Did shop/);
  assert.doesNotMatch((await shop.run("journal", "2026-11-19")).stdout, /evil/);
  assert.match(await shop.memo("list", "--archived"), /decision_old/);
  assert.match(await shop.memo("migrate"), /Nothing to migrate/);

  assert.match(await shop.memo("migrate", "--undo"), /Undid the migration/);
  assert.deepEqual(filesOf(home), before);
  assert.equal((await shop.run("migrate", "--undo")).code, 1);
});
