// What this machine knows of a team: its address, the rows that it has read, and those that wait to be sent. All of it is
// in the team's folder, which `leave` removes.

import { randomUUID } from "node:crypto";
import { chmodSync, mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { MemoError } from "../../errors.ts";
import { writeFileAtomic } from "../../core/files/atomic.ts";
import { appendLines, readLines } from "../../core/files/jsonl.ts";
import { readState } from "../../core/files/state.ts";
import { namesIn, readIfExists } from "../../core/files/there.ts";
import { TEAM_NAME, teamNames } from "../../core/memory/teams.ts";
import type { Paths } from "../../paths.ts";
import { type Entry, entryOf, type NewEntry } from "./entry.ts";
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
  writeFileAtomic(join(folder, "team.json"), JSON.stringify({ url, as }, null, 2) + "\n");
  return { name, folder, url, as };
}

/** Where a team's server is, and the token for it. */
export function addressOf({ folder, url }: Membership): Address {
  return { url, token: readIfExists(join(folder, "token"))?.trim() };
}

/** The rows that were read, in the order of their numbers; each once. */
export function entriesOf({ folder }: Pick<Membership, "folder">): Entry[] {
  const known = new Map<number, Entry>();
  for (const line of readLines(join(folder, "entries.jsonl"))) {
    const { origin, ...row } = (line ?? {}) as Record<string, unknown>;
    const entry = entryOf({ ...row, origin: JSON.stringify(origin ?? {}) });
    if (entry !== undefined) known.set(entry.seq, entry);
  }
  return [...known.values()].sort((a, b) => a.seq - b.seq);
}

/** Keeps rows that were read. */
export function keepEntries(
  { folder }: Pick<Membership, "folder">,
  entries: readonly Entry[],
): void {
  appendLines(join(folder, "entries.jsonl"), entries, Infinity);
}

/** Keeps these rows alone. */
export function replaceEntries(
  { folder }: Pick<Membership, "folder">,
  entries: readonly Entry[],
): void {
  const lines = entries.map((entry) => JSON.stringify(entry) + "\n").join("");
  writeFileAtomic(join(folder, "entries.jsonl"), lines);
}

/** The bytes of all rows that are kept. */
export function bytesKept({ folder }: Pick<Membership, "folder">): number {
  return statSync(join(folder, "entries.jsonl"), { throwIfNoEntry: false })?.size ?? 0;
}

/** Rows that wait to be sent, oldest first. */
export function waitingIn(member: Pick<Membership, "folder">): NewEntry[] {
  return waitingFiles(member).map(({ entry }) => entry);
}

/** Lets a row wait until the server can be reached: in a file of its own, which no other row's sending touches. */
export function letWait({ folder }: Pick<Membership, "folder">, entry: NewEntry): void {
  const outbox = join(folder, OUTBOX);
  mkdirSync(outbox, { recursive: true, mode: 0o700 });
  const waiting = namesIn(outbox).map((name) => parseInt(name, 10)).filter(Number.isFinite);
  const next = String(Math.max(0, ...waiting) + 1).padStart(6, "0");
  writeFileAtomic(join(outbox, `${next}-${randomUUID()}.json`), JSON.stringify(entry) + "\n");
}

/** Drops the rows that have been sent. */
export function dropWaiting(
  member: Pick<Membership, "folder">,
  sent: readonly NewEntry[],
): void {
  for (const { path, entry } of waitingFiles(member)) {
    const isSent = sent.some((other) =>
      other.id === entry.id && other.sha256 === entry.sha256 && other.at === entry.at
    );
    if (isSent) rmSync(path, { force: true });
  }
}

const OUTBOX = "outbox";

function waitingFiles({ folder }: Pick<Membership, "folder">) {
  const outbox = join(folder, OUTBOX);
  return namesIn(outbox).filter((name) => name.endsWith(".json")).flatMap((name) => {
    const path = join(outbox, name);
    const entry = readWaiting(path);
    return entry === undefined ? [] : [{ path, entry }];
  });
}

function readWaiting(path: string): NewEntry | undefined {
  const { origin, ...row } = readState(path) ?? {}; // sent by another process since
  const entry = entryOf({ ...row, seq: 1, origin: JSON.stringify(origin ?? {}) });
  if (entry === undefined) return undefined;
  const { seq: _, ...rest } = entry;
  return rest;
}

/** How the last look at the server has ended; undefined before the first. */
export function lastPoll({ folder }: Pick<Membership, "folder">): LastPoll | undefined {
  return readState(join(folder, "last.json")) as LastPoll | undefined;
}

/** Records how a look at the server has ended. */
export function keepPoll({ folder }: Pick<Membership, "folder">, last: LastPoll): void {
  writeFileAtomic(join(folder, "last.json"), JSON.stringify(last) + "\n", { durable: false });
}

/** The version of each note, by id, whose text this user has last been shown. */
export function shownIn({ folder }: Pick<Membership, "folder">): Readonly<Record<string, unknown>> {
  return readState(join(folder, "shown.json")) ?? {};
}

/** Records that this user has been shown a version of a note. */
export function keepShown(member: Pick<Membership, "folder">, id: string, sha256: string): void {
  const shown = { ...shownIn(member), [id]: sha256 };
  writeFileAtomic(join(member.folder, "shown.json"), JSON.stringify(shown) + "\n");
}
