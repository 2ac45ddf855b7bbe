import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ServerResponse } from "node:http";
import {
  askModel,
  check,
  complete,
  type LlmContext,
  LoginRefused,
  readSpending,
} from "../../src/core/llm/mod.ts";
import { type Home, makeHome } from "../support/home.ts";
import { type Received, sendJson, serveLoopback } from "../support/loopback.ts";
import { contextOf, QUESTION } from "./support.ts";

/** A whole reply of the Messages API. */
function reply(content: readonly unknown[], stop_reason = "end_turn"): unknown {
  return {
    ...{ id: "msg_1", type: "message", role: "assistant", model: "claude-haiku-5-5" },
    ...{ content, stop_reason, usage: { input_tokens: 1000, output_tokens: 100 } },
  };
}

const PICKED = reply([
  { type: "tool_use", id: "toolu_1", name: "answer", input: { picks: ["a.md"] } },
], "tool_use");

/** A context whose Anthropic API is a server on this machine. */
function contextWith(home: Home, url: string, variables = {}): LlmContext {
  return contextOf(home, {
    MEMO_LLM_PROVIDER: "anthropic",
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "sk-ant-test",
    ...variables,
  });
}

type Answer = (request: Received, response: ServerResponse, nth: number) => void;

const answering = (body: unknown, status = 200, headers = {}): Answer => (_, response) =>
  sendJson(response, status, body, headers);

/** Starts a server whose answers are told which request they are to, from 1. */
async function serve(answer: Answer) {
  let count = 0;
  return await serveLoopback((request, response) => answer(request, response, ++count));
}

const outcomes = ({ paths }: LlmContext) =>
  readSpending(paths.spending).map(({ outcome }) => outcome);

/** Asks the question once, or as often as is said, and gives what came of it. */
async function ask(
  answer: Answer,
  { times = 1, ...more }: Partial<LlmContext> & { readonly times?: number } = {},
) {
  await using home = makeHome();
  await using server = await serve(answer);
  const context = { ...contextWith(home, server.url), ...more };
  const asked: { picks?: unknown; error?: Error & { kind?: string; hint?: string } }[] = [];
  for (let i = 0; i < times; i++) {
    asked.push(
      await askModel(QUESTION, context).then(
        (picks) => ({ picks }),
        (error) => ({ error }),
      ),
    );
  }
  const { length: requests } = server.received;
  return { ...asked.at(-1)!, requests, outcomes: outcomes(context) };
}

Deno.test("a question becomes one request with a tool that must be called, and its input is the answer", async () => {
  await using home = makeHome();
  await using server = await serve(answering(PICKED));
  const context = contextWith(home, server.url);
  const completed = await complete(QUESTION, context);
  assert.deepEqual(completed, {
    text: "",
    json: { picks: ["a.md"] },
    model: "claude-haiku-5-5",
    inputTokens: 1000,
    outputTokens: 100,
    costUsd: 0.00075,
  });
  const [request] = server.received;
  assert.equal(server.received.length, 1);
  assert.deepEqual([request!.method, request!.path], ["POST", "/v1/messages"]);
  assert.equal(request!.headers["x-api-key"], "sk-ant-test");
  assert.equal(request!.headers["authorization"], undefined);
  assert.deepEqual(JSON.parse(request!.body), {
    model: "claude-haiku-5-5",
    system: "You pick.",
    max_tokens: 256,
    messages: [{ role: "user", content: "Which ones?" }],
    tools: [{ name: "answer", description: "Gives the answer.", input_schema: QUESTION.schema }],
    tool_choice: { type: "tool", name: "answer", disable_parallel_tool_use: true },
  });
  const [line] = readSpending(context.paths.spending);
  assert.deepEqual({ ...line, at: "", ms: 0 }, {
    ...{ at: "", purpose: "extract", provider: "anthropic", model: "claude-haiku-5-5" },
    ...{ input: 1000, output: 100, usd: 0.00075, ms: 0, outcome: "ok", redacted: 0 },
  });
});

