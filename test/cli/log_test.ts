// What memo has changed, and how to go back: `memo log`, `memo undo NAME@TIME`, `memo forget --hard`.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Home, makeHome, runMemo, succeed } from "../support/home.ts";

const memo = (home: Home, ...args: string[]) => succeed(home, args);

async function changes(home: Home, ...args: string[]) {
  return JSON.parse(await memo(home, "log", ...args, "--json")) as {
    id: string;
    at: string;
    what: string;
    name: string;
  }[];
}

Deno.test("memo log shows each change, and memo undo brings any version back", async () => {
  await using home = makeHome();
  const path = (await memo(home, "add", "Port is 1111", "--name", "Port", "-t", "tool")).trim();
  const first = readFileSync(path);
  await memo(home, "add", "Port is 2222", "--name", "Port", "-t", "tool", "--replace");
  await memo(home, "edit", "--pin", "port");
  await memo(home, "add", "Unrelated");
  assert.deepEqual((await changes(home)).map(({ what, name }) => `${what} ${name}`), [
    ...["add Unrelated", "pin Port", "supersede Port", "add Port"],
  ]);
  const [pin, , add] = await changes(home, "port");
  assert.equal(await memo(home, "undo", `port@${add!.id}`), path + "\n");
  assert.deepEqual(readFileSync(path), first);
  await memo(home, "undo", "--archived", "port");
  assert.match(readFileSync(path, "utf8"), /pin: true[^]*2222/);
  assert.equal(await memo(home, "undo", `port@${add!.at}`), path + "\n");
  assert.match(await memo(home, "log", "port", "-n", "1"), /restored +Port/);
  await memo(home, "forget", "port");
  await memo(home, "undo", `port@${pin!.id}`);
  assert.match(readFileSync(path, "utf8"), /2222/);
  writeFileSync(path, "by hand");
  assert.match((await runMemo(home, ["log", "port"])).stderr, /changed by hand after that/);
  const early = await runMemo(home, ["undo", "port@2020-01-01"]);
  assert.equal(early.code, 1);
  assert.match(
    early.stderr,
    /Cannot restore `tool_port` as of that time: it did not exist then\n\nhint: /,
  );
  assert.match((await runMemo(home, ["log", "nothing"])).stderr, /Cannot find a memory/);
});

Deno.test("memo forget --hard leaves nothing of a memory in memo's files, and says what remains", async () => {
  await using home = makeHome();
  const secret = "zanzibar";
  const path = (await memo(home, "add", `The code name is ${secret}`, "--name", `Code ${secret}`))
    .trim();
  await memo(home, "edit", "--pin", "code");
  await memo(home, "add", "Kept", "--name", "Kept");
  const transcript = home.write("elsewhere/session.jsonl", `${secret}\n`);
  writeFileSync(
    path,
    readFileSync(path, "utf8").replace(
      "pin: true",
      `source:\n  session: s1\n  turn: t1\n  transcript: ${transcript}`,
    ),
  );
  const journal = join(home.privately, "journal", "2026-11-21.md");
  mkdirSync(join(journal, ".."), { recursive: true });
  writeFileSync(
    journal,
    `## Session 10:00\n\n### 10:00\n<!-- session:s1 turn:t1 transcript:/t -->\n- Code name ${secret} told\n- Lunch\n`,
  );
  home.write("state/receipts.jsonl", JSON.stringify({ memories: [{ path, score: 1 }] }) + "\n");
  home.write("state/sessions/s1.json", JSON.stringify({ handed: [{ memories: { [path]: "x" } }] }));
  await memo(home, "index");
  const { stderr, code } = await runMemo(home, ["forget", "--hard", "--yes", `code ${secret}`]);
  assert.equal(code, 0);
  assert.match(
    stderr,
    /Deleted .* for good: versions in the archive \(1\), .*journal.*receipts.*sessions.*index/,
  );
  assert.match(stderr, /Not deleted: the conversation it came from: .*session\.jsonl/);
  const left = [home.claude, home.memoHome].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
  ).filter((file) => file.includes(secret) || readFileSync(file, "latin1").includes(secret));
  assert.deepEqual(left, []);
  assert.match(readFileSync(journal, "utf8"), /- Lunch/);
  assert.ok(existsSync(join(home.privately, "project_kept.md")));
  assert.deepEqual((await changes(home)).map(({ name }) => name), ["Kept"]);
});

