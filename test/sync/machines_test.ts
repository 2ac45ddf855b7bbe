// What is deleted, kept twice or held back, with the real executable on several machines.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { makeProjectFolder, projectOf } from "../../src/core/memory/project.ts";
import { copyOfMemo, type Home, type HomeOptions, makeHome, runMemo } from "../support/home.ts";
import { callTool } from "../mcp/support.ts";
import { filesIn } from "../support/files.ts";

const FACTS = ["alpha", "bravo", "charlie", "delta", "echo"].map((word) =>
  `The ${word} service has its own database`
);

/** Homes with a bare repository between them. */
async function homes(count: number, options: HomeOptions = {}) {
  const all = Array.from(
    { length: count },
    () => makeHome({ MEMO_LLM_PROVIDER: "none" }, options),
  );
  const remote = join(all[0]!.root, "remote.git");
  execFileSync("git", ["init", "-q", "--bare", "-b", "main", remote]);
  const asyncDispose = async () => {
    for (const home of all) await home.dispose();
  };
  for (const home of all) await memo(home, "config", "set", "capture.enabled=false");
  return { all, remote, [Symbol.asyncDispose]: asyncDispose };
}

/** Runs memo in the home's project; throws unless it ends with 0. */
async function memo(home: Home, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runMemo(home, args);
  assert.equal(code, 0, `memo ${args.join(" ")}: ${stdout}${stderr}`);
  return stdout + stderr;
}

async function syncAll(...all: readonly Home[]): Promise<void> {
  for (const home of all) await memo(home, "sync");
}

/** Makes the home's project a clone of the same repository. */
function clone(home: Home): void {
  execFileSync("git", ["init", "-q", home.project]);
  const url = "https://example.com/ada/shop.git";
  execFileSync("git", ["-C", home.project, "remote", "add", "origin", url]);
}

/** Which texts are in a file of a folder that is not archived. */
function live(folder: string, texts: readonly string[]): string[] {
  const files = Object.entries(filesIn(folder)).filter(([name]) =>
    !name.includes(".archive") && basename(name) !== "MEMORY.md"
  );
  return texts.filter((text) => files.some(([, content]) => content.includes(text)));
}

/** Which texts are in a file of a folder's archive. */
function archived(folder: string, texts: readonly string[]): string[] {
  const files = Object.entries(filesIn(folder)).filter(([name]) => /\.archive.*\.md$/.test(name));
  return texts.filter((text) => files.some(([, content]) => content.includes(text)));
}

const users = (home: Home) => join(home.claude, "memory");

/** Has the first home keep facts about a project, and the second sync before it has that project. */
async function before(all: readonly Home[], remote: string): Promise<void> {
  const [a, b] = all as [Home, Home];
  clone(a);
  for (const fact of FACTS) await memo(a, "add", "--scope", "project", fact);
  await memo(a, "sync", "init", remote);
  await memo(b, "sync", "init", remote);
  clone(b);
}

const NOTHING = () => Promise.resolve();

const SAVES: Readonly<Record<string, (home: Home) => Promise<unknown>>> = {
  "`memo add`": (home) => memo(home, "add", "--scope", "project", "A note of this machine"),
  async "an MCP client"(home) {
    const input = { text: "A note of this machine", type: "project" };
    assert.match(await callTool(home, "memory_save", input) ?? "", /Saved/);
  },
  "the journal": (home) => {
    makeProjectFolder(home.privately, home.project);
    home.keep("journal/2026-11-21.md", "## Session 10:00\n\n### 10:00\n- A note of this machine\n");
    return Promise.resolve();
  },
  "nobody, as memo's hint has it": NOTHING,
};

for (const [who, save] of Object.entries(SAVES)) {
  Deno.test(`a machine that gets a project later deletes none of its memories: written by ${who}`, async () => {
    await using net = await homes(2);
    const [a, b] = net.all as [Home, Home];
    await before([a, b], net.remote);
    await save(b);
    await syncAll(b, a);
    for (const home of [a, b]) {
      assert.deepEqual(live(home.privately, FACTS), FACTS);
      if (save === NOTHING) continue;
      assert.equal(live(home.privately, ["A note of this machine"]).length, 1);
    }
  });
}

Deno.test("another clone of a project on the same machine deletes nothing", async () => {
  await using net = await homes(2);
  const [a, b] = net.all as [Home, Home];
  await before([a, b], net.remote);
  await memo(b, "sync");
  assert.deepEqual(live(b.privately, FACTS), FACTS);
  const again = join(b.root, "again");
  execFileSync("git", ["clone", "-q", b.project, again], { stdio: "pipe" });
  const url = "https://example.com/ada/shop.git";
  execFileSync("git", ["-C", again, "remote", "set-url", "origin", url]);
  rmSync(b.project, { recursive: true });
  const moved = { ...b, project: again };
  await memo(moved, "add", "--scope", "project", "A note of this machine");
  await syncAll(moved, a);
  assert.deepEqual(live(a.privately, FACTS), FACTS);
  assert.deepEqual(live(projectOf(again, b.claude).folder, FACTS), FACTS);
});

