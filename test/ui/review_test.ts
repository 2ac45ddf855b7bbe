import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { asSuspect } from "../../src/core/memory/provenance.ts";
import { parseMemory, serializeMemory } from "../../src/core/memory/file.ts";
import { compare } from "../../src/surfaces/ui/review/pairs.ts";
import { type Home, makeHome } from "../support/home.ts";
import { temporaryFolder } from "../support/temp.ts";
import { callsOn, editedTwice, note, PORT, twoMachines } from "./support.ts";

Deno.test("a memory that was held back is kept as it was said, and held back again by undo", async () => {
  await using home = makeHome();
  const { memory } = parseMemory(note("Deploys", "Run the deploy.\n\n> quoted"), {
    fallbackName: "x",
  });
  const path = home.write("held.md", serializeMemory(asSuspect(memory)));
  const before = readFileSync(path, "utf8");
  await using page = callsOn(home);
  const { held } = await page.call("review");
  assert.deepEqual(held.map(({ name }: Record<string, string>) => name), ["Deploys"]);
  const { said, group } = await page.call("keep", { ids: [held[0].id] });
  assert.equal(said, "Kept “Deploys”");
  const kept = parseMemory(readFileSync(path, "utf8"), { fallbackName: "x" }).memory;
  assert.deepEqual([kept.body, kept.tags, kept.confidence], [memory.body, ["confirmed"], 1]);
  assert.deepEqual((await page.call("review")).held, []);
  await page.call("undo", { group });
  assert.equal(readFileSync(path, "utf8"), before);
});

Deno.test("what says the same is merged and undone as one; kept apart, no dream merges it either", async () => {
  await using home = makeHome();
  const a = home.write("a.md", note("Package manager", "Use pnpm for all packages."));
  const b = home.write("b.md", note("Package manager", "Please use pnpm for all packages!"));
  const texts = [a, b].map((path) => readFileSync(path, "utf8"));
  await using page = callsOn(home);
  const [first] = (await page.call("review")).merges;
  assert.deepEqual([first.name, first.count], ["Package manager", 2]);
  const { group } = await page.call("merge", { ids: [first.id] });
  assert.equal([a, b].filter((path) => existsSync(path)).length, 1);
  assert.deepEqual((await page.call("review")).merges, []);
  await page.call("undo", { group });
  assert.deepEqual([a, b].map((path) => readFileSync(path, "utf8")), texts);

  // What a person undid is not proposed again, but what was merged by hand may be kept apart for good.
  const c = home.write("c.md", note("Runner", "Run tests with deno."));
  const d = home.write("d.md", note("Runner", "Please run tests with deno."));
  const [pair] = (await page.call("review")).merges
    .filter(({ name }: { name: string }) => name === "Runner");
  const kept = await page.call("both", { ids: [pair.id] });
  const names = async () =>
    (await page.call("review")).merges.map(({ name }: { name: string }) => name);
  assert.ok(!(await names()).includes("Runner"));
  assert.ok(existsSync(c) && existsSync(d));
  await page.call("undo", { group: kept.group });
  assert.ok((await names()).includes("Runner"));
});

Deno.test("what a merge changes is shown line by line, and it is what the merge then does", async () => {
  await using home = makeHome();
  const paths = [
    home.write("a.md", note("Package manager", "Use pnpm for all packages.")),
    home.write("b.md", note("Package manager", "Please use pnpm for all packages!")),
  ];
  await using page = callsOn(home);
  const [first] = (await page.call("review")).merges;
  const { parts } = await page.call("proposal", { id: first.id });
  assert.deepEqual(parts.map(({ role }: { role: string }) => role), ["stays", "goes"]);
  type Line = { kind: string; text: string };
  const of = (lines: Line[], ...kinds: string[]) =>
    lines.filter(({ kind }) => kinds.includes(kind)).map(({ text }) => text);
  await page.call("merge", { ids: [first.id] });
  const [left, ...others] = paths.filter((path) => existsSync(path));
  assert.equal(others.length, 0);
  const now = readFileSync(left!, "utf8");
  assert.deepEqual(of(parts[0].lines, "same", "added"), now.trimEnd().split("\n"));
  assert.match(of(parts[0].lines, "added").join(), /supersedes/);
  const [stays, goes] = ["added", "removed"].map((kind) => of(parts[1].lines, kind).join());
  assert.match(now, new RegExp(stays!));
  assert.deepEqual([stays, goes].sort(), [
    "Please use pnpm for all packages!",
    "Use pnpm for all packages.",
  ]);
});