Deno.test("memo forget --hard takes nothing that is not provably the memory's", async () => {
  await using home = makeHome();
  const folder = home.privately;
  await memo(home, "add", "Old one of the same name", "--name", "Go", "-t", "tool");
  await memo(home, "forget", "Go");
  await memo(home, "add", "Goes its own way", "--name", "Other");
  const entry = (turn: string, line: string) =>
    `### 10:00\n<!-- session:s1 turn:${turn} transcript:/t -->\n- ${line}\n\n`;
  mkdirSync(join(folder, "journal"), { recursive: true });
  writeFileSync(
    join(folder, "journal", "2026-11-21.md"),
    `## Session 10:00\n\n${entry("t1", "Chose Go")}${entry("t2", "go through the checklist")}`,
  );
  await memo(home, "add", "A compiled language", "--name", "Go", "-t", "tool");
  const path = join(folder, "tool_go.md");
  writeFileSync(
    path,
    readFileSync(path, "utf8").replace("type: tool", "type: tool\nsource:\n  turn: t1"),
  );
  const before = await changes(home);
  for (const name of ["g", "G", "Oth"]) { // whole names only
    assert.equal((await runMemo(home, ["forget", "--hard", "--yes", name])).code, 1, name);
  }
  const asked = await runMemo(home, ["forget", "--hard", "go"]);
  assert.equal(asked.code, 2);
  assert.match(
    asked.stderr,
    /Will delete `~\/.*tool_go\.md`\nWill delete from the journal: - Chose Go\n/,
  );
  assert.ok(existsSync(path));
  const { code, stderr } = await runMemo(home, ["forget", "--hard", "--yes", "go"]);
  assert.equal(code, 0, stderr);
  assert.equal(existsSync(path), false);
  assert.match(stderr, /Not deleted: possibly a version of it: .*tool_go\.\d/);
  const journal = readFileSync(join(folder, "journal", "2026-11-21.md"), "utf8");
  assert.match(journal, /- go through the checklist/);
  assert.doesNotMatch(journal, /Chose Go/);
  assert.deepEqual(
    (await changes(home)).map(({ what, name }) => `${what} ${name}`),
    before.map(({ what, name }) => `${what} ${name}`).slice(1),
  );
  const [restored] = await restoredText(home, "go");
  assert.match(restored!, /Old one of the same name/);
});

async function restoredText(home: Home, name: string): Promise<string[]> {
  const path = (await memo(home, "undo", "--archived", name)).trim();
  return [readFileSync(path, "utf8")];
}

Deno.test("memo undo --archived brings back exactly the archived file that is named", async () => {
  await using home = makeHome();
  const path = (await memo(home, "add", "Version 1", "--name", "V", "-t", "tool")).trim();
  for (const n of [2, 3]) {
    await memo(home, "add", `Version ${n}`, "--name", "V", "-t", "tool", "--replace");
  }
  const archive = join(home.privately, ".archive");
  const files = readdirSync(archive).filter((name) => name.endsWith(".md"));
  assert.equal(files.length, 2);
  for (const name of files) {
    const wanted = readFileSync(join(archive, name), "utf8");
    for (const way of [join(archive, name), name]) {
      assert.equal((await memo(home, "undo", "--archived", way)).trim(), path);
      assert.equal(readFileSync(path, "utf8"), wanted, way);
    }
  }
});

Deno.test("memo undo --archived writes what is named beside another memory of the same name and turn", async () => {
  await using home = makeHome();
  const text = (name: string, body: string) =>
    `---\nname: ${name}\ntype: tool\nsource:\n  session: s1\n  turn: t1\n---\n${body}\n`;
  home.keep("tool_n.md", text("N", "ONE"));
  await memo(home, "forget", "n");
  home.keep("tool_n.md", text("M", "TAKEN"));
  home.keep("tool_n-2.md", text("N", "TWO"));
  const archive = readdirSync(join(home.privately, ".archive"));
  const path =
    (await memo(home, "undo", "--archived", archive.find((name) => name.endsWith(".md"))!)).trim();
  assert.equal(readFileSync(path, "utf8"), text("N", "ONE"));
  assert.equal(readFileSync(join(home.privately, "tool_n-2.md"), "utf8"), text("N", "TWO"));
});
