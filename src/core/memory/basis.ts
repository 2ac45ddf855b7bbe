// Whose word a memory is, decided here alone, from what its file and its folder say: the user's own (said), what a
// person has kept (confirmed), what stood in a result, a file or a page (seen), what the model made of it (concluded),
// or what no conversation of the user's has written (elsewhere: an import, a repository, a team).

import { isOthers, type Memory, type Scope, type Source } from "./memory.ts";

/** Whose word a memory is. */
export type Basis = "said" | "confirmed" | "seen" | "concluded" | "elsewhere";

/** Every basis with its rank, the most trusted first, and whether its words may take the place of a user's note. */
export const BASES: Readonly<Record<Basis, { rank: number; mayOvertake: boolean }>> = {
  said: { rank: 0, mayOvertake: true },
  confirmed: { rank: 1, mayOvertake: true },
  seen: { rank: 2, mayOvertake: false },
  concluded: { rank: 3, mayOvertake: false },
  elsewhere: { rank: 3, mayOvertake: false },
};

/** The tag of a memory that makes a request which the user has not made: kept for their review, and never recalled. */
export const SUSPECT = "suspect";

/**
 * The tags that say whose word a memory is, each with its wording for a model, whole and in a title, and the maximum
 * confidence; the first that a memory has counts.
 */
export const MARKS = [
  {
    tag: SUSPECT,
    basis: "elsewhere",
    says: "held for the user's review",
    inTitle: "held",
    most: 0.1,
  },
  { tag: "confirmed", basis: "confirmed", says: undefined, inTitle: undefined, most: 1 },
  {
    tag: "read-web",
    basis: "seen",
    says: "from a web page, not said by the user",
    inTitle: "from a web page",
    most: 0.5,
  },
  {
    tag: "read-tool",
    basis: "seen",
    says: "read in a tool's output, not said by the user",
    inTitle: "from a tool's output",
    most: 0.6,
  },
  {
    tag: "concluded",
    basis: "concluded",
    inTitle: "unconfirmed",
    most: 0.95,
    says: "unconfirmed: the model's conclusion, not said by the user",
  },
  {
    tag: "elsewhere",
    basis: "elsewhere",
    says: "from elsewhere, not said by the user",
    inTitle: "from elsewhere",
    most: 1,
  },
] as const satisfies readonly {
  readonly tag: string;
  readonly basis: Basis;
  readonly says: string | undefined;
  readonly inTitle: string | undefined;
  readonly most: number;
}[];
/** A tag that says whose word a memory is. */
export type Mark = typeof MARKS[number]["tag"];

/** What decides whose word a memory is, of a file or of the index. */
export interface Attributed extends Pick<Memory, "tags"> {
  readonly scope?: Scope;
  readonly source?: Source | undefined;
  readonly importedFrom?: string | undefined;
  readonly isOwn?: boolean | undefined;
}

/** Whose word a memory is: by its mark, by its folder, by where it was imported from; without any, the user's own. */
export function basisOf(memory: Attributed): Basis {
  const { tags, scope = "user", source, importedFrom, isOwn = false } = memory;
  if (isOthers(scope) && !isOwn) return "elsewhere"; // whatever others have written into it
  const isForeign = importedFrom !== undefined || source?.import !== undefined;
  return markOf({ tags })?.basis ?? (isForeign ? "elsewhere" : "said");
}

/** The place of a memory among others, by whose word it is: the user's own first. */
export function rankOf(memory: Attributed): number {
  return BASES[basisOf(memory)].rank;
}

/** Whether a memory's words may take the place of a user's note. */
export function mayOvertake(memory: Attributed): boolean {
  return BASES[basisOf(memory)].mayOvertake;
}

/** The mark that a memory bears. */
export function markOf({ tags }: Pick<Memory, "tags">): typeof MARKS[number] | undefined {
  return tags.length === 0 ? undefined : MARKS.find(({ tag }) => tags.includes(tag));
}

/** The tags of a memory that say whose word it is. */
export function marksIn(tags: readonly string[]): string[] {
  return tags.filter((tag) => MARKS.some((mark) => mark.tag === tag));
}

/** Tags that somebody else has given a memory: whose word it is, they do not decide. */
export function withoutMarks(tags: readonly string[]): string[] {
  return tags.filter((tag) => !MARKS.some((mark) => mark.tag === tag));
}
