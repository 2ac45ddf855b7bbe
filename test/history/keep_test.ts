import assert from "node:assert/strict";
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { keepTurns } from "../../src/features/history/keep.ts";
import {
  dropKept,
  keptFiles,
  keptFolder,
  keptOfSession,
  moveKept,
  readKept,
} from "../../src/features/history/kept.ts";
import { syncHistory } from "../../src/features/history/sync.ts";
import type { MemoryFolder } from "../../src/core/memory/memory.ts";
import { digestOf } from "../../src/core/memory/trust.ts";
import { placeIn } from "../../src/core/memory/project.ts";
import { pathsFor } from "../../src/paths.ts";
import { transcriptsOfProject } from "../../src/core/transcript/find.ts";
import { erase } from "../../src/features/upkeep/erase.ts";
import { readTurns } from "../../src/core/transcript/turns.ts";
import { makeIndex } from "../support/index.ts";
import { temporaryFolder } from "../support/temp.ts";

const NOW = new Date("2026-03-20T12:00:00Z");
const KEY = "sk-ant-api03-" + "Zk3vQ9xW7rT5yU1iO8pA2sD4fG6hJ0kL".repeat(3) + "AA";

/** The lines of a turn, as Claude Code writes them. */
function turnLines(id: string, at: string, [prompt, reply]: readonly string[], cwd = "/p"): string {
  const common = { sessionId: "s-1", cwd, timestamp: at, isSidechain: false, userType: "external" };
  const content = [{ type: "text", text: reply }];
  return [
    {
      ...{ ...common, type: "user", uuid: id, parentUuid: null },
      message: { role: "user", content: prompt },
    },
    {
      ...{ ...common, type: "assistant", uuid: `${id}-a`, parentUuid: id },
      message: { id: `m-${id}`, role: "assistant", content },
    },
  ].map((line) => JSON.stringify(line) + "\n").join("");
}

function world() {
  const temp = temporaryFolder();
  const paths = pathsFor({ HOME: temp.path, MEMO_HOME: join(temp.path, "state") });
  const folder: MemoryFolder = { scope: "project", path: join(temp.path, "shop-0123456789") };
  const sessions = join(paths.claude, "projects", "-p");
  mkdirSync(sessions, { recursive: true });
  const transcript = join(sessions, "s-1.jsonl");
  const touch = (at: Date) => utimesSync(transcript, at, at);
  const files = () => {
    const { mtimeMs, size } = statSync(transcript);
    return [{ path: transcript, folder: dirname(transcript), mtimeMs, size }];
  };
  const kept = keptFolder(paths, folder);
  const options = { folder: kept, days: 365, own: [], now: NOW };
  const run = (more = {}) => keepTurns(files(), { ...options, ...more });
  const turns = () => keptFiles(kept).flatMap(({ path }) => readKept(path));
  let said = 0;
  /** Adds a turn on a day of March, at ten. */
  const say = (day: number, ...words: [prompt: string, reply: string]) => {
    const at = `2026-03-${String(day).padStart(2, "0")}T10:0${said}:00Z`;
    appendFileSync(transcript, turnLines(`t-${++said}`, at, words));
    touch(EARLIER);
  };
  return {
    ...{ temp, paths, folder, transcript, touch, run, kept, turns, say },
    [Symbol.dispose]: () => temp[Symbol.dispose](),
  };
}

const EARLIER = new Date(NOW.getTime() - 3_600_000);

Deno.test("keepTurns() keeps what was said without secrets, in files of the user's alone", async () => {
  using made = world();
  made.say(19, `use ${KEY} please`, "Redis it is");
  assert.equal(await made.run(), 1);
  const [turn] = made.turns();
  assert.match(turn!.prompt, /^use \[redacted:[\w-]+\] please$/);
  assert.equal(turn!.reply, "Redis it is");
  const [file] = keptFiles(made.kept);
  assert.doesNotMatch(readFileSync(file!.path, "utf8"), /Zk3vQ9xW7rT5/);
  assert.equal(statSync(file!.path).mode & 0o777, 0o600);
  assert.equal(statSync(made.kept).mode & 0o777, 0o700);
});

Deno.test("keepTurns() keeps each turn once, and a turn that may go on only later", async () => {
  using made = world();
  made.say(19, "first", "one");
  made.touch(NOW);
  assert.equal(await made.run(), 0);
  made.say(19, "second", "two");
  made.touch(NOW);
  assert.equal(await made.run(), 1);
  made.touch(EARLIER);
  assert.equal(await made.run(), 1);
  assert.equal(await made.run(), 0);
  assert.deepEqual(made.turns().map(({ prompt }) => prompt), ["first", "second"]);
});

