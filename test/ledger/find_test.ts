import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { MemoError } from "../../src/errors.ts";
import { findMemory, idOf } from "../../src/core/ledger/find.ts";
import { titleOf } from "../../src/core/memory/title.ts";
import type { MemoryFolder } from "../../src/core/memory/memory.ts";
import { archive } from "../../src/core/change/file.ts";
import { temporaryFolder } from "../support/temp.ts";

/** A user's and a project's folder with these memories: path from their parent → name. */
function makeFolders(files: Readonly<Record<string, string>>) {
  const temp = temporaryFolder();
  const folders: MemoryFolder[] = (["project", "user"] as const)
    .map((scope) => ({ scope, path: join(temp.path, scope) }));
  for (const [file, name] of Object.entries(files)) {
    const path = join(temp.path, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `---\nname: ${name}\n---\nText.\n`);
  }
  const find = (name: string, archived = false) => {
    const among = archived ? "archived" : "in use";
    const { memory, folder } = findMemory(name, folders, { cwd: temp.path, among });
    assert.equal(memory.scope, folder.scope);
    return relative(temp.path, memory.path);
  };
  return { path: temp.path, find, [Symbol.dispose]: () => temp[Symbol.dispose]() };
}

const FILES = {
  "user/feedback_use-pnpm.md": "Use pnpm, never npm",
  "user/feedback_use-tabs.md": "Use tabs",
  "user/deep/tool_jq.md": "jq",
  "project/tool_jq-filters.md": "jq filters",
  "project/gotcha_ci.md": "CI needs Node 24",
};

Deno.test("findMemory() takes paths, file names, names and beginnings, whatever the case", () => {
  using folders = makeFolders(FILES);
  const expected = "user/feedback_use-pnpm.md";
  for (
    const name of [
      "user/feedback_use-pnpm.md",
      join(folders.path, "user", "feedback_use-pnpm.md"),
      "feedback_use-pnpm.md",
      "feedback_use-pnpm",
      "FEEDBACK_Use-PNPM",
      "Use pnpm, never npm",
      "  use   PNPM, never npm ",
      "use pnpm",
      "feedback_use-p",
      "use-pnpm",
      "pnpm",
      "never pnpm",
    ]
  ) {
    assert.equal(folders.find(name), expected, name);
  }
  assert.equal(folders.find("deep/tool_jq.md"), "user/deep/tool_jq.md");
});

Deno.test("findMemory() prefers the whole name to a beginning", () => {
  using folders = makeFolders(FILES);
  assert.equal(folders.find("jq"), "user/deep/tool_jq.md");
  assert.equal(folders.find("jq f"), "project/tool_jq-filters.md");
});

Deno.test("findMemory() lists the candidates of an ambiguous name", () => {
  using folders = makeFolders({ ...FILES, "project/other.md": "Use tabs" });
  for (const name of ["use", "USE TABS", "feedback"]) {
    assert.throws(() => folders.find(name), (error) => {
      assert.ok(error instanceof MemoError && error.kind === "usage");
      assert.match(error.message, /^`.*` is ambiguous: \d memories match:\n/);
      assert.match(error.message, /^ {2}[k-z]{4} {2}Use tabs$/m);
      const [, id = ""] = /^ {2}([k-z]+) {2}Use tabs$/m.exec(error.message)!;
      assert.match(folders.find(id), /feedback_use-tabs\.md$|other\.md$/);
      return true;
    });
  }
  assert.equal(folders.find("project/other.md"), "project/other.md");
});

Deno.test("findMemory() takes the beginning of an id, whole names first", () => {
  using folders = makeFolders({ ...FILES, "user/tool_zoom.md": "zoom" });
  const ids = new Map(
    Object.keys(FILES).map((file) => {
      const [scope, ...rest] = file.split("/");
      const folder = { scope: scope as "user", path: join(folders.path, scope!) };
      return [file, idOf({ path: join(folder.path, ...rest), scope: folder.scope }, folder)];
    }),
  );
  for (const [file, id] of ids) {
    assert.match(id, /^[k-z]{8}$/);
    for (const part of [id, id.slice(0, 4), id.toUpperCase()]) {
      assert.equal(folders.find(part), file);
    }
  }
  assert.equal(new Set(ids.values()).size, ids.size);
  assert.equal(folders.find("zoom"), "user/tool_zoom.md");
});

