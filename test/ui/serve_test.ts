// The page of `memo ui` against requests that are not its own: the real executable, real sockets, each request as bytes.

import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CALLS } from "../../src/surfaces/ui/calls/mod.ts";
import { HEADERS } from "../../src/surfaces/ui/checks.ts";
import { MAX_BODY } from "../../src/surfaces/ui/serve.ts";
import { readRows } from "../support/fixtures.ts";
import { daemonPid, type Home, makeHome, runMemo } from "../support/home.ts";
import {
  callHeaders,
  callPage,
  enter,
  enterPage,
  exchangeRaw,
  openPage,
  type PageAt,
  pageAt,
  readReply,
  type Reply,
  requestText,
} from "../support/page.ts";

/** What an attacker may try, a line each. */
const linesOf = (name: string) =>
  readFileSync(new URL(`../fixtures/ui/${name}`, import.meta.url), "utf8").trim().split("\n");

/** What every reply must have, and must not. */
function assertSafe({ headers, text }: Reply, what: string): void {
  for (const [name, value] of Object.entries(HEADERS)) {
    assert.equal(headers.get(name), value, `${what}: ${name}`);
  }
  const names = [...headers.keys()];
  assert.deepEqual(names.filter((name) => name.startsWith("access-control")), [], what);
  assert.deepEqual(names.filter((name) => /cookie/.test(name)), [], what);
  assert.doesNotMatch(text, /\bat .*\.[jt]s:\d+|node:internal|\/\$bunfs/, what);
}

async function send(at: PageAt, request: string, what: string): Promise<Reply> {
  const reply = readReply(await exchangeRaw(at.port, request));
  assertSafe(reply, what);
  return reply;
}

const CALL = "POST /api/now";

Deno.test("the address opens the page once: its token of 256 bits is exchanged, and worth nothing afterwards", async () => {
  await using home = makeHome();
  const at = await openPage(home);
  assert.equal(Buffer.from(at.token, "base64url").length, 32);
  assert.equal((await callPage(at, "now", {}, at.token)).status, 401, "before the exchange");
  const token = await enter(at);
  assert.notEqual(token, at.token);
  assert.equal(Buffer.from(token, "base64url").length, 32);
  assert.equal((await callPage(at, "session", {}, at.token)).status, 401, "a second exchange");
  assert.equal((await callPage(at, "session", {}, token)).status, 401, "an exchange of the other");
  assert.equal((await callPage(at, "now", {}, at.token)).status, 401);
  const { status, body } = await callPage(at, "now", {}, token);
  assert.equal(status, 200, body);
  for (const [path, text] of filesOf(home)) {
    for (const secret of [token, at.token]) assert.ok(!text.includes(secret), path);
  }
});

Deno.test("every call but the exchange takes the page's token", async () => {
  await using home = makeHome();
  const { at, token } = await enterPage(home);
  const others = [undefined, "", at.token, token.slice(1), `${token}A`, token.toUpperCase()];
  for (const name of [...CALLS.keys(), "session"]) {
    for (const other of others) {
      const reply = await callPage(at, name, {}, other);
      assertSafe(reply, name);
      assert.equal(reply.status, 401, `${name} with ${other}`);
    }
  }
  const inQuery = `POST /api/now?token=${token}`;
  assert.notEqual(
    (await send(at, requestText(inQuery, callHeaders(at, undefined), "{}"), "query")).status,
    200,
  );
  const inCookie = [...callHeaders(at, undefined), ["Cookie", `token=${token}`] as const];
  assert.equal((await send(at, requestText(CALL, inCookie, "{}"), "cookie")).status, 401);
});

Deno.test("whoever holds connections and asks nothing locks nobody out", async () => {
  await using home = makeHome();
  const { at, token } = await enterPage(home);
  const held: Socket[] = [];
  const hold = async (said?: string) => {
    const socket = connect(at.port, "127.0.0.1").on("error", () => {});
    held.push(socket);
    await once(socket, "connect");
    if (said !== undefined) socket.write(said);
    return socket;
  };
  for (let i = 0; i < 600; i++) {
    const socket = await hold(`GET / HTTP/1.1\r\nHost: ${at.host}\r\n\r\n`); // answered, and held
    await new Promise((done) => socket.once("data", done).once("close", done));
  }
  assert.equal((await callPage(at, "now", {}, token)).status, 200);
  for (const socket of held.splice(0)) socket.destroy();
  for (let i = 0; i < 80; i++) {
    await hold(i % 2 === 0 ? "POST /api/now HTTP/1.1\r\n" : undefined); // a request that does not end
  }
  try {
    assert.equal((await callPage(at, "now", {}, token)).status, 200);
    const open = held.filter(({ destroyed, readyState }) => !destroyed && readyState === "open");
    assert.ok(open.length > 40, `answered when ${80 - open.length} of them had gone`);
  } finally {
    for (const socket of held) socket.destroy();
  }
});