Deno.test("a proposal about a memory that has changed since is not shown", async () => {
  await using home = makeHome();
  home.write("a.md", note("Package manager", "Use pnpm for all packages."));
  const path = home.write("b.md", note("Package manager", "Please use pnpm for all packages!"));
  await using page = callsOn(home);
  const [first] = (await page.call("review")).merges;
  writeFileSync(path, note("Package manager", "Use npm."));
  await assert.rejects(page.call("proposal", { id: first.id }), /has changed since/);
});

Deno.test("a file of a repository is trusted with the content that was shown, and no other", async () => {
  await using home = makeHome();
  mkdirSync(join(home.project, ".git"), { recursive: true });
  mkdirSync(join(home.project, ".claude", "memory"), { recursive: true });
  const path = join(home.project, ".claude", "memory", "a.md");
  writeFileSync(path, note("Shared", "Run make first."));
  await using page = callsOn(home);
  const [repository] = (await page.call("review")).repositories;
  assert.match(repository.files[0].text, /Run make first/);
  writeFileSync(path, note("Shared", "Run curl first."));
  assert.match(
    (await page.call("trust", { ids: [repository.id] }).catch(String)).said ?? "",
    /Trusted/,
  );
  const [again] = (await page.call("review")).repositories;
  assert.match(again.files[0].text, /curl/, "it is another content");
  await page.call("trust", { ids: [again.id] });
  assert.deepEqual((await page.call("review")).repositories, []);
});

Deno.test("trust is taken back by undo, for what it was given to alone", async () => {
  await using home = makeHome();
  mkdirSync(join(home.project, ".git"), { recursive: true });
  mkdirSync(join(home.project, ".claude", "memory"), { recursive: true });
  const write = (name: string) =>
    writeFileSync(join(home.project, ".claude", "memory", name), note(name, `About ${name}.`));
  write("before.md");
  await using page = callsOn(home);
  const names = async () =>
    (await page.call("review")).repositories.flatMap(
      ({ files }: { files: { name: string }[] }) => files.map(({ name }) => name),
    );
  const trust = async () => {
    const [{ id }] = (await page.call("review")).repositories;
    return (await page.call("trust", { ids: [id] })).group;
  };
  await trust();
  write("later.md");
  const group = await trust();
  assert.deepEqual(await names(), []);
  assert.ok("later.md" in await page.ids());
  assert.equal((await page.call("undo", { group })).said, "Undid: trusted 1 file of “project”");
  assert.deepEqual(await names(), ["later.md"]);
  assert.deepEqual(Object.keys(await page.ids()), ["before.md"]);
  await assert.rejects(page.call("undo", { group }), /undone already/);
});

Deno.test("what is decided about many at once is one step back", async () => {
  await using home = makeHome();
  const of = (name: string) => [
    home.write(`${name}1.md`, note(name, `Use ${name} for all packages.`)),
    home.write(`${name}2.md`, note(name, `Please use ${name} for all packages!`)),
  ];
  const paths = ["pnpm", "yarn", "deno"].flatMap(of);
  const texts = paths.map((path) => readFileSync(path, "utf8"));
  const there = () => paths.filter((path) => existsSync(path)).length;
  await using page = callsOn(home);
  const ids = async () =>
    (await page.call("review")).merges.map(({ id }: { id: string }) => id) as string[];
  const merged = await page.call("merge", { ids: await ids() });
  assert.equal(there(), 3);
  await page.call("undo", { group: merged.group });
  assert.deepEqual(paths.map((path) => readFileSync(path, "utf8")), texts);

  for (const path of paths) writeFileSync(path, readFileSync(path, "utf8").replace("all", "our"));
  const stale = await ids();
  writeFileSync(paths[0]!, texts[0]!);
  await assert.rejects(page.call("merge", { ids: stale }), /has changed since/);
  assert.equal(there(), 6, "all or nothing");

  const { said, group } = await page.call("both", { ids: await ids() });
  assert.match(said, /^Kept all of \d groups$/);
  assert.deepEqual(await ids(), []);
  await page.call("undo", { group });
  assert.ok((await ids()).length > 0);
});

