// Hooks over http: the real executable, a real socket.

import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer, request as httpRequest } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ensureEndpoint, readEndpoint } from "../../src/install/endpoint.ts";
import { MAX_MESSAGE } from "../../src/link/protocol.ts";
import { readFixture } from "../support/fixtures.ts";
import {
  daemonPid,
  endDaemon,
  type Home,
  makeHome,
  PATIENCE,
  runMemo,
  warmUp,
} from "../support/home.ts";
import { temporaryFolder } from "../support/temp.ts";

const KILN =
  "---\nname: Kiln\ndescription: Kiln\ntype: tool\n---\nThe kiln service has port 7070.\n";

/** A home with one memory, in which `memo install --transport http` has run. */
async function equipped(): Promise<Home> {
  const home = makeHome(PATIENCE);
  home.write("tool_kiln.md", KILN);
  const { code, stderr } = await runMemo(home, ["install", "--transport", "http"]);
  assert.equal(code, 0, stderr);
  await runMemo(home, ["index"]);
  await warmUp(home);
  return home;
}

function endpointOf(home: Home) {
  const endpoint = readEndpoint(join(home.memoHome, "http.json"));
  assert.ok(endpoint);
  return endpoint;
}

/** The handler that install wrote for an event. */
function handlerOf(home: Home, event = "UserPromptSubmit") {
  const settings = JSON.parse(readFileSync(join(home.claude, "settings.json"), "utf8"));
  return settings.hooks[event][0].hooks[0];
}

function prompt(home: Home, session = "s1"): Record<string, unknown> {
  const fields = readFixture("UserPromptSubmit");
  return { ...fields, cwd: home.project, session_id: session, prompt: "which port has the kiln" };
}

interface Answer {
  readonly status: number;
  readonly type: string | undefined;
  readonly body: string;
}

/** Posts as Claude Code does, with what install told it; `change` is what another client does differently. */
function post(home: Home, body: unknown, change: {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
} = {}): Promise<Answer> {
  const { url, headers } = handlerOf(home);
  const { port, pathname, search } = new URL(url);
  return new Promise((done, fail) => {
    const request = httpRequest({
      host: "127.0.0.1",
      port,
      method: change.method ?? "POST",
      path: change.path ?? pathname + search,
      headers: { "content-type": "application/json", ...headers, ...change.headers },
    }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part) => text += part);
      response.on("end", () =>
        done({
          status: response.statusCode!,
          type: response.headers["content-type"],
          body: text,
        }));
    });
    request.on("error", fail);
    request.end(typeof body === "string" ? body : JSON.stringify(body));
  });
}

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (await holds()) return;
    await sleep(50);
  }
  assert.fail(`It never came to be: ${what}`);
}

Deno.test("a request with the token gets what the command hook says, byte for byte", async () => {
  await using home = await equipped();
  const overHttp = await post(home, prompt(home, "over-http"));
  assert.deepEqual([overHttp.status, overHttp.type], [200, "application/json"]);
  assert.match(overHttp.body, /7070/);
  const stdin = JSON.stringify(prompt(home, "by-command"));
  const { stdout } = await runMemo(home, ["hook"], { stdin });
  assert.equal(overHttp.body, stdout.trimEnd());
});

Deno.test("the two transports share a session: what one has shown, the other does not repeat", async () => {
  await using home = await equipped();
  assert.match((await post(home, prompt(home))).body, /7070/);
  const { stdout } = await runMemo(home, ["hook"], { stdin: JSON.stringify(prompt(home)) });
  assert.deepEqual(JSON.parse(stdout), {});
});

