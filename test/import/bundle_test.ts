import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { packTar } from "modern-tar";
import {
  type Bundle,
  FORMATS,
  MANIFEST,
  readBundle,
  writeBundle,
} from "../../src/features/import/bundle.ts";
import { applyRestore, planRestore } from "../../src/features/import/restore.ts";
import { surroundings } from "../support/change.ts";
import { temporaryFolder } from "../support/temp.ts";
import { NOW, placeIn, test } from "./support.ts";

const BUNDLE: Bundle = {
  folders: [{ id: "user" }],
  files: [
    {
      relativePath: "user/tool_x.md",
      bytes: Buffer.from("---\nname: X\n---\nText é\n"),
      modified: 1e12,
    },
    {
      relativePath: `user/${"deep/".repeat(6)}tool_${"y".repeat(120)}.md`,
      bytes: Buffer.from("Y"),
      modified: 11e11,
    },
    { relativePath: "user/tool_bytes.md", bytes: Buffer.from([0xff, 0xfe, 0, 1]), modified: 3e11 },
  ],
};

const NOT_OWN = { own: new Set<string>() };
const OWN = { own: new Set(["user/tool_x.md"]) };

for (const format of FORMATS) {
  Deno.test(`an export as ${format} is read back byte for byte, times too`, async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, format === "folder" ? "out" : `out.${format}`);
    await writeBundle(BUNDLE, path, format);
    const { folders, files, refused } = await readBundle(path);
    assert.deepEqual([folders, refused], [BUNDLE.folders, []]);
    const plain = (all: Bundle["files"]) =>
      all.map((
        { relativePath, bytes, modified },
      ) => [relativePath, Buffer.from(bytes).toString("hex"), modified])
        .sort();
    assert.deepEqual(plain(files), plain(BUNDLE.files));
    if (format !== "tar") return;
    execFileSync("tar", ["xf", path, "-C", folder.path]);
    const long = BUNDLE.files[1]!;
    assert.deepEqual(
      readFileSync(join(folder.path, long.relativePath)),
      long.bytes,
      "tar itself reads it",
    );
  });
}

Deno.test("an export as a folder holds its files and its list alone, for its owner's eyes", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "out");
  await writeBundle(BUNDLE, path, "folder");
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  assert.deepEqual(
    names.sort(),
    [...BUNDLE.files.map(({ relativePath }) => basename(relativePath)), MANIFEST].sort(),
  );
  if (process.platform === "win32") return;
  const modes = entries.map(({ parentPath, name }) => statSync(join(parentPath, name)).mode & 0o77);
  assert.deepEqual(new Set(modes), new Set([0]));
});

Deno.test("no path in an export leads out of the memory folders", async () => {
  const relativePath = fc.oneof(
    fc.constantFrom(
      "user/../../x.md",
      "/etc/x.md",
      "user/sub/../../../x.md",
      "user/.git/hooks/x.md",
    ),
    fc.constantFrom(
      "projects/../x.md",
      "projects/p/../../x.md",
      "user/projects/p/x.md",
      "user/a.md",
    ),
    fc.string({ unit: "binary" }).map((text) => `user/${text}.md`),
  );
  const id = fc.constantFrom("user", "projects/p", "projects/..", "..", "/etc", "user/../..");
  await fc.assert(
    fc.asyncProperty(
      fc.array(id, { maxLength: 3 }),
      fc.array(relativePath, { maxLength: 4 }),
      async (ids, relativePaths) => {
        using folder = temporaryFolder();
        const place = placeIn(folder.path);
        const path = join(folder.path, "evil.json");
        const folders = ids.map((id) => ({ id, root: "/nowhere/../p" }));
        const files = relativePaths.map((way) => ({ way, text: "text" }));
        writeFileSync(path, JSON.stringify({ format: 1, folders, files }));
        const before = readdirSync(folder.path, { recursive: true, encoding: "utf8" });
        await applyRestore(
          await planRestore(await readBundle(path), place, NOT_OWN),
          surroundings(NOW),
        );
        const added = readdirSync(folder.path, { recursive: true, encoding: "utf8" })
          .filter((each) => !before.includes(each) && each !== ".claude");
        assert.deepEqual(added.filter((each) => !each.startsWith(join(".claude", "memory"))), []);
      },
    ),
    { numRuns: 60 },
  );
});

