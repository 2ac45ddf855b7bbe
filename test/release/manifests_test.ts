// Every manifest, with the sums of a made-up release, is what the place that reads it documents.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { TARGETS } from "../../tools/compile/targets.ts";
import { bundleFor } from "../../tools/release/bundle.ts";
import { MANIFESTS } from "../../tools/release/manifests.ts";
import { mainPackage } from "../../tools/release/npm.ts";
import { packaging } from "../../tools/release/packaging.ts";
import { pluginManifests } from "../../tools/release/plugins.ts";
import { isPlaceholder } from "../../tools/release/repository.ts";
import { ownersSteps } from "../../tools/release/steps.ts";
import { madeUpManifest, problemWith, SCHEMAS } from "./schemas.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const RELEASES = "https://github.com/ada/memo/releases";
const MANIFEST = madeUpManifest();
const FILES = new Map([
  ...packaging({ manifest: MANIFEST, releases: RELEASES, keys: ["RWa"] }),
  ...Object.entries(pluginManifests("ada/memo")),
]);
const json = (name: string) => JSON.parse(FILES.get(name)!);

for (const { name } of MANIFESTS) {
  Deno.test(`${name} is what ${SCHEMAS[name]?.source} says, i43`, () => {
    const text = FILES.get(name)!;
    assert.equal(problemWith(name, text), undefined);
    assert.doesNotMatch(text, /\{\{\w|OWNER/);
    const broken = name.endsWith(".json")
      ? text.replace("{", '{ "unheardOf": 1,')
      : name.endsWith(".yaml")
      ? `${text}UnheardOf: 1\n`
      : text.replaceAll(/[0-9a-f]{64}/g, "");
    assert.notEqual(problemWith(name, broken), undefined, "the schema accepts anything");
  });
}

Deno.test("every schema is of a manifest, and every template of packaging/ is filled for a release, i43", () => {
  const names = [...MANIFESTS.map(({ name }) => name), "manifest.json"];
  assert.deepEqual(Object.keys(SCHEMAS).sort(), names.sort());
  const templates = MANIFESTS.flatMap(({ template }) => template ?? []);
  for (const folder of ["aur", "homebrew", "mcp", "nix", "scoop", "winget"]) {
    for (const file of readdirSync(join(ROOT, "packaging", folder))) {
      assert.ok(templates.includes(`packaging/${folder}/${file}`), file);
    }
  }
});

Deno.test("the plugins' manifests are right without a repository too, and have no address then, i43", () => {
  for (const [name, text] of Object.entries(pluginManifests(""))) {
    assert.equal(problemWith(name, text), undefined);
    assert.doesNotMatch(text, /"homepage"|github\.com/);
  }
  const [entry] = json(".claude-plugin/marketplace.json").plugins;
  assert.deepEqual(
    [entry.homepage, entry.repository],
    Array(2).fill("https://github.com/ada/memo"),
  );
});

Deno.test("the MCP registry finds its name in the npm package, and each bundle by its sum, i43", () => {
  const { files } = mainPackage(TARGETS, { version: "1.2.3", files: [], releases: RELEASES });
  const { data } = files.find(({ name }) => name === "package.json")!;
  const { name, packages } = json("server.json");
  assert.equal(JSON.parse(Buffer.from(data).toString()).mcpName, name);
  assert.equal(packages[0].identifier, "claude-code-memo");
  const bundled = TARGETS.filter((target) =>
    bundleFor(target, { version: "1.2.3", files: [], releases: "" }) !== undefined
  ).map(({ name }) => `${RELEASES}/download/v1.2.3/memo-${name}.mcpb`);
  const named = packages.slice(1).map(({ identifier }: { identifier: string }) => identifier);
  assert.deepEqual(named.sort(), bundled.sort());
});

Deno.test("a bundle has the program and a manifest of MCPB, i43", () => {
  const program = { name: "memo", data: Buffer.from("x"), isExecutable: true };
  const target = TARGETS.find(({ name }) => name === "darwin-arm64")!;
  for (const releases of [RELEASES, ""]) {
    const { files } = bundleFor(target, { version: "1.2.3", files: [program], releases })!;
    assert.deepEqual(files.map(({ name }) => name), ["manifest.json", "memo"]);
    assert.equal(problemWith("manifest.json", Buffer.from(files[0]!.data).toString()), undefined);
  }
});

Deno.test("nothing is released for a placeholder, and no file of the repository has one, i43", () => {
  const releases = "https://github.com/OWNER/memo/releases";
  assert.throws(
    () => packaging({ manifest: MANIFEST, releases, keys: [] }),
    /packaging\/repository/,
  );
  const files = execFileSync("git", ["ls-files", "-z"], { cwd: ROOT, encoding: "utf8" }).split("\0")
    .filter((path) => /^(README|docs|plugin|packaging|install|\.github|\.claude-plugin)/.test(path))
    .filter((path) => /\.(md|json|sh|ps1|yml|yaml|rb|toml)$/.test(path));
  assert.ok(files.length > 30);
  const placeholders = files.filter((path) =>
    isPlaceholder(readFileSync(join(ROOT, path), "utf8"))
  );
  assert.deepEqual(placeholders, []);
});

Deno.test("the task names what its owner does by hand, the empty key first, i43", () => {
  const first = ownersSteps({ repository: "", keys: [], version: "1.2.3" });
  assert.match(first[0]!, /packaging\/repository/);
  assert.match(first[1]!, /release:key.*empty.*memo upgrade/);
  const later = ownersSteps({ repository: "ada/memo", keys: ["RWa"], version: "1.2.3" });
  assert.match(later[0]!, /git@github\.com:ada\/memo\.git/);
  assert.match(later[1]!, /git push origin v1\.2\.3/);
  for (const { name } of MANIFESTS.filter(({ template }) => template !== undefined)) {
    assert.ok(later.some((step) => step.includes(`Submit ${name}.`)), name);
  }
});

Deno.test("every action of the workflows is one commit, with its version beside it, i43", () => {
  const folder = join(ROOT, ".github/workflows");
  const uses = readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), "utf8").match(/uses: .*/g) ?? []
  );
  assert.ok(uses.length > 5);
  for (const line of uses) assert.match(line, /^uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});
