import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import fc from "fast-check";
import { MemoError } from "../../src/errors.ts";
import { writeFileAtomic } from "../../src/core/files/atomic.ts";
import { revision } from "../../src/core/change/change.ts";
import { archive, create, rewrite } from "../../src/core/change/file.ts";
import {
  listArchive,
  originalName,
  originalPath,
  relativePathOf,
} from "../../src/core/ledger/archive.ts";
import { readChanges } from "../../src/core/ledger/change_log.ts";
import { serializeMemory } from "../../src/core/memory/file.ts";
import { listMemoryFiles, readMemoryFile } from "../../src/core/memory/folder.ts";
import { fileName } from "../../src/core/memory/title.ts";
import { changeOne } from "../support/change.ts";
import type { Memory, MemoryFolder } from "../../src/core/memory/memory.ts";
import { memoryOf } from "../support/memory.ts";
import { temporaryFolder } from "../support/temp.ts";

const NOW = new Date("2026-11-21T03:04:05.678Z");
/** How what the tests do is logged. */
const FORGET = { what: "forget", now: NOW } as const;
const RESTORE = { what: "restore", now: NOW } as const;

/** Adds a memory and returns its path. */
const writeMemory = (memory: Memory, folder: MemoryFolder) =>
  create(fileName(memory.type, memory.name), serializeMemory(memory), folder, {
    ...{ what: "add", now: NOW },
  });

/** Copies a version from the archive to where it was. */
const restore = (archived: string, folder: MemoryFolder) => {
  const file = relativePathOf(originalPath(archived, folder), folder.path);
  return create(file, readFileSync(archived), folder, RESTORE);
};
const MEMORY = memoryOf({ name: "Use pnpm", type: "feedback", body: "Never npm." });

/** A folder of the user's memories. */
function as(path: string): MemoryFolder {
  return { scope: "user", path };
}

/** A memory folder with these files, and room beside it. */
function memoryFolder(files: Readonly<Record<string, string>> = {}) {
  const temp = temporaryFolder();
  const folder = join(temp.path, "memory");
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const listed = () => listMemoryFiles(as(folder)).map(({ path }) => relative(folder, path));
  return {
    folder,
    beside: temp.path,
    listed,
    [Symbol.dispose]: () => temp[Symbol.dispose](),
  };
}

function isFileError(pattern: RegExp) {
  return (error: unknown) =>
    error instanceof MemoError && error.kind === "file" && pattern.test(error.message);
}

Deno.test("listMemoryFiles() finds Markdown below the folder, and nothing that is no memory", () => {
  using place = memoryFolder({
    "b.md": "",
    "a.md": "",
    "deep/er/c.md": "",
    "named.md/d.md": "",
    "MEMORY.md": "",
    "notes.txt": "",
    ".hidden.md": "",
    ".archive/old.md": "",
    "journal/2026-11-21.md": "",
    "a.md.1.abc.tmp": "",
  });
  assert.deepEqual(place.listed(), ["a.md", "b.md", "deep/er/c.md", "named.md/d.md"]);
});

Deno.test("listMemoryFiles() of a folder that is not there, or no folder, is empty", () => {
  using place = memoryFolder({ "a.md": "" });
  assert.deepEqual(listMemoryFiles(as(join(place.folder, "gone"))), []);
  assert.deepEqual(listMemoryFiles(as(join(place.folder, "a.md"))), []);
  rmSync(place.folder, { recursive: true });
  assert.deepEqual(place.listed(), []);
});

Deno.test("listMemoryFiles() of the user's folder passes over those of projects, and of no other folder", () => {
  using place = memoryFolder({ "projects/shop-1/a.md": "", "deep/projects/b.md": "" });
  assert.deepEqual(place.listed(), [join("deep", "projects", "b.md")]);
  assert.equal(listMemoryFiles({ scope: "shared", path: place.folder }).length, 2);
});

