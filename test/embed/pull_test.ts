import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { openEmbedder } from "../../src/core/embed/mod.ts";
import { pulledFolder } from "../../src/core/embed/models.ts";
import { pullModel } from "../../src/core/embed/pull.ts";
import { readRecord } from "../../src/core/embed/record.ts";
import { MemoError } from "../../src/errors.ts";
import { type Paths, pathsFor } from "../../src/paths.ts";
import { COMMIT, type ModelHost, serveModel } from "../support/model_host.ts";
import { MINILM } from "../support/minilm.ts";
import { temporaryFolder } from "../support/temp.ts";

const REPO = "someone/some-model";
const WEIGHTS = "onnx/model_quantized.onnx";

/** Runs a test with an empty state folder and a host that serves the built-in model under another name. */
function withHost(
  name: string,
  test: (host: ModelHost, paths: Paths) => Promise<void>,
  folder = MINILM,
): void {
  Deno.test(name, async () => {
    using home = temporaryFolder();
    const host = await serveModel(folder, REPO);
    try {
      await test(host, pathsFor({ MEMO_HOME: home.path, HOME: home.path }));
    } finally {
      await host.close();
    }
  });
}

function isModelError(pattern: RegExp): (error: unknown) => boolean {
  return (error) =>
    error instanceof MemoError && error.kind === "model" && pattern.test(error.message);
}

/** Nothing that could be taken for a model is there. */
function assertNotInstalled(paths: Paths): void {
  assert.equal(existsSync(pulledFolder(REPO, paths)), false);
}

withHost("pullModel() fetches a model that then embeds like the original", async (host, paths) => {
  const seen = new Set<string>();
  const { name, folder, record } = await pullModel(REPO, paths, {
    host: host.url,
    onProgress: (file) => seen.add(file),
  });
  assert.equal(name, REPO);
  assert.equal(record.revision, COMMIT);
  assert.equal(record.dimensions, 384);
  assert.deepEqual(readRecord(folder), record);
  assert.ok(seen.has(WEIGHTS));
  assert.deepEqual(readdirSync(folder).filter((file) => file.endsWith(".etag")), []);
  assert.equal(statSync(folder).mode & 0o777, 0o700);

  const pulled = await openEmbedder(REPO, paths);
  const original = await openEmbedder(MINILM, paths);
  assert.deepEqual(await pulled.embed("same weights"), await original.embed("same weights"));
  assert.notEqual(pulled.id, original.id);
  await pulled.close();
  await original.close();
});

withHost("pullModel() takes every file from the commit of the first", async (host, paths) => {
  await pullModel(REPO, paths, { host: host.url, revision: "a/branch" });
  assert.equal(host.requests[0], `/${REPO}/resolve/a%2Fbranch/config.json`);
  for (const request of host.requests.slice(1)) {
    assert.match(request, new RegExp(`/resolve/${COMMIT}/`));
  }
});

withHost("pullModel() goes on where a cut connection left it", async (host, paths) => {
  host.misbehave(WEIGHTS, { cutAfter: 1_000_000 });
  await assert.rejects(pullModel(REPO, paths, { host: host.url }), isModelError(/Cannot fetch/));
  assertNotInstalled(paths);
  const before = host.requests.length;
  await pullModel(REPO, paths, { host: host.url });
  const resumed = host.requests.slice(before).find((request) => request.includes(WEIGHTS));
  assert.match(resumed!, / bytes=[1-9]\d*-$/);
});

withHost("pullModel() starts again when the host ignores the range", async (host, paths) => {
  host.misbehave(WEIGHTS, { cutAfter: 1_000_000 });
  await assert.rejects(pullModel(REPO, paths, { host: host.url }));
  host.misbehave(WEIGHTS, { ignoresRange: true });
  const { record } = await pullModel(REPO, paths, { host: host.url });
  const size = statSync(join(MINILM, WEIGHTS)).size;
  assert.equal(record.files.find(({ path }) => path === WEIGHTS)?.size, size);
});

withHost("pullModel() refuses a file without the announced checksum", async (host, paths) => {
  host.misbehave(WEIGHTS, { wrongHash: true });
  await assert.rejects(pullModel(REPO, paths, { host: host.url }), isModelError(/checksum/));
  assertNotInstalled(paths);
  assert.equal(existsSync(join(paths.models, ".partial/someone--some-model", WEIGHTS)), false);
});

withHost("pullModel() says that the host has no such model", async (host, paths) => {
  await assert.rejects(
    pullModel("someone/else", paths, { host: host.url }),
    (error) => error instanceof MemoError && error.kind === "not-found",
  );
  assert.deepEqual(readdirSync(join(paths.models, ".partial")), []);
});

withHost("pullModel() follows no redirect off to a place without TLS", async (host, paths) => {
  host.misbehave("config.json", { redirect: "http://example.com/config.json" });
  await assert.rejects(pullModel(REPO, paths, { host: host.url }), isModelError(/https/));
  assertNotInstalled(paths);
});

