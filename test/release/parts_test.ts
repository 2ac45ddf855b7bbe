// The parts of `deno task release` that cost nothing; what it builds is checked when it builds it.

import { unzipSync } from "fflate";
import { unpackTar } from "modern-tar";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { compiledPackages } from "../../tools/compile/compile.ts";
import { checked, idsInLock, lockedPackage } from "../../tools/compile/fetch_package.ts";
import { idOf } from "../../tools/compile/graph.ts";
import { onnxFolder } from "../../tools/compile/locate.ts";
import { HOST, type Target, targetNamed, TARGETS } from "../../tools/compile/targets.ts";
import { ARCHIVES } from "../../tools/release/archive.ts";
import { documents } from "../../tools/release/documents.ts";
import { misfit, readBinary } from "../../tools/release/binary.ts";
import { sha256, sumsFile } from "../../tools/release/manifest.ts";
import { MANIFESTS } from "../../tools/release/manifests.ts";
import { changesOf, releaseNotes } from "../../tools/release/notes.ts";
import { worksIn } from "../../tools/release/notice.ts";
import { mainPackage, platformPackage } from "../../tools/release/npm.ts";
import { fill, packaging } from "../../tools/release/packaging.ts";
import { sbom } from "../../tools/release/sbom.ts";
import { MEMO } from "../support/home.ts";
import { madeUpManifest } from "./schemas.ts";

const RELEASES = "https://releases.example/o/memo/releases";
const MANIFEST = madeUpManifest();

Deno.test("every target's packages stand in the lock file with a checksum", () => {
  for (const { runtime, libsql } of TARGETS) {
    for (const name of [runtime, libsql]) assert.match(lockedPackage(name).integrity, /^sha512-/);
  }
  assert.throws(() => lockedPackage("@libsql/plan9-x64"), /has 0 versions/);
  assert.equal(new Set(TARGETS.map(({ name }) => name)).size, TARGETS.length);
});

Deno.test("checked() refuses a package that is not the one in the lock file", () => {
  const row = { id: "p@1.0.0", integrity: "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=" };
  assert.deepEqual(checked(Buffer.from("abc"), row), Buffer.from("abc"));
  assert.throws(() => checked(Buffer.from("abd"), row), /p@1\.0\.0 has checksum/);
});

Deno.test("ONNX Runtime's libraries are for the targets that embed them, and for no other", () => {
  const native: readonly Target[] = TARGETS.filter(({ engine }) => engine === "native");
  for (const target of native) {
    for (const file of target.onnx.files) {
      const bytes = readFileSync(join(onnxFolder(target), file));
      assert.equal(misfit(bytes, target.name), undefined, `${target.name} ${file}`);
      for (const { name } of native.filter(({ name }) => name !== target.name)) {
        assert.notEqual(misfit(bytes, name), undefined, `${file} of ${target.name} for ${name}`);
      }
    }
  }
});

Deno.test({
  name: "misfit() tells glibc from musl by the loader, and programs from anything else",
  ignore: HOST !== "linux-x64",
  fn() {
    const head = readFileSync(MEMO).subarray(0, 64 * 1024);
    assert.match(readBinary(head)!.loader!, /ld-linux/);
    assert.equal(misfit(head, "linux-x64"), undefined);
    assert.match(misfit(head, "linux-x64-musl")!, /its loader is/);
    assert.match(misfit(head, "linux-arm64")!, /elf for x64/);
    assert.match(misfit(Buffer.alloc(100), "linux-x64")!, /not a program/);
    assert.match(misfit(Buffer.from("MZ"), "win32-x64")!, /not a program/);
  },
});

Deno.test("archives hold what was put in, and are the same bytes each time", async () => {
  const files = [
    { name: "memo", data: Buffer.from("program"), isExecutable: true },
    { name: "licenses/a.txt", data: Buffer.from("words") },
  ];
  const time = new Date("2026-01-02T03:04:06Z");
  const bytes = gunzipSync(await ARCHIVES["tar.gz"](files, time));
  assert.ok(
    bytes.subarray(-1024).every((byte) => byte === 0),
    "tar warns of a lone block of zeros",
  );
  const tar = await unpackTar(bytes);
  const modes = tar.map(({ header: { name, mode }, data }) => [
    name,
    Buffer.from(data!).toString(),
    mode,
  ]);
  assert.deepEqual(modes, [["memo", "program", 0o755], ["licenses/a.txt", "words", 0o644]]);
  const zip = unzipSync(ARCHIVES.zip(files, time));
  assert.deepEqual(Object.keys(zip), ["memo", "licenses/a.txt"]);
  assert.equal(Buffer.from(zip["memo"]!).toString(), "program");
  for (const make of Object.values(ARCHIVES)) {
    assert.equal(sha256(await make(files, time)), sha256(await make(files, time)));
  }
});

