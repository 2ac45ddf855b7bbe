// A team of fifty on a libSQL server of this machine: what a look at it costs while its past grows, how long joining
// takes, and what becomes of the copies when the server is set back to a backup, and moves.

import { createHash } from "node:crypto";
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeMachine } from "../../bench/machine.ts";
import { type JsonOption, present } from "../../src/surfaces/cli/bench.ts";
import { columns } from "../../src/surfaces/cli/shared/output.ts";
import { TeamServer } from "../../src/features/team/server.ts";
import { type Home, makeHome } from "../../test/support/home.ts";
import { startSqld } from "../../test/support/sqld.ts";
import { type Asked, countingServer, firstRow, history } from "../../test/support/team_history.ts";
import { run, type Taken } from "./executable.ts";
import { filesIn } from "./year/clock.ts";

export interface TeamRun {
  readonly notes: number;
  readonly members: number;
  /** Days of the past at each of which it is measured. */
  readonly days: readonly number[];
  readonly json?: JsonOption;
}

const MADE = "2026-01-01T00:00:00.000Z";
const PROPOSALS_A_DAY = 200;
/** Looks of a member at the server on a working day, at most: one in ten minutes. */
const LOOKS_A_DAY = 48;
const WORKING_DAYS = 22;

/** A step, and what it cost. */
interface Row extends Asked, Pick<Taken, "ms" | "cpuMs" | "mb"> {
  readonly day: number;
  readonly what: string;
  readonly said: string;
}

/** Measures a team while its past grows, then sets it back and moves it. */
export async function runTeam({ notes, members, days, json }: TeamRun): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "memo-team-"));
  await using sqld = await startSqld(folder);
  await using counted = await countingServer(() => sqld.url);
  await using moved = await countingServer(() => sqld.url);
  const token = sqld.token({ access: "rw" });
  const people = Array.from(
    { length: members },
    (_, i) => `Member ${String.fromCodePoint(0x4e00 + i)}`,
  );
  const rows: Row[] = [];
  let day = 0;

  /** Runs memo in a member's home, and notes what it cost. */
  const memo = async (home: Home, what: string, ...args: string[]) => {
    counted.take();
    const { ms, cpuMs, mb, stderr } = await run(args, home);
    const row = { day, what, ms, cpuMs, mb, said: stderr.trim(), ...counted.take() };
    console.error(`day ${day}: ${what} ${Math.round(ms)} ms ${row.said}`);
    rows.push(row);
  };
  const join_ = (home: Home, url: string) => {
    writeFileSync(join(home.root, "token"), token, { mode: 0o600 });
    return [
      "team",
      "join",
      "platform",
      url,
      "--token-file",
      join(home.root, "token"),
      "--as",
      people[0]!,
    ];
  };
  const inNewHome = async (what: string) => {
    await using home = makeHome();
    await memo(home, what, ...join_(home, counted.url));
    await memo(home, `${what}: first fetch`, "team", "sync");
    return digestOf(home);
  };

  const server = new TeamServer({ url: sqld.url, token });
  await server.create(firstRow(MADE));
  let last = 1, thousandth = people[0]!;
  const past = history({ notes, members: people, from: MADE });
  const write = async (changes: number) => {
    for (let left = changes; left > 0; left -= 500) {
      const some = Array.from({ length: Math.min(500, left) }, () => past.next().value);
      await server.append(some.flat());
      for (const { author } of some.flat()) if (++last % 1000 === 0) thousandth = author;
    }
  };
  await write(notes);
  await using home = makeHome();
  await memo(home, "join", ...join_(home, counted.url));
  for (const until of days) {
    await write((until - day) * PROPOSALS_A_DAY);
    day = until;
    const own = join(home.memoHome, "team/platform/team.json"); // who wrote the last thousandth row
    writeFileSync(own, JSON.stringify({ url: counted.url, as: thousandth }));
    await memo(home, "sync: news", "team", "sync");
    await memo(home, "sync: idle", "team", "sync");
    await inNewHome("join again");
    await memo(home, "pending", "team", "pending");
  }

  // A day of everybody, as their clients ask: after the last row that each knows.
  counted.take();
  const clients = people.map(() => new TeamServer({ url: counted.url, token }));
  const known = people.map(() => last);
  for (let look = 0; look < LOOKS_A_DAY; look++) {
    await write(Math.round(PROPOSALS_A_DAY / LOOKS_A_DAY));
    for (const [i, client] of clients.entries()) {
      for (let more = true; more;) {
        const page = await client.page(known[i]!);
        known[i] = page.last;
        more = !page.isLast;
      }
    }
  }
  const dayOfAll = counted.take();
  day++;
  await memo(home, "sync: news", "team", "sync");

  // The server loses that day and gets another change in its stead; one who joined later has never seen the old one.
  await sqld.kill();
  cpSync(join(folder, "db"), join(folder, "backup"), { recursive: true });
  await sqld.start();
  await write(PROPOSALS_A_DAY);
  await memo(home, "sync: news", "team", "sync");
  const before = digestOf(home);
  await sqld.kill();
  rmSync(join(folder, "db"), { recursive: true });
  cpSync(join(folder, "backup"), join(folder, "db"), { recursive: true });
  await sqld.start();
  await memo(home, "sync: server restored from a day ago", "team", "sync");
  const isKept = digestOf(home) === before;
  const isAlike = await inNewHome("join after the restore") === before;
  await memo(home, "join: server moved", ...join_(home, moved.url));
  const isMoved = digestOf(home) === before;
  server[Symbol.dispose]();
  for (const client of clients) client[Symbol.dispose]();

  const size = filesIn(join(folder, "db")).reduce((sum, path) => sum + statSync(path).size, 0);
  const kept = statSync(join(home.memoHome, "team/platform/entries.jsonl")).size;
  rmSync(folder, { recursive: true });
  const table = columns([
    ["day", "what", "s", "CPU s", "MB", "requests", "bytes", "rows read", "written"],
    ...rows.map(({ day, what, ms, cpuMs, mb, requests, bytes, rowsRead, rowsWritten }) => [
      ...[
        String(day),
        what,
        (ms / 1000).toFixed(1),
        (cpuMs / 1000).toFixed(1),
        String(Math.round(mb)),
        String(requests),
      ],
      ...[String(bytes), String(rowsRead), String(rowsWritten)],
    ]),
  ]);
  const month = dayOfAll.rowsRead * WORKING_DAYS;
  const facts = `${members} members read ${month} rows a month, of Turso's 500,000,000\n` +
    `database ${size} bytes, a member's rows ${kept} bytes; ` +
    `copies unchanged after the restore: ${isKept}, for a new member: ${isAlike}, after the move: ${isMoved}\n`;
  const found = { dayOfAll, size, kept, isKept, isAlike, isMoved };
  await present({ machine: describeMachine(), rows, ...found }, {
    json,
    depth: 2,
    table: table + facts,
  });
}

/** What the copies say, as one digest. */
function digestOf({ memoHome }: Home): string {
  const notes = join(memoHome, "team/platform/notes");
  const hash = createHash("sha256");
  for (const name of readdirSync(notes).sort()) {
    hash.update(name).update(readFileSync(join(notes, name)));
  }
  return hash.digest("hex");
}
