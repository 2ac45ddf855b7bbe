// What a team costs while its past grows, in rows, bytes and requests, and what becomes of it when its server is set back.

import assert from "node:assert/strict";
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { proposal } from "../../src/features/team/entry.ts";
import {
  entriesOf,
  keepMembership,
  lastPoll,
  letWait,
  type Membership,
} from "../../src/features/team/membership.ts";
import { poll } from "../../src/features/team/poll.ts";
import { TeamServer } from "../../src/features/team/server.ts";
import { filesIn } from "../support/files.ts";
import { makeHome, runMemo, succeed } from "../support/home.ts";
import { memoryOf } from "../support/memory.ts";
import { startSqld } from "../support/sqld.ts";
import { countingServer, firstRow, history } from "../support/team_history.ts";
import { temporaryFolder } from "../support/temp.ts";

const NOW = new Date("2026-11-26T10:00:00Z");
const NOTES = 60;

/** A team on a server that is counted; `write` adds so many changes to its past. */
async function teamIn(folder: string, made = "2026-01-01T00:00:00.000Z") {
  const sqld = await startSqld(join(folder, "server"));
  const counted = await countingServer(() => sqld.url);
  const server = new TeamServer({ url: sqld.url, token: sqld.token({ access: "rw" }) });
  await server.create(firstRow(made));
  const past = history({ notes: NOTES, members: ["Ada", "Bo"], from: made });
  const write = (changes: number) =>
    server.append(Array.from({ length: changes }, () => past.next().value).flat());
  const join_ = (as: string, access: "ro" | "rw" = "rw") =>
    keepMembership({ name: "x", as, url: counted.url, token: sqld.token({ access }) }, {
      teams: join(folder, as),
    });
  return {
    ...{ sqld, counted, write, join: join_ },
    /** Keeps the database as it is now; returns what puts it back. */
    async backUp() {
      const [from, to] = [join(folder, "server/db"), join(folder, "backup")];
      await sqld.kill();
      cpSync(from, to, { recursive: true });
      await sqld.start();
      return async () => {
        await sqld.kill();
        rmSync(from, { recursive: true });
        cpSync(to, from, { recursive: true });
        await sqld.start();
      };
    },
    async [Symbol.asyncDispose]() {
      server[Symbol.dispose]();
      await counted[Symbol.asyncDispose]();
      await sqld.kill();
    },
  };
}

/** The copies, by name. */
const copiesIn = ({ folder }: Membership) => filesIn(join(folder, "notes"));

/** What a look asks of the server. */
async function asked(team: Awaited<ReturnType<typeof teamIn>>, member: Membership) {
  team.counted.take();
  await poll(member, NOW);
  return team.counted.take();
}

Deno.test("a look without news reads one row, however long the past is", async () => {
  using folder = temporaryFolder();
  await using team = await teamIn(folder.path);
  await team.write(NOTES);
  const member = team.join("Ada");
  await poll(member, NOW);
  const young = await asked(team, member);
  await team.write(1500);
  const { received } = await poll(member, NOW);
  const old = await asked(team, member);
  assert.ok(received > 3000);
  assert.deepEqual([young.rowsRead, old.rowsRead, old.requests], [1, 1, young.requests]);
  assert.ok(old.bytes < young.bytes + 1000, `${young.bytes} and ${old.bytes} bytes`);
  assert.equal(young.rowsWritten + old.rowsWritten, 0);

  const kept = entriesOf(member).length;
  assert.ok(kept <= 2 * NOTES + 1001 + 1, `${kept} rows are kept of ${received}`);
  const copies = copiesIn(member);
  writeFileSync(join(member.folder, "entries.jsonl"), "");
  await poll(member, NOW);
  assert.deepEqual(copiesIn(member), copies, "the kept rows say what all of them say");
});

Deno.test("one change writes one copy", async () => {
  using folder = temporaryFolder();
  await using team = await teamIn(folder.path);
  await team.write(NOTES);
  const member = team.join("Ada");
  assert.equal((await poll(member, NOW)).written, NOTES);
  await team.write(1);
  const { written, removed } = await poll(member, NOW);
  assert.deepEqual([written, removed], [1, 1], "its new name is another file");
});

Deno.test("a server that was set back gets what it has lost from whoever has it", async () => {
  using folder = temporaryFolder();
  await using team = await teamIn(folder.path);
  const [ada, bo, cy] = [team.join("Ada"), team.join("Bo"), team.join("Cy", "ro")];
  await team.write(NOTES + 100);
  await poll(ada, NOW);
  const restore = await team.backUp();
  await team.write(40); // a part of what is lost: only Bo knows the rest
  await poll(ada, NOW);
  await poll(cy, NOW);
  await team.write(41);
  await poll(bo, NOW);
  const before = copiesIn(bo);

  await restore();
  const note = memoryOf({ name: "After the loss", type: "feedback", body: "Test the backup" });
  letWait(ada, proposal(note, { author: "Ada", now: NOW, origin: {} }));
  await poll(cy, NOW); // may only read: it is where the server is
  for (const member of [ada, bo, ada, cy]) await poll(member, NOW);
  for (const member of [ada, bo, cy]) {
    assert.deepEqual(copiesIn(member), before);
    assert.equal(
      entriesOf(member).filter(({ author, body }) => /backup/.test(author + body)).length,
      1,
    );
    assert.equal(lastPoll(member)?.wentBack, NOW.toISOString());
  }
  const dan = team.join("Dan");
  await poll(dan, NOW);
  assert.deepEqual([copiesIn(dan), lastPoll(dan)?.wentBack], [before, undefined]);
});

Deno.test("a team that has moved is joined again at its new address, and only there", async () => {
  using folder = temporaryFolder();
  await using team = await teamIn(join(folder.path, "one"));
  await using other = await teamIn(join(folder.path, "other"), "2026-02-01T00:00:00.000Z");
  await using moved = await countingServer(() => team.sqld.url);
  await team.write(NOTES);
  await other.write(NOTES + 10);
  await using home = makeHome({ MEMO_TEAM_TOKEN: team.sqld.token({ access: "rw" }) });
  const joining = (url: string) => ["team", "join", "platform", url, "--as", "Ada", "--json"];
  await succeed(home, joining(team.counted.url));
  await team.sqld.kill();
  await succeed(home, ["add", "The kiln is fired on Tuesdays"]);
  const id = (await succeed(home, ["share", "the kiln", "--to", "platform"])).trim();
  await team.sqld.start();

  const status = async () => JSON.parse(await succeed(home, ["team", "status", "--json"]))[0];
  const elsewhere = {
    ...home,
    env: { ...home.env, MEMO_TEAM_TOKEN: other.sqld.token({ access: "rw" }) },
  };
  const refused = await runMemo(elsewhere, joining(other.counted.url));
  assert.match(refused.stderr, /history has changed/);
  assert.deepEqual([(await status()).url, (await status()).unsent], [team.counted.url, 1]);
  other.counted.take();
  assert.deepEqual(JSON.parse(await succeed(home, joining(moved.url))).notes, NOTES);
  const { url, unsent, wentBack } = await status();
  assert.deepEqual([url, unsent, wentBack], [moved.url, 0, null]);
  assert.match(await succeed(home, ["team", "pending"]), new RegExp(id));
});
