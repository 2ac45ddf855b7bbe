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

/** The tags that say whose word a memory is, each with its wording for a model; the first that a memory has counts. */
export const MARKS = [
  { tag: SUSPECT, basis: "elsewhere", says: "held for the user's review, not said by the user" },
  { tag: "confirmed", basis: "confirmed", says: undefined },
  { tag: "read-web", basis: "seen", says: "from a web page, not said by the user" },
  { tag: "read-tool", basis: "seen", says: "read in a tool's output, not said by the user" },
  { tag: "concluded", basis: "concluded", says: "unconfirmed: concluded by the model" },
  { tag: "elsewhere", basis: "elsewhere", says: "from elsewhere, not said by the user" },
] as const satisfies readonly {
  readonly tag: string;
  readonly basis: Basis;
  readonly says: string | undefined;
}[];
/** A tag that says whose word a memory is. */
export type Mark = typeof MARKS[number]["tag"];

/** What decides whose word a memory is, of a file or of the index. */
export interface Attributed extends Pick<Memory, "tags"> {
  readonly scope?: Scope;
  readonly source?: Source | undefined;
  readonly isImported?: boolean;
}

/** Whose word a memory is: by its mark, by its folder, by where it was imported from; without any, the user's own. */
export function basisOf({ tags, scope = "user", source, isImported }: Attributed): Basis {
  const mark = markOf({ tags });
  if (mark !== undefined) return mark.basis;
  const isForeign = isOthers(scope) || isImported === true || source?.import !== undefined;
  return isForeign ? "elsewhere" : "said";
}

/** Whether a memory's words may take the place of a user's note. */
export function mayOvertake(memory: Attributed): boolean {
  return BASES[basisOf(memory)].mayOvertake;
}

/** The mark that a memory bears. */
export function markOf({ tags }: Pick<Memory, "tags">): typeof MARKS[number] | undefined {
  return MARKS.find(({ tag }) => tags.includes(tag));
}