Deno.test("a question without a schema is answered in text", async () => {
  await using home = makeHome();
  const content = [{ type: "text", text: "These " }, { type: "text", text: "two." }];
  await using server = await serve(answering(reply(content)));
  const { schema: _, ...question } = QUESTION;
  const { text, json } = await complete(question, contextWith(home, server.url));
  assert.deepEqual([text, json], ["These two.", undefined]);
  assert.equal("tools" in JSON.parse(server.received[0]!.body), false);
});

Deno.test("no secret is in what leaves the machine", async () => {
  await using home = makeHome();
  await using server = await serve(answering(PICKED));
  const context = contextWith(home, server.url);
  const key = "ghp_" + "aZ3kL9mQ2xR7tB5nV1cD8fG4hJ6pS0wYaZ3k";
  const prompt = `Use ${key} <private>my salary</private> here`;
  await askModel({ ...QUESTION, prompt, system: `Key: ${key}` }, context);
  const { body } = server.received[0]!;
  assert.ok(!body.includes(key) && !body.includes("salary"), body);
  assert.match(body, /Use \[redacted:github\] \[redacted:private\] here/);
  assert.equal(readSpending(context.paths.spending)[0]!.redacted, 3);
});

Deno.test("a bearer token, or a file with the key, does where the key is not set", async () => {
  await using home = makeHome();
  await using server = await serve(answering(PICKED));
  const file = join(home.root, "key");
  writeFileSync(file, "sk-from-a-file\n");
  const none = { ANTHROPIC_API_KEY: "" };
  const ask = (variables: object) =>
    askModel(QUESTION, contextWith(home, server.url, { ...none, ...variables }));
  await ask({ ANTHROPIC_AUTH_TOKEN: "a-token" });
  await assert.rejects(ask({}), /ask a language model: `ANTHROPIC_API_KEY` is not set/);
  await ask({ MEMO_LLM_KEY_FILE: file });
  const [first, second] = server.received;
  assert.equal(first!.headers["authorization"], "Bearer a-token");
  assert.equal(first!.headers["x-api-key"], undefined);
  assert.equal(second!.headers["x-api-key"], "sk-from-a-file");
  assert.equal(second!.headers["authorization"], undefined);
  await assert.rejects(ask({ MEMO_LLM_KEY_FILE: "/none" }), /Cannot read the API key in `\/none`/);
});

Deno.test("a server of one's own needs no key", async () => {
  await using home = makeHome();
  await using server = await serve(answering(PICKED));
  const context = contextOf(home, { MEMO_LLM_BASE_URL: server.url });
  assert.deepEqual(await askModel(QUESTION, context), { picks: ["a.md"] });
});

for (const text of ['Here:\n```json\n{"picks": ["a.md"]}\n```', '{"picks":["a.md"]} is it']) {
  Deno.test(`JSON in prose is an answer: ${JSON.stringify(text)}`, async () => {
    const { picks } = await ask(answering(reply([{ type: "text", text }])));
    assert.deepEqual(picks, { picks: ["a.md"] });
  });
}

/** Replies that no answer can be made of, and what the error says. */
const USELESS: readonly (readonly [string, unknown, RegExp])[] = [
  [
    "prose",
    reply([{ type: "text", text: "I'd rather  not." }]),
    /is not JSON: `I'd rather not\.`$/,
  ],
  ["half JSON", reply([{ type: "text", text: '{"picks": "a.m' }]), /is not JSON/],
  ["a cut answer", reply([{ type: "text", text: "{" }], "max_tokens"), /was cut after 256 tokens/],
  ["no content", {}, /is not JSON: ``/],
  ["5 MB", reply([{ type: "text", text: "x".repeat(5e6) }]), /larger than 1 MB/],
];

for (const [what, body, message] of USELESS) {
  Deno.test(`${what} is no answer`, async () => {
    const { error, requests } = await ask(answering(body));
    assert.deepEqual([error?.kind, requests], ["llm", 1]);
    assert.match(error!.message, message);
  });
}

Deno.test("a reply that is not JSON at all is an error that says so", async () => {
  const { error } = await ask((_, response) => response.end("<html>hello</html>"));
  assert.equal(error?.kind, "llm");
});