Deno.test("what is taken out of a folder goes to the archive that it names, and comes back from there", () => {
  using place = memoryFolder({ "memory/deep/a.md": "text" });
  const folder: MemoryFolder = {
    scope: "shared",
    path: join(place.folder, "memory"),
    archive: join(place.folder, "kept"),
  };
  const path = join(folder.path, "deep", "a.md");
  const archived = archive(path, folder, FORGET);
  assert.equal(dirname(archived), join(place.folder, "kept", "deep"));
  assert.deepEqual(listArchive(folder).map(({ path }) => path), [archived]);
  assert.equal(existsSync(join(folder.path, ".archive")), false);
  assert.equal(restore(archived, folder), path);
});

Deno.test("listMemoryFiles() follows links that stay inside, and no others", () => {
  using place = memoryFolder({ "real.md": "", "folder/x.md": "" });
  const { folder, beside } = place;
  writeFileSync(join(beside, "secret.md"), "");
  mkdirSync(join(beside, "secrets"));
  writeFileSync(join(beside, "secrets", "y.md"), "");
  symlinkSync("real.md", join(folder, "inside.md"));
  symlinkSync(join(beside, "secret.md"), join(folder, "outside.md"));
  symlinkSync(join(beside, "secrets"), join(folder, "secrets"));
  symlinkSync(join(beside, "secrets"), join(folder, "secrets.md"));
  symlinkSync("loop.md", join(folder, "loop.md"));
  symlinkSync("nowhere", join(folder, "dangling.md"));
  symlinkSync(".", join(folder, "again"));
  assert.deepEqual(place.listed(), ["folder/x.md", "inside.md", "real.md"]);
});

Deno.test("readMemoryFile() tells path, size and time, and names a memory after its file", () => {
  using place = memoryFolder({ "my-note.md": "Text.\n" });
  const path = join(place.folder, "my-note.md");
  utimesSync(path, 1000, 1000);
  const memory = readMemoryFile(path, "project");
  assert.equal(memory.name, "my-note");
  assert.deepEqual([memory.path, memory.scope], [path, "project"]);
  assert.deepEqual([memory.size, memory.mtimeMs, memory.problems], [6, 1_000_000, []]);
});

Deno.test("readMemoryFile() says what is wrong with a file, and keeps what can be read", () => {
  using place = memoryFolder();
  const path = join(place.folder, "a.md");
  const rows = [
    [
      Buffer.from("---\nname: caf\xe9\n---\ncaf\xe9 au lait\n", "latin1"),
      /^caf.* au lait$/,
      "encoding",
    ],
    ["\ufffd is a character\n", /^\ufffd is a character$/],
    ["\n", /^$/, "empty"],
    [`a${"é".repeat(200_000)}${"\0".repeat(9_599_999)}`, /^aé{131071}$/, "too-large"],
  ] as const;
  for (const [content, wanted, ...kinds] of rows) {
    writeFileSync(path, content);
    const { body, size, problems } = readMemoryFile(path, "user");
    assert.equal(size, Buffer.byteLength(content));
    assert.match(body, wanted);
    assert.deepEqual(problems.map(({ kind }) => kind), kinds);
  }
});

Deno.test("readMemoryFile() throws the system's error for a folder and for nothing", () => {
  using place = memoryFolder({ "x.md/a.md": "" });
  assert.throws(() => readMemoryFile(join(place.folder, "x.md"), "user"), { code: "EISDIR" });
  assert.throws(() => readMemoryFile(join(place.folder, "y.md"), "user"), { code: "ENOENT" });
});

Deno.test("create() writes {type}_{slug}.md for its owner alone, and makes the folder", () => {
  using place = memoryFolder();
  const folder = join(place.folder, "new", "memory");
  const path = writeMemory(MEMORY, as(folder));
  assert.equal(path, join(folder, "feedback_use-pnpm.md"));
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  assert.equal(readMemoryFile(path, "user").body, "Never npm.");
});