/** Two machines with the same memories of the user. */
async function pair(facts: readonly string[] = FACTS, options: HomeOptions = {}) {
  const net = await homes(2, options);
  const [a, b] = net.all as [Home, Home];
  for (const fact of facts) await memo(a, "add", "--scope", "user", fact);
  for (const home of [a, b]) await memo(home, "sync", "init", net.remote);
  assert.deepEqual(live(users(b), facts), facts);
  return { ...net, a, b };
}

function test(name: string, run: (net: Awaited<ReturnType<typeof pair>>) => Promise<void>): void {
  Deno.test(name, async () => {
    await using net = await pair();
    await run(net);
  });
}

const EMPTIED: Readonly<Record<string, (folder: string) => void>> = {
  "emptied": (folder) => {
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
  },
  "missing": (folder) => rmSync(folder, { recursive: true }),
  "made again": (folder) => {
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    writeFileSync(join(folder, "tool_new.md"), "---\nname: New\ntype: tool\n---\nNew.\n");
  },
};

for (const [how, empty] of Object.entries(EMPTIED)) {
  Deno.test(`a memory folder that is ${how} deletes nothing elsewhere, and is filled again`, async () => {
    await using net = await pair();
    empty(users(net.a));
    await syncAll(net.a, net.b);
    for (const home of [net.a, net.b]) assert.deepEqual(live(users(home), FACTS), FACTS);
  });
}

Deno.test("a folder, a note or a log that cannot be read or is too large counts as before, and is named", async () => {
  // One is given to another user, whole.
  await using net = await pair(FACTS, { isUnpacked: false });
  const { a, b } = net;
  mkdirSync(join(users(a), "deep"));
  writeFileSync(join(users(a), "deep", "tool_deep.md"), "---\nname: D\ntype: tool\n---\nDeep.\n");
  writeFileSync(join(users(a), "tool_big.md"), "---\nname: B\ntype: tool\n---\nBig.\n");
  await syncAll(a, b);
  const log = join(users(b), ".archive", "changes.jsonl");
  assert.deepEqual(live(users(b), ["Deep.", "Big."]), ["Deep.", "Big."]);
  const logged = readFileSync(log, "utf8");

  truncateSync(join(users(a), "tool_big.md"), 9 * 1024 * 1024);
  truncateSync(join(users(a), ".archive", "changes.jsonl"), 200 * 1024 * 1024);
  chmodSync(join(users(a), "deep"), 0);
  const { code, stderr } = await asSomebody(a, ["sync"]);
  chmodSync(join(users(a), "deep"), 0o700);
  assert.equal(code, 1, stderr);
  for (const name of ["deep", "tool_big.md", "changes.jsonl"]) {
    assert.match(stderr, new RegExp(`not synced: .*${name}`));
  }
  assert.match(stderr, /it is 9 MB; the limit is 8 MB/);
  await memo(b, "sync");
  assert.deepEqual(live(users(b), [...FACTS, "Deep.", "Big."]), [...FACTS, "Deep.", "Big."]);
  assert.equal(readFileSync(log, "utf8"), logged);
});

/** Runs memo as a user whom permissions bind, also where the tests run as root. */
async function asSomebody(home: Home, args: readonly string[]) {
  if (process.getuid?.() !== 0) return await runMemo(home, args);
  const own = (owner: string) => execFileSync("chown", ["-R", owner, home.root]);
  const nobody = ["--reuid=65534", "--regid=65534", "--clear-groups"];
  const copy = copyOfMemo(home);
  own("65534:65534");
  try {
    return await runMemo(home, [...nobody, copy, ...args], { executable: "setpriv" });
  } finally {
    own("0:0");
  }
}

test("a memory that another machine has deleted goes to the archive, and comes back by `memo undo`", async ({ a, b }) => {
  const [gone] = Object.entries(filesIn(users(a))).find(([name, text]) =>
    name.endsWith(".md") && !name.includes("MEMORY") && text.includes(FACTS[0]!)
  )!;
  const text = readFileSync(join(users(a), gone), "utf8");
  rmSync(join(users(a), gone));
  await syncAll(a, b);
  assert.deepEqual(live(users(b), FACTS), FACTS.slice(1));
  assert.deepEqual(archived(users(b), FACTS), FACTS.slice(0, 1));
  await memo(b, "undo", "--archived", gone);
  assert.equal(readFileSync(join(users(b), gone), "utf8"), text);
  await memo(a, "sync");
  assert.deepEqual(archived(users(a), FACTS), FACTS.slice(0, 1));
});

