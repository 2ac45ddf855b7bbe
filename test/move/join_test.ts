// What goes along when a project's memories move to another root.

import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { noteUses, readUsage } from "../../src/core/ledger/usage.ts";
import { knownProjects, makeProjectFolder, projectOf } from "../../src/core/memory/project.ts";
import { readRecord, recordRoot } from "../../src/core/memory/project_record.ts";
import { privateFolder } from "../../src/core/memory/scopes.ts";
import { digestOf, grant, trusted } from "../../src/core/memory/trust.ts";
import { FEATURES } from "../../src/features.ts";
import { readGuards, setGuard } from "../../src/features/guard/guards.ts";
import { keep, keptFolder, readKept } from "../../src/features/history/kept.ts";
import { joinProject } from "../../src/features/move/join.ts";
import { pathsFor } from "../../src/paths.ts";
import { temporaryFolder } from "../support/temp.ts";

const AT = "2026-11-21T12:00:00Z";

/** A home with the project `old`, of which memo keeps something of every kind, and a folder `new`. */
async function makeHome() {
  const temp = temporaryFolder(), home = realpathSync(temp.path);
  const paths = pathsFor({ HOME: home, MEMO_HOME: join(home, "state"), XDG_RUNTIME_DIR: home });
  const project = (name: string) => {
    const root = join(home, name);
    mkdirSync(root, { recursive: true });
    return { root, ...privateFolder(projectOf(root, paths.claude)), folder: "" };
  };
  const [old, now] = [project("old"), project("new")];
  const write = ({ path }: { readonly path: string }, file: string, text: string) => {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), text);
    return join(path, file);
  };
  makeProjectFolder(old.path, old.root);
  recordRoot(old.path, old.root, { name: "old", remotes: ["h/a"], commits: ["1"] });
  const rule = write(old, "feedback_push.md", "Never force-push\n");
  for (const file of [".archive/x.md", "journal/2026-11-20.md", ".archive/changes.jsonl"]) {
    write(old, file, `${file} of old\n`);
  }
  mkdirSync(paths.state, { recursive: true });
  noteUses(paths.usage, [{ path: rule, at: AT, shown: 3 }, { path: rule, at: AT, used: 2 }]);
  await grant({ file: paths.trust, project: old.root }, [digestOf("shared")], "you");
  const guard = { path: rule, key: "k", mode: "ask", at: AT } as const;
  await setGuard(paths.guards, rule, { ...guard, patterns: [{ command: "git push" }] } as never);
  const turn = { session: "s", turn: "t", at: AT, transcript: "/t", prompt: "p", reply: "r" };
  keep(keptFolder(paths, old), turn);
  mkdirSync(paths.sync, { recursive: true });
  const places = join(paths.sync, "projects.json");
  writeFileSync(places, JSON.stringify({ [old.root]: "projects/old-1", "/other": "projects/o" }));
  return {
    ...{ paths, old, now, write, places },
    join: () =>
      joinProject({ root: old.root, folder: old.path }, now.root, {
        ...{ paths, follows: FEATURES.follows },
      }),
    [Symbol.dispose]: () => temp[Symbol.dispose](),
  };
}

Deno.test("everything that memo keeps of a project moves to its new root", async () => {
  using home = await makeHome();
  const { paths, old, now } = home;
  await home.join();
  const rule = join(now.path, "feedback_push.md");
  assert.equal(readFileSync(rule, "utf8"), "Never force-push\n");
  for (const file of [".archive/x.md", "journal/2026-11-20.md", ".archive/changes.jsonl"]) {
    assert.equal(readFileSync(join(now.path, file), "utf8"), `${file} of old\n`);
  }
  assert.equal(existsSync(old.path), false);
  assert.deepEqual(knownProjects(paths.claude).map(({ root }) => root), [now.root]);
  assert.deepEqual(readRecord(now.path)!.identity!.remotes, ["h/a"]);
  const { shown, used } = readUsage(paths.usage).get(rule)!;
  assert.deepEqual([shown, used], [3, 2]);
  assert.ok(trusted({ file: paths.trust, project: now.root }).has(digestOf("shared")));
  assert.deepEqual(readGuards(paths.guards).map(({ path }) => path), [rule]);
  const kept = join(keptFolder(paths, now), "2026-11-21.jsonl");
  assert.deepEqual(readKept(kept).map(({ turn }) => turn), ["t"]);
  assert.deepEqual(JSON.parse(readFileSync(home.places, "utf8")), {
    [now.root]: "projects/old-1",
    "/other": "projects/o",
  });
});

Deno.test("memories that the new root has stay, and a namesake gets a number and its own use alone", async () => {
  using home = await makeHome();
  const { paths, now, write } = home;
  makeProjectFolder(now.path, now.root);
  const own = write(now, "feedback_push.md", "Push on Fridays\n");
  write(now, "journal/2026-11-20.md", "journal of new\n");
  await home.join();
  assert.equal(readFileSync(own, "utf8"), "Push on Fridays\n");
  assert.equal(readFileSync(join(now.path, "feedback_push-2.md"), "utf8"), "Never force-push\n");
  const day = readFileSync(join(now.path, "journal/2026-11-20.md"), "utf8");
  assert.match(day, /of new[^]*of old|of old[^]*of new/);
  assert.equal(readUsage(paths.usage).get(own), undefined);
  assert.equal(readRecord(now.path)!.root, now.root);
});

Deno.test("a move that ended before its record was written is completed by the next one", async () => {
  using home = await makeHome();
  const { paths, old, now } = home;
  renameSync(old.path, now.path);
  const known = () => knownProjects(paths.claude).map(({ root, folder }) => [root, folder]);
  assert.deepEqual(known(), [[old.root, now.path]]);
  await joinProject({ root: old.root, folder: now.path }, now.root, { paths });
  assert.deepEqual(known(), [[now.root, now.path]]);
  assert.ok(existsSync(join(now.path, "feedback_push.md")));
});
