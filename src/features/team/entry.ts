// One row of a team's table. Rows come from a server that several people write to: each is checked before anything is
// done with it, and what is wrong is as good as absent.

import { parseMemory, serializeMemory } from "../../core/memory/file.ts";
import type { Memory } from "../../core/memory/memory.ts";
import { digestOf } from "../../core/memory/trust.ts";
import { oneLine, visible } from "../../core/text/neutralise.ts";
import { randomBytes } from "node:crypto";
import { MemoError } from "../../errors.ts";
import { withoutPrivate } from "../../core/text/paste.ts";

/** What a row says of a note's version: it is offered, accepted or taken back. */
export const STATES = ["proposed", "approved", "retired"] as const;
export type State = typeof STATES[number];

/** `note`: about a memory. `team`: the team itself, the first row of a table and each change of its rules. */
export type Kind = "note" | "team";

/** A row before the server has numbered it. */
export interface NewEntry {
  /** The note's id, the same for all its versions. */
  readonly id: string;
  readonly kind: Kind;
  /** The whole memory file, or the team's rules; empty unless proposed. */
  readonly body: string;
  /** SHA-256 of the version that the row is about, in hex. */
  readonly sha256: string;
  readonly author: string;
  readonly state: State;
  /** The version that a proposal changes. */
  readonly supersedes?: string | undefined;
  readonly origin: Origin;
  /** ISO 8601, by the author's clock: shown, and never used to order. */
  readonly at: string;
}

/** A row with its place in the table. */
export interface Entry extends NewEntry {
  readonly seq: number;
}

/** Where a note comes from, and what it is for. */
export interface Origin {
  /** The commit that the project was at when the note was proposed. */
  readonly commit?: string;
  /** Remotes, `host/path`, of the repositories that it is for; none: all of them. */
  readonly remotes?: readonly string[];
}

/** Maximum bytes of a note. */
export const MOST_BYTES = 32 * 1024;
/** Maximum characters of a person's name. */
const MOST_NAME = 60;
/** Maximum remotes of a note. */
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
export function entryOf(row: Readonly<Record<string, unknown>>): Entry | undefined {
  const { seq, id, kind, body, sha256, state, supersedes, at } = row;
  const author = personName(row["author"]);
  const texts = [id, kind, body, sha256, state, at].every((each) => typeof each === "string");
  if (!texts || author === undefined || !Number.isSafeInteger(seq) || Number(seq) < 1) {
    return undefined;
  }
  const isOne = NOTE_ID.test(id as string) && DIGEST.test(sha256 as string) &&
    (kind === "note" || kind === "team") && STATES.includes(state as State) &&
    Number.isFinite(Date.parse(at as string)) && (at as string).length <= 40 &&
    (supersedes === null || supersedes === undefined || DIGEST.test(String(supersedes)));
  if (!isOne || !isBodyOf(row)) return undefined;
  return {
    seq: Number(seq),
    id: id as string,
    kind: kind as Kind,
    body: body as string,
    sha256: sha256 as string,
    author,
    state: state as State,
    at: at as string,
    ...typeof supersedes === "string" && { supersedes },
    origin: originOf(row["origin"]),
  };
}

/** Only a proposal has a text, and it is the one that its digest names. */
function isBodyOf({ state, body, sha256 }: Readonly<Record<string, unknown>>): boolean {
  const text = String(body);
  if (state !== "proposed") return text === "";
  return Buffer.byteLength(text) <= MOST_BYTES && digestOf(text) === sha256;
}

function originOf(value: unknown): Origin {
  let origin: { commit?: unknown; remotes?: unknown } = {};
  try {
    if (typeof value === "string" && value.length <= 8192) origin = JSON.parse(value) ?? {};
  } catch {
    // as good as none
  }
  const { commit, remotes } = origin;
  const named = Array.isArray(remotes)
    ? remotes.filter((each): each is string => typeof each === "string" && REMOTE.test(each))
      .filter((each) => !each.split("/").includes("..")).slice(0, MOST_REMOTES)
    : [];
  return {
    ...typeof commit === "string" && /^[0-9a-f]{7,64}$/.test(commit) && { commit },
    ...named.length > 0 && { remotes: named },
  };
}

/** The memory in a proposal's text. */
export function memoryOf({ body, id }: Pick<Entry, "body" | "id">): Memory {
  return parseMemory(body, { fallbackName: id }).memory;
}

interface ProposalOptions {
  readonly author: string;
  readonly now: Date;
  readonly origin: Origin;
  /** The note that it changes, and the version that was read. */
  readonly of?: { readonly id: string; readonly supersedes: string | undefined } | undefined;
}

/**
 * A memory as a row that proposes it. It takes along what the memory says and nothing of where it was said. Throws a
 * `usage` MemoError for what no team may have.
 */
export function proposal(
  memory: Memory,
  { author, now, origin, of }: ProposalOptions,
): NewEntry {
  if (isAboutUser(memory)) throw refuse(memory, "it is about you", "Share what others can use");
  const body = serializeMemory({
    ...memory,
    body: withoutPrivate(memory.body),
    pinned: false,
    never: undefined,
    supersedes: [],
    source: undefined,
  });
  const bytes = Buffer.byteLength(body);
  if (bytes > MOST_BYTES) {
    throw refuse(memory, `it has ${bytes} bytes, and a note at most ${MOST_BYTES}`, "Split it");
  }
  return {
    kind: "note",
    state: "proposed",
    author,
    origin,
    body,
    id: of?.id ?? randomBytes(5).toString("hex"),
    sha256: digestOf(body),
    ...of?.supersedes !== undefined && { supersedes: of.supersedes },
    at: now.toISOString(),
  };
}

function refuse({ name }: Memory, because: string, hint: string): MemoError {
  return new MemoError("usage", `Cannot propose \`${name}\` to a team: ${because}`, { hint });
}
