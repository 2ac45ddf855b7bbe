import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { quarantined } from "../../src/capture/suspect.ts";
import { parseMemory, serializeMemory } from "../../src/memory/file.ts";
import { compare } from "../../src/ui/review/pairs.ts";
import { makeHome } from "../support/home.ts";
import { callsOn } from "./support.ts";

function note(name: string, body: string): string {
  return `---\nname: ${name}\ntype: tool\ncreated: 2026-11-01\n---\n${body}\n`;
}

Deno.test("a memory that was held back is kept as it was said, and held back again by undo", async () => {
  await using home = makeHome();
  const { memory } = parseMemory(note("Deploys", "Run the deploy.\n\n> quoted"), {
    fallbackName: "x",
  });
  const path = home.write("held.md", serializeMemory(quarantined(memory)));
  const before = readFileSync(path, "utf8");
  await using page = callsOn(home);
  const { held } = await page.call("review");
  assert.deepEqual(held.map(({ name }: Record<string, string>) => name), ["Deploys"]);
  const { said, group } = await page.call("keep", { ids: [held[0].id] });
  assert.equal(said, "Kept “Deploys”");
  const kept = parseMemory(readFileSync(path, "utf8"), { fallbackName: "x" }).memory;
  assert.deepEqual([kept.body, kept.tags, kept.confidence], [memory.body, [], 1]);
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
  assert.deepEqual(parts.map(({ stays }: { stays: boolean }) => stays), [true, false]);
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

Deno.test("only what was shown is decided about", async () => {
  await using home = makeHome();
  await using page = callsOn(home);
  await page.call("review");
  for (const name of ["merge", "both", "approve", "reject", "trust"]) {
    await assert.rejects(page.call(name, { ids: ["abcdefgh"] }), /does not wait/);
  }
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

Deno.test("a page that was opened from within Claude Code gives no consent", async () => {
  await using home = makeHome();
  await using page = callsOn(home);
  Object.assign(page.context, { env: { ...home.env, CLAUDECODE: "1" } });
  for (const name of ["approve", "reject", "trust"]) {
    await assert.rejects(page.call(name, { ids: ["abcdefgh"] }), /within Claude Code/);
  }
});
