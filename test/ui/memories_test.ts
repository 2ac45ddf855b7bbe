import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeProjectFolder, projectOf } from "../../src/core/memory/project.ts";
import { noteUses } from "../../src/core/ledger/usage.ts";
import { CALLS } from "../../src/surfaces/ui/calls/mod.ts";
import { type Home, makeHome, runMemo, succeed } from "../support/home.ts";
import { callsOn } from "./support.ts";

const DAY_MS = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

function note(name: string, fields: Record<string, string> = {}, body = `${name}.`): string {
  const lines = Object.entries({ name, type: "project", ...fields });
  return `---\n${lines.map(([key, value]) => `${key}: ${value}\n`).join("")}---\n${body}\n`;
}

/** Another project with a private folder; returns its root and that folder. */
function addProject(home: Home, name: string) {
  const root = join(home.root, name);
  mkdirSync(root);
  const { folder } = projectOf(root, home.claude);
  makeProjectFolder(folder, root);
  return { root, folder };
}

Deno.test("memories lists those of every project, newest first, in parts", async () => {
  await using home = makeHome();
  const other = addProject(home, "kiln");
  makeProjectFolder(home.privately, home.project);
  home.write("a.md", note("Mine", { updated: ago(2) }));
  home.keep("b.md", note("Here", { updated: ago(1) }));
  writeFileSync(join(other.folder, "c.md"), note("There", { updated: ago(3) }));
  await using page = callsOn(home);
  const { total, rows, facets } = await page.call("memories");
  assert.deepEqual(rows.map(({ name, project }: Record<string, string>) => [name, project]), [
    ["Here", "project"],
    ["Mine", null],
    ["There", "kiln"],
  ]);
  assert.equal(total, 3);
  assert.ok(!JSON.stringify({ rows, facets }).includes(home.root), "no path leaves the server");

  const part = await page.call("memories", { offset: 1, limit: 1 });
  assert.deepEqual([part.total, part.rows.length, part.rows[0].name], [3, 1, "Mine"]);
  home.write("d.md", note("New", { updated: ago(0) }));
  assert.equal((await page.call("memories")).rows[0].name, "New", "a file that was just saved");
});

Deno.test("filters are counted with the others as they are", async () => {
  await using home = makeHome();
  const kiln = addProject(home, "kiln");
  const used = home.write("a.md", note("A", { type: "feedback", tags: "[x, y]", updated: ago(0) }));
  home.write("b.md", note("B", { type: "feedback", tags: "[x]", updated: ago(20) }));
  home.write("c.md", note("C", { type: "tool", pin: "true", updated: ago(400) }));
  const said = { "source": "{ session: s1 }", updated: ago(3) };
  writeFileSync(join(kiln.folder, "d.md"), note("D", said));
  await using page = callsOn(home);
  noteUses(page.context.paths.usage, [{ path: used, at: ago(0), used: 2, shown: 3 }]);
  const names = async (filters: object) =>
    (await page.call("memories", { filters })).rows.map(({ name }: { name: string }) => name);

  const { facets } = await page.call("memories");
  const counts = (name: string, of = facets) =>
    Object.fromEntries(of[name].map(({ value, count }: { value: string; count: number }) => [
      value,
      count,
    ]));
  assert.deepEqual(counts("type"), { feedback: 2, tool: 1, project: 1 });
  assert.deepEqual(counts("tag"), { x: 2, y: 1 });
  assert.deepEqual(counts("state"), { unused: 3, pinned: 1, stale: 1 });
  assert.deepEqual(counts("origin"), { hand: 3, conversation: 1 });
  assert.deepEqual(counts("age"), { 1: 1, 7: 2, 30: 3, 180: 3, older: 1 });
  assert.deepEqual(facets.project.map(({ label }: { label: string }) => label), ["", "kiln"]);

  assert.deepEqual(await names({ type: "feedback", tag: "x" }), ["A", "B"]);
  assert.deepEqual(await names({ age: "7" }), ["A", "D"]);
  assert.deepEqual(await names({ age: "older" }), ["C"]);
  assert.deepEqual(await names({ state: "unused", type: "feedback" }), ["B"]);
  assert.deepEqual(await names({ project: facets.project[1].value }), ["D"]);
  assert.deepEqual(await names({ project: "" }), ["A", "B", "C"]);
  const narrowed = (await page.call("memories", { filters: { type: "feedback" } })).facets;
  assert.deepEqual(counts("type", narrowed), { feedback: 2, tool: 1, project: 1 });
  assert.deepEqual(counts("tag", narrowed), { x: 2, y: 1 });
  assert.deepEqual(counts("state", narrowed), { unused: 1 });
});