Deno.test("keepTurns() deletes what has been kept for long enough", async () => {
  using made = world();
  made.say(1, "old", "one");
  assert.equal(await made.run(), 1);
  assert.equal(await made.run({ days: 5 }), 0);
  assert.deepEqual(made.turns(), []);
});

Deno.test("a kept turn is in the index as history, not as a memory, and can be forgotten for good", async () => {
  using made = world();
  await using store = await makeIndex();
  const { index } = store;
  made.say(19, "which database", "Postgres");
  await made.run();
  const source = { folder: made.folder, kept: made.kept };
  assert.deepEqual(await syncHistory(index.history, source), { read: 1, dropped: 0 });
  assert.deepEqual(await syncHistory(index.history, source), { read: 0, dropped: 0 });
  assert.equal((await index.statistics()).memories, 0);
  assert.equal(await (await index.corpus([made.folder])).size(), 0);
  const past = await index.history.corpus([made.folder]);
  assert.equal((await past.words(["postgr", "postgres"], 5)).length, 1);
  const other: MemoryFolder = { scope: "project", path: "/elsewhere" };
  assert.equal(await (await index.history.corpus([other])).size(), 0);

  const path = join(made.folder.path, "decision_db.md");
  mkdirSync(made.folder.path);
  writeFileSync(path, "---\nname: Postgres\nsource:\n  turn: t-1\n---\nPostgres it is.\n");
  const content = digestOf(readFileSync(path));
  const memory = { path, file: "decision_db.md", folder: made.folder, content };
  const { removed } = erase(memory, { paths: made.paths, folders: [made.folder] });
  assert.equal(removed["turns of kept conversations"], 1);
  assert.deepEqual(await syncHistory(index.history, source), { read: 0, dropped: 1 });
  assert.equal((await index.statistics()).history, 0);
  assert.deepEqual(keptOfSession(made.paths, "s-1"), []);
  writeFileSync(join(made.kept, "read.json"), "damaged");
  assert.equal(await made.run(), 0);
  assert.equal(dropKept(made.paths, "t-1"), false);
});

Deno.test("moveKept() takes what was kept to the project's new folder", async () => {
  using made = world();
  made.say(19, "p", "r");
  await made.run();
  const there: MemoryFolder = { scope: "project", path: "/m/shop-9876543210" };
  moveKept(made.paths, made.folder, there);
  assert.deepEqual(made.turns(), []);
  assert.equal(keptFiles(keptFolder(made.paths, there)).length, 1);
});

Deno.test("transcriptsOfProject() knows a project's conversations by where they were held", () => {
  using made = world();
  const [shop, other] = ["shop", "other"].map((name) => join(made.temp.path, name));
  for (const root of [shop!, other!]) mkdirSync(join(root, ".git"), { recursive: true });
  mkdirSync(join(shop!, "src"));
  const at = "2026-03-19T10:00:00Z";
  for (const [name, cwd] of [["a", shop], ["b", join(shop!, "src")], ["c", other]] as const) {
    const folder = join(made.paths.claude, "projects", name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${name}.jsonl`), turnLines(name, at, ["p", "r"], cwd));
  }
  const found = transcriptsOfProject(placeIn(made.paths, shop!));
  assert.deepEqual(found.map(({ path }) => path.slice(-7)).sort(), ["a.jsonl", "b.jsonl"]);
});

Deno.test("keepTurns() keeps no tool calls and no output of tools", async () => {
  using made = world();
  copyFileSync(new URL("../fixtures/transcripts/bugfix.jsonl", import.meta.url), made.transcript);
  made.touch(EARLIER);
  assert.ok(await made.run({ days: 36_500 }) > 0);
  const turns = await Array.fromAsync(readTurns(made.transcript));
  const results = turns.flatMap(({ steps }) => steps)
    .flatMap((step) => step.kind === "tool" && step.result.length > 20 ? [step.result] : []);
  assert.ok(results.length > 2);
  const kept = made.turns().map(({ prompt, reply }) => `${prompt}\n${reply}`).join("\n");
  assert.match(kept, /The date test fails/);
  assert.deepEqual(results.filter((result) => kept.includes(result)), []);
});
