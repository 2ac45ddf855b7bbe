import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import {
  appendFileSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { autoName } from "../../src/core/memory/scopes.ts";
import { OWN_SOURCES, SOURCES } from "../../src/features/import/sources.ts";
import { filesIn, MEMORY, serveRepliesTo } from "../capture/support.ts";
import { fixture } from "../import/support.ts";
import { type Home, makeHome, MEMO, runMemo } from "../support/home.ts";
import { HAS_TERMINAL, runInTerminal } from "../support/terminal.ts";

const FIXTURE = fileURLToPath(new URL("../fixtures/transcripts/feature.jsonl", import.meta.url));
const REPLY = { journal: [{ turn: 1, bullets: ["The user asked"] }], memories: [MEMORY] };

Deno.test("memo import conversations counts first, asks only with consent, and each conversation once", async () => {
  await using home = makeHome();
  await using api = await serveRepliesTo(home, REPLY);
  mkdirSync(join(home.project, ".git"));
  const text = readFileSync(FIXTURE, "utf8").replace(/"cwd":"[^"]*"/g, `"cwd":"${home.project}"`);
  const folder = `.claude/projects/${autoName(home.project)}`;
  home.write(`${folder}/0fa5b1c2-0000-4000-8000-000000000001.jsonl`, text);
  const memories = () => Object.keys(filesIn(join(home.claude, "memory")));

  const counted = await runMemo(home, ["import", "conversations", "--last", "30d"]);
  assert.equal(counted.code, 0, counted.stderr);
  assert.match(counted.stderr, /^1 conversation in the last 30d: \d+ questions? to claude-.*\$\d/m);
  assert.match(counted.stderr, /--yes/);
  assert.deepEqual([memories(), api.requests.length], [[], 0]);

  const done = await runMemo(home, ["import", "conversations", "--yes", "--json"]);
  assert.equal(done.code, 0, done.stderr);
  const outcome = JSON.parse(done.stdout);
  assert.deepEqual([outcome.captured, outcome.failed], [1, []]);
  assert.equal(api.requests.length, outcome.questions);
  assert.ok(memories().some((name) => name.endsWith("feedback_use-pnpm-never-npm.md")));

  const again = await runMemo(home, ["import", "conversations", "--yes"]);
  assert.match(again.stderr, /No conversations to capture/);
  assert.equal((await runMemo(home, ["import", "conversations", "--last", "soon"])).code, 2);
});

Deno.test("memo import rules lists a line for each memory, and with --diff their files", async () => {
  await using home = makeHome();
  mkdirSync(join(home.project, ".git"));
  writeFileSync(
    join(home.project, "CLAUDE.md"),
    "- Use pnpm, never npm\n- Tests run with vitest\n",
  );
  const plan = await runMemo(home, ["import", "rules", "--dry-run"]);
  assert.match(
    plan.stdout,
    /^feedback +project +Use pnpm, never npm\nproject +Tests run with vitest\n$/,
  );
  const files = await runMemo(home, ["import", "rules", "--dry-run", "--diff"]);
  assert.match(files.stdout, /^\+\+\+ .*use-pnpm-never-npm\.md$[^]*^\+name: Use pnpm, never npm$/m);
});

Deno.test("memo import lists what can be imported and imports it; memo export writes it out byte for byte", async () => {
  await using home = makeHome();
  mkdirSync(join(home.project, ".git"));
  cpSync(fixture("memory-mcp.json"), join(home.project, ".memory", "state.json"));
  const list = await runMemo(home, ["import"]);
  assert.match(list.stdout, /^memory-mcp +4 records +.*state\.json$/m);
  const imported = await runMemo(home, ["import", "memory-mcp", "--json"]);
  assert.equal(imported.code, 0, imported.stderr);
  const report = JSON.parse(imported.stdout);
  assert.deepEqual([report.added.length, report.archived.length, report.same], [3, 1, 0]);
  assert.equal((await runMemo(home, ["import", "memory-mcpp"])).code, 2);

  home.write("user_odd.md", "---\nname: Odd # kept\nown: [1, 2]\n---\r\nBytes\r\n");
  const wanted = filesIn(join(home.claude, "memory"), { withLog: true });
  for (const name of ["out", "out.json", "out.tar", "out.tar.gz"]) {
    const path = join(home.root, name);
    const exported = await runMemo(home, ["export", path, "--archive"]);
    assert.equal(exported.code, 0, exported.stderr);
    await using other = makeHome();
    cpSync(join(home.memoHome, "own.json"), join(other.memoHome, "own.json"));
    const taken = await runMemo(other, ["import", "memo", path]);
    assert.equal(taken.code, 0, taken.stderr);
    const got = filesIn(join(other.claude, "memory"), { withLog: true });
    const plain = (files: Record<string, string>) =>
      Object.fromEntries(
        Object.entries(files).filter(([way]) => !/MEMORY\.md$|project\.json$/.test(way))
          // The log of the user's own folder begins with the import: before, all was by hand.
          .filter(([way]) => way !== ".archive/changes.jsonl"),
      );
    assert.deepEqual(plain(got), plain(wanted), name);
    const twice = await runMemo(other, ["import", path]);
    assert.match(twice.stderr, /^Recognised `.*` as memo\n[^]*\d+ already imported/);
    assert.doesNotMatch(twice.stderr, /added|updated/);
  }
  const zip = await runMemo(home, ["export", join(home.root, "out.zip")]);
  assert.match(zip.stderr, /unknown format\n\nhint: Pass a folder, or a file/);
  const none = await runMemo(home, ["import", "memo", home.project]);
  assert.match(
    none.stderr,
    /it has no `memo-export\.json`\n\nhint: Pass what `memo export` wrote/,
  );
  const missing = await runMemo(home, ["import", join(home.root, "missing")]);
  assert.match(missing.stderr, /missing`: no such file or folder$/m);
  const taken = await runMemo(home, ["export", join(home.root, "out")]);
  assert.equal(taken.code, 2, "an export is not mixed with what is there");
  rmSync(join(home.root, "out"), { recursive: true });
  assert.ok(!existsSync(join(home.root, "out")));
});

/** The memories of a home with whose word they are. */
async function basesOf(home: Home): Promise<string[]> {
  const { stdout } = await runMemo(home, ["list", "--json"]);
  const all: { name: string; basis: string }[] = JSON.parse(stdout);
  return all.map(({ name, basis }) => `${name} ${basis}`).sort();
}

Deno.test("an export of another home is asked about once, and unattended not said by the user", {
  ignore: !HAS_TERMINAL,
}, async () => {
  await using home = makeHome();
  await using other = makeHome();
  const exportOf = async (name: string) => {
    assert.equal((await runMemo(home, ["add", "--scope", "user", name])).code, 0);
    const path = join(home.root, `${name}.tar`);
    assert.equal((await runMemo(home, ["export", path])).code, 0);
    return path;
  };
  const bases = () => basesOf(other);
  const first = await exportOf("Kilns");
  for (const flags of [[], ["--yes"]]) {
    const { code, stderr } = await runMemo(other, ["import", "memo", first, ...flags]);
    assert.equal(code, 0, stderr);
    assert.deepEqual(await bases(), ["Kilns elsewhere"]);
    assert.equal(flags.length > 0, !/marked as imported/.test(stderr), stderr);
  }
  {
    await using terminal = runInTerminal(other, [MEMO, "import", first]);
    await terminal.shows(/did not\s+export[^]*Is this export yours\? \[y\/N\]/);
    await terminal.send("y");
    assert.equal(await terminal.ends(), 0);
  }
  assert.deepEqual(await bases(), ["Kilns said"]);
  const second = await exportOf("Wheels");
  assert.equal((await runMemo(other, ["import", second])).code, 0);
  assert.deepEqual(await bases(), ["Kilns said", "Wheels said"], "that home is known now");
});

Deno.test(
  "memo import rules asks once whether the person wrote a file, and unattended takes nothing for theirs",
  {
    ignore: !HAS_TERMINAL,
  },
  async () => {
    await using home = makeHome();
    writeFileSync(join(home.claude, "CLAUDE.md"), "- Use pnpm, never npm\n");
    assert.equal((await runMemo(home, ["import", "claude-md", "--yes"])).code, 0);
    const [rule, later] = ["Use pnpm, never npm", "Tests run with vitest on port 4000"];
    assert.deepEqual(await basesOf(home), [`${rule} elsewhere`]);
    {
      await using terminal = runInTerminal(home, [MEMO, "import", "rules"]);
      await terminal.shows(/\.claude\/CLAUDE\.md\s+Did you write this file\? \[Y\/n\]/);
      await terminal.press("Enter");
      await terminal.shows(/Apply 1 change\? \[y\/N\]/);
      await terminal.send("y");
      assert.equal(await terminal.ends(), 0);
    }
    assert.deepEqual(await basesOf(home), [`${rule} confirmed`]);
    appendFileSync(join(home.claude, "CLAUDE.md"), `- ${later}\n`);
    const { stderr } = await runMemo(home, ["import", "claude-md", "--yes"]);
    assert.doesNotMatch(stderr, /marked as imported/);
    const all = [`${later} confirmed`, `${rule} confirmed`];
    assert.deepEqual(await basesOf(home), all, "the answer is kept");
  },
);

Deno.test("memo import says what is wrong with a path", async () => {
  await using home = makeHome();
  home.write("My Notes/kiln.md", "The kiln is fired on Tuesdays\n");
  const rows = [
    [["nosuch.md"], /Cannot import `.*nosuch\.md`: no such file or folder$/m],
    [["~/nosuch"], /Cannot import `~\/nosuch`: no such file or folder$/m],
    [["~/My", "Notes"], /Quote a path with spaces: `memo import '~\/My Notes'`$/m],
    [["~/My", "Old", "Notes"], /Quote a text or path with spaces/],
    [["~/My Notes", "--dry-run"], /^~\/My Notes: 1 to add$/m],
    [["claude-memm"], /Unknown import source `claude-memm`\n\nhint: Did you mean `claude-mem`/],
  ] as const;
  for (const [args, message] of rows) {
    assert.match((await runMemo(home, ["import", ...args])).stderr, message);
  }
});

Deno.test({
  name: "no command waits for a pipe in the place of a file, or reads a device to its end",
  ignore: process.platform === "win32",
  async fn() {
    await using home = makeHome({}, { mayBeSent: false, hasModel: true });
    const pipe = join(home.root, "pipe.jsonl");
    execFileSync("mkfifo", [pipe]);
    for (const { name: source } of [...SOURCES, ...OWN_SOURCES]) {
      if (source === "conversations") continue; // it takes no path
      const { code, stderr } = await runMemo(home, ["import", source, pipe, "--yes"]);
      assert.ok(code === 1 || code === 2, `${source}: ${stderr}`);
      assert.match(stderr, /it is a named pipe, not a file/, source);
    }
    const extracted = await runMemo(home, ["import", "conversations", pipe]);
    assert.match(extracted.stderr, /Cannot capture .*: it is a named pipe, not a file/);
    execFileSync("mkfifo", [join(home.project, "memory.jsonl")]);
    assert.match((await runMemo(home, ["import"])).stdout, /knowledge-graph +cannot be read/);
    execFileSync("mkfifo", [join(home.claude, "settings.json")]);
    mkdirSync(join(home.project, ".claude"));
    execFileSync("mkfifo", [join(home.project, ".claude", "memo.yaml")]);
    execFileSync("mkfifo", [join(home.memoHome, "config.yaml")]);
    const listed = await runMemo(home, ["config", "list"]);
    assert.match(listed.stderr, /config\.yaml.*it is a named pipe, not a file/);
    assert.match((await runMemo(home, ["init"])).stderr, /settings\.json`: it is a named pipe/);
    assert.match((await runMemo(home, ["doctor"])).stdout, /settings\.json.*it is a named pipe/);
  },
});

Deno.test({
  name: "memo add refuses a stdin without end, and names the limit",
  ignore: process.platform === "win32",
  async fn() {
    await using home = makeHome();
    const zeros = openSync("/dev/zero", "r");
    const child = spawn(MEMO, ["add"], {
      cwd: home.project,
      env: home.env,
      stdio: [zeros, "ignore", "pipe"],
    });
    let stderr = "";
    child.stderr!.on("data", (text) => stderr += text);
    assert.equal(await new Promise((done) => child.on("close", done)), 2);
    closeSync(zeros);
    assert.match(stderr, /Cannot read stdin: it is larger than 8 MB/);
  },
});
