// What this machine knows of a team: its address, the rows that it has read, and those that wait to be sent. All of it is
// in the team's folder, which `leave` removes.

import { randomUUID } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { MemoError } from "../../errors.ts";
import { writeFileAtomic } from "../../core/files/atomic.ts";
import { appendLines, readLines } from "../../core/files/jsonl.ts";
import { readState, writeState } from "../../core/files/state.ts";
import { namesIn, readIfExists } from "../../core/files/there.ts";
import {
  allFoldersOf,
  attributionTags,
  foldersFor,
  isAttribution,
  teamNames,
} from "../../core/memory/teams.ts";
import { fieldsOf } from "../../core/link/parse.ts";
import type { Paths } from "../../paths.ts";
import {
  entryOf,
  isAboutUser,
  isSameRow,
  memoryOf,
  type NewEntry,
  type Team,
  type TeamEntry,
  type TeamNote,
  WITHOUT_PRIVATE,
} from "./entry.ts";
import type { Address } from "./server.ts";
import { isDeepStrictEqual } from "node:util";
import { serializeMemory } from "../../core/memory/file.ts";
import { fileName } from "../../core/memory/title.ts";
import { digestOf } from "../../core/memory/trust.ts";

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
type KeptMember = Pick<Membership, "folder">;

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
export function entriesOf(member: KeptMember): TeamEntry[] {
  const read = readLines(rowsOf(member)).flatMap((line) => entryOf(fieldsOf(line)) ?? []);
  const known = new Map(read.map((entry) => [entry.seq, entry]));
  return [...known.values()].sort((a, b) => a.seq - b.seq);
}

/** Keeps rows that were read. */
export function keepEntries(member: KeptMember, entries: readonly TeamEntry[]): void {
  appendLines(rowsOf(member), entries, Infinity);
}

/** Keeps these rows alone. */
export function replaceEntries(member: KeptMember, entries: readonly TeamEntry[]): void {
  const lines = entries.map((entry) => JSON.stringify(entry) + "\n").join("");
  writeFileAtomic(rowsOf(member), lines);
}

/** The bytes of all rows that are kept. */
export function bytesKept(member: KeptMember): number {
  return statSync(rowsOf(member), { throwIfNoEntry: false })?.size ?? 0;
}

function rowsOf({ folder }: KeptMember): string {
  return join(folder, "entries.jsonl");
}

/** Rows that wait to be sent, oldest first. */
export function waitingIn(member: KeptMember): NewEntry[] {
  return waitingFiles(member).map(({ entry }) => entry);
}

/** Lets a row wait until the server can be reached: in a file of its own, which no other row's sending touches. */
export function letWait({ folder }: KeptMember, entry: NewEntry): void {
  const numbers = namesIn(join(folder, OUTBOX)).map((name) => parseInt(name, 10) || 0);
  const next = String(Math.max(0, ...numbers) + 1).padStart(6, "0");
  writeState(join(folder, OUTBOX, `${next}-${randomUUID()}.json`), entry, { durable: true });
}

/** Drops the rows that have been sent. */
export function dropWaiting(member: KeptMember, sent: readonly NewEntry[]): void {
  for (const { path, entry } of waitingFiles(member)) {
    if (sent.some((other) => isSameRow(other, entry))) rmSync(path, { force: true });
  }
}

const OUTBOX = "outbox";

function waitingFiles(
  { folder }: KeptMember,
): { readonly path: string; readonly entry: NewEntry }[] {
  const outbox = join(folder, OUTBOX);
  return namesIn(outbox).filter((name) => name.endsWith(".json")).flatMap((name) => {
    const path = join(outbox, name);
    const { seq: _, ...entry } = entryOf({ ...readState(path), seq: 1 }) ?? {};
    return "id" in entry ? [{ path, entry }] : []; // sent by another process since
  });
}

/** How the last look at the server has ended; undefined before the first. */
export function lastPoll({ folder }: KeptMember): LastPoll | undefined {
  return readState(join(folder, "last.json")) as LastPoll | undefined;
}

/** Records how a look at the server has ended. */
export function keepPoll({ folder }: KeptMember, last: LastPoll): void {
  writeState(join(folder, "last.json"), last);
}