/** Refusals that a second try would not change. */
const REFUSALS: readonly (readonly [number, RegExp, RegExp])[] = [
  [400, /did not answer: 400 /, /memo doctor/],
  [401, /refused the API key: 401 /, /ANTHROPIC_API_KEY/],
  [403, /refused the API key: 403 /, /ANTHROPIC_API_KEY/],
  [404, /has no model `claude-haiku-5-5`: 404 /, /memo config set llm\.model/],
];

for (const [status, message, hint] of REFUSALS) {
  Deno.test(`${status} is final`, async () => {
    const body = { type: "error", error: { type: "some_error", message: "No." } };
    const { error, ...rest } = await ask(answering(body, status));
    assert.match(error!.message, message);
    assert.match(error!.hint!, hint);
    assert.equal(error instanceof LoginRefused, [401, 403].includes(status));
    assert.deepEqual(rest, { requests: 1, outcomes: ["failed"] });
  });
}

for (const status of [429, 500, 529]) {
  Deno.test(`after ${status} one more try is made, and not two`, async () => {
    const busy = answering({}, status, { "retry-after": "0.01" });
    const asked = await ask((request, response, nth) =>
      (nth === 1 ? busy : answering(PICKED))(request, response, nth)
    );
    assert.deepEqual(asked, { picks: { picks: ["a.md"] }, requests: 2, outcomes: ["ok"] });
    const { error, requests } = await ask(busy);
    assert.match(error!.message, new RegExp(`did not answer: ${status}`));
    assert.equal(requests, 2);
  });
}

Deno.test("a server that asks for more patience than there is, is not waited for", async () => {
  for (const patience of ["3600", "30"]) { // capture has that much time, and others wait for it
    const answer = answering({}, 429, { "retry-after": patience });
    const { error, requests } = await ask(answer, { timeoutMs: 120_000 });
    assert.match(error!.message, /did not answer: 429/);
    assert.equal(requests, 1);
  }
});

Deno.test("a server that is slow, or stops in the middle, is given up when time is over", async () => {
  const halves: Answer = (_, response) => response.writeHead(200).write('{"id":');
  for (const answer of [() => {}, halves]) {
    const { error, outcomes } = await ask(answer, { timeoutMs: 200 });
    assert.deepEqual([error?.kind, outcomes], ["timeout", ["timed out"]]);
  }
});

Deno.test("a question that nobody waits for any more is given up", async () => {
  const abort = new AbortController();
  const { error, ...rest } = await ask(() => abort.abort(), { signal: abort.signal, times: 2 });
  assert.match(error!.message, /cancelled/);
  assert.equal(rest.requests, 1);
  assert.equal(rest.outcomes[0], "given up");
});

Deno.test("a server that is not there is an error that names it", async () => {
  await using home = makeHome();
  const server = await serve(() => {});
  await server[Symbol.asyncDispose]();
  const context = contextWith(home, server.url);
  await assert.rejects(askModel(QUESTION, context), {
    kind: "llm",
    message: new RegExp(`^Cannot reach \`${server.url}\``),
  });
});

Deno.test("check() asks the server for the model of the settings", async () => {
  await using home = makeHome();
  await using server = await serve(({ path }, response) =>
    path.endsWith("/claude-haiku-5-5")
      ? sendJson(response, 200, { id: "claude-haiku-5-5", type: "model" })
      : sendJson(
        response,
        404,
        path.endsWith("/claude-1") ? { error: { message: "model: claude-1" } } : {},
      )
  );
  assert.equal(await check(contextWith(home, server.url)), "available on the server");
  assert.equal(server.received[0]!.path, "/v1/models/claude-haiku-5-5");
  const retired = contextWith(home, server.url, { MEMO_LLM_MODEL: "claude-1" });
  await assert.rejects(check(retired), /has no model `claude-1`/);
  const gateway = contextWith(home, `${server.url}/gateway`, { MEMO_LLM_MODEL: "my-model" });
  assert.match(await check(gateway), /not checked/); // it has no list of models
});
