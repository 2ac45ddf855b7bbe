import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import fc from "fast-check";
import { archive } from "../../src/core/change/file.ts";
import { placeIn } from "../../src/core/memory/scopes.ts";
import { pathsFor } from "../../src/paths.ts";
import { repositoryIn, syncLater } from "../../src/features/sync/mod.ts";
import { parseChanges } from "../../src/core/ledger/change_log.ts";
import { makeProjectFolder, projectOf } from "../../src/core/memory/project.ts";
import { digestOf } from "../../src/core/memory/trust.ts";
import { isPortable, mergeFile } from "../../src/features/sync/portable.ts";
import { inTurn, type Machine, machines, memory, NOW, test } from "./support.ts";

test("what one machine writes the other has after both have synced", async ({ a, b }) => {
  a.write("tool_redis.md", memory("Redis", "Port 6379"));
  a.write("journal/2026-11-21.md", "## Session 10:00\n\n### 10:00\n- It began\n");
  a.write(".hidden.md", "no");
  const first = await a.sync();
  assert.equal(first.sent, 2);
  const second = await b.sync();
  assert.equal(second.received, 2);
  assert.equal(b.read("tool_redis.md"), memory("Redis", "Port 6379"));
  assert.equal(b.read(".hidden.md"), undefined);
  assert.equal(lstatSync(join(b.memory, "tool_redis.md")).mode & 0o777, 0o600);
  const third = await b.sync();
  assert.deepEqual([third.sent, third.received], [0, 0]);
});

test("edits of different fields are joined, of one body the newer is current and the other kept", async ({ a, b }) => {
  a.write("tool_x.md", memory("X", "One", "tags: [a]\n"));
  await inTurn(a, b);

  a.write("tool_x.md", memory("X", "One", "tags: [a, b]\nupdated: 2026-11-20T00:00:00Z\n"));
  b.write("tool_x.md", memory("X", "Two", "tags: [a, c]\nupdated: 2026-11-19T00:00:00Z\n# mine\n"));
  await a.sync();
  assert.deepEqual((await b.sync()).conflicts, []);
  await a.sync();
  const joined = a.read("tool_x.md")!;
  assert.match(joined, /Two/);
  assert.match(joined, /a.*b.*c/s);
  assert.match(joined, /updated: 2026-11-20/);

  a.write("tool_x.md", joined.replace("Two", "Three").replace("2026-11-20", "2026-11-22"));
  b.write("tool_x.md", joined.replace("Two", "Four").replace("2026-11-20", "2026-11-21"));
  await a.sync();
  const { conflicts } = await b.sync();
  assert.deepEqual(conflicts.map(({ relativePath, because }) => [relativePath, because]), [
    ["user/tool_x.md", "edited on both machines"],
  ]);
  await a.sync();
  assert.deepEqual(a.files(), b.files());
  assert.match(a.read("tool_x.md")!, /Three/);
  const archived = Object.entries(a.files()).filter(([path]) => path.startsWith(".archive/"));
  assert.match(archived.map(([, text]) => text).join(), /Four/);
  const changes = parseChanges(a.read(".archive/changes.jsonl")!);
  assert.deepEqual(
    changes.filter(({ what }) => what === "conflict").map(({ file, before, after }) => ({
      file,
      other: /Four/.test(a.read(`.archive/${before!.archived}`)!),
      isCurrent: after === digestOf(a.read("tool_x.md")!),
    })),
    [{ file: "tool_x.md", other: true, isCurrent: true }],
  );
});