Deno.test("create() numbers memories of the same name", () => {
  using place = memoryFolder();
  for (const body of ["one", "two", "three"]) writeMemory({ ...MEMORY, body }, as(place.folder));
  assert.deepEqual(place.listed(), [
    "feedback_use-pnpm-2.md",
    "feedback_use-pnpm-3.md",
    "feedback_use-pnpm.md",
  ]);
  const bodies = listMemoryFiles(as(place.folder)).map(({ path }) =>
    readMemoryFile(path, "user").body
  );
  assert.deepEqual(bodies, ["two", "three", "one"]);
});

Deno.test("create() stays inside its folder whatever name and type say", () => {
  using place = memoryFolder();
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(
      "../../x",
      "/etc/passwd",
      "con",
      "x".repeat(300),
      "..\\..\\x",
      "記".repeat(300),
    ),
  );
  fc.assert(
    fc.property(text, text, (name, type) => {
      const path = writeMemory({ ...MEMORY, name, type }, as(place.folder));
      assert.equal(dirname(path), place.folder);
      assert.ok(existsSync(path));
      const archived = archive(path, as(place.folder), FORGET);
      assert.equal(dirname(archived), join(place.folder, ".archive"));
    }),
    { numRuns: 50 },
  );
});

Deno.test("a revision keeps the place, unknown keys, comments and the lines of the text", async () => {
  using place = memoryFolder({ "mine.md": "---\nname: Old # why\nown: 1\n---\n\nold\r\n\r\n" });
  const path = join(place.folder, "mine.md");
  const revise = (fields: Partial<Memory>) =>
    changeOne(revision({ memory: { path }, folder: as(place.folder) }, fields, { what: "edit" }));
  await revise({ name: "Use pnpm", type: "feedback" });
  const matter = "---\nname: Use pnpm # why\nown: 1\ntype: feedback\n";
  assert.equal(readFileSync(path, "utf8"), `${matter}---\n\nold\r\n\r\n`);
  await revise({ body: "Never npm." });
  assert.equal(readFileSync(path, "utf8"), `${matter}---\nNever npm.\n`);
});

Deno.test("rewrite() and archive() refuse what lies outside, links, and an archive that leads out", () => {
  using place = memoryFolder({ "real.md": "kept" });
  const { folder, beside } = place;
  writeFileSync(join(beside, "secret.md"), "kept");
  symlinkSync(join(beside, "secret.md"), join(folder, "link.md"));
  symlinkSync(beside, join(folder, "way"));
  const refused = isFileError(/outside|a symbolic link/);
  for (const name of ["../secret.md", "link.md", "way/secret.md", "../memory"]) {
    const path = join(folder, name);
    assert.throws(() => rewrite(path, "x", as(folder), { what: "edit", now: NOW }), refused);
    assert.throws(() => archive(path, as(folder), FORGET), refused);
  }
  symlinkSync(beside, join(folder, ".archive"));
  assert.throws(() => archive(join(folder, "real.md"), as(folder), FORGET), refused);
  for (const path of [join(beside, "secret.md"), join(folder, "real.md")]) {
    assert.equal(readFileSync(path, "utf8"), "kept");
  }
});

Deno.test("writeFileAtomic() leaves no temporary behind, also when it fails", () => {
  using place = memoryFolder({ "x/in-the-way": "" });
  writeFileAtomic(join(place.folder, "a.md"), "text");
  assert.throws(() => writeFileAtomic(join(place.folder, "x"), "text"));
  assert.deepEqual(readdirSync(place.folder), ["a.md", "x"]);
});

Deno.test("writeFileAtomic() takes a name as long as the file system allows", () => {
  using place = memoryFolder();
  const path = join(place.folder, "x".repeat(252) + ".md");
  writeFileAtomic(path, "text");
  assert.equal(readFileSync(path, "utf8"), "text");
});

Deno.test("a memory comes back from the archive where and as it was", () => {
  using place = memoryFolder({ "a.md": "one\n", "deep/er/b.md": "two\n" });
  const { folder } = place;
  for (const name of ["a.md", "deep/er/b.md"]) {
    const path = join(folder, name);
    const text = readFileSync(path, "utf8");
    const archived = archive(path, as(folder), FORGET);
    assert.equal(existsSync(path), false);
    assert.equal(originalName(archived), basename(path));
    assert.equal(restore(archived, as(folder)), path);
    assert.equal(readFileSync(path, "utf8"), text);
    assert.equal(readFileSync(archived, "utf8"), text); // a version stays
  }
});