Deno.test("a query is ranked as memo search ranks it, and finds a name that is not typed to its end", async () => {
  await using home = makeHome();
  makeProjectFolder(home.privately, home.project);
  home.write("pnpm.md", note("Use pnpm, never npm", {}, "npm breaks the lock file."));
  home.keep("jwt.md", note("JWT setup", {}, "Access tokens are RS256 and live 15 minutes."));
  home.keep("ficus.md", note("Plants", {}, "The ficus wants water every ten days."));
  await using page = callsOn(home);
  const query = "how long do access tokens live";
  const { rows } = await page.call("memories", { query });
  const [hit] = JSON.parse((await runMemo(home, ["search", query, "--json"])).stdout);
  assert.equal(rows[0].name, hit.name);
  assert.equal(rows[0].isAbove, !hit.belowThreshold);
  assert.ok(Math.abs(rows[0].score - hit.score) < 0.2, "the command has vectors by now");
  assert.match(rows[0].passage, /RS256/);

  const begun = await page.call("memories", { query: "use pnp" });
  assert.deepEqual(begun.rows.map(({ name }: { name: string }) => name), ["Use pnpm, never npm"]);
  const filtered = await page.call("memories", { query, filters: { scope: "user" } });
  assert.equal(filtered.total, 0);
});

Deno.test("memory tells its text, and its versions as what each has changed", async () => {
  await using home = makeHome();
  const path = (await runMemo(home, ["add", "Use pnpm, never npm"])).stdout.trim();
  await using page = callsOn(home);
  const id = Object.values(await page.ids())[0]!;
  const before = await page.call("memory", { id });
  assert.equal(before.text, readFileSync(path, "utf8"));
  assert.equal(before.history.versions[0].what, "added");
  const { said, group } = await page.call("edit", {
    id,
    text: before.text.replace("never npm", "not npm"),
    digest: before.digest,
  });
  assert.match(said, /^Changed “Use pnpm, not npm”$/);
  const { history } = await page.call("memory", { id });
  assert.deepEqual(
    history.versions.map(({ what, isCurrent, isThere }: Record<string, unknown>) => [
      what,
      isCurrent,
      isThere,
    ]),
    [["edited", true, true], ["added", false, true]],
  );
  const { lines } = await page.call("version", { id, version: history.versions[0].version });
  const changed = lines.filter(({ kind }: { kind: string }) => kind !== "same");
  assert.ok(
    changed.some(({ kind, text }: Record<string, string>) =>
      kind === "removed" && text!.includes("never npm")
    ),
  );
  assert.ok(
    changed.some(({ kind, text }: Record<string, string>) =>
      kind === "added" && text!.includes("not npm")
    ),
  );

  const back = await page.call("restore", { id, version: history.versions[1].version });
  assert.equal(readFileSync(path, "utf8"), before.text);
  await page.call("undo", { group: back.group });
  await page.call("undo", { group });
  assert.equal(readFileSync(path, "utf8"), before.text);
  writeFileSync(path, before.text + "\nby hand\n");
  assert.equal((await page.call("memory", { id })).history.isByHand, true);
});

Deno.test("an edit keeps a new secret out, a file within its limit, and broken front matter named", async () => {
  await using home = makeHome();
  const text = note("A");
  const path = home.write("a.md", text);
  await using page = callsOn(home);
  const { A: id } = await page.ids();
  const { digest } = await page.call("memory", { id });
  const secret = `${text}ghp_${"a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"}\n`;
  const kept = await page.call("edit", { id, digest, text: secret });
  assert.ok(kept.secrets.length > 0 && kept.said === undefined);
  assert.equal(readFileSync(path, "utf8"), text);
  await assert.rejects(
    page.call("edit", { id, digest, text: "x".repeat(256 * 1024 + 1) }),
    /it has at most 262144/,
  );
  assert.equal((await page.call("edit", { id, digest, text })).said, "No changes");
  const broken = await page.call("edit", { id, digest, text: "---\nname: [\n---\nx\n" });
  assert.match(broken.problems[0], /not YAML at line/);
  const now = await page.call("memory", { id });
  const anyway = await page.call("edit", { id, digest: now.digest, text: secret, anyway: true });
  assert.match(anyway.said, /^Changed/);
});