/** The version of each note, by id, whose text this user has last been shown. */
export function shownIn({ folder }: KeptMember): Readonly<Record<string, unknown>> {
  return readState(join(folder, "shown.json")) ?? {};
}

/** Records that this user has been shown a version of a note. */
export function keepShown(member: KeptMember, id: string, sha256: string): void {
  writeState(join(member.folder, "shown.json"), { ...shownIn(member), [id]: sha256 });
}

// The copies of a team's approved notes, as memory files that recall reads. They follow from the rows alone: the same
// rows give the same bytes, and no word of a row can claim another author, a pin or the place of another memory.
/** What has changed in the copies of a team. */
export interface Copied {
  readonly written: number;
  readonly removed: number;
  /** Where copies that somebody had edited by hand were put. */
  readonly setAside: readonly string[];
}

/** Makes the copies what the team has approved; only what has changed is written. */
export function writeCopies(folder: string, { notes }: Team): Copied {
  const digests = digestsIn(folder);
  const before = writtenIn(folder);
  const isOwn = (path: string) => before.get(path) === digests.get(path);
  const after = new Map<string, string>();
  const setAside: string[] = [];
  let [written, removed] = [0, 0];
  for (const [path, text] of notes.flatMap((note) => copiesOf(note, folder))) {
    const digest = digestOf(text);
    after.set(path, digest);
    if (digests.get(path) === digest) continue;
    if (digests.has(path) && !isOwn(path)) setAside.push(putAside(path, folder));
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileAtomic(path, text, { mode: 0o400, durable: false });
    written++;
  }
  for (const path of digests.keys()) {
    if (after.has(path)) continue;
    if (isOwn(path)) {
      rmSync(path);
      removed++;
    } else setAside.push(putAside(path, folder));
  }
  if (!isDeepStrictEqual(before, after)) {
    const kept = [...after].map(([path, digest]) => [path.slice(folder.length + 1), digest]);
    writeState(join(folder, "copies.json"), Object.fromEntries(kept));
  }
  for (const each of allFoldersOf(folder)) mkdirSync(each, { recursive: true, mode: 0o700 });
  return { written, removed, setAside };
}

/** The files of a note: one for each repository that it names, else one for all. */
function copiesOf({ id, current }: TeamNote, folder: string): [path: string, text: string][] {
  if (current?.approved === undefined) return [];
  const { proposal, approved } = current;
  const memory = memoryOf(proposal);
  if (isAboutUser(memory)) return []; // nobody describes the user but the user
  const at = approved.at.slice(0, 10);
  const text = serializeMemory({
    ...memory,
    ...WITHOUT_PRIVATE,
    created: memory.created ?? proposal.at.slice(0, 10),
    updated: memory.updated ?? at,
    tags: [
      ...memory.tags.filter((tag) => !isAttribution(tag)),
      ...attributionTags({ by: proposal.author, approved: approved.author }),
    ],
  });
  const name = fileName(memory.type, memory.name).replace(/\.md$/, `-${id}.md`);
  return foldersFor(proposal.origin.remotes).map((each) => [join(folder, each, name), text]);
}

function digestsIn(folder: string): Map<string, string> {
  const paths = allFoldersOf(folder).flatMap((each) => {
    const names = existsSync(each) ? readdirSync(each) : [];
    return names.filter((name) => name.endsWith(".md")).map((name) => join(each, name));
  });
  return new Map(paths.map((path) => [path, digestOf(readFileSync(path))]));
}

/** Keeps what somebody wrote into a copy, which the team's text is about to replace. */
function putAside(path: string, folder: string): string {
  const place = join(folder, "edited");
  mkdirSync(place, { recursive: true, mode: 0o700 });
  const to = join(place, `${Date.now()}-${basename(path)}`);
  renameSync(path, to);
  chmodSync(to, 0o600);
  return to;
}

/** The digests of the copies as memo wrote them. */
function writtenIn(folder: string): Map<string, string> {
  const kept = Object.entries(readState(join(folder, "copies.json")) ?? {});
  // An earlier memo has kept a version behind each digest.
  return new Map(kept.map(([path, digest]) => [join(folder, path), `${[digest].flat()[0]}`]));
}
