import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import {
  appendEntry,
  type Journal,
  journalEntry,
  journalTail,
  readAnchor,
  readDay,
} from "../../src/core/journal/journal.ts";
import { temporaryFolder } from "../support/temp.ts";

const TRANSCRIPT = "/home/dev/.claude/projects/-home-dev/s1.jsonl";
/** Half past two on this machine's clocks. */
const AT = new Date(2026, 10, 21, 14, 30);
const JOURNAL: Journal = { path: "/m/journal", folder: { scope: "user", path: "/m" } };

function entry(folder: string, turn: string, { session = "s1", at = AT } = {}) {
  const bullets = [`Did ${turn}`, "Wrote a test"];
  return journalEntry({ id: turn, session }, {
    ...{ bullets, transcript: TRANSCRIPT, at },
    journal: { path: folder, folder: { scope: "user", path: dirname(folder) } },
  })!;
}

Deno.test("entries stand below a heading for each session, and one that is there is not added again", async () => {
  using folder = temporaryFolder();
  const journal = join(folder.path, "journal");
  const later = new Date(2026, 10, 21, 14, 52);
  const [first, second] = [entry(journal, "t1"), entry(journal, "t2", { at: later })];
  const other = entry(journal, "t3", { session: "s2", at: later });
  assert.equal(first.path, join(journal, "2026-11-21.md"));
  for (const action of [first, second, other]) assert.equal(await appendEntry(action), true);
  for (const action of [first, second, other]) assert.equal(await appendEntry(action), false);
  assert.equal(
    readFileSync(first.path, "utf8"),
    `## Session 14:30

### 14:30
<!-- session:s1 turn:t1 transcript:${TRANSCRIPT} -->
- Did t1
- Wrote a test

### 14:52
<!-- session:s1 turn:t2 transcript:${TRANSCRIPT} -->
- Did t2
- Wrote a test

## Session 14:52

### 14:52
<!-- session:s2 turn:t3 transcript:${TRANSCRIPT} -->
- Did t3
- Wrote a test
`,
  );
  if (process.platform !== "win32") {
    assert.equal(statSync(first.path).mode & 0o777, 0o600);
    assert.equal(statSync(journal).mode & 0o777, 0o700);
  }
  assert.deepEqual(readdirSync(journal), ["2026-11-21.md"]);
});

Deno.test("what a person wrote into the journal stays, whatever its line ends", async () => {
  using folder = temporaryFolder();
  const journal = join(folder.path, "journal");
  mkdirSync(journal);
  const { path } = entry(journal, "t1");
  const own = "# My day\r\n\r\n### 09:00\r\n- Coffee";
  writeFileSync(path, own);
  assert.equal(await appendEntry(entry(journal, "t1")), true);
  const text = readFileSync(path, "utf8");
  assert.ok(text.startsWith(`${own}\n\n## Session 14:30\n\n### 14:30\n`));
  writeFileSync(path, text.replaceAll("\n", "\r\n"));
  assert.equal(await appendEntry(entry(journal, "t1")), false);
  const anchor = { session: "s1", turn: "t1", transcript: TRANSCRIPT };
  assert.partialDeepStrictEqual(readDay(readFileSync(path, "utf8")).entries, [
    { time: "09:00", anchor: undefined, bullets: ["Coffee"] },
    { time: "14:30", anchor, bullets: ["Did t1", "Wrote a test"] },
  ]);
});

Deno.test("an entry says at most six things, each on one line, and nothing when there is nothing to say", () => {
  const turn = { id: "t", session: "s" };
  const options = { transcript: TRANSCRIPT, journal: JOURNAL, at: AT };
  assert.equal(journalEntry(turn, { ...options, bullets: ["", " \n "] }), undefined);
  const bullets = ["- a\n### 15:00", "* b".repeat(400), "c", "d", "e", "f", "g"];
  const lines = journalEntry(turn, { ...options, bullets })!.text.trimEnd().split("\n").slice(2);
  assert.equal(lines.length, 6);
  assert.equal(lines[0], "- a ### 15:00");
  assert.ok(lines.every((line) => /^- \S/.test(line) && line.length <= 402));
});