Deno.test("who may not ask is refused in plain text and told nothing", async () => {
  await using home = await equipped();
  const { token, port } = endpointOf(home);
  const cases = [
    [401, { headers: { Authorization: `Bearer ${token.slice(0, -1)}x` } }],
    [401, { headers: { Authorization: token } }],
    [401, { headers: { Authorization: "" } }],
    [403, { headers: { Host: `memo.example:${port}` } }],
    [403, { headers: { Host: `127.0.0.1.memo.example:${port}` } }],
    [403, { headers: { Origin: "https://memo.example" } }],
    [403, { headers: { Origin: `http://127.0.0.1:${port}` } }],
    [404, { method: "GET" }],
    [404, { method: "OPTIONS" }],
    [404, { path: "/" }],
    [404, { path: "/hook/../hooks" }],
  ] as const;
  for (const [status, change] of cases) {
    const answer = await post(home, prompt(home), change);
    assert.equal(answer.status, status, JSON.stringify(change));
    assert.equal(answer.type, "text/plain");
    assert.ok(!answer.body.includes("7070") && !answer.body.includes(token));
  }
  for (const host of [`localhost:${port}`, "[::1]", "127.0.0.1"]) {
    assert.equal((await post(home, prompt(home), { headers: { Host: host } })).status, 200);
  }
});

Deno.test("what is no hook event gets {} and the daemon goes on", async () => {
  await using home = await equipped();
  const bodies = [
    "",
    "garbage",
    "[1, 2",
    "null",
    '"text"',
    '{"hook_event_name": 5}',
    "\u0000\uffff",
  ];
  for (const body of bodies) {
    assert.deepEqual(await post(home, body), { status: 200, type: "application/json", body: "{}" });
  }
  for (const path of ["/hook", "/hook?claude=", "/hook?claude=relative/path"]) {
    assert.equal((await post(home, prompt(home), { path })).body, "{}");
  }
  assert.match((await post(home, prompt(home))).body, /7070/);
});

Deno.test("a session with a guard variable set gets nothing", async () => {
  await using home = await equipped();
  const guarded = async (guard: string) =>
    (await post(home, prompt(home), { headers: { "X-Memo-Guard": guard } })).body;
  assert.equal(await guarded("1,"), "{}");
  assert.equal(await guarded(",1"), "{}");
  assert.match(await guarded(","), /7070/);
});

/** Sends a request by hand: its head, and chunks of a megabyte until there is an answer or `megabytes` are sent. */
function sendByHand(
  home: Home,
  head: readonly string[],
  megabytes = 0,
): Promise<{ readonly reply: string; readonly sent: number }> {
  const { port, token } = endpointOf(home);
  const socket = connect(port, "127.0.0.1");
  const chunk = `100000\r\n${"x".repeat(1 << 20)}\r\n`;
  let [reply, sent] = ["", 0];
  const more = () => {
    if (!socket.destroyed && reply === "" && sent++ < megabytes) {
      socket.write(chunk, () => setImmediate(more));
    }
  };
  socket.write(
    ["POST /hook?claude=/x HTTP/1.1", `Authorization: Bearer ${token}`, ...head, "", ""].join(
      "\r\n",
    ),
    more,
  );
  return new Promise((done) => {
    socket.setEncoding("utf8").on("data", (part: string) => reply += part);
    socket.on("error", () => {}); // it hangs up while we are still talking
    socket.on("close", () => done({ reply, sent }));
  });
}

Deno.test("a body that is too large is refused, announced or not", async () => {
  await using home = await equipped();
  const host = `Host: 127.0.0.1:${endpointOf(home).port}`;
  const announced = await sendByHand(home, [host, `Content-Length: ${MAX_MESSAGE + 1}`]);
  assert.match(announced.reply, /^HTTP\/1\.1 413 /);
  const streamed = await sendByHand(home, [host, "Transfer-Encoding: chunked"], 64);
  // To hang up on what is still coming may overtake the answer.
  assert.match(streamed.reply, /^(HTTP\/1\.1 413 |$)/);
  assert.ok(streamed.sent < 64, "it is not read to its end");
  assert.match((await post(home, prompt(home))).body, /7070/);
});

Deno.test("a request that names no host is refused", async () => {
  await using home = await equipped();
  const { reply } = await sendByHand(home, ["Host:", "Content-Length: 0"]);
  assert.match(reply, /^HTTP\/1\.1 40[03] /);
});