Deno.test("twenty memories are forgotten in one step, and it is taken back in one, by the page and by the command", async () => {
  await using home = makeHome();
  const kiln = addProject(home, "kiln");
  const paths = Array.from({ length: 20 }, (_, i) => {
    const text = note(`Note ${i}`, {}, `Text ${i}.`);
    if (i % 2 === 0) return home.write(`${i}.md`, text);
    const path = join(kiln.folder, `${i}.md`);
    writeFileSync(path, text);
    return path;
  });
  const texts = paths.map((path) => readFileSync(path, "utf8"));
  const isBack = () =>
    assert.deepEqual(paths.map((path) => existsSync(path) && readFileSync(path, "utf8")), texts);
  await using page = callsOn(home);
  const { ids } = await page.call("memories", { as: "ids" });
  assert.equal(ids.length, 20);
  const { said, group } = await page.call("forget", { ids });
  assert.equal(said, "Forgot 20 memories");
  assert.ok(paths.every((path) => !existsSync(path)));
  assert.equal((await page.call("memories")).total, 0);
  const log = JSON.parse((await runMemo(home, ["log", "--json", "-n", "50"])).stdout);
  assert.deepEqual([...new Set(log.map((change: { group: string }) => change.group))], [group]);
  const undone = await page.call("undo", { group });
  assert.equal(undone.said, "Undid: forgot 20 memories");
  isBack();
  assert.equal((await page.call("memories")).total, 20);
  await assert.rejects(page.call("undo", { group }), /it was undone already/);

  await page.call("forget", { ids: (await page.call("memories", { as: "ids" })).ids });
  await succeed(home, ["undo"]);
  isBack();
});

Deno.test("many memories are pinned, tagged, moved and shared in one step each", async () => {
  await using home = makeHome();
  execFileSync("git", ["init", "-q", home.project]);
  makeProjectFolder(home.privately, home.project);
  const kiln = addProject(home, "kiln");
  home.keep("a.md", note("A", { tags: "[old]", never: "[a prompt]" }));
  home.keep("b.md", note("B", { tags: "[old, x]" }));
  await using page = callsOn(home);
  const read = (path: string) => readFileSync(path, "utf8");
  const all = async () => Object.values(await page.ids());
  const before = read(join(home.privately, "a.md"));

  const pinned = await page.call("pin", { ids: await all(), on: true });
  assert.equal(pinned.said, "Pinned 2 memories");
  assert.match(read(join(home.privately, "b.md")), /^pin: true$/m);
  assert.equal((await page.call("pin", { ids: await all(), on: true })).group, undefined);
  await page.call("undo", { group: pinned.group });
  assert.equal(read(join(home.privately, "a.md")), before);

  const change = { add: ["new"], remove: ["old"], type: "decision" };
  const retagged = await page.call("retag", { ids: await all(), ...change });
  assert.match(read(join(home.privately, "b.md")), /^type: decision\n(?:.*\n)*?tags:\n? *.*x/m);
  const { facets } = await page.call("memories");
  assert.deepEqual(facets.tag.map(({ value }: { value: string }) => value), ["new", "x"]);
  await page.call("undo", { group: retagged.group });

  const there = (await page.call("memories")).facets.project;
  assert.deepEqual(there.map(({ label }: { label: string }) => label), ["project"]);
  writeFileSync(join(kiln.folder, "k.md"), note("K"));
  const { facets: { project } } = await page.call("memories");
  const key = project.find(({ label }: { label: string }) => label === "kiln").value;
  const { A, B } = await page.ids();
  const moved = await page.call("move", { ids: [A, B], to: key });
  assert.equal(moved.said, "Moved 2 memories");
  assert.ok(!existsSync(join(home.privately, "a.md")));
  assert.match(read(join(kiln.folder, "project_a.md")), /a prompt/);
  await page.call("undo", { group: moved.group });
  assert.equal(read(join(home.privately, "a.md")), before);
  assert.ok(!existsSync(join(kiln.folder, "project_a.md")));
  const up = await page.call("move", { ids: [A], to: "" });
  assert.equal((await page.call("memories", { filters: { project: "" } })).rows[0].name, "A");
  await page.call("undo", { group: up.group });

  const shared = await page.call("share", { ids: [A, B] });
  assert.equal(shared.said, "Shared 2 memories; commit it to share it with others");
  const copy = read(join(home.project, ".claude", "memory", "project_a.md"));
  assert.doesNotMatch(copy, /a prompt/, "a prompt is the person's own");
  assert.deepEqual((await page.call("memories", { filters: { scope: "shared" } })).total, 2);
  await page.call("undo", { group: shared.group });
  assert.equal(read(join(home.privately, "a.md")), before);
});