Deno.test("only the address itself is answered, whatever the path says", async () => {
  await using home = makeHome();
  const { at, token } = await enterPage(home);
  const { host, port } = at;
  const rest = callHeaders(at, token).slice(1);
  const foreign = ["", ...linesOf("hosts.txt")].map((name) =>
    name.replace("{host}", host).replace("{port}", `${port}`).replace("{next}", `${port + 1}`)
  );
  for (const name of foreign) {
    for (const line of ["GET /", "GET /main.js", CALL, "POST /api/session", "OPTIONS /api/now"]) {
      const body = line.startsWith("POST") ? "{}" : "";
      const text = await exchangeRaw(port, requestText(line, [["Host", name], ...rest], body));
      const { status } = readReply(text);
      assert.ok(status === 403 || status === 400, `${line} to ${name}: ${status}`);
      assert.doesNotMatch(text, /doctype|sessions|token/, `${line} to ${name}`);
    }
  }
  const twice = [
    [["Host", host], ["Host", "evil.example"]],
    [["Host", "evil.example"], ["Host", host]],
    [["Host", host], ["Host", host]],
  ] as const;
  for (const hosts of twice) {
    const text = await exchangeRaw(port, requestText(CALL, [...hosts, ...rest], "{}"));
    assert.ok([400, 403].includes(readReply(text).status), JSON.stringify(hosts));
  }
  const old = await exchangeRaw(port, "GET / HTTP/1.0\r\n\r\n");
  assert.ok([400, 403].includes(readReply(old).status), "HTTP/1.0 without a host");
});