Deno.test("install starts the daemon, and the endpoint is its owner's alone and outlives it", async () => {
  await using home = await equipped();
  const before = handlerOf(home);
  assert.ok(daemonPid(home.memoHome));
  if (process.platform !== "win32") {
    for (const path of [join(home.memoHome, "http.json"), join(home.claude, "settings.json")]) {
      assert.equal(statSync(path).mode & 0o777, 0o600, path);
    }
  }
  await endDaemon(home.memoHome, "SIGKILL");
  await assert.rejects(post(home, prompt(home)), /ECONNREFUSED|ECONNRESET/);
  const fields = { ...readFixture("SessionStart.startup"), cwd: home.project };
  const session = handlerOf(home, "SessionStart");
  assert.deepEqual([session.type, session.args], ["command", ["hook"]]);
  await runMemo(home, session.args, { stdin: JSON.stringify(fields) });
  await warmUp(home);
  assert.match((await post(home, prompt(home))).body, /7070/);
  await runMemo(home, ["install", "--transport", "http"]);
  assert.deepEqual(handlerOf(home), before);
});

Deno.test("a session's start may be posted too", async () => {
  await using home = await equipped();
  const fields = { ...readFixture("SessionStart.startup"), cwd: home.project };
  assert.equal((await post(home, fields)).status, 200);
});

Deno.test("the running daemon closes and opens the port as the settings have it", async () => {
  await using home = await equipped();
  const pid = daemonPid(home.memoHome);
  const isServed = () => post(home, prompt(home)).then(() => true, () => false);
  await runMemo(home, ["config", "set", "http.enabled=false"]);
  await until("the port is closed", async () => !await isServed());
  await runMemo(home, ["config", "set", "http.enabled=true"]);
  await until("the port is open", isServed);
  assert.equal(daemonPid(home.memoHome), pid);
});

Deno.test("without the transport no port is open and no endpoint is made", async () => {
  await using home = makeHome();
  await runMemo(home, ["install"]);
  await runMemo(home, ["daemon", "start"]);
  assert.equal(existsSync(join(home.memoHome, "http.json")), false);
  const { stdout } = await runMemo(home, ["config", "get", "http.enabled"]);
  assert.equal(stdout, "false\n");
});

Deno.test("a port that another program has is named by install, and taken when it is free again", async () => {
  await using home = await equipped();
  await runMemo(home, ["daemon", "stop"]);
  const { port } = endpointOf(home);
  const other = createServer((_, response) => response.end("other"));
  await new Promise<void>((ready) => other.listen(port, "127.0.0.1", ready));
  const { code, stderr } = await runMemo(home, ["install", "--transport", "http"]);
  assert.equal(code, 0);
  assert.match(stderr, new RegExp(`warning: the daemon does not listen on port ${port}`));
  await new Promise((gone) => other.close(gone));
  await until(
    "the daemon has the port",
    () => post(home, prompt(home)).then(({ body }) => body.includes("7070"), () => false),
  );
});

Deno.test("idle_minutes that somebody set holds with http too", async () => {
  await using home = await equipped();
  await runMemo(home, ["config", "set", "daemon.idle_minutes", "0.01"]);
  await until("the daemon has ended", () => daemonPid(home.memoHome) === undefined);
});

Deno.test("an endpoint is chosen once, keeps its token with another port, and a damaged one is made anew", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "deep", "http.json");
  assert.equal(readEndpoint(path), undefined);
  const first = await ensureEndpoint(path, 0);
  assert.deepEqual(await ensureEndpoint(path, 0), first);
  assert.deepEqual(await ensureEndpoint(path, 4711), { ...first, port: 4711 });
  assert.deepEqual(readEndpoint(path), { ...first, port: 4711 });
  for (const damage of ["", "{", "null", '{"port":0,"token":"x"}', '{"port":1,"token":"short"}']) {
    writeFileSync(path, damage);
    assert.equal(readEndpoint(path), undefined);
  }
  assert.notEqual((await ensureEndpoint(path, 0)).token, first.token);
});