Deno.test("Claude Code's own memories are shown and never changed", async () => {
  await using home = makeHome();
  const auto = join(home.claude, "projects", home.project.replace(/[^A-Za-z0-9]/g, "-"), "memory");
  mkdirSync(auto, { recursive: true });
  makeProjectFolder(home.privately, home.project);
  const path = join(auto, "a.md"), text = note("Auto");
  writeFileSync(path, text);
  await using page = callsOn(home);
  const { rows } = await page.call("memories");
  assert.deepEqual([rows[0].scope, rows[0].mayChange], ["auto", false]);
  const { id } = rows[0];
  assert.deepEqual((await page.call("memories", { as: "ids" })).ids, []);
  const { digest, mayChange, mayEdit } = await page.call("memory", { id });
  assert.deepEqual([mayChange, mayEdit], [false, false]);
  for (const [name, params] of Object.entries(CHANGES({ id, ids: [id], digest }))) {
    await assert.rejects(page.call(name, params), /belongs to Claude Code's auto memory/, name);
  }
  assert.equal(readFileSync(path, "utf8"), text);
});

/** Parameters of every call about memories, for some ids. */
const CHANGES = (
  { id, ids, digest = "0".repeat(64) }: { id: string; ids: string[]; digest?: string },
): Record<string, object> => ({
  edit: { id, digest, text: "---\nname: X\n---\nx\n" },
  forget: { ids },
  restore: { id, version: "0123456789" },
  pin: { ids, on: true },
  retag: { ids, add: ["x"], remove: [] },
  move: { ids, to: "" },
  share: { ids },
  never: { id, prompt: "a prompt" },
});

Deno.test("an id that the page was never given, or a path as an id, is refused by every call", async () => {
  await using home = makeHome();
  const path = home.write("a.md", note("A"));
  await using page = callsOn(home);
  const { A: known } = await page.ids();
  const wrong = [
    "AAAAAAAAAAAAAAAA",
    "a.md",
    "../a.md",
    path.slice(0, 40),
    known!.toLowerCase() + "x",
  ];
  for (const id of wrong) {
    const reads = { memory: { id }, version: { id, version: "0123456789" } };
    for (const [name, params] of Object.entries({ ...CHANGES({ id, ids: [id] }), ...reads })) {
      await assert.rejects(page.call(name, params), /no such memory on this page/, `${name} ${id}`);
    }
    await assert.rejects(page.call("forget", { ids: [known, id] }), /no such memory/);
  }
  assert.match(readFileSync(path, "utf8"), /name: A/);
  const mine = new Set(["memory", "version", ...Object.keys(CHANGES({ id: "", ids: [] }))]);
  for (const { name, params } of CALLS.filter(({ name }) => mine.has(name))) {
    assert.throws(() => params.parse({ id: path, ids: [path], path }), Error, name);
  }
});

Deno.test("a memory full of markup, of what turns a line around, and of a megabyte does no harm", async () => {
  await using home = makeHome();
  const evil = "<script>alert(1)</script> \u202eabc";
  home.write("evil.md", note(JSON.stringify(evil), { tags: '["<img src=x>"]' }, evil));
  home.write("long.md", note("Long", {}, "word ".repeat(200_000)));
  await using page = callsOn(home);
  const ids = await page.ids();
  assert.ok(Object.keys(ids).some((name) => name.includes("<script>")), "told as it is: as data");
  const long = await page.call("memory", { id: ids["Long"] });
  assert.deepEqual([long.isCut, long.mayEdit, long.text.length], [true, false, 256 * 1024]);
  await page.call("forget", { ids: Object.values(ids) });
});
