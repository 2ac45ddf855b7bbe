import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { pathsFor } from "../../src/paths.ts";
import { saveSession } from "../../src/core/recall/session.ts";
import { enqueue, putOff, readJobs } from "../../src/core/capture/queue.ts";
import { carryOut } from "../../src/core/change/carry_out.ts";
import { addition, archival } from "../../src/core/change/change.ts";
import { newChangeId } from "../../src/core/ledger/change_log.ts";
import type { MemoryFolder } from "../../src/core/memory/memory.ts";
import { makeProjectFolder, projectOf } from "../../src/core/memory/project.ts";
import { surroundings } from "../support/change.ts";
import { makeHome, runMemo } from "../support/home.ts";
import { memoryOf } from "../support/memory.ts";

Deno.test("memo undo reverts the last change, the last of a memory, or the one with an id", async () => {
  await using home = makeHome();
  const run = (...args: string[]) => runMemo(home, args);
  const path = (await run("add", "Use pnpm, never npm")).stdout.trim();
  await run("add", "Deploy with kamal", "--scope", "project");
  await run("forget", "use pnpm");
  assert.ok(!existsSync(path));

  const first = await run("undo");
  assert.deepEqual([first.code, first.stdout.trim()], [0, path]);
  assert.match(first.stderr, /^Undid: forgot “Use pnpm, never npm”/);
  assert.match(readFileSync(path, "utf8"), /Use pnpm, never npm/);

  const named = await run("undo", "deploy with kamal");
  assert.match(named.stderr, /^Undid: added “Deploy with kamal”/);
  const log = JSON.parse((await run("log", "--json")).stdout);
  const added = log.find(({ what, name }: { what: string; name: string }) =>
    what === "add" && name === "Use pnpm, never npm"
  );
  const byId = await run("undo", added.id, "--json");
  assert.deepEqual(JSON.parse(byId.stdout).undone[0].what, "add");
  assert.ok(!existsSync(path));

  const nothing = await run("undo");
  assert.equal(nothing.code, 1);
  assert.match(nothing.stderr, /^error: Cannot undo: memo has changed nothing here\n\nhint: /);
});