Deno.test("sumsFile() writes what sha256sum reads, in order", () => {
  const files = new Map([["b", Buffer.from("b")], ["a", Buffer.from("abc")]]);
  const [a, b] = sumsFile(files).split("\n");
  assert.equal(a, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a");
  assert.match(b!, /^[0-9a-f]{64} {2}b$/);
});

Deno.test("archives hold the completions, and Homebrew installs each", () => {
  const files = documents();
  const text = (name: string) => files.find((file) => file.name === name)!.data.toString();
  assert.match(text("completions/memo.bash"), /^complete -F _memo memo$/m);
  assert.match(text("completions/_memo"), /^#compdef memo/);
  const brew = readFileSync(new URL("../../packaging/homebrew/memo.rb", import.meta.url), "utf8");
  for (const { name } of files.filter(({ name }) => !name.endsWith(".ps1"))) {
    assert.ok(brew.includes(`install "${name}"`), name);
  }
});

Deno.test("installers and formulas have every place filled, with the archives' own sums", () => {
  const files = packaging({ manifest: MANIFEST, releases: RELEASES, keys: ["RWa", "RWb"] });
  const named = MANIFESTS.flatMap(({ name, template }) => template === undefined ? [] : [name]);
  assert.deepEqual([...files.keys()], ["install.sh", "install.ps1", "INSTALL.md", ...named]);
  for (const [name, text] of files) assert.doesNotMatch(text, /\{\{\w/, name);
  assert.match(files.get("install.sh")!, /^keys='RWa RWb'$/m);
  assert.match(
    files.get("install.sh")!,
    /releases=\$\{MEMO_RELEASES:-'https:\/\/releases\.example/,
  );
  const brew = files.get("memo.rb")!;
  for (const target of ["darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64"]) {
    const { file, sha256 } = MANIFEST.archives[target]!;
    assert.ok(brew.includes(`url "${RELEASES}/download/v1.2.3/${file}"\n      sha256 "${sha256}"`));
  }
  const scoop = JSON.parse(files.get("memo.scoop.json")!);
  assert.equal(scoop.architecture["64bit"].hash, MANIFEST.archives["win32-x64"]!.sha256);
  assert.equal(scoop.homepage, "https://releases.example/o/memo");
  const filling = { manifest: MANIFEST, releases: RELEASES, keys: [] };
  assert.equal(fill("{{homepage}} {{keys}}.", filling), "https://releases.example/o/memo .");
  for (const place of ["{{nothing}}", "{{url plan9}}", "{{size linux-x64}}"]) {
    assert.throws(() => fill(place, filling), /Unknown placeholder/);
  }
});

Deno.test("a release of some platforms has the installers, and formulas for those platforms alone", () => {
  const namesFor = (...targets: string[]) => {
    const archives = Object.fromEntries(targets.map((name) => [name, MANIFEST.archives[name]!]));
    const manifest = { ...MANIFEST, archives };
    return [...packaging({ manifest, releases: RELEASES, keys: [] }).keys()];
  };
  const always = ["install.sh", "install.ps1", "INSTALL.md"];
  assert.deepEqual(namesFor("linux-x64"), [
    ...always,
    "memo.winget.yaml",
    "memo.winget.locale.yaml",
  ]);
  assert.deepEqual(
    namesFor("win32-x64").filter((name) => !always.includes(name)),
    [
      ...["memo.scoop.json", "memo.winget.yaml", "memo.winget.installer.yaml"],
      "memo.winget.locale.yaml",
    ],
  );
});

Deno.test("the npm packages name each other, and the platform each is for", () => {
  const manifestOf = ({ files }: ReturnType<typeof mainPackage>) =>
    JSON.parse(Buffer.from(files.find(({ name }) => name === "package.json")!.data).toString());
  const version = "1.2.3";
  const main = manifestOf(mainPackage(TARGETS, { version, files: [] }));
  const platforms = TARGETS.map((target) =>
    manifestOf(platformPackage(target, { version, files: [] }))
  );
  assert.deepEqual(
    main.optionalDependencies,
    Object.fromEntries(platforms.map(({ name }) => [name, version])),
  );
  const musl = platforms.find(({ name }) => name.endsWith("linux-arm64-musl"));
  assert.deepEqual([musl.os, musl.cpu, musl.libc], [["linux"], ["arm64"], ["musl"]]);
});

Deno.test("the bill of materials has every compiled package, once, with its checksum", () => {
  const target = targetNamed(HOST);
  const packages = compiledPackages(target);
  const bom = sbom({
    version: "1.2.3",
    date: MANIFEST.date,
    works: worksIn(packages),
    packages: new Map([[target, packages]]),
    model: { repo: "m", revision: "r" },
  }) as { components: { name: string; version: string; "bom-ref": string; hashes?: unknown[] }[] };
  const ids = bom.components.map(idOf);
  assert.deepEqual(packages.map(idOf).filter((id) => !ids.includes(id)), []);
  assert.equal(new Set(bom.components.map((row) => row["bom-ref"])).size, bom.components.length);
  const inLock = idsInLock();
  for (const { name, version, hashes } of bom.components.slice(0, -1)) {
    assert.ok(inLock.has(`${name}@${version}`) && hashes?.length === 1, name);
  }
});

Deno.test("release notes say what changed, and list each archive's files and parts", () => {
  const changelog = "# Changelog\n\n## 1.2.3 (today)\n\n- It is new.\n\n## 1.2.2\n\n- It is old.\n";
  const text = releaseNotes("1.2.3", {
    changes: changesOf(changelog, "1.2.3"),
    releases: "https://example.org/releases",
    contained: [{
      target: "linux-x64",
      label: "Linux",
      archive: "memo-linux-x64.tar.gz",
      archiveBytes: 93_500_000,
      files: [{ name: "memo", size: 199_000_000 }],
      parts: [{ name: "Bun, the runtime", size: 100_000_000 }],
      tried: "run",
    }],
  });
  const download = "curl -fsSL https://example.org/releases/download/v1.2.3/install.sh | sh";
  for (const part of ["It is new", download, "93.5 MB", "199,000,000", "Bun, the runtime"]) {
    assert.ok(text.includes(part), part);
  }
  assert.doesNotMatch(text, /It is old/);
  assert.throws(() => changesOf(changelog, "9.9.9"), /no section/);
});
