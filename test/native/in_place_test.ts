import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { zstdCompressSync } from "node:zlib";
import { readRecord, WORDS } from "../../src/core/embed/files.ts";
import type { AssetGroup } from "../../src/core/native/embedded.ts";
import { HEAD_BYTES, linkExecutable, movedBy, unpackGroup } from "../../src/core/native/unpack.ts";
import { splitModel } from "../../tools/model/outside.ts";
import { makeHome, MEMO, succeed } from "../support/home.ts";
import { temporaryFolder } from "../support/temp.ts";

const MODEL = fileURLToPath(new URL("../../dist/model", import.meta.url));

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

function factsOf(bytes: Uint8Array) {
  const head = Buffer.from(bytes).subarray(0, HEAD_BYTES).toString("hex");
  return { head, size: bytes.length, sha256: sha256(bytes) };
}

Deno.test("a file is found in an executable by its whole content, over the bounds of pieces, and linked", () => {
  using folder = temporaryFolder();
  const weights = randomBytes(100_000);
  const decoy = Buffer.concat([weights.subarray(0, 5000), randomBytes(10)]);
  for (const before of [0, 77, 4 * 1024 * 1024 - 40, 9_000_000]) {
    const executable = join(folder.path, `memo-${before}`);
    const link = join(folder.path, `link-${before}`);
    writeFileSync(executable, Buffer.concat([decoy, Buffer.alloc(before), weights, decoy]));
    assert.equal(linkExecutable(factsOf(weights), link, executable), decoy.length + before);
    assert.equal(statSync(link).ino, statSync(executable).ino);
  }
  const other = join(folder.path, "other");
  writeFileSync(other, decoy);
  const link = join(folder.path, "none");
  assert.equal(linkExecutable(factsOf(weights), link, other), undefined);
  assert.equal(linkExecutable(factsOf(weights), link, join(folder.path, "missing")), undefined);
  assert.ok(!existsSync(link));
});

Deno.test("the offsets of a graph move by the same number, and nothing else of it changes", () => {
  const graph = readFileSync(
    new URL("../../dist/model/onnx/model_quantized.onnx", import.meta.url),
  );
  const moved = movedBy(graph, 1_000_007);
  assert.equal(moved.length, graph.length);
  const offsets = (bytes: Uint8Array) =>
    [...Buffer.from(bytes).toString("latin1").matchAll(/offset\p{Cc}\f(\d{12})/gu)]
      .map(([, digits]) => Number(digits));
  assert.ok(offsets(graph).length > 10);
  assert.deepEqual(offsets(moved), offsets(graph).map((offset) => offset + 1_000_007));
  assert.deepEqual(movedBy(moved, -1_000_007), graph);
  assert.deepEqual(splitModel(graph, "unused").outside.length, 0, "it is still a model");
});

Deno.test("the place of a table of words moves by the same number", () => {
  const place = { offset: "000000000000", rows: 250_037, width: 384 };
  const moved = movedBy(Buffer.from(JSON.stringify(place, null, 2)), 1_000_007);
  assert.deepEqual(JSON.parse(String(moved)), { ...place, offset: "000001000007" });
});

Deno.test("what is compressed is unpacked, and what cannot be used in place is copied", () => {
  using folder = temporaryFolder();
  const lay = (name: string, bytes: Uint8Array) => {
    writeFileSync(join(folder.path, name), bytes);
    return join(folder.path, name);
  };
  const layPacked = (name: string, bytes: Uint8Array) => lay(name, zstdCompressSync(bytes));
  const [library, weights, graph] = [randomBytes(3000), randomBytes(5000), Buffer.from("graph")];
  const group: AssetGroup = {
    hash: "v1",
    files: [
      { ...factsOf(graph), name: "x.onnx", source: layPacked("g", graph), form: "zstd" },
      { ...factsOf(library), name: "a.so", source: layPacked("a", library), form: "zstd" },
      { ...factsOf(weights), name: "x.onnx_data", source: lay("w", weights), form: "in place" },
    ],
  };
  const root = join(folder.path, "runtime");
  const unpacked = unpackGroup("parts", group, root);
  const contents = () =>
    ["x.onnx", "a.so", "x.onnx_data"].map((name) => sha256(readFileSync(join(unpacked, name))));
  assert.deepEqual(contents(), [graph, library, weights].map(sha256));
  writeFileSync(join(unpacked, "a.so"), "damaged");
  unpackGroup("parts", group, root);
  assert.deepEqual(contents(), [graph, library, weights].map(sha256));
  unpackGroup("parts", { ...group, hash: "v2" }, root);
  assert.deepEqual(readdirSync(root), ["parts-v2"], "no older executable is kept");
});

Deno.test({
  name:
    "the executable and what it unpacks take 300 MB in all, and its weights are on the disk once",
  ignore: process.platform === "win32",
  async fn() {
    await using home = makeHome({}, { isUnpacked: false, hasModel: true });
    home.write("tool_pnpm.md", "---\nname: Use pnpm\ntype: tool\n---\nNever npm.\n");
    const stdout = await succeed(home, ["recall", "how do I use pnpm here?"]);
    assert.match(stdout, /Use pnpm/);
    const files = readdirSync(home.memoHome, { recursive: true, encoding: "utf8" })
      .map((name) => statSync(join(home.memoHome, name)));
    const executable = statSync(MEMO);
    if (executable.dev !== files[0]!.dev) return; // another disk has a copy
    const own = files.filter((file) => file.isFile() && file.ino !== executable.ino);
    const { files: parts = [] } = readRecord(MODEL);
    const inPlace = parts.filter(({ path }) => path.endsWith("_data") || path === WORDS.rows);
    assert.equal(files.filter(({ ino }) => ino === executable.ino).length, inPlace.length);
    const bytes = own.reduce((sum, { size }) => sum + size, executable.size);
    assert.ok(bytes <= 300e6, `${bytes}`);
  },
});
