import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { digestOf, grant } from "../../src/core/memory/trust.ts";
import { placeIn, projectOf } from "../../src/core/memory/project.ts";
import { noteUses } from "../../src/core/ledger/usage.ts";
import { pathsFor } from "../../src/paths.ts";
import { briefProject } from "../../src/features/upkeep/briefing.ts";
import { temporaryFolder } from "../support/temp.ts";
import { Engine } from "../../src/core/engine/engine.ts";
import { runJobs } from "../../src/core/engine/jobs.ts";
import { FEATURES } from "../../src/features.ts";
import type { Log } from "../../src/core/files/log.ts";
import { writeBriefing } from "../../src/features/upkeep/briefing_file.ts";

const NOW = new Date(2026, 10, 21, 12);

async function project() {
  const temp = temporaryFolder();
  const paths = pathsFor({ HOME: temp.path, MEMO_HOME: join(temp.path, "state") });
  const root = join(temp.path, "shop");
  mkdirSync(root);
  execFileSync("git", ["init", "-q"], { cwd: root });
  const add = (folder: string, name: string) => {
    mkdirSync(folder, { recursive: true });
    const path = join(folder, `decision_${name.toLowerCase()}.md`);
    const text = `---\nname: ${name}\ntype: decision\ncreated: 2026-11-01\n---\n${name}.\n`;
    writeFileSync(path, text);
    return { path, text };
  };
  const shared = join(root, ".claude", "memory");
  const trusted = add(shared, "Shared");
  add(shared, "Untrusted");
  await grant({ file: paths.trust, project: root }, [digestOf(Buffer.from(trusted.text))], "you");
  const own = projectOf(root, paths.claude).folder;
  const [first] = [add(own, "Private"), add(own, "Another")];
  const brief = async (file: string, more = {}) => {
    const place = placeIn(paths, root);
    const made = await briefProject({ place, paths, file, now: NOW, ...more });
    const names = made.briefing.lines.filter((line) => line.startsWith("- "))
      .map((line) => line.slice(2));
    return { names, isShared: made.isShared, leftOut: made.leftOut };
  };
  return { temp, paths, root, first: first!.path, brief };
}

Deno.test("a briefing that others get has no private memory in it unless that is asked for", async () => {
  const made = await project();
  using _temp = made.temp;
  const { brief, root } = made;
  assert.deepEqual(await brief("CLAUDE.md"), { names: ["Shared"], isShared: true, leftOut: 2 });
  assert.deepEqual((await brief("CLAUDE.local.md")).names, ["Shared"], "not ignored yet");
  const all = ["Another", "Private", "Shared"];
  assert.deepEqual((await brief("CLAUDE.md", { withPrivate: true })).names, all);

  writeFileSync(join(root, ".gitignore"), "CLAUDE.local.md\n");
  const local = await brief("CLAUDE.local.md");
  assert.deepEqual(local, { names: all, isShared: false, leftOut: 0 });

  writeFileSync(join(root, "CLAUDE.local.md"), "");
  execFileSync("git", ["add", "-f", "CLAUDE.local.md"], { cwd: root });
  assert.equal((await brief("CLAUDE.local.md")).isShared, true, "it is committed all the same");
});

Deno.test("use ranks a briefing that is the user's alone, and none that others get", async () => {
  const made = await project();
  using _temp = made.temp;
  noteUses(made.paths.usage, [{ path: made.first, at: NOW.toISOString(), used: 5 }]);
  writeFileSync(join(made.root, ".gitignore"), "CLAUDE.local.md\n");
  assert.deepEqual((await made.brief("CLAUDE.local.md")).names, ["Private", "Another", "Shared"]);
  const { names } = await made.brief("CLAUDE.md", { withPrivate: true });
  assert.deepEqual(names, ["Another", "Private", "Shared"]);
});

Deno.test("outside any project there is no briefing", async () => {
  const made = await project();
  using _temp = made.temp;
  const { paths, temp } = made;
  const place = placeIn(paths, temp.path);
  await assert.rejects(
    briefProject({ place, paths, file: "CLAUDE.md", now: NOW }),
    /not in a project/,
  );
});

Deno.test("a briefing is updated by itself only where there is one, and only if a setting says so", async () => {
  using temp = temporaryFolder();
  const root = join(temp.path, "notes");
  mkdirSync(join(root, ".claude"), { recursive: true });
  const path = join(root, "CLAUDE.md");
  writeFileSync(path, "# Mine\n");
  const refresh = async (value: string) => {
    const env = { HOME: temp.path, MEMO_HOME: join(temp.path, "s"), MEMO_BRIEFING_REFRESH: value };
    const paths = pathsFor(env);
    const own = projectOf(root, paths.claude).folder;
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, "decision_db.md"), "---\nname: Use Postgres\ntype: decision\n---\nx\n");
    const failures: unknown[] = [];
    const log: Log = (_event, details) => void failures.push(details?.["failed"]);
    const jobs = FEATURES.jobs.filter(({ name }) => name === "briefing");
    const engine = new Engine({ paths, env, log, background: false, features: { jobs } });
    const { signal } = new AbortController(), place = placeIn(paths, root);
    await runJobs({ engine, place, env, log, now: new Date(), signal, after: "capture" });
    await engine.close();
    return [readFileSync(path, "utf8").includes("- Use Postgres"), ...failures.filter(Boolean)];
  };
  assert.deepEqual(await refresh("true"), [false], "there is none yet");
  writeBriefing(path, ["Before"], { root });
  assert.deepEqual(await refresh("false"), [false]);
  assert.deepEqual(await refresh("true"), [true]);

  writeFileSync(path, readFileSync(path, "utf8").replace("Use Postgres", "Use SQLite"));
  const [isOverwritten, failed] = await refresh("true");
  assert.equal(isOverwritten, false);
  assert.match(String(failed), /it was edited by hand/);
});
