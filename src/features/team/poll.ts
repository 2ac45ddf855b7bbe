// Reads what a team has written since the last look, and sends what waits here. It runs in a process of its own, so that
// no prompt waits for a server.

import { join } from "node:path";
import { MemoError, messageOf } from "../../errors.ts";
import { waitForLock } from "../../core/files/lock.ts";
import {
  addressOf,
  bytesKept,
  type Copied,
  dropWaiting,
  entriesOf,
  keepEntries,
  keepPoll,
  lastPoll,
  type Membership,
  memberships,
  replaceEntries,
  waitingIn,
  writeCopies,
} from "./membership.ts";
import { fold, isSameRow, type NewEntry, presentIn, type Team, type TeamEntry } from "./entry.ts";
import { type EntryPage, TeamServer } from "./server.ts";
import { teamNames } from "../../core/memory/teams.ts";
import { type JobContext, runDetached } from "../../core/engine/jobs.ts";

/** The form of the table that this memo reads and writes. */
export const VERSION = 1;
/** Bytes of rows that are taken over at most: a server without end must not fill disk and memory. */
const MOST_BYTES_KEPT = 64 << 20;
/** Of rows that no longer count, the latest are kept: what was decided just now, and what a server may lose. */
const TAIL = 1000;
/** Reading ends long before the lock counts as left behind. */
const READ_MS = 60_000;
const LOCK = { freshMs: 120_000, waitMs: 30_000 };

/** The result of a look at a team's server. */
export interface Polled extends Copied {
  readonly team: Team;
  /** All rows, in the order of their numbers. */
  readonly entries: readonly TeamEntry[];
  readonly received: number;
  readonly sent: number;
  /** Rows that the server had lost, and has got again; undefined: its history is the one that was known. */
  readonly sentAgain?: number | undefined;
}

/**
 * Brings a team's copies up to date; rejects with a MemoError, and what was read before stays. Reading takes `readMs` at
 * most, and the next call goes on from there.
 */
export async function poll(
  member: Membership,
  now: Date,
  { readMs = READ_MS }: { readonly readMs?: number } = {},
): Promise<Polled> {
  const release = await waitForLock(join(member.folder, "lock"), LOCK);
  if (release === undefined) {
    const hint = "Run `memo team sync` again in a minute";
    throw cannotRead(member, "another process is syncing it", hint);
  }
  const tried = now.toISOString();
  const { read, wentBack: before } = lastPoll(member) ?? {};
  try {
    const polled = await pollLocked(member, performance.now() + readMs);
    const wentBack = polled.sentAgain === undefined ? before : tried;
    keepPoll(member, { tried, read: tried, wentBack });
    return polled;
  } catch (error) {
    const hint = error instanceof MemoError ? error.hint : undefined;
    const failed = { because: messageOf(error), hint };
    keepPoll(member, { tried, ...read !== undefined && { read }, failed, wentBack: before });
    throw error;
  } finally {
    release();
  }
}

/** Adds rows to a team's table, and looks what has become of them. */
export async function append(
  rows: readonly NewEntry[],
  member: Membership,
  now: Date,
): Promise<Polled> {
  {
    using server = open(member);
    await server.append(rows);
  }
  return await poll(member, now);
}

async function pollLocked(member: Membership, endMs: number): Promise<Polled> {
  using server = open(member);
  let before = knownRows(member);
  const known = before.at(-1);
  let first = known && await server.page(known.seq);
  let sentAgain: number | undefined;
  if (known !== undefined && !isThere(first?.entries[0], known)) {
    sentAgain = await sendLost(server, member, before);
    replaceEntries(member, before = []);
    first = undefined;
  }
  const waiting = waitingIn(member); // nothing is sent to another team's server
  const refused = await send(server, waiting);
  if (refused === undefined) dropWaiting(member, waiting);
  if (waiting.length > 0) first = undefined;
  const fresh = await newEntries(server, member, { first, last: before.at(-1)?.seq ?? 0, endMs });
  const entries = [...before, ...fresh];
  const team = fold(entries);
  refuseOther(team, member);
  const copied = writeCopies(member.folder, team);
  if (refused !== undefined) throw refused;
  const counts = { received: fresh.length, sent: waiting.length, sentAgain };
  return { ...copied, team, entries, ...counts };
}

/** Sends rows, with numbers above one. Who may only read still reads: what the server refuses is returned. */
async function send(
  server: TeamServer,
  rows: readonly NewEntry[],
  above = 0,
): Promise<MemoError | undefined> {
  try {
    await server.append(rows, above);
  } catch (error) {
    if (error instanceof MemoError && error.kind === "usage") return error;
    throw error;
  }
  return undefined;
}