test("what memo has forgotten is no loss, however much, and logged and archived once on the other machine", async ({ a, b }) => {
  const gone = FACTS.slice(0, 4);
  for (const fact of gone) await memo(a, "forget", fact);
  await syncAll(a, b);
  assert.deepEqual(live(users(b), FACTS), FACTS.slice(4));
  const copies = Object.keys(filesIn(users(b))).filter((name) => /\.archive.*\.md$/.test(name));
  assert.deepEqual([archived(users(b), FACTS), copies.length], [gone, gone.length]);
  const log = readFileSync(join(users(b), ".archive", "changes.jsonl"), "utf8");
  const changes = log.trim().split("\n").map((line) => JSON.parse(line).what);
  assert.deepEqual(changes, [...FACTS.map(() => "add"), ...gone.map(() => "forget")]);
});

test("memo undo --archived brings the other machine's version, and undo brings this one back", async ({ a, b }) => {
  const kiln = (home: Home, port: number, day: number) =>
    home.write(
      ".claude/memory/tool_kiln.md",
      `---\nname: Kiln\ntype: tool\ncreated: 2026-11-01\nupdated: 2026-11-0${day}\n---\n` +
        `The kiln has port ${port}.\n`,
    );
  kiln(a, 1, 2);
  await syncAll(a, b);
  kiln(a, 2, 4);
  kiln(b, 3, 3);
  await syncAll(a, b, a);
  for (const home of [a, b]) {
    const port = () =>
      /port (\d)/.exec(readFileSync(join(users(home), "tool_kiln.md"), "utf8"))![1];
    assert.equal(port(), "2");
    await memo(home, "undo", "--archived", "Kiln");
    assert.equal(port(), "3");
    await memo(home, "undo", "Kiln");
    assert.equal(port(), "2");
  }
});

test("a secret holds its file back without failing every sync, and the cure that is named works", async ({ a, remote }) => {
  const token = `ghp_${"a1B2".repeat(9)}`;
  await memo(a, "add", `The token is ${token}`, "--anyway", "--scope", "user");
  const cure = /hint: Run `memo doctor --secrets --fix` to redact the secrets/;
  for (let times = 0; times < 2; times++) {
    const said = await memo(a, "sync");
    assert.match(said, /not synced: `.*`: it seems to contain a secret/);
    assert.match(said, cure);
  }
  assert.match(await memo(a, "sync", "status"), cure);
  const doctor = JSON.parse((await runMemo(a, ["doctor", "--offline", "--json"])).stdout);
  const found = doctor.find(({ name }: { name: string }) => name === "sync");
  assert.deepEqual([found.status, found.fix], ["warn", "Run `memo doctor --secrets --fix`"]);
  assert.match(found.detail, /^\d files? with a secret not synced$/);
  const mirror = join(a.memoHome, "sync", "repository.git");
  const held = (path: string) => {
    const args = ["--git-dir", path, "cat-file", "--batch", "--batch-all-objects"];
    return execFileSync("git", args, { encoding: "utf8" });
  };
  assert.ok(!held(mirror).includes(token));

  await memo(a, "doctor", "--secrets", "--fix");
  assert.doesNotMatch(await memo(a, "sync"), /not synced/);
  for (const path of [remote, mirror]) {
    assert.ok(held(path).includes("The token is") && !held(path).includes(token), path);
  }
});

test("sync stops when many memories are gone, and goes on or takes them back when it is told to", async ({ a, b }) => {
  const take = (count: number) => {
    const names = Object.entries(filesIn(users(a))).filter(([name, text]) =>
      !name.includes(".archive") && FACTS.slice(0, count).some((fact) => text.includes(fact)) &&
      basename(name) !== "MEMORY.md"
    );
    for (const [name] of names) rmSync(join(users(a), name));
  };
  take(3);
  const stopped = await runMemo(a, ["sync"]);
  assert.equal(stopped.code, 1);
  assert.match(
    stopped.stderr,
    /Cannot sync: 3 of 5 memories in .* were deleted since the last sync/,
  );
  assert.match(stopped.stderr, /hint: Run `memo sync --yes`.*`memo sync --keep`/);
  const quiet = await runMemo(a, ["sync", "--quiet"]);
  assert.deepEqual([quiet.code, quiet.stdout], [1, ""]);
  assert.match(await memo(a, "sync", "status"), /3 of 5 memories/);
  const doctor = JSON.parse((await runMemo(a, ["doctor", "--offline", "--json"])).stdout);
  const checks: { name: string; status: string; detail: string }[] = doctor.checks ?? doctor;
  const row = checks.find(({ name }) => name === "sync")!;
  assert.equal(row.status, "warn");
  assert.match(row.detail, /3 of 5 memories/);

  await memo(a, "sync", "--keep");
  assert.deepEqual(live(users(a), FACTS), FACTS);
  take(3);
  await memo(a, "sync", "--yes");
  assert.match(await memo(a, "sync", "status"), /Last sync: .*, ok/);

  const incoming = await runMemo(b, ["sync"]);
  assert.equal(incoming.code, 1);
  assert.match(incoming.stderr, /Cannot sync: another machine deleted 3 of 5 memories in/);
  assert.deepEqual(live(users(b), FACTS), FACTS);
  await memo(b, "sync", "--yes");
  assert.deepEqual(live(users(b), FACTS), FACTS.slice(3));
  assert.deepEqual(archived(users(b), FACTS), FACTS.slice(0, 3));
});