Deno.test("memo undo and log go by the order of changes, also after the clock was set back", async () => {
  await using home = makeHome();
  const first = (await runMemo(home, ["add", "Use pnpm, never npm"])).stdout.trim();
  const log = join(dirname(first), ".archive", "changes.jsonl");
  writeFileSync(log, readFileSync(log, "utf8").replace(/"at":"\d{4}/, '"at":"2999'));
  const last = (await runMemo(home, ["add", "Sign all commits"])).stdout.trim();
  assert.equal(dirname(last), dirname(first));
  const names = JSON.parse((await runMemo(home, ["log", "--json"])).stdout);
  assert.deepEqual(names.map(({ name }: { name: string }) => name), [
    ...["Sign all commits", "Use pnpm, never npm"],
  ]);
  assert.match((await runMemo(home, ["undo"])).stderr, /^Undid: added “Sign all commits”/);
  assert.ok(existsSync(first) && !existsSync(last));
});

Deno.test("memo undo names what it passes over, with the id that reverts it", async () => {
  await using home = makeHome();
  await runMemo(home, ["add", "Use pnpm, never npm"]);
  const path = (await runMemo(home, ["add", "Sign all commits"])).stdout.trim();
  const { stderr } = await runMemo(home, ["undo"]);
  assert.doesNotMatch(stderr, /Skipped/);
  const again = (await runMemo(home, ["undo"])).stderr;
  assert.match(again, /^Undid: added “Use pnpm, never npm”\nSkipped, newer: undid “Sign all /);
  const [, id] = /\((\w+)\)\. Revert one: `memo undo ID`/.exec(again)!;
  await runMemo(home, ["undo", id!]);
  assert.ok(existsSync(path));
});

Deno.test("memo undo, log and restore say that the archive cannot be read, and not that there is nothing", async () => {
  await using home = makeHome();
  const path = (await runMemo(home, ["add", "Use pnpm, never npm"])).stdout.trim();
  await runMemo(home, ["forget", "use pnpm"]);
  const archive = join(dirname(path), ".archive");
  const log = join(archive, "changes.jsonl");
  const fails = async (...args: string[]) => {
    const { code, stdout, stderr } = await runMemo(home, args);
    assert.deepEqual([code, stdout], [2, ""], args.join(" "));
    assert.match(
      stderr,
      /^error: Cannot read `.*\.archive.*` in the archive: .*\n\nhint: Run `ls -ld /,
    );
  };

  renameSync(log, `${log}.kept`);
  mkdirSync(log);
  await fails("undo");
  await fails("log");
  rmdirSync(log);
  renameSync(`${log}.kept`, log);

  renameSync(archive, `${archive}.kept`);
  symlinkSync(".archive", archive); // leads to itself
  await fails("undo");
  await fails("undo", "--archived", "use pnpm");
  await fails("list", "--archived");
});

Deno.test("memo statusline prints one line in any case, beside another program's", async () => {
  await using home = makeHome();
  home.write("state/sessions/x.json", "{}"); // the state of another session
  const input = JSON.stringify({ session_id: "s1", cwd: home.project });
  for (const stdin of [input, "", "garbage", "[]"]) {
    const { code, stdout, stderr } = await runMemo(home, ["statusline"], { stdin });
    assert.deepEqual([code, stdout, stderr], [0, "memo ready\n", ""]);
  }
  const change = (what: string, more: object) =>
    JSON.stringify({
      ...{ id: what, at: "2026-11-21T10:00:00Z", what, name: "n", session: "s1" },
      ...more,
    });
  const changes = [
    change("add", { file: "a.md", after: "1" }),
    change("add", { file: "b.md", after: "2" }),
    change("forget", { file: "b.md" }),
  ];
  home.keep(join(".archive", "changes.jsonl"), changes.join("\n") + "\n");
  const other = "cat > /dev/null; printf 'main ✓'";
  const { stdout } = await runMemo(home, ["statusline", "--with", other], { stdin: input });
  assert.equal(stdout, "main ✓ · memo 1 saved\n");

  const given = (event: string, more: object) => ({
    ...{ block: event, event, at: 1, bytes: 1, memories: {}, ...more },
  });
  saveSession(pathsFor(home.env).sessions, "s1", {
    delivered: [
      given("SessionStart", { listed: { "/m/start.md": "v" } }),
      given("UserPromptSubmit", { memories: { "/m/a.md": "v" } }),
      given("PostToolBatch", { listed: { "/m/a.md": "v", "/m/title.md": "v" } }),
    ],
    begun: 0,
  });
  assert.equal(
    (await runMemo(home, ["statusline"], { stdin: input })).stdout,
    "memo 2 recalled · 1 saved\n",
    "by title too",
  );
  saveSession(pathsFor(home.env).sessions, "s1", { delivered: [], begun: 0 });

  const [capture, transcript] = [join(home.memoHome, "capture"), join(home.root, "s1.jsonl")];
  const since = new Date(2026, 10, 21, 11, 5);
  enqueue(capture, { transcript, cwd: "/", claude: home.claude, isOver: true }, since);
  const [job] = readJobs(capture);
  for (const _ of [1, 2]) putOff(capture, job!, { message: "refused" }, since);
  const stdin = JSON.stringify({ ...JSON.parse(input), transcript_path: transcript });
  assert.equal(
    (await runMemo(home, ["statusline"], { stdin })).stdout,
    "memo not saving since 11:05 (memo doctor) · 1 saved\n",
  );
});

Deno.test("memo undo takes a group back in every project that it was in", async () => {
  await using home = makeHome();
  const other = join(home.root, "other");
  mkdirSync(other);
  const { folder, root } = projectOf(other, home.claude);
  makeProjectFolder(folder, root);
  const there: MemoryFolder = { scope: "project", path: folder, project: root };
  const here: MemoryFolder = { scope: "user", path: join(home.claude, "memory") };
  const options = surroundings(new Date());
  const { done } = await carryOut([
    addition(memoryOf({ name: "Use pnpm", body: "Use pnpm." }), here),
    addition(memoryOf({ name: "Deploy with kamal", body: "Deploy with kamal." }), there),
  ], options);
  const group = newChangeId();
  await carryOut(
    done.map(({ path, change: { folder } }) =>
      archival({ memory: { path }, folder }, { what: "forget", group })
    ),
    options,
  );

  const undone = await runMemo(home, ["undo"]);
  assert.equal(undone.code, 0, undone.stderr);
  assert.deepEqual(undone.stdout.trim().split("\n").sort(), done.map(({ path }) => path).sort());
});
