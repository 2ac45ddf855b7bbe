import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compiledPackages } from "../../tools/compile/compile.ts";
import { lockedPackage } from "../../tools/compile/fetch_package.ts";
import { idOf, packagesOf } from "../../tools/compile/graph.ts";
import { HOST, targetNamed, TARGETS } from "../../tools/compile/targets.ts";
import { licenceOf } from "../../tools/release/licence.ts";
import { notice, worksIn } from "../../tools/release/notice.ts";
import { temporaryFolder } from "../support/temp.ts";

const ROOT = new URL("../../", import.meta.url);
const NOTICE = readFileSync(new URL("NOTICE", ROOT), "utf8");
const packages = compiledPackages(targetNamed(HOST));

/** Lays out a package with a manifest and other files. */
function makePackage(root: string, manifest: object, files: Record<string, string> = {}): string {
  const folder = join(root, "node_modules/p");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

Deno.test("NOTICE is what the compiled packages make it; `deno task notice` writes it", () => {
  assert.equal(NOTICE, notice(worksIn(packages)), "run `deno task notice`");
});

Deno.test("NOTICE has every package of the executable with its licence", () => {
  const names = ["@anthropic-ai/sdk", "commander", "yaml", "libsql", "@libsql/client"];
  for (const name of [...names, "onnxruntime-node", "@huggingface/transformers"]) {
    assert.match(NOTICE, new RegExp(`^${name} \\d.* \\(.+\\)$`, "m"));
    assert.ok(packages.some((row) => row.name === name), `${name} is compiled`);
  }
  for (const [path] of NOTICE.matchAll(/licenses\/[\w.-]+\.txt/g)) {
    assert.ok(readFileSync(new URL(path, ROOT), "utf8").length > 1000, path);
  }
});

Deno.test("NOTICE has the native packages of every platform, with the versions of the lock file", () => {
  const works = [...packages, ...TARGETS.flatMap(({ runtime, libsql }) => [runtime, libsql])]
    .map((work) => typeof work === "string" ? lockedPackage(work).id : idOf(work));
  const named = new Set(
    [...NOTICE.matchAll(/^ *(\S+) (\d\S*) \(.+\)$/gm)].map(([, a, b]) => `${a}@${b}`),
  );
  assert.deepEqual(works.filter((id) => !named.has(id)), []);
  assert.ok(works.includes(lockedPackage("@libsql/linux-x64-gnu").id));
});

Deno.test("packagesOf() names a package once, with all that is compiled of it", () => {
  using root = temporaryFolder();
  makePackage(root.path, { name: "p", version: "1.2.3", license: "MIT" });
  const inputs = {
    "src/main.ts": { bytes: 1 },
    "node_modules/p/a.js": { bytes: 10 },
    "node_modules/p/lib/b.js": { bytes: 20 },
  };
  const found = packagesOf({ inputs }, root.path);
  assert.deepEqual(found.map((row) => [idOf(row), row.bytes]), [["p@1.2.3", 30]]);
});

Deno.test("licenceOf() takes a package's own words, else those its manifest names", () => {
  using root = temporaryFolder();
  const own = makePackage(root.path, { name: "p", license: "MIT" }, { LICENSE: "Mine.\r\n" });
  assert.deepEqual(licenceOf(own), { spdx: "MIT", text: "Mine." });
  using other = temporaryFolder();
  const bare = makePackage(other.path, { name: "p", license: "ISC", author: "A. B. <a@b.c>" });
  assert.match(licenceOf(bare).text, /^Copyright \(c\) A\. B\.\n\nPermission to use, copy/);
});

Deno.test("licenceOf() refuses a licence that nobody has cleared", () => {
  for (const license of ["GPL-3.0", "MIT AND GPL-2.0", undefined]) {
    using root = temporaryFolder();
    const folder = makePackage(root.path, { name: "p", license }, { LICENSE: "Words" });
    assert.throws(() => licenceOf(folder), /p is under/);
  }
});
