import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MemoError } from "../../src/errors.ts";
import type { AssetGroup } from "../../src/core/native/embedded.ts";
import { unpackGroup } from "../../src/core/native/unpack.ts";
import { temporaryFolder } from "../support/temp.ts";

/** A group of two files, one of them in a folder; `version` makes its contents and its hash. */
function makeGroup(folder: string, version: string, size = 1000): AssetGroup {
  const names = ["library.so", "onnx/weights"];
  const files = names.map((name, i) => {
    const source = join(folder, `${version}-${i}`);
    writeFileSync(source, version.repeat(size));
    const sha256 = createHash("sha256").update(version.repeat(size)).digest("hex");
    return { name, source, size: version.length * size, sha256 };
  });
  return { hash: version, files };
}

/** A folder to unpack a group into. */
function makeRoot(version = "v1", size?: number) {
  const folder = temporaryFolder();
  const group = makeGroup(folder.path, version, size);
  const root = join(folder.path, "runtime");
  return { ...folder, root, group, unpack: () => unpackGroup("parts", group, root) };
}

Deno.test("unpackGroup() writes the files once, for this user alone", () => {
  using made = makeRoot();
  const { root, group, unpack } = made, unpacked = unpack();
  for (const { name, source } of group.files) {
    assert.deepEqual(readFileSync(join(unpacked, name)), readFileSync(source));
  }
  for (const path of [root, unpacked]) assert.equal(statSync(path).mode & 0o777, 0o700);
  const { ino } = statSync(join(unpacked, "library.so"));
  assert.equal(unpack(), unpacked);
  assert.equal(statSync(join(unpacked, "library.so")).ino, ino);
  assert.deepEqual(readdirSync(root), ["parts-v1"]);
});

for (
  const [damage, apply] of [
    ["cut", (file: string) => truncateSync(file, 3)],
    ["of the right size and wrong content", (file: string) => {
      writeFileSync(file, "x".repeat(statSync(file).size));
      // A clock that goes in steps gives what is written at once the same time.
      utimesSync(file, new Date(), new Date(Date.now() + 1000));
    }],
    ["missing", (file: string) => rmSync(file)],
    ["missing with its folder", (file: string) => rmSync(join(file, ".."), { recursive: true })],
  ] as const
) {
  Deno.test(`unpackGroup() replaces a file that is ${damage}`, () => {
    using made = makeRoot();
    const { root, group, unpack } = made;
    const file = join(unpack(), "onnx/weights");
    apply(file);
    unpack();
    assert.deepEqual(readFileSync(file), readFileSync(group.files[1]!.source));
    assert.deepEqual(readdirSync(root), ["parts-v1"]);
  });
}

Deno.test("unpackGroup() keeps the version before, and nothing older", () => {
  using folder = temporaryFolder();
  const root = join(folder.path, "runtime");
  for (const [age, version] of [[3, "v1"], [2, "v2"], [1, "v3"]] as const) {
    const unpacked = unpackGroup("parts", makeGroup(folder.path, version), root);
    const then = new Date(Date.now() - age * 86_400_000);
    utimesSync(unpacked, then, then);
  }
  unpackGroup("other", makeGroup(folder.path, "v1"), root);
  unpackGroup("parts", makeGroup(folder.path, "v4"), root);
  assert.deepEqual(readdirSync(root).sort(), ["other-v1", "parts-v3", "parts-v4"]);
});

Deno.test("unpackGroup() clears away what a crash left long ago", () => {
  using made = makeRoot();
  const { root, unpack } = made;
  mkdirSync(join(root, ".parts-crashed"), { recursive: true });
  mkdirSync(join(root, ".parts-running"));
  utimesSync(join(root, ".parts-crashed"), new Date(0), new Date(0));
  unpack();
  assert.deepEqual(readdirSync(root).sort(), [".parts-running", "parts-v1"]);
});

Deno.test("unpackGroup() says where it cannot write", () => {
  using made = makeRoot();
  const { root, unpack } = made;
  writeFileSync(root, "a file where the folder should be");
  assert.throws(
    unpack,
    (error) => error instanceof MemoError && error.kind === "file" && error.message.includes(root),
  );
});

Deno.test("Four processes that unpack the same group at once all get it whole", async () => {
  using made = makeRoot("version", 1_000_000);
  const { root, group } = made;
  const module = fileURLToPath(new URL("../../src/core/native/unpack.ts", import.meta.url));
  // Each looks at the files the moment it is told that they are there.
  const program = `
    import { statSync } from "node:fs";
    import { unpackGroup } from ${JSON.stringify(module)};
    const group = ${JSON.stringify(group)};
    const folder = unpackGroup("parts", group, ${JSON.stringify(root)});
    process.exit(group.files.every((f) => statSync(folder + "/" + f.name).size === f.size) ? 0 : 1);
  `;
  const script = join(made.path, "unpack.ts");
  writeFileSync(script, program);
  for (const round of ["fresh", "damaged"]) {
    const runs = Array.from({ length: 4 }, () =>
      new Promise<number | null>((ended) => {
        spawn(process.execPath, ["run", "-A", "--no-check", "--no-config", script], {
          stdio: ["ignore", "ignore", "inherit"],
        }).on("exit", ended);
      }));
    assert.deepEqual(await Promise.all(runs), [0, 0, 0, 0], round);
    assert.deepEqual(readdirSync(root), ["parts-version"]);
    truncateSync(join(root, "parts-version/library.so"), 5);
  }
});
