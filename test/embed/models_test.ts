import fc from "fast-check";
import assert from "node:assert/strict";
import { dirname, resolve, sep } from "node:path";
import {
  localName,
  modelName,
  MODELS,
  nameOfFolder,
  pulledFolder,
  servedProfileOf,
} from "../../src/core/embed/models.ts";
import { MemoError } from "../../src/errors.ts";
import { pathsFor } from "../../src/paths.ts";

const paths = pathsFor({ MEMO_HOME: "/home/somebody/memo" });

Deno.test("modelName() completes the name alone of every model of the table", () => {
  for (const { name } of MODELS) assert.equal(modelName(name.split("/").at(-1)!), name);
});

for (
  const name of [
    "../x",
    "a/../b",
    "a/b/c",
    "..",
    "a/..",
    "a/",
    "a\\b/c",
    "a/b\0",
    "a--b/c",
    "x",
    "",
  ]
) {
  Deno.test(`modelName() refuses ${JSON.stringify(name)}`, () => {
    assert.throws(
      () => modelName(name),
      (error) => error instanceof MemoError && error.kind === "usage",
    );
  });
}

Deno.test("pulledFolder() never leaves the folder of models", () => {
  fc.assert(fc.property(fc.string(), fc.string(), (owner, repository) => {
    let name: string;
    try {
      name = modelName(`${owner}/${repository}`);
    } catch {
      return;
    }
    if (name.startsWith(sep)) return; // a path is never looked for among the pulled ones
    assert.equal(dirname(resolve(pulledFolder(name, paths))), paths.models);
    assert.equal(nameOfFolder(name.replace("/", "--")), name);
  }));
});

Deno.test("localName() makes a name of any folder", () => {
  fc.assert(fc.property(fc.string(), (folder) => {
    const name = localName(`/models/${folder}`);
    assert.equal(modelName(name), name);
  }));
});

Deno.test("servedProfileOf() knows a model at an endpoint by its name, whatever its tag", () => {
  assert.equal(servedProfileOf("nomic-embed-text:latest").prefixes.query, "search_query: ");
  assert.equal(servedProfileOf("Qwen3-Embedding:0.6b").prefixes.passage, "");
  assert.equal(servedProfileOf("constructor").prefixes.query, "");
});