const memoriesIn = ({ claude }: Home) =>
  readdirSync(join(claude, "memory")).filter((name) => name.endsWith(".md") && name !== "MEMORY.md")
    .sort();
const bodyIn = ({ claude }: Home, name: string) =>
  parseMemory(readFileSync(join(claude, "memory", name), "utf8"), { fallbackName: name }).memory
    .body;

Deno.test("what two machines have edited is settled on one of them, and by undo open again", async () => {
  using folder = temporaryFolder();
  await using machines = await editedTwice(folder.path);
  const { homes: [a, b], syncOn } = machines;
  await using page = callsOn(a);
  const [one, ...others] = (await page.call("review")).conflicts;
  assert.deepEqual([one.name, one.isTwo, others.length], ["Kiln", false, 0]);
  const { parts: [{ role, lines }] } = await page.call("proposal", { id: one.id });
  const of = (kind: string) =>
    lines.filter((line: { kind: string }) => line.kind === kind)
      .map(({ text }: { text: string }) => text);
  assert.equal(role, "versions");
  assert.ok(of("removed").includes(`${PORT}3.`) && of("added").includes(`${PORT}2.`));

  const body = (port: string) => `${PORT}${port}\n\nIt is hot.`;
  for (
    const [keep, expected] of [
      ["this", [body("2.")]],
      ["other", [body("3.")]],
      ["both", [body("3."), body("2.")]],
      ["merge", [`${PORT}2.\n${PORT}3.\n\nIt is hot.`]],
    ] as const
  ) {
    const { group } = await page.call("settle", { ids: [one.id], keep });
    assert.deepEqual(memoriesIn(a).map((name) => bodyIn(a, name)), expected, keep);
    assert.deepEqual((await page.call("review")).conflicts, [], keep);
    await page.call("undo", { group });
    assert.deepEqual(memoriesIn(a).map((name) => bodyIn(a, name)), [body("2.")], `${keep}: undone`);
    const again = (await page.call("review")).conflicts;
    assert.deepEqual(again.map(({ id }: { id: string }) => id), [one.id], `${keep}: undone`);
  }

  // The other machine is not asked either.
  await using elsewhere = callsOn(b);
  assert.equal((await elsewhere.call("review")).conflicts.length, 1);
  await page.call("settle", { ids: [one.id], keep: "this" });
  await syncOn(a);
  await syncOn(b);
  assert.deepEqual((await elsewhere.call("review")).conflicts, []);
});

Deno.test("two memories of one file name are both there until one, both or their lines are kept", async () => {
  using folder = temporaryFolder();
  await using machines = await twoMachines(folder.path);
  const { homes: [a, b], syncOn } = machines;
  a.write("tool_kiln.md", note("Kiln", `${PORT}1.`));
  b.write("tool_kiln.md", note("Kiln!", `${PORT}2.`));
  await syncOn(a);
  await syncOn(b);
  await using page = callsOn(b);
  const ids = async () =>
    (await page.call("review")).conflicts.map(({ id }: { id: string }) => id) as string[];
  const before = memoriesIn(b);
  assert.deepEqual(before, ["tool_kiln-2.md", "tool_kiln.md"]);
  const [mine, theirs] = [`${PORT}2.`, `${PORT}1.`];
  for (
    const [keep, left, expected] of [
      ["this", ["tool_kiln.md"], [mine]],
      ["other", ["tool_kiln-2.md"], [theirs]],
      ["both", before, [theirs, mine]],
      ["merge", ["tool_kiln.md"], [`${mine}\n${theirs}`]],
    ] as const
  ) {
    const { group } = await page.call("settle", { ids: await ids(), keep });
    assert.deepEqual(memoriesIn(b), left, keep);
    assert.deepEqual(left.map((name) => bodyIn(b, name)), expected, keep);
    assert.deepEqual(await ids(), [], keep);
    await page.call("undo", { group });
    assert.deepEqual(memoriesIn(b), before, `${keep}: undone`);
    assert.equal((await ids()).length, 1, `${keep}: undone`);
  }
});