withHost("pullModel() follows a redirect on this machine", async (host, paths) => {
  const place = `/${REPO}/resolve/main/config.json?elsewhere`;
  host.misbehave("config.json", { redirect: place });
  const { record } = await pullModel(REPO, paths, { host: host.url });
  assert.ok(host.requests.includes(place));
  assert.equal(record.revision, COMMIT);
});

withHost("pullModel() stops when it is told to", async (host, paths) => {
  const stop = new AbortController();
  const pulling = pullModel(REPO, paths, {
    host: host.url,
    signal: stop.signal,
    onProgress: () => stop.abort(),
  });
  await assert.rejects(pulling, isModelError(/it was stopped/));
  assertNotInstalled(paths);
});

withHost("pullModel() keeps the old model when the new one does not work", async (host, paths) => {
  await pullModel(REPO, paths, { host: host.url });
  using broken = temporaryFolder();
  cpSync(MINILM, broken.path, { recursive: true });
  writeFileSync(join(broken.path, WEIGHTS), "not a model");
  const other = await serveModel(broken.path, REPO);
  try {
    await assert.rejects(
      pullModel(REPO, paths, { host: other.url }),
      isModelError(/does not work/),
    );
  } finally {
    await other.close();
  }
  await (await openEmbedder(REPO, paths)).close();
});

withHost("pullModel() lets one process at a time pull a model", async (host, paths) => {
  const first = pullModel(REPO, paths, { host: host.url });
  await assert.rejects(pullModel(REPO, paths, { host: host.url }), isModelError(/already pulling/));
  await first;
  assert.deepEqual(readdirSync(join(paths.models, ".partial")), []);
});

withHost("pullModel() takes over from a process that is gone", async (host, paths) => {
  const { pid } = spawnSync(process.execPath, ["--version"]);
  mkdirSync(join(paths.models, ".partial"), { recursive: true });
  writeFileSync(join(paths.models, ".partial/someone--some-model.lock"), String(pid));
  await pullModel(REPO, paths, { host: host.url });
});

withHost("pullModel() writes nothing through a link", async (host, paths) => {
  using elsewhere = temporaryFolder();
  mkdirSync(paths.models, { recursive: true });
  symlinkSync(elsewhere.path, pulledFolder(REPO, paths));
  mkdirSync(join(paths.models, ".partial"));
  symlinkSync(elsewhere.path, join(paths.models, ".partial/someone--some-model"));
  await pullModel(REPO, paths, { host: host.url });
  assert.deepEqual(readdirSync(elsewhere.path), []);
});

Deno.test("pullModel() fetches over https or from this machine alone", async () => {
  using home = temporaryFolder();
  const paths = pathsFor({ MEMO_HOME: home.path });
  const pulling = pullModel(REPO, paths, { host: "http://example.com" });
  await assert.rejects(pulling, isModelError(/https/));
});

Deno.test("pullModel() copies a model from a folder", async () => {
  using home = temporaryFolder();
  const paths = pathsFor({ MEMO_HOME: home.path });
  const { name } = await pullModel(MINILM, paths);
  assert.equal(name, "local/model-minilm");
  const embedder = await openEmbedder(name, paths);
  assert.equal(embedder.dimensions, 384);
  await embedder.close();
});

Deno.test("pullModel() brings the file in which an export keeps its numbers", async () => {
  using home = temporaryFolder();
  using folder = temporaryFolder();
  cpSync(MINILM, folder.path, { recursive: true });
  const outside = `${WEIGHTS}_data`;
  writeFileSync(join(folder.path, outside), "numbers");
  const { folder: pulled, record } = await pullModel(
    folder.path,
    pathsFor({ MEMO_HOME: home.path }),
  );
  assert.ok(record.files.some(({ path }) => path === outside));
  assert.ok(existsSync(join(pulled, outside)));
});

Deno.test("pullModel() says which file a folder lacks", async () => {
  using home = temporaryFolder();
  using folder = temporaryFolder();
  cpSync(MINILM, folder.path, { recursive: true });
  rmSync(join(folder.path, "tokenizer.json"));
  await assert.rejects(
    pullModel(folder.path, pathsFor({ MEMO_HOME: home.path })),
    (error) => error instanceof MemoError && /`tokenizer.json`/.test(error.message),
  );
});

Deno.test("pullModel() does not fetch what is a part of memo", async () => {
  using home = temporaryFolder();
  await assert.rejects(
    pullModel("builtin", pathsFor({ MEMO_HOME: home.path })),
    (error) => error instanceof MemoError && error.kind === "usage",
  );
});

Deno.test("pullModel() says that the models' folder cannot be written", async () => {
  using home = temporaryFolder();
  const paths = pathsFor({ MEMO_HOME: home.path });
  writeFileSync(paths.models, "a file where the folder should be");
  await assert.rejects(
    pullModel(MINILM, paths),
    (error) => error instanceof MemoError && error.kind === "file",
  );
});
