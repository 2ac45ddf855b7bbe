import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { openEmbedder } from "../../src/core/embed/mod.ts";
import { loadConfig } from "../../src/core/settings/config.ts";
import { MemoError } from "../../src/errors.ts";
import { pathsFor } from "../../src/paths.ts";
import { makeHome, runMemo, succeed } from "../support/home.ts";
import { serveLoopback } from "../support/loopback.ts";

const paths = pathsFor({ MEMO_HOME: "/nowhere" });

/** A server that speaks OpenAI's API for embeddings: a text's vector has its length and that of its first word. */
async function serve(answer?: (response: ServerResponse) => void) {
  const server = await serveLoopback(({ body }, response) => {
    if (answer !== undefined) return answer(response);
    const { model, input } = JSON.parse(body);
    const embedding = [input.length, input.split(" ")[0].length, 1];
    response.end(JSON.stringify({ data: [{ index: 0, embedding }], model }));
  });
  const asked = () =>
    server.received.map(({ path, headers: { authorization }, body }) => ({
      ...{ path, authorization, body: JSON.parse(body) },
    }));
  return {
    ...{ address: `${server.url}/v1#nomic-embed-text`, asked },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Answers with vectors, each of one number unless given. */
function vectors(...data: object[]) {
  return (response: ServerResponse) =>
    response.end(JSON.stringify({ data: data.map((each) => ({ embedding: [1], ...each })) }));
}

function endless(response: ServerResponse) {
  const next = () => {
    while (!response.destroyed && response.write("[".repeat(65_536)));
  };
  response.on("drain", next);
  next();
}

const isModelError = (what: RegExp) => (error: unknown) =>
  error instanceof MemoError && error.kind === "model" && what.test(error.message) &&
  error.hint !== undefined;

Deno.test("An endpoint gives the unit vectors of its model", async () => {
  await using server = await serve();
  const embedder = await openEmbedder(server.address, paths);
  assert.equal(embedder.dimensions, 3);
  assert.match(embedder.id, /^endpoint\/nomic-embed-text@[0-9a-f]{8}$/);
  const [size, word] = ["search_query: Use pnpm".length, "search_query:".length];
  const length = Math.hypot(size, word, 1);
  assert.deepEqual(
    await embedder.embed("Use pnpm", "query"),
    Float32Array.of(size / length, word / length, 1 / length),
  );
  assert.deepEqual(server.asked().at(-1), {
    path: "/v1/embeddings",
    authorization: undefined,
    body: {
      model: "nomic-embed-text",
      input: "search_query: Use pnpm",
      encoding_format: "float",
    },
  });
  await embedder.close();
});

for (
  const [what, message, answer] of [
    ["fails", /returned 500/, (response: ServerResponse) => response.writeHead(500).end()],
    ["answers nonsense", /no vector/, (response: ServerResponse) => response.end('{"data":[]}')],
    ["answers with two vectors", /vector 0 of 2/, vectors({ index: 0 }, { index: 1 })],
    ["answers with another's vector", /vector -5 of 1/, vectors({ index: -5 })],
    ["answers with huge numbers", /too large/, vectors({ embedding: Array(9).fill(1e308) })],
    ["answers with nothing", /no vector/, vectors({ embedding: [] })],
    ["answers with words", /no vector/, vectors({ embedding: [1, "2"] })],
    ["answers with null", /no vector/, (response: ServerResponse) => response.end("null")],
    ["has too many dimensions", /40000 dimensions/, vectors({ embedding: Array(40_000).fill(1) })],
    ["answers without end", /larger than 1 MB/, endless],
    ["answers HTML", /JSON/, (response: ServerResponse) => response.end("<html>")],
    [
      "sends elsewhere",
      /Cannot embed/,
      (response: ServerResponse) =>
        response.writeHead(302, { location: "http://127.0.0.1:9/" }).end(),
    ],
  ] as const
) {
  Deno.test(`An endpoint that ${what} is a model error`, async () => {
    await using server = await serve(answer);
    await assert.rejects(openEmbedder(server.address, paths), isModelError(message));
  });
}

Deno.test("An endpoint whose vectors change their length is a model error", async () => {
  let size = 2;
  await using server = await serve((response) =>
    vectors({ embedding: Array(size++).fill(1) })(response)
  );
  const embedder = await openEmbedder(server.address, paths);
  await assert.rejects(embedder.embed("x"), isModelError(/have 2 dimensions, but this one has 3/));
});

Deno.test("Texts do not go over plain http to another machine", async () => {
  await assert.rejects(
    openEmbedder("http://example.com/v1#m", paths),
    (error) => error instanceof MemoError && error.kind === "usage",
  );
});

Deno.test("memo config set model takes an endpoint that answers, and memories are embedded there", async () => {
  await using home = makeHome();
  await using server = await serve();
  home.write("a.md", "---\nname: Package manager\ntype: tool\n---\nUse pnpm.\n");
  await succeed(home, ["config", "set", `model=${server.address}`]);
  await succeed(home, ["index"]);
  assert.ok(server.asked().some(({ body }) => body.input.includes("Use pnpm.")));
});

Deno.test("memo config set model refuses an endpoint that does not answer", async () => {
  await using home = makeHome();
  const { code } = await runMemo(home, ["config", "set", "model=http://127.0.0.1:9/v1#m"]);
  assert.equal(code, 2);
  assert.notEqual(loadConfig(pathsFor(home.env).config, {}).model, "http://127.0.0.1:9/v1#m");
});

Deno.test("An endpoint's key comes from a file and goes to that endpoint alone", async () => {
  await using home = makeHome();
  await using server = await serve();
  const file = join(home.root, "key");
  writeFileSync(file, "sk-of-this-test\n", { mode: 0o600 });
  await succeed(home, ["config", "set", "embed.key_file", file]);
  const { code, stdout, stderr } = await runMemo(home, [
    "config",
    "set",
    `model=${server.address}`,
  ]);
  assert.equal(code, 0, stderr);
  assert.equal(server.asked().at(-1)?.authorization, "Bearer sk-of-this-test");
  assert.doesNotMatch(stdout + stderr, /sk-of-this-test/);
});

Deno.test("An endpoint whose key cannot be read is a model error, and so is one that wants a key", async () => {
  await using server = await serve((response) => response.writeHead(401).end());
  const open = (keyFile?: string) => openEmbedder(server.address, paths, { keyFile });
  await assert.rejects(open("/nowhere/key"), isModelError(/Cannot read the key/));
  await assert.rejects(open(), isModelError(/embed\.key_file/));
});