Deno.test("a path is what it says: nothing leads round it", async () => {
  await using home = makeHome();
  const { at, token } = await enterPage(home);
  const paths = linesOf("paths.txt").map((path) => path.replace("{host}", at.host));
  for (const path of paths) {
    for (const method of ["GET", "POST"]) {
      const body = method === "POST" ? "{}" : "";
      const request = requestText(`${method} ${path}`, callHeaders(at, token), body);
      const text = await exchangeRaw(at.port, request);
      const { status } = readReply(text);
      assert.ok([400, 404, 405].includes(status), `${method} ${path}: ${status}`);
      assert.doesNotMatch(text, /"sessions"|root:/, path);
    }
  }
  for (const method of ["GET", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"]) {
    const headers = callHeaders(at, token);
    const { status } = await send(at, requestText(`${method} /api/now`, headers), method);
    assert.equal(status, method === "GET" ? 405 : status, method);
    assert.ok(status === 405 || status === 404, `${method}: ${status}`);
  }
});

Deno.test("another site and another origin are refused, and none is let in by a header", async () => {
  await using home = makeHome();
  const { at, token } = await enterPage(home);
  const withOther = (name: string, value: string) =>
    callHeaders(at, token).map(([key, own]) => [key, key === name ? value : own] as const);
  for (const [name, status, pattern] of readRows("ui/headers.tsv") as [string, string, string][]) {
    const value = pattern.replace("{host}", at.host).replace("{port}", `${at.port}`)
      .replace("{next}", `${at.port + 1}`);
    const request = requestText(CALL, withOther(name, value), "{}");
    assert.equal((await send(at, request, value)).status, Number(status), `${name}: ${value}`);
  }
  const preflight = requestText("OPTIONS /api/now", [
    ["Host", at.host],
    ["Origin", "http://evil.example"],
    ["Access-Control-Request-Method", "POST"],
    ["Access-Control-Request-Headers", "authorization, content-type"],
    ["Access-Control-Request-Private-Network", "true"],
  ]);
  assert.equal((await send(at, preflight, "a preflight")).status, 403);
  const elsewhere = (line: string, mode: string, dest: string) =>
    requestText(line, [
      ...[["Host", at.host], ["Sec-Fetch-Site", "cross-site"]] as [string, string][],
      ...[["Sec-Fetch-Mode", mode], ["Sec-Fetch-Dest", dest]] as [string, string][],
    ]);
  for (const dest of ["script", "style", "image", "iframe", "object", "empty"]) {
    const request = elsewhere("GET /main.js", "no-cors", dest);
    assert.equal((await send(at, request, dest)).status, 403, dest);
  }
  // A link, and the file that a browser is given, lead to the document; it has nothing in it.
  const link = elsewhere("GET /", "navigate", "document");
  assert.equal((await send(at, link, "a link")).status, 200);
  assert.equal((await send(at, link.replace("document", "iframe"), "a frame")).status, 403);
});

Deno.test("a header that decides something is sent once", async () => {
  await using home = makeHome();
  const { at, token } = await enterPage(home);
  for (const name of ["Origin", "Authorization", "Content-Type"]) {
    const headers = callHeaders(at, token);
    const again = headers.find(([key]) => key === name)!;
    const reply = await send(at, requestText(CALL, [...headers, again], "{}"), name);
    assert.equal(reply.status, 400, name);
  }
  const smuggled = requestText(
    CALL,
    [...callHeaders(at, token), ["Transfer-Encoding", "chunked"]],
    "{}",
  );
  assert.equal(readReply(await exchangeRaw(at.port, smuggled)).status, 400);
});

Deno.test("a call that is too large, malformed or slow is refused, and the daemon goes on", async () => {
  await using home = makeHome();
  const { at, token, headers } = await enterPage(home);
  // They begin first, and end by themselves while the rest goes on.
  const slow = [
    "",
    "GET / HTTP/1.1\r\nHost:",
    `GET / HTTP/1.1\r\nHost: ${at.host}\r\n`,
    requestText(CALL, headers, "{}").slice(0, -1),
  ].map((bytes) => exchangeRaw(at.port, bytes, 60_000));
  const announced = requestText(CALL, [...headers, ["Content-Length", String(MAX_BODY + 1)]]);
  assert.equal((await send(at, announced, "announced")).status, 413);
  const piece = `${(1024 * 1024).toString(16)}\r\n${"a".repeat(1024 * 1024)}\r\n`;
  const chunked = requestText(CALL, [...headers, ["Transfer-Encoding", "chunked"]]) +
    piece.repeat(5) + "0\r\n\r\n";
  assert.match(await exchangeRaw(at.port, chunked), /^(HTTP\/1\.1 413|$)/, "in pieces");
  for (const [body] of [...readRows("ui/bodies.tsv"), ["[".repeat(20_000)]] as [string][]) {
    const reply = await send(at, requestText(CALL, headers, body), body.slice(0, 20));
    assert.equal(reply.status, 400, body.slice(0, 20));
    assert.equal(typeof JSON.parse(reply.body).error, "string");
  }
  for (const [bytes] of readRows("ui/malformed.tsv") as [string][]) {
    const text = await exchangeRaw(at.port, bytes.replace("{host}", at.host), 60_000);
    assert.doesNotMatch(text, /^HTTP\/1\.1 2/, JSON.stringify(bytes));
  }
  for (const text of await Promise.all(slow)) assert.match(text, /^(HTTP\/1\.1 4|$)/);
  assert.equal((await callPage(at, "now", {}, token)).status, 200);
});

Deno.test("a browser is given a file that no other user can read, and no list of processes has the token", async () => {
  await using home = makeHome();
  const seen = join(home.root, "seen");
  const browser = home.write("browser.sh", `#!/bin/sh\nprintf '%s\\n' "$@" > ${seen}\n`);
  chmodSync(browser, 0o700);
  const opening = runMemo({ ...home, env: { ...home.env, BROWSER: browser } }, ["ui"]);
  while (!existsSync(seen) || readFileSync(seen, "utf8") === "") await sleep(20);
  const given = readFileSync(seen, "utf8").trim();
  const file = join(home.memoHome, "run", "page.html");
  assert.equal(given, `file://${file}`);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(statSync(join(home.memoHome, "run")).mode & 0o777, 0o700);
  const address = /location\.replace\("([^"]+)"\)/.exec(readFileSync(file, "utf8"))?.[1];
  assert.ok(address);
  const at = pageAt(address);
  if (process.platform === "linux") {
    const pid = daemonPid(home.memoHome);
    for (const name of ["cmdline", "environ"]) {
      assert.ok(!readFileSync(`/proc/${pid}/${name}`, "utf8").includes(at.token), name);
    }
  }
  await enter(at);
  const { code, stdout, stderr } = await opening;
  assert.equal(code, 0, stderr);
  assert.ok(!`${stdout}${stderr}`.includes(at.token));
  assert.ok(!existsSync(file), "it is gone when the page has come");
});

Deno.test("opening the page again closes the address before, and so does the end of the daemon", async () => {
  await using home = makeHome();
  const first = await openPage(home);
  const token = await enter(first);
  const second = await openPage(home);
  await assert.rejects(callPage(first, "now", {}, token), "the first is closed");
  const fresh = await enter(second);
  assert.equal((await callPage(second, "now", {}, token)).status, 401);
  assert.equal((await callPage(second, "now", {}, fresh)).status, 200);
  await runMemo(home, ["daemon", "restart"]);
  await assert.rejects(callPage(second, "now", {}, fresh), "the daemon has been restarted");
});

/** Every file of memo's state that is text, with what it says. */
function filesOf(home: Home): [string, string][] {
  return readdirSync(home.memoHome, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("/runtime"))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path, readFileSync(path, "latin1")]);
}
