import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Engine } from "../../src/core/engine/engine.ts";
import { runJobs } from "../../src/core/engine/jobs.ts";
import { FEATURES } from "../../src/features.ts";
import type { Log } from "../../src/core/files/log.ts";
import { placeIn, projectOf } from "../../src/core/memory/project.ts";
import { pathsFor } from "../../src/paths.ts";
import { writeBriefing } from "../../src/features/upkeep/briefing_file.ts";
import { temporaryFolder } from "../support/temp.ts";

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
