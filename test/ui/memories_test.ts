import assert from "node:assert/strict";
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

/** The private folder of another project. */
function addProject(home: Home, name: string): string {
  const root = join(home.root, name);
  mkdirSync(root);
  const { folder } = projectOf(root, home.claude);
  makeProjectFolder(folder, root);
  return folder;
}

type Row = Readonly<Record<string, string>>;

Deno.test("memories lists those of every project, newest first, as filters leave them", async () => {
  await using home = makeHome();
  const kiln = addProject(home, "kiln");
  makeProjectFolder(home.privately, home.project);
  const used = home.write("a.md", note("Mine", { type: "feedback", updated: ago(2) }));
  home.keep("b.md", note("Here", { pin: "true", updated: ago(1) }));
  writeFileSync(join(kiln, "c.md"), note("There", { updated: ago(3) }));
  home.write("d.md", note("Old", { type: "tool", updated: ago(400) }));
  await using page = callsOn(home);
  noteUses(page.context.paths.usage, [{ path: used, at: ago(0), used: 2, shown: 3 }]);
  const { total, all, rows, facets } = await page.call("memories", { limit: 3 });
  assert.deepEqual([total, all], [4, 4]);
  assert.deepEqual(rows.map(({ name, project }: Row) => [name, project]), [
    ["Here", "project"],
    ["Mine", null],
    ["There", "kiln"],
  ]);
  assert.ok(!JSON.stringify({ rows, facets }).includes(home.root), "no path leaves the server");
  const counts = (name: string) =>
    facets[name].map(({ value, label = value, count }: Row) => `${label} ${count}`);
  assert.deepEqual(counts("type"), ["project 2", "feedback 1", "tool 1"]);
  assert.deepEqual(counts("state"), ["unused 3", "pinned 1", "stale 1"]);
  assert.deepEqual(counts("project").sort(), [" 2", "kiln 1", "project 1"]);

  const key = facets.project.find(({ label }: Row) => label === "kiln").value;
  const filters = [
    [{ type: "project" }, ["Here", "There"]],
    [{ state: "unused", type: "tool" }, ["Old"]],
    [{ project: key }, ["There"]],
    [{ project: "" }, ["Mine", "Old"]],
  ] as const;
  for (const [filter, names] of filters) {
    const { rows } = await page.call("memories", { filters: filter });
    assert.deepEqual(rows.map(({ name }: Row) => name), names);
  }
  home.write("e.md", note("New", { updated: ago(0) }));
  assert.equal((await page.call("memories")).rows[0].name, "New", "a file that was just saved");
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
  assert.deepEqual(begun.rows.map(({ name }: Row) => name), ["Use pnpm, never npm"]);
  const filtered = await page.call("memories", { query, filters: { project: "" } });
  assert.equal(filtered.total, 0);
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
    /the limit is 256 KB/,
  );
  assert.equal((await page.call("edit", { id, digest, text })).said, "No changes");
  const broken = await page.call("edit", { id, digest, text: "---\nname: [\n---\nx\n" });
  assert.match(broken.problems[0], /not YAML at line/);
  const now = await page.call("memory", { id });
  const anyway = await page.call("edit", { id, digest: now.digest, text: secret, anyway: true });
  assert.match(anyway.said, /^Changed/);
});

Deno.test("each change is one step, which the page and the command take back", async () => {
  await using home = makeHome();
  const path = home.write("a.md", note("A")), before = readFileSync(path, "utf8");
  await using page = callsOn(home);
  const { A: id } = await page.ids();
  const { digest } = await page.call("memory", { id });
  const text = () => existsSync(path) ? readFileSync(path, "utf8") : "";
  const changes = [
    ["edit", { id, digest, text: note("A", {}, "Another text.") }, "Changed “A”", /Another text/],
    ["pin", { id, on: true }, "Pinned “A”", /^pin: true$/m],
    ["never", { id, prompt: "plant a tree" }, /now hidden/, /plant a tree/],
    ["forget", { id }, "Forgot “A”", /^$/],
  ] as const;
  for (const [name, params, says, now] of changes) {
    for (const undo of ["page", "command"]) {
      const { said, group } = await page.call(name, params);
      if (says instanceof RegExp) assert.match(said, says);
      else assert.equal(said, says);
      assert.match(text(), now);
      const [last] = JSON.parse((await runMemo(home, ["log", "--json"])).stdout);
      assert.equal(last.group, group);
      if (undo === "command") await succeed(home, ["undo"]);
      else {
        await page.call("undo", { group });
        await assert.rejects(page.call("undo", { group }), /already undone/);
      }
      assert.equal(text(), before, `${name}, by the ${undo}`);
    }
  }
});

Deno.test("Claude Code's own memories are shown and never changed", async () => {
  await using home = makeHome();
  const auto = join(home.claude, "projects", home.project.replace(/[^A-Za-z0-9]/g, "-"), "memory");
  mkdirSync(auto, { recursive: true });
  makeProjectFolder(home.privately, home.project);
  const path = join(auto, "a.md"), text = note("Auto");
  writeFileSync(path, text);
  await using page = callsOn(home);
  const { rows: [{ id, scope }] } = await page.call("memories");
  assert.equal(scope, "auto");
  const { digest, mayChange, mayEdit } = await page.call("memory", { id });
  assert.deepEqual([mayChange, mayEdit], [false, false]);
  for (const [name, params] of Object.entries(changesOf(id, digest))) {
    await assert.rejects(page.call(name, params), /belongs to Claude Code's auto memory/, name);
  }
  assert.equal(readFileSync(path, "utf8"), text);
});

/** Parameters of every call that changes a memory. */
const changesOf = (id: string, digest = "0".repeat(64)): Record<string, object> => ({
  edit: { id, digest, text: "---\nname: X\n---\nx\n" },
  forget: { id },
  keep: { id },
  pin: { id, on: true },
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
    const all = { ...changesOf(id), memory: { id }, confirm: { id } };
    for (const [name, params] of Object.entries(all)) {
      await assert.rejects(page.call(name, params), /no such memory/, `${name} ${id}`);
    }
  }
  assert.match(readFileSync(path, "utf8"), /name: A/);
  const mine = new Set(["memory", ...Object.keys(changesOf(""))]);
  for (const [name, { params }] of [...CALLS].filter(([name]) => mine.has(name))) {
    assert.throws(() => params.parse({ id: path, path }), Error, name);
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
  for (const id of Object.values(ids)) await page.call("forget", { id });
});
