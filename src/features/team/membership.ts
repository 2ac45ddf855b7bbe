// What this machine knows of a team: its address, the rows that it has read, and those that wait to be sent. All of it is
// in the team's folder, which `leave` removes.

import { randomUUID } from "node:crypto";
import { chmodSync, mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { MemoError } from "../../errors.ts";
import { writeFileAtomic } from "../../core/files/atomic.ts";
import { appendLines, readLines } from "../../core/files/jsonl.ts";
import { readState, writeState } from "../../core/files/state.ts";
import { namesIn, readIfExists } from "../../core/files/there.ts";
import { TEAM_NAME, teamNames } from "../../core/memory/teams.ts";
import { fieldsOf } from "../../core/link/parse.ts";
import type { Paths } from "../../paths.ts";
import { type Entry, entryOf, isSameRow, type NewEntry } from "./entry.ts";
import type { Address } from "./server.ts";

/** A team that the user has joined. */
export interface Membership {
  readonly name: string;
  /** Its folder in memo's state. */
  readonly folder: string;
  readonly url: string;
  /** The user's name in it. */
  readonly as: string;
}

/** A team as far as its folder says all. */
type Kept = Pick<Membership, "folder">;

/** How the last look at the server has ended. */
export interface LastPoll {
  /** When rows were last read. */
  readonly read?: string;
  /** When it was last tried. */
  readonly tried: string;
  readonly failed?: { readonly because: string; readonly hint?: string | undefined };
  /** When the server was last found to be set back, as one restored from a copy. */
  readonly wentBack?: string | undefined;
}

type Teams = Pick<Paths, "teams">;

/** The team with a name; throws a `not-found` MemoError if the user has not joined it. */
export function membership(name: string, { teams }: Teams): Membership {
  const found = memberships({ teams }).find((each) => each.name === name);
  if (found !== undefined) return found;
  const known = teamNames(teams);
  throw new MemoError("not-found", `Cannot find the team \`${name}\`: you have not joined it`, {
    hint: known.length === 0
      ? "Run `memo team join NAME URL --token-file FILE --as PERSON`"
      : `Your teams: ${known.join(", ")}`,
  });
}

/** Every team that the user has joined. */
export function memberships({ teams }: Teams): Membership[] {
  return teamNames(teams).flatMap((name) => {
    const folder = join(teams, name);
    const { url, as } = readState(join(folder, "team.json")) ?? {}; // not joined whole
    return typeof url === "string" && typeof as === "string" ? [{ name, folder, url, as }] : [];
  });
}

/** Records that the user has joined a team. */
export function keepMembership(
  { name, url, as, token }: Omit<Membership, "folder"> & Address,
  { teams }: Teams,
): Membership {
  if (!TEAM_NAME.test(name)) {
    throw new MemoError("usage", `Cannot name a team \`${name}\``, {
      hint: "Use lower-case letters, digits and hyphens, such as `platform`",
    });
  }
  const folder = join(teams, name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  if (token === undefined) rmSync(join(folder, "token"), { force: true });
  else writeFileAtomic(join(folder, "token"), `${token}\n`);
  writeState(join(folder, "team.json"), { url, as }, { durable: true });
  return { name, folder, url, as };
}

/** Where a team's server is, and the token for it. */
export function addressOf({ folder, url }: Membership): Address {
  return { url, token: readIfExists(join(folder, "token"))?.trim() };
}

/** The rows that were read, in the order of their numbers; each once. */
export function entriesOf(member: Kept): Entry[] {
  const read = readLines(rowsOf(member)).flatMap((line) => entryOf(fieldsOf(line)) ?? []);
  const known = new Map(read.map((entry) => [entry.seq, entry]));
  return [...known.values()].sort((a, b) => a.seq - b.seq);
}

/** Keeps rows that were read. */
export function keepEntries(member: Kept, entries: readonly Entry[]): void {
  appendLines(rowsOf(member), entries, Infinity);
}

/** Keeps these rows alone. */
export function replaceEntries(member: Kept, entries: readonly Entry[]): void {
  const lines = entries.map((entry) => JSON.stringify(entry) + "\n").join("");
  writeFileAtomic(rowsOf(member), lines);
}

/** The bytes of all rows that are kept. */
export function bytesKept(member: Kept): number {
  return statSync(rowsOf(member), { throwIfNoEntry: false })?.size ?? 0;
}

function rowsOf({ folder }: Kept): string {
  return join(folder, "entries.jsonl");
}

/** Rows that wait to be sent, oldest first. */
export function waitingIn(member: Kept): NewEntry[] {
  return waitingFiles(member).map(({ entry }) => entry);
}

/** Lets a row wait until the server can be reached: in a file of its own, which no other row's sending touches. */
export function letWait({ folder }: Kept, entry: NewEntry): void {
  const numbers = namesIn(join(folder, OUTBOX)).map((name) => parseInt(name, 10) || 0);
  const next = String(Math.max(0, ...numbers) + 1).padStart(6, "0");
  writeState(join(folder, OUTBOX, `${next}-${randomUUID()}.json`), entry, { durable: true });
}

/** Drops the rows that have been sent. */
export function dropWaiting(member: Kept, sent: readonly NewEntry[]): void {
  for (const { path, entry } of waitingFiles(member)) {
    if (sent.some((other) => isSameRow(other, entry))) rmSync(path, { force: true });
  }
}

const OUTBOX = "outbox";

function waitingFiles({ folder }: Kept): { readonly path: string; readonly entry: NewEntry }[] {
  const outbox = join(folder, OUTBOX);
  return namesIn(outbox).filter((name) => name.endsWith(".json")).flatMap((name) => {
    const path = join(outbox, name);
    const { seq: _, ...entry } = entryOf({ ...readState(path), seq: 1 }) ?? {};
    return "id" in entry ? [{ path, entry }] : []; // sent by another process since
  });
}

/** How the last look at the server has ended; undefined before the first. */
export function lastPoll({ folder }: Kept): LastPoll | undefined {
  return readState(join(folder, "last.json")) as LastPoll | undefined;
}

/** Records how a look at the server has ended. */
export function keepPoll({ folder }: Kept, last: LastPoll): void {
  writeState(join(folder, "last.json"), last);
}

/** The version of each note, by id, whose text this user has last been shown. */
export function shownIn({ folder }: Kept): Readonly<Record<string, unknown>> {
  return readState(join(folder, "shown.json")) ?? {};
}

/** Records that this user has been shown a version of a note. */
export function keepShown(member: Kept, id: string, sha256: string): void {
  writeState(join(member.folder, "shown.json"), { ...shownIn(member), [id]: sha256 });
}
