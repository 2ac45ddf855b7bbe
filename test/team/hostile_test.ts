// A server that is broken, or not what it says.

import assert from "node:assert/strict";
import { appendFileSync, readFileSync, rmSync, statSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { createClient } from "@libsql/client/http";
import { digestOf } from "../../src/core/memory/trust.ts";
import { entryOf, type NewEntry } from "../../src/features/team/entry.ts";
import {
  entriesOf,
  keepMembership,
  letWait,
  waitingIn,
} from "../../src/features/team/membership.ts";
import { poll } from "../../src/features/team/poll.ts";
import { TeamServer } from "../../src/features/team/server.ts";
import { filesIn } from "../support/files.ts";
import { startSqld } from "../support/sqld.ts";
import { type Received, serveLoopback } from "../support/loopback.ts";
import { temporaryFolder } from "../support/temp.ts";

const NOW = new Date("2026-11-22T10:00:00Z");
const COLUMNS = "seq id kind body sha256 author state supersedes origin at".split(" ");

type Row = Readonly<Record<string, string | number | null>>;

function rulesRow(version = 1): Row {
  const body = JSON.stringify({ version, name: "x", alone: [] });
  return {
    ...{ seq: 1, id: "00000000aa", kind: "team", body, sha256: digestOf(body), author: "Ada" },
    ...{ state: "proposed", supersedes: null, origin: "{}", at: NOW.toISOString() },
  };
}

function note(seq: number, text: string, more: Row = {}): Row {
  const body = `---\nname: ${text}\ntype: feedback\n---\n${text}\n`;
  return {
    ...rulesRow(),
    seq,
    id: "00000000bb",
    kind: "note",
    body,
    sha256: digestOf(body),
    ...more,
  };
}

function approval(seq: number, { sha256, id }: Row): Row {
  return { ...note(seq, ""), id: id!, sha256: sha256!, body: "", state: "approved", author: "Bo" };
}

/** The reply of libSQL's protocol (hrana over HTTP) to one query. */
function replyWith(rows: readonly Row[], more: object = {}) {
  const value = (each: string | number | null | undefined) =>
    each === null || each === undefined
      ? { type: "null" }
      : typeof each === "number"
      ? { type: "integer", value: String(each) }
      : { type: "text", value: each };
  const result = {
    cols: COLUMNS.map((name) => ({ name, decltype: null })),
    rows: rows.map((row) => COLUMNS.map((name) => value(row[name]))),
    ...{ affected_row_count: 0, last_insert_rowid: null },
  };
  const ok = (response: object) => ({ type: "ok", response });
  return JSON.stringify({
    ...{ baton: null, base_url: null, ...more },
    results: [ok({ type: "execute", result }), ok({ type: "close" })],
  });
}

/** A member of a team whose server answers each query with `answer`. */
async function memberOf(answer: (response: ServerResponse, request: Received) => unknown) {
  const folder = temporaryFolder();
  const server = await serveLoopback((request, response) => {
    if (request.method !== "POST") response.writeHead(404).end();
    else answer(response, request);
  });
  const paths = { teams: join(folder.path, "team") };
  const member = keepMembership({ name: "x", as: "Ada", url: server.url, token: "secret" }, paths);
  return {
    ...{ member, server, paths },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

const json = (response: ServerResponse, text: string) =>
  response.writeHead(200, { "content-type": "application/json" }).end(text);

const copiesOf = (folder: string) => Object.values(filesIn(join(folder, "notes")));

Deno.test("a reply without end, one cut off, garbage and a redirect change nothing", async () => {
  const first = note(2, "The first note");
  const sound = replyWith([rulesRow(), first, approval(3, first)]);
  let answer: (response: ServerResponse) => unknown = (response) => json(response, sound);
  await using joined = await memberOf((response) => answer(response));
  const { member } = joined;
  await poll(member, NOW);
  const before = copiesOf(member.folder);
  assert.equal(before.length, 1);
  await using elsewhere = await serveLoopback((_request, response) => json(response, sound));

  const wrong: [string, typeof answer][] = [
    ["larger", (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const more = () => {
        while (!response.destroyed && response.write(" ".repeat(1 << 20)));
      };
      response.on("drain", more);
      more();
    }],
    ["cut off", (response) => {
      response.writeHead(200, { "content-length": String(sound.length) });
      response.write(sound.slice(0, 300));
      setTimeout(() => response.destroy(), 20);
    }],
    ["garbage", (response) => response.end("<html>Sign in</html>")],
    ["other JSON", (response) => json(response, "[]")],
    ["no rows", (response) => json(response, '{"results":[]}')],
    ["a failure", (response) => response.writeHead(500).end("disk is full")],
    ["a redirect", (response) => response.writeHead(307, { location: elsewhere.url }).end()],
    [
      "another server",
      (response) => json(response, replyWith([], { baton: "b", base_url: elsewhere.url })),
    ],
  ];
  for (const [what, each] of wrong) {
    answer = each;
    await assert.rejects(poll(member, NOW), /^MemoError: Cannot read/, what);
    assert.deepEqual(copiesOf(member.folder), before, what);
  }
  assert.deepEqual(elsewhere.received, [], "the token goes nowhere else");
});

Deno.test("a history that is another than before is refused, and what was read stays", async () => {
  const first = note(2, "The first note");
  let rows: Row[] = [rulesRow(), first, approval(3, first)];
  await using joined = await memberOf((response) => json(response, replyWith(rows)));
  const { member } = joined;
  await poll(member, NOW);
  const before = copiesOf(member.folder);
  const other = note(1, "Planted");
  for (
    const changed of [
      [], // emptied
      [{ ...rulesRow(), id: "00000000cc" }, other], // another team's
      [approval(3, other), note(4, "Planted")], // another row of the same number
    ]
  ) {
    rows = changed;
    await assert.rejects(poll(member, NOW), /history has changed/);
    assert.deepEqual(copiesOf(member.folder), before);
  }
});

Deno.test("a table of a newer memo, or of no team, is refused", async () => {
  let rows: Row[] = [rulesRow(2)];
  await using joined = await memberOf((response) => json(response, replyWith(rows)));
  await assert.rejects(poll(joined.member, NOW), /needs a newer version of memo/);
  rmSync(join(joined.member.folder, "entries.jsonl"));
  rows = [note(1, "A note")];
  await assert.rejects(poll(joined.member, NOW), /the database belongs to no team/);
});

Deno.test("clocks that differ change no order, and no date makes a note fresh for ever", async () => {
  const [first, second] = [
    note(2, "The first text", { at: "2031-01-01T00:00:00Z" }),
    note(4, "The second text", { at: "1999-01-01T00:00:00Z" }),
  ];
  const rows = [rulesRow(), first, approval(3, first), second, approval(5, second)];
  await using joined = await memberOf((response) => json(response, replyWith(rows)));
  await poll(joined.member, NOW);
  assert.match(copiesOf(joined.member.folder).join(), /The second text/);
  assert.doesNotMatch(copiesOf(joined.member.folder).join(), /The first text/);
});

Deno.test("an approved note about the user, or under another's id, becomes no copy", async () => {
  const body = "---\nname: I am Ada\ntype: user\n---\nI prefer tabs.\n";
  const about = note(2, "", { body, sha256: digestOf(body) });
  const outside = note(4, "Planted", { id: "../../x" });
  const rows = [rulesRow(), about, approval(3, about), outside, approval(5, outside)];
  await using joined = await memberOf((response) => json(response, replyWith(rows)));
  await poll(joined.member, NOW);
  assert.deepEqual(copiesOf(joined.member.folder), []);
});

Deno.test("what a crash has cut in the kept rows is read again", async () => {
  const first = note(2, "The first note");
  const rows = [rulesRow(), first, approval(3, first)];
  await using joined = await memberOf((response, { body }) => {
    const from = Number(/"value":"?(\d+)/.exec(body)?.[1] ?? 1);
    json(response, replyWith(rows.filter(({ seq }) => Number(seq) >= from)));
  });
  const { member } = joined;
  await poll(member, NOW);
  const path = join(member.folder, "entries.jsonl");
  const lines = readFileSync(path, "utf8").split("\n").slice(0, 2);
  rmSync(path);
  appendFileSync(path, `${lines.join("\n")}\n{"seq":3,"id":"000`);
  appendFileSync(path, "\n");
  await poll(member, NOW);
  assert.deepEqual(entriesOf(member).map(({ seq }) => seq), [1, 2, 3]);
  assert.equal(copiesOf(member.folder).length, 1);
});

/** A member of a team on a real server. */
async function memberOn(folder: string) {
  const sqld = await startSqld(join(folder, "server"));
  const address = { url: sqld.url, token: sqld.token({ access: "rw" }) };
  const paths = { teams: join(folder, "team") };
  const member = keepMembership({ name: "x", as: "Ada", ...address }, paths);
  const server = new TeamServer(address);
  const end = async () => {
    server[Symbol.dispose]();
    await sqld.kill();
  };
  return { address, member, server, [Symbol.asyncDispose]: end };
}

function unnumbered(row: Row): NewEntry {
  const { seq: _, ...entry } = entryOf(row)!;
  return entry;
}

Deno.test("a proposal whose reply was lost is there once", async () => {
  using folder = temporaryFolder();
  await using joined = await memberOn(folder.path);
  const { member, server } = joined;
  const entry = unnumbered(note(2, "A note"));
  await server.create(unnumbered(rulesRow()));
  await server.append([entry]); // its reply was lost
  letWait(member, entry);
  const { sent, received } = await poll(member, NOW);
  assert.deepEqual([sent, received, waitingIn(member).length], [1, 2, 0]);
});

Deno.test("a server without end is refused at 64 MB, and a slow one is read on by the next look", async () => {
  let rounds = 0;
  const long = note(1, "x".repeat(16 * 1024 - 40)); // its name and its text
  await using joined = await memberOf((response, { body }) => {
    const from = Number(/"value":"?(\d+)/.exec(body)?.[1] ?? 1);
    rounds++;
    json(
      response,
      replyWith(Array.from({ length: 200 }, (_, at) => ({ ...long, seq: from + at }))),
    );
  });
  const { member } = joined;
  await assert.rejects(poll(member, NOW, { readMs: 0 }), /its server is slow/);
  assert.deepEqual([rounds, entriesOf(member).length], [1, 200]);
  for (let looks = 0; looks < 3; looks++) {
    await assert.rejects(poll(member, NOW), /larger than 64 MB/);
  }
  const { size } = statSync(join(member.folder, "entries.jsonl"));
  assert.ok(size > 64 << 20 && size < 72 << 20, `${size} bytes`);
});

Deno.test("a row whose number is beyond what JavaScript can hold stops nobody", async () => {
  using folder = temporaryFolder();
  await using joined = await memberOn(folder.path);
  const { member, server, address: { url, token } } = joined;
  using client = Object.assign(createClient({ url, authToken: token }), {
    [Symbol.dispose]: () => client.close(),
  });
  const first = note(2, "A note");
  // A table that an earlier memo has made has no bound of its own.
  await client.execute(
    `CREATE TABLE entry (seq INTEGER PRIMARY KEY AUTOINCREMENT, ${COLUMNS.slice(1).join(", ")})`,
  );
  const insert = (row: Row, seq: string) =>
    client.execute({
      sql: `INSERT INTO entry VALUES (${seq}, ${COLUMNS.slice(1).map(() => "?").join(", ")})`,
      args: COLUMNS.slice(1).map((name) => row[name] ?? null),
    });
  await insert(rulesRow(), "1");
  await insert(first, "2");
  await insert(note(3, "Planted"), "9007199254740993");
  assert.deepEqual((await poll(member, NOW)).team.notes.map(({ id }) => id), [first["id"]]);

  await client.execute("DROP TABLE entry");
  await server.create(unnumbered(rulesRow()));
  await assert.rejects(insert(first, "9007199254740993"), /CHECK constraint/);
});