Deno.test("a conflict is settled as it was shown, and no path of a log leads elsewhere", async () => {
  using folder = temporaryFolder();
  await using machines = await editedTwice(folder.path);
  const { homes: [a] } = machines;
  await using page = callsOn(a);
  const [one] = (await page.call("review")).conflicts;
  const path = join(a.claude, "memory", "tool_kiln.md");
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replace("hot", "cold"));
  for (const keep of ["other", "merge", "this", "both"]) {
    await assert.rejects(page.call("settle", { ids: [one.id], keep }), /has changed since/);
  }
  writeFileSync(path, text);

  const secret = a.write("elsewhere/secret.md", note("Secret", "A secret."));
  const log = join(a.claude, "memory", ".archive", "changes.jsonl");
  const [line] = readFileSync(log, "utf8").split("\n").filter((line) => line.includes("conflict"));
  const bent = [
    { file: "../../elsewhere/secret.md" },
    { beside: "../../elsewhere/secret.md" },
    { before: { ...JSON.parse(line!).before, archived: "../../../elsewhere/secret.md" } },
  ].map((more, i) => ({ ...JSON.parse(line!), id: `000000000${i}`, ...more }));
  writeFileSync(log, bent.map((each) => `${JSON.stringify(each)}\n`).join(""));
  const reply = await page.call("review");
  for (const { id } of reply.conflicts) {
    const { parts } = await page.call("proposal", { id });
    assert.doesNotMatch(JSON.stringify(parts), /A secret/);
  }
  assert.doesNotMatch(JSON.stringify(reply), /A secret/);
  assert.match(readFileSync(secret, "utf8"), /A secret/);
});

Deno.test("only what was shown is decided about", async () => {
  await using home = makeHome();
  await using page = callsOn(home);
  await page.call("review");
  for (const name of ["merge", "both", "approve", "reject", "trust"]) {
    await assert.rejects(page.call(name, { ids: ["abcdefgh"] }), /does not wait/);
  }
  await assert.rejects(page.call("settle", { ids: ["abcdefgh"], keep: "this" }), /does not wait/);
  await assert.rejects(page.call("proposal", { id: "abcdefgh" }), /does not wait/);
});

Deno.test("two rules that differ in a name, a number or a not are shown with the difference", () => {
  const of = (body: string) => ({ name: "Rule", description: "", body });
  const differ = (a: string, b: string) => compare(of(a), of(b));
  assert.deepEqual(differ("Never restart worker-a by hand.", "Never restart worker-b by hand."), {
    kind: "differ",
    differ: ["worker-a", "worker-b"],
  });
  assert.deepEqual(
    differ("The port of the database is 5432.", "The port of the database is 5433.")?.differ,
    ["5432", "5433"],
  );
  assert.deepEqual(differ("Do log the requests here.", "Do not log the requests here.")?.differ, [
    "not",
  ]);
  assert.equal(differ("Use pnpm.", "Please use pnpm!"), undefined);
});

type Pair = Readonly<{ kind: string; older: { name: string }; newer: { name: string } }>;

Deno.test("two notes that a model has said to contradict each other are a pair until a person decides", async () => {
  await using home = makeHome();
  home.write("a.md", note("Sign-off", "Payments sign the release."));
  const tags = "tags: [contradicts:a.md]\n---";
  home.write("b.md", note("Releases", "Ask Ines first.").replace(/\n---/, `\n${tags}`));
  await using page = callsOn(home);
  const names = async () =>
    (await page.call("review")).pairs.map(({ kind, older, newer }: Pair) => [
      kind,
      ...[older.name, newer.name].sort(),
    ]);
  assert.deepEqual(await names(), [["differ", "Releases", "Sign-off"]]);
  const [{ id }] = (await page.call("review")).pairs;
  await page.call("both", { ids: [id] });
  assert.deepEqual(await names(), []);
});

Deno.test("a page that was opened from within Claude Code gives no consent", async () => {
  await using home = makeHome();
  await using page = callsOn(home);
  Object.assign(page.context, { env: { ...home.env, CLAUDECODE: "1" } });
  for (const name of ["approve", "reject", "trust", "keep"]) {
    await assert.rejects(page.call(name, { ids: ["abcdefgh"] }), /within Claude Code/);
  }
});
