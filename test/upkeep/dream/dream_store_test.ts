import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Engine } from "../../../src/core/engine/engine.ts";
import { runJobs } from "../../../src/core/engine/jobs.ts";
import { FEATURES } from "../../../src/features.ts";
import { autoFolder, placeIn } from "../../../src/core/memory/scopes.ts";
import { pathsFor } from "../../../src/paths.ts";
import { type Home, makeHome, trustIn } from "../../support/home.ts";

const HOUR = 3_600_000;
const NOW = new Date("2026-11-21T12:00:00Z").getTime();
const at = (hours: number) => new Date(NOW + hours * HOUR);

const memory = (body: string) => `---\nname: Wiki\ntype: tool\n---\n${body}\n`;

/** Two memories that say the same, in a folder of each scope; returns the folders. */
async function prepare(home: Home) {
  execFileSync("git", ["init", "-q"], { cwd: home.project });
  const place = placeIn(pathsFor(home.env), home.project);
  const folders = {
    user: join(home.claude, "memory"),
    project: home.privately,
    shared: join(home.project, ".claude", "memory"),
    auto: autoFolder(place),
  };
  for (const folder of Object.values(folders)) {
    mkdirSync(folder, { recursive: true });
    for (const name of ["a.md", "b.md"]) {
      writeFileSync(join(folder, name), memory("The wiki is on host seven."));
    }
  }
  for (const name of ["a.md", "b.md"]) await trustIn(home, join(folders.shared, name));
  const left = () =>
    Object.values(folders).map((folder) =>
      readdirSync(folder).filter((name) => /^[ab]\.md$/.test(name)).length
    );
  return { place, left, transcripts: join(folders.auto, "..") };
}

/** A transcript that was written to at a time. */
function converse(folder: string, name: string, time: Date): void {
  const path = join(folder, `${name}.jsonl`);
  writeFileSync(path, "");
  utimesSync(path, time, time);
}

Deno.test("a dream comes by itself once its gates are open, and changes nothing of a repository or of Claude Code", async () => {
  await using home = makeHome();
  const { place, left, transcripts } = await prepare(home);
  const lines: Record<string, unknown>[] = [];
  const paths = pathsFor(home.env);
  const log = (event: string, details = {}) => void lines.push({ event, ...details });
  const features = { jobs: FEATURES.jobs?.filter(({ name }) => name === "dream") };
  const engine = new Engine({ paths, env: home.env, log, background: false, features });
  const { signal } = new AbortController();
  const look = (now: Date, env = home.env) =>
    runJobs({ engine, place, env, log, now, signal, after: "capture" });
  for (let i = 0; i < 4; i++) converse(transcripts, `s${i}`, at(-1));
  await look(at(0));
  assert.deepEqual(left(), [2, 2, 2, 2], "four sessions are too few");
  converse(transcripts, "s4", at(0));
  await look(at(0.1));
  assert.deepEqual(left(), [2, 2, 2, 2], "nobody looks again so soon");
  await look(at(1), { ...home.env, MEMO_DREAM_ENABLED: "false" });
  assert.deepEqual(left(), [2, 2, 2, 2], "it is off");
  await look(at(1));
  assert.deepEqual(left(), [1, 1, 2, 2]);
  assert.equal(lines.filter(({ event, id }) => event === "dream" && id !== undefined).length, 2);
  const index = readFileSync(join(home.privately, "MEMORY.md"), "utf8");
  assert.equal(index.match(/Wiki/g)?.length, 1);

  home.write("c.md", memory("The wiki is on host seven."));
  for (let i = 0; i < 5; i++) converse(transcripts, `s${i}`, at(20));
  await look(at(24));
  const user = () => readdirSync(join(home.claude, "memory")).includes("c.md");
  assert.equal(user(), true, "the day is not over");
  await look(at(26));
  assert.equal(user() && left()[0] === 1, false);

  const again = () => home.write("c.md", memory("The wiki is on host seven."));
  const capture = (count: number) => {
    const lines = Array.from({ length: count }, (_, i) => {
      const change = {
        id: `c${count}${i}`,
        at: at(26.5).toISOString(),
        what: "add",
        turn: `t${i}`,
      };
      return JSON.stringify({ ...change, name: "Wiki", type: "tool", file: `f${i}.md` }) + "\n";
    });
    appendFileSync(join(home.claude, "memory", ".archive", "changes.jsonl"), lines.join(""));
  };
  again();
  capture(9);
  await look(at(27.2));
  assert.equal(user(), true, "nine extractions are too few");
  capture(10);
  await look(at(27.5));
  assert.equal(user() && left()[0] === 1, false, "ten are enough after an hour");
  again();
  capture(10);
  await look(at(28.3));
  assert.equal(user(), true, "the hour is not over");
  for (let i = 0; i < 90; i++) home.write(`n${i}.md`, memory(`Fact ${i} is about topic${i}.`));
  await look(at(29));
  assert.equal(user() && left()[0] === 1, false, "it has grown beyond 80 memories");
  await engine.close();
});