Deno.test("archived in the same second, memories of one name are all kept, the last one first", () => {
  using place = memoryFolder();
  const path = join(place.folder, "a.md");
  const archived = Array.from({ length: 12 }, (_, i) => {
    writeFileSync(path, `${i}`);
    return archive(path, as(place.folder), FORGET);
  });
  assert.equal(basename(archived[0]!), "a.20261121-030405.md");
  assert.equal(basename(archived[1]!), "a.20261121-030405-2.md");
  assert.deepEqual(listArchive(as(place.folder)).map(({ path }) => path), archived.toReversed());
  assert.deepEqual(new Set(archived.map(originalName)), new Set(["a.md"]));
});

Deno.test("create() takes a free name where another memory has come in the meantime", () => {
  using place = memoryFolder({ "a.md": "old" });
  const path = join(place.folder, "a.md");
  const archived = archive(path, as(place.folder), FORGET);
  writeFileSync(path, "new");
  const restored = restore(archived, as(place.folder));
  assert.equal(basename(restored), "a-2.md");
  assert.deepEqual([path, restored].map((path) => readFileSync(path, "utf8")), ["new", "old"]);
});

Deno.test("originalName() takes off the stamp of the archive and no other", () => {
  const names = ["a.20261121-030405.md", "a.20250101-000000.20261121-030405-2.md", "by-hand.md"];
  assert.deepEqual(names.map(originalName), ["a.md", "a.20250101-000000.md", "by-hand.md"]);
});

Deno.test("archive() shortens a name that has no room for a stamp", () => {
  using place = memoryFolder({ [`${"x".repeat(252)}.md`]: "long" });
  const archived = archive(join(place.folder, `${"x".repeat(252)}.md`), as(place.folder), FORGET);
  assert.equal(readFileSync(archived, "utf8"), "long");
});

Deno.test("what cannot be written or found is a file error that names the place", () => {
  using place = memoryFolder({ "file": "" });
  const folder = as(join(place.folder, "file", "memory"));
  const cannot = isFileError(/^Cannot write a memory to `.*file/);
  assert.throws(() => writeMemory(MEMORY, folder), cannot);
  const gone = () => archive(join(place.folder, "a.md"), as(place.folder), FORGET);
  assert.throws(gone, isFileError(/ENOENT/));
  assert.deepEqual(listArchive(as(place.folder)), []);
});

Deno.test("archive and restore work through a folder that is a link", () => {
  using place = memoryFolder({ "deep/a.md": "text" });
  const link = join(place.beside, "link");
  symlinkSync(place.folder, link);
  const archived = archive(join(link, "deep", "a.md"), as(link), FORGET);
  assert.equal(
    realpathSync(dirname(archived)),
    join(realpathSync(place.folder), ".archive", "deep"),
  );
  assert.equal(restore(archived, as(link)), join(link, "deep", "a.md"));
});

Deno.test("rewrite() leaves alone what an editor has saved since it looked, and logs nothing", () => {
  using place = memoryFolder({ "a.md": "old" });
  const path = join(place.folder, "a.md");
  const folder = as(place.folder);
  // The archive is written between the look and the change: there an editor saves.
  const archive = join(place.folder, ".archive");
  mkdirSync(archive);
  const now = new (class extends Date {
    override toISOString() {
      writeFileSync(path, "saved meanwhile");
      return super.toISOString();
    }
  })(NOW);
  assert.throws(
    () => rewrite(path, "new", folder, { what: "edit", now }),
    isFileError(/changed while memo was writing/),
  );
  assert.equal(readFileSync(path, "utf8"), "saved meanwhile");
  assert.deepEqual(readChanges([folder]), []);
  assert.deepEqual(readdirSync(place.folder).toSorted(), [".archive", "a.md"]);
});