Deno.test("a JSON export names each file's relative path `way`, as older exports do", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "out.json");
  await writeBundle(BUNDLE, path, "json");
  const { files } = JSON.parse(readFileSync(path, "utf8"));
  assert.deepEqual(files[0], { way: "user/tool_x.md", text: "---\nname: X\n---\nText é\n" });
});

test("an import of an export keeps what is newer here, and the older of what is newer there", async ({ place }) => {
  const path = join(place.claude, "memory", "tool_x.md");
  mkdirSync(dirname(path), { recursive: true });
  const dated = (day: number) =>
    `---\nname: X\ntype: tool\nupdated: 2026-11-${day}\n---\nDay ${day}\n`;
  const bundle = (day: number): Bundle => ({
    folders: [{ id: "user" }],
    files: [{ relativePath: "user/tool_x.md", bytes: Buffer.from(dated(day)), modified: 1e12 }],
  });
  writeFileSync(path, dated(15));
  const older = await planRestore(bundle(10), place, OWN);
  assert.deepEqual(older.steps.map(({ kind }) => kind), ["skip"]);
  const newer = await planRestore(bundle(20), place, OWN);
  await applyRestore(newer, surroundings(NOW));
  assert.match(readFileSync(path, "utf8"), /Day 20/);
  const archive = join(place.claude, "memory", ".archive");
  const kept = readdirSync(archive).filter((name) => name.endsWith(".md"));
  assert.match(readFileSync(join(archive, kept[0]!), "utf8"), /Day 15/);
});

Deno.test("an archive that unpacks to more than an export has is refused, and so is one large file in it", async () => {
  using folder = temporaryFolder();
  const large = Buffer.alloc(65 * 2 ** 20);
  const file = (name: string, body: Uint8Array) => ({ header: { name, size: body.length }, body });
  const cases = [
    [
      [file("user/bomb.md", large)],
      /Cannot import `.*`: `user\/bomb\.md`: it is larger than 64 MB$/,
    ],
    [
      "abcde".split("").map((name) => file(`user/${name}.md`, large.subarray(2 ** 20))),
      /Cannot import `.*`: unpacked, it is larger than 256 MB$/,
    ],
  ] as const;
  for (const [files, message] of cases) {
    const path = join(folder.path, "bomb.tar.gz");
    writeFileSync(path, gzipSync(await packTar(files), { level: 1 }));
    await assert.rejects(readBundle(path), { name: "MemoError", message });
  }
  const unpacked = join(folder.path, "folder");
  mkdirSync(join(unpacked, "user"), { recursive: true });
  writeFileSync(join(unpacked, "memo-export.json"), '{"format":1,"folders":[{"id":"user"}]}');
  writeFileSync(join(unpacked, "user", "bomb.md"), large);
  await assert.rejects(readBundle(unpacked), { message: /bomb\.md`: it is larger than 64 MB$/ });
});

Deno.test({
  name:
    "an export that tar has packed again is read, with long names in its own form and in POSIX's",
  ignore: process.platform === "win32",
  async fn() {
    using folder = temporaryFolder();
    const out = join(folder.path, "out");
    await writeBundle(BUNDLE, out, "folder");
    for (const format of ["gnu", "pax"]) {
      const path = join(folder.path, `${format}.tar.gz`);
      execFileSync("tar", [`--format=${format}`, "-czf", path, "-C", out, "."]);
      const { files, refused } = await readBundle(path);
      assert.deepEqual(refused, []);
      assert.deepEqual(
        files.map(({ relativePath }) => relativePath).sort(),
        BUNDLE.files.map(({ relativePath }) => relativePath).sort(),
      );
    }
  },
});

Deno.test("a file that is no export is refused with a reason", async () => {
  using folder = temporaryFolder();
  for (
    const [name, text] of [["a.json", "{}"], ["b.tar", "no tar"], ["c", "text"], ["d.json", "[]"]]
  ) {
    const path = join(folder.path, name!);
    writeFileSync(path, text!);
    await assert.rejects(readBundle(path), { name: "MemoError", message: /Cannot import/ });
  }
});
