// Reads what a team has written since the last look, and sends what waits here. It runs in a process of its own, so that
// no prompt waits for a server.

import { join } from "node:path";
import { MemoError, messageOf } from "../errors.ts";
import { waitForLock } from "../files/lock.ts";
import { areAsWritten, type Copied, writeCopies } from "./copies.ts";
import type { Entry, NewEntry } from "./entry.ts";
import { fold, type Team } from "./fold.ts";
import {
  addressOf,
  bytesKept,
  dropWaiting,
  entriesOf,
  keepEntries,
  keepPoll,
  lastPoll,
  type Membership,
  waitingIn,
} from "./membership.ts";
import { Server } from "./server.ts";

/** The form of the table that this memo reads and writes. */
export const VERSION = 1;
/** Bytes of rows that are taken over at most: a server without end must not fill disk and memory. */
const MOST_BYTES_KEPT = 64 << 20;
/** Reading ends long before the lock counts as left behind. */
const READ_MS = 60_000;
const LOCK_FRESH_MS = 120_000;
const LOCK_WAIT_MS = 30_000;

/** The result of a look at a team's server. */
export interface Polled extends Copied {
  readonly team: Team;
  /** All rows, in the order of their numbers. */
  readonly entries: readonly Entry[];
  readonly received: number;
  readonly sent: number;
}

const UNCHANGED: Copied = { written: 0, removed: 0, setAside: [] };

/**
 * Brings a team's copies up to date; rejects with a MemoError, and what was read before stays. Reading takes `readMs` at
 * most, and the next call goes on from there.
 */
export async function poll(
  member: Membership,
  now: Date,
  { readMs = READ_MS }: { readonly readMs?: number } = {},
): Promise<Polled> {
  const release = await waitForLock(join(member.folder, "lock"), {
    freshMs: LOCK_FRESH_MS,
    waitMs: LOCK_WAIT_MS,
  });
  if (release === undefined) {
    throw new MemoError("daemon", `Cannot read \`${member.name}\`: another process is at it`, {
      hint: "Run `memo team sync` again in a minute",
    });
  }
  const tried = now.toISOString();
  const { read } = lastPoll(member) ?? {};
  try {
    const polled = await pollLocked(member, performance.now() + readMs);
    keepPoll(member, { tried, read: tried });
    return polled;
  } catch (error) {
    const hint = error instanceof MemoError ? error.hint : undefined;
    const failed = { because: messageOf(error), hint };
    keepPoll(member, { tried, ...read !== undefined && { read }, failed });
    throw error;
  } finally {
    release();
  }
}

async function pollLocked(member: Membership, endMs: number): Promise<Polled> {
  using server = open(member);
  const before = entriesOf(member);
  const waiting = waitingIn(member);
  const refused = await send(server, member, waiting);
  const fresh = await newEntries(server, member, { before, endMs });
  const entries = [...before, ...fresh];
  const team = fold(entries);
  refuseOther(team, member);
  const isSame = fresh.length === 0 && areAsWritten(member.folder);
  const copied = isSame ? UNCHANGED : writeCopies(member.folder, team);
  if (refused !== undefined) throw refused;
  return {
    ...copied,
    team,
    entries,
    received: entries.length - before.length,
    sent: waiting.length,
  };
}

/** Sends rows that wait; one who may only read still reads: what the server refuses is returned. */
async function send(
  server: Server,
  member: Membership,
  waiting: readonly NewEntry[],
): Promise<MemoError | undefined> {
  if (waiting.length === 0) return undefined;
  try {
    await server.append(waiting);
  } catch (error) {
    if (error instanceof MemoError && error.kind === "usage") return error;
    throw error;
  }
  dropWaiting(member, waiting);
  return undefined;
}

/** Reads and keeps the rows after those that are known. */
async function newEntries(
  server: Server,
  member: Membership,
  { before, endMs }: { readonly before: readonly Entry[]; readonly endMs: number },
): Promise<Entry[]> {
  const known = before.at(-1);
  const found: Entry[] = [];
  for (let from = known?.seq ?? 1, last = known?.seq ?? 0;;) {
    const page = await server.page(from);
    if (from === known?.seq) refuseRewritten(page.entries[0], known, member);
    const fresh = page.entries.filter(({ seq }) => seq > last);
    if (fresh.length > 0 && bytesKept(member) > MOST_BYTES_KEPT) {
      throw new MemoError("daemon", `Cannot read \`${member.name}\`: it has more than 64 MB`, {
        hint: `Run \`memo team leave ${member.name}\` if you do not know who runs the server`,
      });
    }
    keepEntries(member, fresh);
    found.push(...fresh);
    if (page.isLast || page.last <= last) return found;
    if (performance.now() > endMs) {
      throw new MemoError("daemon", `Cannot read \`${member.name}\` at once: its server is slow`, {
        hint: "Run `memo team sync` to read on",
      });
    }
    last = page.last;
    from = last + 1;
  }
}

/** Throws unless the last row that is known here still is there: a table only grows. */
function refuseRewritten(there: Entry | undefined, last: Entry, { name }: Membership): void {
  const isSame = there?.seq === last.seq && there.id === last.id && there.sha256 === last.sha256 &&
    there.state === last.state && there.author === last.author;
  if (isSame) return;
  throw new MemoError(
    "daemon",
    `Cannot read \`${name}\`: its server has another history than before`,
    {
      hint:
        `If its database was restored from a copy, run \`memo team leave ${name}\` and join again`,
    },
  );
}

/** Throws unless a table is a team's, in a form that this memo knows. */
export function refuseOther({ rules }: Team, { name }: Pick<Membership, "name">): void {
  if (rules === undefined) {
    throw new MemoError("daemon", `Cannot read \`${name}\`: the database is no team's`, {
      hint: "Run `memo team create NAME URL` to make one there",
    });
  }
  if (rules.version > VERSION) {
    throw new MemoError("daemon", `Cannot read \`${name}\`: a newer memo has made it`, {
      hint: "Run `memo upgrade`",
    });
  }
}

/** The server of a team, closed at the end of its block. */
export function open(member: Membership): Server & Disposable {
  const server = new Server(addressOf(member));
  return Object.assign(server, { [Symbol.dispose]: () => server.close() });
}