Deno.test("whatever a session, a transcript and a model say, an entry reads back as one entry", () => {
  const text = fc.string({ unit: "binary", maxLength: 60 });
  const evil = fc.constantFrom(
    "a -->\n### 10:00\n- b",
    "<!-- session:x turn:y transcript:z -->",
    "--",
  );
  const any = fc.oneof(text, evil);
  fc.assert(
    fc.property(fc.record({ id: any, session: any }), any, fc.array(any), (turn, path, said) => {
      const options = { bullets: said, transcript: `/${path}`, journal: JOURNAL, at: AT };
      const action = journalEntry(turn, options);
      if (action === undefined) return;
      const { entries } = readDay(action.text);
      assert.equal(entries.length, 1);
      assert.deepEqual(entries[0]!.anchor, readAnchor(action.anchor));
      assert.notEqual(entries[0]!.anchor, undefined);
      assert.ok(entries[0]!.bullets.length >= 1 && entries[0]!.bullets.length <= 6);
    }),
  );
});

Deno.test("two processes that append at once lose nothing and mix nothing", async () => {
  using folder = temporaryFolder();
  const journal = join(folder.path, "journal");
  const memories = { scope: "user", path: folder.path };
  const module = new URL("../../src/core/journal/journal.ts", import.meta.url).href;
  const program = (session: string) => `
    import { appendEntry, journalEntry } from ${JSON.stringify(module)};
    for (let i = 0; i < 25; i++) {
      const action = journalEntry({ id: "${session}-" + i, session: "${session}" }, {
        bullets: ["Did ${session}-" + i, "Wrote a test"],
        transcript: "/t", journal: ${
    JSON.stringify({ path: journal, folder: memories })
  }, at: new Date(${AT.getTime()}),
      });
      await appendEntry(action);
    }`;
  const run = (session: string) =>
    new Promise((done, fail) => {
      const child = spawn(Deno.execPath(), ["eval", program(session)], { stdio: "inherit" });
      child.on("error", fail).on("close", done);
    });
  assert.deepEqual(await Promise.all([run("a"), run("b")]), [0, 0]);
  const { entries } = readDay(readFileSync(entry(journal, "x").path, "utf8"));
  const turns = (session: string) =>
    entries.filter(({ anchor }) => anchor?.session === session).map(({ anchor }) => anchor!.turn);
  for (const session of ["a", "b"]) {
    assert.deepEqual(turns(session), Array.from({ length: 25 }, (_, i) => `${session}-${i}`));
  }
  for (const { anchor, bullets } of entries) {
    assert.deepEqual(bullets, [`Did ${anchor!.turn}`, "Wrote a test"]);
  }
  assert.deepEqual(readdirSync(journal), ["2026-11-21.md"]);
});

Deno.test("what a process left when it was killed does not keep the next one from writing", async () => {
  using folder = temporaryFolder();
  const journal = join(folder.path, "journal");
  mkdirSync(journal);
  writeFileSync(join(journal, ".lock"), `${2 ** 30}\n`);
  writeFileSync(join(journal, ".0123.tmp"), "### 14:30\nhalf an ent");
  assert.equal(await appendEntry(entry(journal, "t1")), true);
  assert.equal(readDay(readFileSync(entry(journal, "t1").path, "utf8")).entries.length, 1);
});

Deno.test("a journal that is a link out of its memory folder is not written to", {
  ignore: process.platform === "win32",
}, async () => {
  using folder = temporaryFolder();
  using elsewhere = temporaryFolder();
  symlinkSync(elsewhere.path, join(folder.path, "journal"));
  await assert.rejects(appendEntry(entry(join(folder.path, "journal"), "t1")), { kind: "file" });
  assert.deepEqual(readdirSync(elsewhere.path), []);
});

Deno.test("a session is not shown what ties entries to transcripts", async () => {
  using folder = temporaryFolder();
  await appendEntry(entry(join(folder.path, "journal"), "t1"));
  assert.deepEqual(journalTail([{ scope: "project", path: folder.path }]), [
    "2026-11-21",
    "## Session 14:30",
    "",
    "### 14:30",
    "- Did t1",
    "- Wrote a test",
  ]);
});

Deno.test("a session is shown the day before only if it is near: what it says may no longer hold", () => {
  using folder = temporaryFolder();
  const days = (...names: string[]) => {
    const journal = join(folder.path, "journal");
    rmSync(journal, { recursive: true, force: true });
    mkdirSync(journal);
    for (const day of names) writeFileSync(join(journal, `${day}.md`), `- Did ${day}\n`);
    return journalTail([{ scope: "project", path: folder.path }]).filter((line) =>
      /^- /.test(line)
    );
  };
  assert.deepEqual(days("2026-11-13", "2026-11-14", "2026-11-21"), [
    "- Did 2026-11-14",
    "- Did 2026-11-21",
  ]);
  assert.deepEqual(days("2026-11-13", "2026-11-21"), ["- Did 2026-11-21"]);
  assert.deepEqual(days(), []);
});