Deno.test("findMemory() finds a name that was cut by its full text", () => {
  const sentence =
    "The signing key of the release is in the safe of the Berlin office, and we rotate " +
    "it each quarter";
  const { name } = titleOf(sentence);
  assert.match(name, /…$/);
  using folders = makeFolders({ "user/a.md": name, "user/b.md": "Another" });
  writeFileSync(join(folders.path, "user", "a.md"), `---\nname: ${name}\n---\n${sentence}.\n`);
  assert.equal(folders.find(sentence), "user/a.md");
  assert.throws(() => folders.find(`${sentence} or so`), /Cannot find/);
});

Deno.test("findMemory() does not take a word like `the` for a name", () => {
  using folders = makeFolders({ "user/a.md": "The staging database", "user/b.md": "Use tabs" });
  assert.throws(() => folders.find("the"), (error) => {
    assert.ok(error instanceof MemoError && error.kind === "not-found");
    assert.match(error.hint!, /Did you mean `The staging database`\?/);
    return true;
  });
  assert.equal(folders.find("the staging"), "user/a.md");
});

Deno.test("findMemory() names the nearest where none fits", () => {
  using folders = makeFolders(FILES);
  const hintOf = (name: string) => {
    try {
      return `found ${folders.find(name)}`;
    } catch (error) {
      assert.ok(error instanceof MemoError && error.kind === "not-found");
      return error.hint;
    }
  };
  assert.equal(hintOf("the"), "Run `memo list` to see all");
  assert.equal(hintOf("node"), "found project/gotcha_ci.md");
  assert.equal(hintOf("tabz"), "Did you mean `Use tabs`? Run `memo list` to see all");
  assert.equal(hintOf("pnp"), "Did you mean `Use pnpm, never npm`? Run `memo list` to see all");
  assert.equal(hintOf("xylophone"), "Run `memo list` to see all");
  for (const name of ["", " ", "../../etc/passwd", "/etc/passwd", "\0", "*"]) {
    assert.match(hintOf(name) ?? "", /Run `memo list` to see all$/, name);
  }
});

Deno.test("findMemory() takes a path only to a memory of the folders", () => {
  using folders = makeFolders({ ...FILES, "outside/secret.md": "Secret" });
  assert.throws(() => folders.find("outside/secret.md"), /Cannot find/);
});

Deno.test("findMemory() among the archived takes the last version of a file", () => {
  using folders = makeFolders(FILES);
  const folder = join(folders.path, "user");
  const path = join(folder, "feedback_use-tabs.md");
  const first = archive(path, { scope: "user", path: folder }, {
    what: "forget",
    now: new Date("2026-01-01T00:00:00Z"),
  });
  writeFileSync(path, "---\nname: Use tabs\n---\nSecond.\n");
  const second = archive(path, { scope: "user", path: folder }, {
    what: "forget",
    now: new Date("2026-02-01T00:00:00Z"),
  });
  for (const name of ["feedback_use-tabs.md", "feedback_use-tabs", "use tabs", "use t"]) {
    assert.equal(folders.find(name, true), relative(folders.path, second));
  }
  for (const name of [first, basename(first)]) {
    assert.equal(folders.find(name, true), relative(folders.path, first));
  }
  assert.throws(() => folders.find("use tabs"), /Cannot find a memory/);
  assert.throws(() => folders.find("CI", true), /Cannot find an archived memory/);
});

Deno.test("findMemory() among the archived tells files of the same name apart", () => {
  using folders = makeFolders({ "user/a.md": "A", "user/deep/a.md": "A" });
  for (const file of ["user/a.md", "user/deep/a.md"]) {
    archive(
      join(folders.path, file),
      { scope: "user", path: join(folders.path, "user") },
      { what: "forget", now: new Date(0) },
    );
  }
  assert.throws(() => folders.find("A", true), /2 memories match/);
});
