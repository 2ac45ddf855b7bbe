// One row of a team's table. Rows come from a server that several people write to: each is checked before anything is
// done with it, and what is wrong is as good as absent.

import { tooLarge } from "../../core/files/bounded.ts";
import { parseMemory, serializeMemory } from "../../core/memory/file.ts";
import type { Memory } from "../../core/memory/memory.ts";
import { digestOf } from "../../core/memory/trust.ts";
import { oneLine, visible } from "../../core/text/neutralise.ts";
import { newChangeId } from "../../core/ledger/change_log.ts";
import { fieldsOf } from "../../core/link/parse.ts";
import { parsed } from "../../core/files/there.ts";
import { MemoError } from "../../errors.ts";
import { withoutPrivate } from "../../core/text/paste.ts";

/** What a row says of a note's version: it is offered, accepted or taken back. */
export const STATES = ["proposed", "approved", "retired"] as const;
export type EntryState = typeof STATES[number];

/** `note`: about a memory. `team`: the team itself, the first row of a table and each change of its rules. */
export type EntryKind = "note" | "team";

/** A row before the server has numbered it. */
export interface NewEntry {
  /** The note's id, the same for all its versions. */
  readonly id: string;
  readonly kind: EntryKind;
  /** The whole memory file, or the team's rules; empty unless proposed. */
  readonly body: string;
  /** SHA-256 of the version that the row is about, in hex. */
  readonly sha256: string;
  readonly author: string;
  readonly state: EntryState;
  /** The version that a proposal changes. */
  readonly supersedes?: string | undefined;
  readonly origin: NoteOrigin;
  /** ISO 8601, by the author's clock: shown, and never used to order. */
  readonly at: string;
}

/** A row with its place in the table. */
export interface TeamEntry extends NewEntry {
  readonly seq: number;
}

/** Where a note comes from, and what it is for. */
export interface NoteOrigin {
  /** The commit that the project was at when the note was proposed. */
  readonly commit?: string;
  /** Remotes, `host/path`, of the repositories that it is for; none: all of them. */
  readonly remotes?: readonly string[];
}

/** Maximum bytes of a note. */
export const MOST_BYTES = 32 * 1024;
const MOST_NAME = 60;
const MOST_REMOTES = 20;
const DIGEST = /^[0-9a-f]{64}$/;
/** The form of a repository's remote, `host/path`. */
export const REMOTE = /^[\w.-]+\/[\w./~-]{1,200}$/;

/** The form of a note's id. */
export const NOTE_ID = /^[0-9a-f]{10}$/;

/** A person's name as it is kept and shown; undefined if it is none. */
export function personName(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length > 4 * MOST_NAME) return undefined;
  const name = visible(oneLine(value)).trim();
  return name === "" || [...name].length > MOST_NAME ? undefined : name;
}

/** Letters of other alphabets that look like Latin ones: each stands above the one that it looks like. */
const LIKE = {
  from: "АВЕЅІЈКМНОРСТУХаеѕіјкорсухԁһԛԝѵΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορυıɡ",
  to: "ABESIJKMHOPCTYXaesijkopcyxdhqwvABEZHIKMNOPTYXaikvopuig",
} as const;
const LATIN = new Map([...LIKE.from].map((letter, at) => [letter, LIKE.to[at]!]));

/** Whether two names are one person's, or look so: no colleague is to pass for another. */
export function isSamePerson(a: string, b: string): boolean {
  const fold = (name: string) => name.normalize("NFKC").toLowerCase();
  return fold(a) === fold(b) || lookOf(a) === lookOf(b);
}

/** What a name looks like, after the skeletons of Unicode Technical Standard 39. */
function lookOf(name: string): string {
  const latin = [...name.normalize("NFKD").replace(/\p{M}/gu, "")]
    .map((letter) => LATIN.get(letter) ?? letter).join("").toLowerCase();
  return latin.replace(/[i1|]/g, "l").replaceAll("0", "o").replaceAll("rn", "m")
    .replaceAll("vv", "w").replace(/[^\p{L}\p{N}]/gu, "");
}

/** Whether a memory describes the user, which nobody does but the user. */
export function isAboutUser({ type }: Pick<Memory, "type">): boolean {
  return type.trim().toLowerCase() === "user";
}

