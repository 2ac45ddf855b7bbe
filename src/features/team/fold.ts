// What a team's table says now: its rows in their order, from the first one. A row never changes another; two edits of
// one version are two versions that wait, and the reviewer picks.

import { type Entry, isSamePerson, personName } from "./entry.ts";

/** A proposed text of a note. */
export interface Version {
  readonly proposal: Entry;
  /** Who accepted it; undefined while it waits. */
  readonly approved?: Entry | undefined;
}

/** A note that is accepted or waits for it. */
export interface Note {
  readonly id: string;
  /** The version that applies. */
  readonly current?: Version | undefined;
  /** Versions that wait, oldest first. */
  readonly pending: readonly Version[];
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
  readonly notes: readonly Note[];
}

/** The state of a team after some rows, in the order of their numbers. */
export function fold(entries: readonly Entry[]): Team {
  const notes = new Map<string, Note>();
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
export function presentIn(entries: readonly Entry[], { notes }: Team, tail: number): Entry[] {
  const present = new Set(notes.flatMap(({ current, pending }) => [
    ...[current?.proposal, current?.approved],
    ...pending.map(({ proposal }) => proposal),
  ]));
  return entries.filter((entry, at) =>
    entry.kind === "team" || present.has(entry) || at >= entries.length - tail
  );
}

function after(note: Note, entry: Entry, alone: readonly string[]): Note {
  const { sha256, state } = entry;
  const isAbout = ({ proposal }: Version) => proposal.sha256 === sha256;
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
  { author }: Pick<Entry, "author">,
  alone: readonly string[],
): boolean {
  return !isSamePerson(person, author) || alone.some((each) => isSamePerson(each, author));
}

/** The text of a row about the team itself. */
export function rulesText(rules: TeamRules): string {
  return JSON.stringify(rules);
}

function rulesIn({ body }: Entry): TeamRules | undefined {
  try {
    const { version, name, alone } = JSON.parse(body);
    if (!Number.isInteger(version) || typeof name !== "string" || !Array.isArray(alone)) {
      return undefined;
    }
    return { version, name, alone: alone.flatMap((each) => personName(each) ?? []) };
  } catch {
    return undefined;
  }
}