test("what one machine forgets and the other edits stays, unless a newer memory replaced it", async ({ a, b }) => {
  a.write("tool_x.md", memory("X", "One"));
  a.write("tool_y.md", memory("Y", "Old way", "updated: 2026-11-01T00:00:00Z\n"));
  a.write("tool_z.md", memory("Z", "It stays"));
  await inTurn(a, b);

  rmSync(join(a.memory, "tool_x.md"));
  rmSync(join(a.memory, "tool_y.md"));
  a.write(
    "tool_y2.md",
    memory("Y2", "New way", "created: 2026-11-20T00:00:00Z\nsupersedes: [tool_y.md]\n"),
  );
  b.write("tool_x.md", memory("X", "One, and more"));
  b.write("tool_y.md", memory("Y", "Old way, edited", "updated: 2026-11-10T00:00:00Z\n"));
  await inTurn(a, b, a, b);
  assert.deepEqual(a.files(), b.files());
  assert.match(a.read("tool_x.md")!, /and more/);
  assert.equal(a.read("tool_y.md"), undefined);
  const archived = Object.entries(a.files()).filter(([path]) => path.startsWith(".archive/"));
  assert.match(archived.map(([, text]) => text).join(), /Old way, edited/);
});

Deno.test("conflicting edits of two machines lose no word", async () => {
  const step = fc.record({
    machine: fc.nat(1),
    file: fc.constantFrom("tool_a.md", "tool_b.md", "deep/tool_c.md", "journal/2026-11-21.md"),
    what: fc.constantFrom("add", "body", "field", "forget", "sync", "sync"),
    day: fc.integer({ min: 10, max: 28 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      using net = machines(2);
      for (const each of net.all) await each.init();
      const words: string[] = [];
      for (const [i, { machine, file, what, day }] of steps.entries()) {
        const on = net.all[machine]!;
        const word = `word${i}x`;
        if (what === "sync") await on.sync();
        else if (change(on, { file, what, day, word })) words.push(word);
      }
      for (const i of [0, 1, 0, 1]) await net.all[i]!.sync();
      const [a, b] = net.all.map((each) => each.files());
      assert.deepEqual(a, b);
      const all = Object.values(a!).join("\n");
      assert.deepEqual(words.filter((word) => !all.includes(word)), []);
    }),
    { numRuns: 6, interruptAfterTimeLimit: 120_000 },
  );
});

interface Edit {
  readonly file: string;
  readonly what: string;
  readonly day: number;
  readonly word: string;
}

/** Makes an edit that adds a word and takes none away; returns whether there was anything to do. */
function change(on: Machine, { file, what, day, word }: Edit): boolean {
  const before = on.read(file);
  const updated = `updated: 2026-11-${day}T00:00:00Z`;
  if (file.startsWith("journal/")) {
    const entry = `### 1${
      day % 10
    }:00\n<!-- session:s${word} turn:${word} transcript:/t.jsonl -->\n- ${word}\n`;
    on.write(file, `${before ?? "## Session 10:00\n\n"}\n${entry}`);
  } else if (what === "forget") {
    if (before === undefined) return false;
    const folder = { scope: "user", path: on.memory } as const;
    archive(join(on.memory, file), folder, { what: "forget", now: NOW });
    return false;
  } else if (before === undefined) {
    on.write(file, memory(what === "add" ? `Name of ${word}` : "One name", word, `${updated}\n`));
  } else if (what === "field") {
    on.write(
      file,
      before.replace(/^updated.*$/m, updated).replace(/^type:/m, `${word}: yes\ntype:`),
    );
  } else on.write(file, `${before.replace(/^updated.*$/m, updated)}${word}\n`);
  return true;
}

test("a file that is edited while a sync runs keeps the edit", async ({ a, b }) => {
  a.write("tool_x.md", memory("X", "One"));
  await inTurn(a, b);
  a.write("tool_x.md", memory("X", "From a", "updated: 2026-11-20T00:00:00Z\n"));
  await a.sync();
  await b.sync({
    onStep: (step) => {
      if (step === "pushed") b.write("tool_x.md", memory("X", "While it ran"));
    },
  });
  await inTurn(b, a);
  assert.deepEqual(a.files(), b.files());
  const all = Object.values(a.files()).join();
  assert.match(all, /From a/);
  assert.match(all, /While it ran/);
  const changes = parseChanges(a.read(".archive/changes.jsonl")!);
  assert.deepEqual(
    changes.filter(({ what }) => what === "conflict").map(({ before }) =>
      /While it ran/.test(a.read(`.archive/${before!.archived}`)!)
    ),
    [true],
    "and the person is asked",
  );
});

Deno.test("two machines that push at once both succeed", async () => {
  using net = machines(3);
  for (const [i, each] of net.all.entries()) {
    await each.init();
    each.write(`tool_m${i}.md`, memory(`M${i}`, `From ${i}`));
  }
  await Promise.all(net.all.map((each) => each.sync()));
  for (const each of net.all) await each.sync();
  for (const each of net.all) {
    assert.deepEqual(Object.keys(each.files()), ["tool_m0.md", "tool_m1.md", "tool_m2.md"]);
  }
});

Deno.test("private memories of a project find its clone by the remote, and wait where there is none", async () => {
  using net = machines(3);
  const [a, b, c] = net.all as [Machine, Machine, Machine];
  const clone = (on: Machine, name: string, url: string) => {
    const root = join(on.home, name);
    mkdirSync(root, { recursive: true });
    execFileSync("git", ["init", "-q", root]);
    execFileSync("git", ["-C", root, "remote", "add", "origin", url]);
    return root;
  };
  const atA = clone(a, "work/shop", "git@github.com:ada/shop.git");
  const atB = clone(b, "code/my-shop", "https://user@github.com/ada/shop");
  const { folder } = projectOf(atA, a.claude);
  makeProjectFolder(folder, atA);
  writeFileSync(join(folder, "decision_db.md"), memory("Db", "Postgres"));
  for (const each of net.all) await each.init();
  await a.sync();
  assert.deepEqual((await c.sync()).waiting, ["shop"]);
  await b.sync({ roots: [atB] });
  const there = projectOf(atB, b.claude).folder;
  assert.ok(existsSync(join(there, "decision_db.md")));
  writeFileSync(join(there, "decision_db.md"), memory("Db", "Postgres 17"));
  await inTurn(b, a);
  const { readFileSync } = await import("node:fs");
  assert.match(readFileSync(join(folder, "decision_db.md"), "utf8"), /17/);

  const atC = clone(c, "shop", "ssh://git@github.com:22/ada/shop.git");
  assert.deepEqual((await c.sync({ roots: [atC] })).waiting, []);
  assert.ok(existsSync(join(projectOf(atC, c.claude).folder, "decision_db.md")));
});

/** A work tree of the remote, and what commits and pushes all in it. */
function cloneOf(remote: string, work: string) {
  const git = (...args: string[]) => execFileSync("git", args, { stdio: "pipe" });
  git("clone", "-q", remote, work);
  const push = () => {
    git("-C", work, "add", "-A");
    git("-C", work, "-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "x");
    git("-C", work, "push", "-q", "origin", "HEAD:main");
  };
  return { work, push };
}

Deno.test("sync passes over a project where memo is off: nothing goes there, nothing comes, and nothing is lost", async () => {
  using net = machines(2);
  const [a, b] = net.all as [Machine, Machine];
  for (const each of net.all) await each.init();
  const folders = [a, b].map((machine) => {
    const root = join(machine.home, "clients", "shop");
    mkdirSync(root, { recursive: true });
    const { folder } = projectOf(root, machine.claude);
    makeProjectFolder(folder, root);
    return folder;
  }) as [string, string];
  const put = (at: string, name: string) =>
    writeFileSync(join(at, `${name}.md`), memory(name, `The ${name} is green.`));
  const noted = (at: string) =>
    ["one", "two", "three"].filter((name) => existsSync(join(at, `${name}.md`)));
  put(folders[0], "one");
  await inTurn(a, b);
  assert.deepEqual(noted(folders[1]), ["one"]);
  mkdirSync(join(b.home, "state"), { recursive: true });
  const config = join(b.home, "state", "config.yaml");
  writeFileSync(config, "off: ~/clients\n");
  put(folders[0], "two");
  put(folders[1], "three");
  const { sent } = await inTurn(a, b);
  assert.equal(sent, 0);
  await a.sync();
  assert.deepEqual(folders.map(noted), [["one", "two"], ["one", "three"]]);
  rmSync(config);
  await inTurn(b, a);
  assert.deepEqual(folders.map(noted), [["one", "two", "three"], ["one", "two", "three"]]);
});

Deno.test("nothing that a remote holds leads out of the memory folder", async () => {
  using net = machines(1);
  const [a] = net.all as [Machine];
  const { work, push } = cloneOf(net.remote, join(a.home, "evil"));
  mkdirSync(join(work, "user", ".git-hooks"), { recursive: true });
  mkdirSync(join(work, "user", "sub"), { recursive: true });
  writeFileSync(join(work, "user", "tool_good.md"), memory("Good", "Fine"));
  writeFileSync(join(work, "user", "run.sh"), "echo");
  writeFileSync(join(work, "user", ".git-hooks", "x.md"), "hidden");
  writeFileSync(join(work, "user", "sub", "tool_through.md"), memory("Through", "a link"));
  symlinkSync("/etc/passwd", join(work, "user", "passwd.md"));
  writeFileSync(join(work, "outside.md"), "no place");
  push();
  symlinkSync(work, join(a.memory, "sub"));
  await a.init();
  const { heldBack } = await a.sync();
  assert.match(a.read("tool_good.md")!, /Fine/);
  assert.equal(a.read("passwd.md"), undefined);
  assert.equal(a.read("run.sh"), undefined);
  assert.equal(existsSync(join(work, "tool_through.md")), false);
  assert.deepEqual(heldBack.map(({ path }) => path), [join(a.memory, "sub", "tool_through.md")]);
});

test("a huge file of a remote is named and not read, and the rest comes", async ({ a, b, remote }) => {
  a.write("tool_small.md", memory("Small", "Fine"));
  a.write("tool_both.md", memory("Both", "As it was"));
  await inTurn(a, b);
  const { work, push } = cloneOf(remote, join(a.home, "work"));
  for (const name of ["tool_huge.md", "tool_both.md"]) {
    writeFileSync(join(work, "user", name), "");
    truncateSync(join(work, "user", name), 9 * 1024 * 1024);
  }
  writeFileSync(join(work, "user", "tool_new.md"), memory("New", "It comes"));
  push();
  b.write("tool_both.md", memory("Both", "Edited here"));
  const { heldBack } = await b.sync();
  assert.match(b.read("tool_new.md")!, /It comes/);
  assert.match(b.read("tool_both.md")!, /Edited here/);
  assert.deepEqual(Object.keys(b.files()).filter((name) => name.includes("huge")), []);
  assert.ok(heldBack.length > 0);
  for (const { because } of heldBack) {
    assert.equal(because, "it is 9 MB; the limit is 8 MB");
  }
  await a.sync();
  assert.match(a.read("tool_both.md")!, /Edited here/);
});

Deno.test("without a remote, git or the network sync says what to do", async () => {
  using net = machines(1);
  const [a] = net.all as [Machine];
  await assert.rejects(a.sync(), { hint: /memo sync init REMOTE/ });
  await a.init();
  rmSync(net.remote, { recursive: true });
  await assert.rejects(a.sync(), { name: "MemoError", message: /Cannot read the remote: fatal/ });
});

test("the daemon syncs in a process of its own, with the environment of the session", async ({ a, b }) => {
  a.write("tool_x.md", memory("X", "One"));
  const env = {
    ...a.env,
    CLAUDE_CONFIG_DIR: a.claude,
    MEMO_HOME: join(a.home, "state"),
    NO_COLOR: "1",
  };
  const alive = setInterval(() => {}, 1000); // nothing waits for the process itself
  const logged = await new Promise((resolve) => {
    const place = placeIn(pathsFor(env), a.home);
    syncLater({ env, place, log: (event, details) => resolve([event, details]) }, 0);
  }).finally(() => clearInterval(alive));
  assert.deepEqual(logged, ["sync", {}]);
  assert.equal((await b.sync()).received, 1);
});

Deno.test("a remote that wants a login is an error with a hint, not a question", async () => {
  using net = machines(1);
  const [a] = net.all as [Machine];
  const server = createServer((_request, response) => {
    response.writeHead(401, { "WWW-Authenticate": 'Basic realm="x"' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  try {
    const { port } = server.address() as AddressInfo;
    const paths = { sync: join(a.home, "state", "sync") };
    await repositoryIn(paths, a.env).make(`http://127.0.0.1:${port}/memories.git`);
    await assert.rejects(a.sync(), { name: "MemoError", hint: /git ls-remote/ });
  } finally {
    server.close();
  }
});

Deno.test("a line that was taken out of the log of changes stays out", () => {
  const merged = mergeFile(".archive/changes.jsonl", {
    base: '{"id":"a"}\n{"id":"b"}\n',
    ours: '          \n{"id":"b"}\n',
    theirs: '{"id":"a"}\n{"id":"b"}\n{"id":"c"}\n',
  });
  assert.deepEqual(merged, { text: '{"id":"b"}\n{"id":"c"}\n          \n' });
});

Deno.test("what two machines know of a project is no conflict at the second one's first sync", async () => {
  using net = machines(2);
  const [a, b] = net.all as [Machine, Machine];
  for (const machine of [a, b]) {
    const { claude, home } = machine;
    const root = join(home, "shop");
    mkdirSync(root, { recursive: true });
    const git = (...args: string[]) => execFileSync("git", args, { cwd: root, stdio: "ignore" });
    git("init", "-q");
    const when = "2026-11-01T00:00:00Z";
    const who = ["-c", "user.name=n", "-c", "user.email=e@x", "commit", "-q", "--allow-empty"];
    const env = { ...machine.env, GIT_AUTHOR_DATE: when, GIT_COMMITTER_DATE: when };
    execFileSync("git", [...who, "-m", "first"], { cwd: root, env: env as Record<string, string> });
    if (machine === b) git("remote", "add", "origin", "https://host.example/shop.git");
    const { folder } = projectOf(root, claude);
    makeProjectFolder(folder, root);
    writeFileSync(join(folder, `${machine === a ? "a" : "b"}.md`), memory("N", "Of one machine"));
    await machine.init();
  }
  const reports = [await a.sync(), await b.sync(), await a.sync()];
  assert.deepEqual(reports.flatMap(({ conflicts }) => conflicts), []);
  assert.equal(reports[1]!.received, 1);
});

Deno.test("merging keeps every word that neither side has taken out", () => {
  const text = fc.array(fc.constantFrom("a", "b", "tags: [x]", "---", "name: N", "type: tool", ""))
    .map((lines) => lines.join("\n"));
  fc.assert(fc.property(fc.option(text, { nil: undefined }), text, text, (base, ours, theirs) => {
    const { text, kept, sibling } = mergeFile("tool_x.md", { base, ours, theirs });
    const all = [text, kept, sibling].join("\n");
    const words = (of: string): string[] => of.match(/\b[ab]\b/g) ?? [];
    for (const word of [...words(ours), ...words(theirs)]) {
      const isTakenOut = base !== undefined && words(base).includes(word);
      assert.ok(isTakenOut || all.includes(word));
    }
  }));
});

Deno.test("a path is portable only if every system can hold it inside the folder", () => {
  const fine = ["tool_x.md", "deep/a.md", ".archive/x.20261121-120000.md", "journal/2026-11-21.md"];
  const wrong = [
    ...["../x.md", "/etc/x.md", "a/../../x.md", "a//b.md", ".git/x.md", "x/.hidden/y.md", "con.md"],
    ...["C:\\x.md", "a:b.md", "x.sh", "MEMORY.md", "projects/p/x.md", "a\nb.md", "dot./x.md", ""],
    `${"d/".repeat(9)}x.md`,
  ];
  assert.deepEqual(fine.filter((relativePath) => !isPortable(relativePath)), []);
  assert.deepEqual(wrong.filter(isPortable), []);
  fc.assert(fc.property(fc.string({ unit: "binary" }), (relativePath) => {
    if (!isPortable(relativePath)) return;
    const path = join("/root/folder", relativePath);
    assert.ok(path.startsWith("/root/folder/") && !path.includes("/../"));
  }));
});