/** A row of the table, checked; undefined if it cannot be one that memo wrote. */
export function entryOf(row: Readonly<Record<string, unknown>>): TeamEntry | undefined {
  const { id, kind, body, sha256, state, at } = row as Readonly<Record<keyof TeamEntry, string>>;
  const { seq, supersedes = null } = row;
  const author = personName(row["author"]);
  const texts = [id, kind, body, sha256, state, at].every((each) => typeof each === "string");
  const isNumbered = typeof seq === "number" && Number.isSafeInteger(seq) && seq >= 1;
  if (!texts || author === undefined || !isNumbered) return undefined;
  // Only a proposal has a text, and it is the one that its digest names.
  const isBody = state === "proposed"
    ? Buffer.byteLength(body) <= MOST_BYTES && digestOf(body) === sha256
    : body === "";
  const isOne = isBody && NOTE_ID.test(id) && DIGEST.test(sha256) &&
    (kind === "note" || kind === "team") && STATES.some((each) => each === state) &&
    Number.isFinite(Date.parse(at)) && at.length <= 40 &&
    (supersedes === null || DIGEST.test(String(supersedes)));
  if (!isOne) return undefined;
  return {
    ...{ seq, id, kind, body, sha256, author, state: state as EntryState, at },
    ...typeof supersedes === "string" && { supersedes },
    origin: originOf(row["origin"]),
  };
}

/** The origin in a row: JSON in the table, its value in the file of what was read. */
function originOf(value: unknown): NoteOrigin {
  const isText = typeof value === "string" && value.length <= 8192;
  const { commit, remotes } = fieldsOf(isText ? parsed(value) : value);
  const texts = Array.isArray(remotes) ? remotes.filter((each) => typeof each === "string") : [];
  const named = texts.filter((each) => REMOTE.test(each) && !/(?:^|\/)\.\.(?:\/|$)/.test(each))
    .slice(0, MOST_REMOTES);
  return {
    ...typeof commit === "string" && /^[0-9a-f]{7,64}$/.test(commit) && { commit },
    ...named.length > 0 && { remotes: named },
  };
}

/** Whether two rows are one: the server adds it once. */
export function isSameRow(one: NewEntry, other: NewEntry): boolean {
  return (["id", "sha256", "state", "author", "at"] as const).every((key) =>
    one[key] === other[key]
  );
}

/** The memory in a proposal's text. */
export function memoryOf({ body, id }: Pick<TeamEntry, "body" | "id">): Memory {
  return parseMemory(body, { fallbackName: id }).memory;
}

/** What no note takes along of a memory. */
export const WITHOUT_PRIVATE = {
  pinned: false,
  never: undefined,
  supersedes: [],
  source: undefined,
} as const satisfies Partial<Memory>;

/**
 * A memory as a row that proposes it. It takes along what the memory says and nothing of where it was said. Throws a
 * `usage` MemoError for what no team may have.
 */
export function proposal(
  memory: Memory,
  { author, now, origin, of }: Pick<NewEntry, "author" | "origin"> & {
    readonly now: Date;
    /** The note that it changes, and the version that was read. */
    readonly of?: { readonly id: string; readonly supersedes: string | undefined } | undefined;
  },
): NewEntry {
  if (isAboutUser(memory)) throw refuse(memory, "it is about you", "Share what others can use");
  const said = { ...memory, body: withoutPrivate(memory.body), ...WITHOUT_PRIVATE };
  const body = serializeMemory(said);
  if (Buffer.byteLength(body) > MOST_BYTES) {
    throw refuse(memory, tooLarge(MOST_BYTES), "Split it");
  }
  const id = of?.id ?? newChangeId();
  return {
    ...{ id, kind: "note", state: "proposed", author, origin, body, sha256: digestOf(body) },
    ...of?.supersedes !== undefined && { supersedes: of.supersedes },
    at: now.toISOString(),
  };
}

function refuse({ name }: Memory, because: string, hint: string): MemoError {
  return new MemoError("usage", `Cannot propose \`${name}\` to a team: ${because}`, { hint });
}