test("journal, archive and log of changes that are deleted by hand come back", async ({ a, b }) => {
  mkdirSync(join(users(a), "journal"));
  writeFileSync(join(users(a), "journal", "2026-11-21.md"), "### 10:00\n- It began\n");
  await memo(a, "forget", FACTS[0]!);
  await syncAll(a, b);
  const all = filesIn(join(users(a), ".archive"));
  rmSync(join(users(a), ".archive"), { recursive: true });
  rmSync(join(users(a), "journal"), { recursive: true });
  await syncAll(a, b);
  for (const home of [a, b]) {
    assert.deepEqual(filesIn(join(users(home), ".archive")), all);
    assert.match(readFileSync(join(users(home), "journal", "2026-11-21.md"), "utf8"), /It began/);
  }
  writeFileSync(join(users(a), ".archive", "changes.jsonl"), "");
  await memo(a, "sync");
  assert.deepEqual(filesIn(join(users(a), ".archive")), all);
});

test("what is erased for good is erased on every machine, also in their archives", async ({ a, b }) => {
  await memo(b, "edit", "--pin", FACTS[1]!);
  await syncAll(b, a);
  await memo(a, "forget", "--hard", "--yes", FACTS[1]!);
  await syncAll(a, b, a);
  for (const home of [a, b]) {
    const all = Object.values(filesIn(users(home))).join("\n");
    assert.deepEqual([home === a, all.includes(FACTS[1]!)], [home === a, false]);
    assert.deepEqual(live(users(home), FACTS), FACTS.filter((fact) => fact !== FACTS[1]));
  }
});

test("memo sync squash leaves nothing erased in the history, and no machine brings it back", async ({ a, b, remote }) => {
  const { stderr } = await runMemo(a, ["forget", "--hard", "--yes", FACTS[1]!]);
  assert.match(stderr, /`memo sync squash` removes it/);
  await memo(b, "add", "--scope", "user", "A note that the other machine has not seen");
  await memo(a, "sync", "squash");
  await syncAll(b, a);
  const repository = (home: Home) => join(home.memoHome, "sync", "repository.git");
  for (const path of [repository(a), repository(b)]) {
    const args = ["--git-dir", path, "cat-file", "--batch", "--batch-all-objects"];
    const objects = execFileSync("git", args, { encoding: "utf8" });
    assert.ok(objects.includes(FACTS[0]!) && !objects.includes(FACTS[1]!), path);
  }
  const commits = ["--git-dir", remote, "log", "-p", "--all"];
  const history = execFileSync("git", commits, { encoding: "utf8" });
  assert.ok(history.includes(FACTS[0]!) && !history.includes(FACTS[1]!));
  for (const home of [a, b]) {
    assert.deepEqual(live(users(home), FACTS), FACTS.filter((fact) => fact !== FACTS[1]));
    assert.equal(live(users(home), ["the other machine has not seen"]).length, 1);
  }
});

Deno.test("a running daemon reads no more files than a sync has written", async () => {
  await using net = await homes(2);
  const [a, b] = net.all as [Home, Home];
  for (const fact of FACTS) await memo(a, "add", "--scope", "user", fact);
  for (const home of [a, b]) await memo(home, "sync", "init", net.remote);
  await memo(b, "index");
  await memo(b, "daemon", "start");
  await memo(b, "search", "delta"); // the daemon compares the folder
  await memo(a, "add", "--scope", "user", "The foxtrot service has none");
  await memo(a, "forget", "alpha");
  await syncAll(a, b);
  const log = readFileSync(join(b.memoHome, "logs", "daemon.log"), "utf8").trimEnd().split("\n");
  const syncs = log.map((line) => JSON.parse(line)).filter(({ event }) => event === "sync");
  const { added, removed, unchanged } = syncs.at(-1);
  assert.deepEqual({ added, removed, unchanged }, { added: 1, removed: 1, unchanged: 0 });
  assert.match(await memo(b, "list"), /foxtrot/);
});