/** The rows that are kept; where most of them count no more, these go. */
function knownRows(member: Membership): TeamEntry[] {
  const entries = entriesOf(member);
  const present = presentIn(entries, fold(entries), TAIL);
  const isMany = entries.length > 2 * present.length || bytesKept(member) > MOST_BYTES_KEPT / 2;
  if (!isMany || present.length === entries.length) return entries;
  replaceEntries(member, present);
  return present;
}

/** Reads and keeps the rows after `last`, of which the first page may be there. */
async function newEntries(
  server: TeamServer,
  member: Membership,
  { first, last, endMs }: { first: EntryPage | undefined; last: number; endMs: number },
): Promise<TeamEntry[]> {
  const found: TeamEntry[] = [];
  for (let page = first ?? await server.page(last + 1);; page = await server.page(last + 1)) {
    const fresh = page.entries.filter(({ seq }) => seq > last);
    if (fresh.length > 0 && bytesKept(member) > MOST_BYTES_KEPT) {
      const hint = `Run \`memo team leave ${member.name}\` if you do not know who runs the server`;
      throw cannotRead(member, "it is larger than 64 MB", hint);
    }
    keepEntries(member, fresh);
    found.push(...fresh);
    if (page.isLast) return found;
    last = page.last;
    if (performance.now() <= endMs) continue;
    throw cannotRead(member, "its server is slow", "Run `memo team sync` to continue", " in time");
  }
}

function cannotRead(
  { name }: Pick<Membership, "name">,
  because: string,
  hint: string,
  how = "",
): MemoError {
  return new MemoError("daemon", `Cannot read \`${name}\`${how}: ${because}`, { hint });
}

function isThere(there: TeamEntry | undefined, known: TeamEntry): boolean {
  return there?.seq === known.seq && isSameRow(there, known);
}

/**
 * Sends the rows again that a server has lost, as one that was restored from a copy; returns how many. They get numbers
 * above all that were known, so that everybody else notices, too. Throws unless the rows before them still are there.
 */
async function sendLost(
  server: TeamServer,
  member: Membership,
  known: readonly TeamEntry[],
): Promise<number> {
  let [from, to] = [0, known.length - 1];
  while (from < to) {
    const middle = (from + to) >> 1;
    const { entries } = await server.page(known[middle]!.seq, 1);
    if (isThere(entries[0], known[middle]!)) from = middle + 1;
    else to = middle;
  }
  if (from === 0) {
    const hint =
      `If it is now another team's, run \`memo team leave ${member.name}\` and join again`;
    throw cannotRead(member, "its server's history has changed", hint);
  }
  const lost = known.slice(from);
  const refused = await send(server, lost, known.at(-1)!.seq);
  return refused === undefined ? lost.length : 0;
}

function refuseOther({ rules }: Team, member: Membership): void {
  if (rules === undefined) {
    const hint = "Run `memo team create NAME URL` to create one there";
    throw cannotRead(member, "the database belongs to no team", hint);
  }
  if (rules.version > VERSION) {
    throw cannotRead(member, "it needs a newer version of memo", "Run `memo upgrade`");
  }
}

/** The server of a team. */
export function open(member: Membership): TeamServer {
  return new TeamServer(addressOf(member));
}

/** A team is looked at this often at most, and at the start of a session. */
const GAP_MS = 10 * 60_000;
/** A start looks again after this time: sessions that begin together make one look. */
const START_GAP_MS = 10_000;
/** Up to this share is added, so that a team's clients do not all come at once. */
const JITTER = 0.3;

let started = 0;

/** Looks at the servers of the user's teams where it is time to, in a process of its own. */
export function pollTeams(context: JobContext): void {
  const { engine, env, now, after } = context;
  const { teams } = engine.paths;
  if (env === undefined || teamNames(teams).length === 0) return;
  const gap = after === "SessionStart" ? START_GAP_MS : GAP_MS * (1 + JITTER * Math.random());
  const isDue = memberships({ teams }).some((member) => {
    const { tried } = lastPoll(member) ?? {};
    return tried === undefined || Math.abs(now.getTime() - Date.parse(tried)) >= gap;
  });
  if (!isDue || Math.abs(now.getTime() - started) < START_GAP_MS) return;
  started = now.getTime();
  runDetached(["team", "sync", "--quiet"], context);
}