// What a team's table says now: its rows in their order, from the first one. A row never changes another; two edits of
// one version are two versions that wait, and the reviewer picks.
/** A proposed text of a note. */
export interface NoteVersion {
  readonly proposal: TeamEntry;
  /** Who accepted it; undefined while it waits. */
  readonly approved?: TeamEntry | undefined;
}

/** A note that is accepted or waits for it. */
export interface TeamNote {
  readonly id: string;
  /** The version that applies. */
  readonly current?: NoteVersion | undefined;
  /** Versions that wait, oldest first. */
  readonly pending: readonly NoteVersion[];
}

/** A team's rules, as its last row about itself has them. */
export interface TeamRules {
  readonly version: number;
  readonly name: string;
  /** Authors whose notes need no other person. */
  readonly alone: readonly string[];
}

export interface Team {
  /** undefined: the table is not a team's. */
  readonly rules: TeamRules | undefined;
  readonly notes: readonly TeamNote[];
}

/** The state of a team after some rows, in the order of their numbers. */
export function fold(entries: readonly TeamEntry[]): Team {
  const notes = new Map<string, TeamNote>();
  let rules: TeamRules | undefined;
  for (const entry of entries.toSorted((a, b) => a.seq - b.seq)) {
    if (entry.kind === "team") rules = rulesIn(entry) ?? rules;
    else {
      const before = notes.get(entry.id) ?? { id: entry.id, pending: [] };
      notes.set(entry.id, after(before, entry, rules?.alone ?? []));
    }
  }
  return {
    rules,
    notes: [...notes.values()].filter(({ current, pending }) =>
      current !== undefined || pending.length > 0
    ),
  };
}

/**
 * The rows that still count, and the last `tail` ones: these alone fold to the same team, whatever comes after them. Rules
 * stay, because an approval counts by those of its time.
 */
export function presentIn(
  entries: readonly TeamEntry[],
  { notes }: Team,
  tail: number,
): TeamEntry[] {
  const present = new Set(notes.flatMap(({ current, pending }) => [
    ...[current?.proposal, current?.approved],
    ...pending.map(({ proposal }) => proposal),
  ]));
  return entries.filter((entry, at) =>
    entry.kind === "team" || present.has(entry) || at >= entries.length - tail
  );
}

function after(note: TeamNote, entry: TeamEntry, alone: readonly string[]): TeamNote {
  const { sha256, state } = entry;
  const isAbout = ({ proposal }: NoteVersion) => proposal.sha256 === sha256;
  const rest = note.pending.filter((version) => !isAbout(version));
  if (state === "proposed") {
    const isKnown = note.pending.some(isAbout) || (note.current && isAbout(note.current));
    return isKnown ? note : { ...note, pending: [...note.pending, { proposal: entry }] };
  }
  if (state === "retired") {
    const isCurrent = note.current !== undefined && isAbout(note.current);
    return { ...note, current: isCurrent ? undefined : note.current, pending: rest };
  }
  const version = note.pending.find(isAbout);
  if (version === undefined || !mayApprove(entry.author, version.proposal, alone)) return note;
  return { ...note, current: { ...version, approved: entry }, pending: rest };
}

/** Whether a person may accept a proposal: another one than its author, or an author who may do it alone. */
export function mayApprove(
  person: string,
  { author }: Pick<TeamEntry, "author">,
  alone: readonly string[],
): boolean {
  return !isSamePerson(person, author) || alone.some((each) => isSamePerson(each, author));
}

/** The row that gives a team its rules. */
export function rulesEntry(
  rules: TeamRules,
  { author, at }: Pick<NewEntry, "author" | "at">,
): NewEntry {
  const body = JSON.stringify(rules);
  const id = newChangeId();
  return {
    id,
    kind: "team",
    state: "proposed",
    author,
    body,
    sha256: digestOf(body),
    origin: {},
    at,
  };
}

function rulesIn({ body }: TeamEntry): TeamRules | undefined {
  const { version, name, alone } = fieldsOf(parsed(body));
  if (!Number.isInteger(version) || typeof name !== "string" || !Array.isArray(alone)) {
    return undefined;
  }
  return { version: Number(version), name, alone: alone.flatMap((each) => personName(each) ?? []) };
}
