// The branch that a note comes from. As long as HEAD's history lacks the commit that it was written on, it may be about
// what is not here; merged, with a merge commit or squashed, it is as any other.

import type { Standing } from "../../core/relation/standing.ts";
import type { CodeRepository } from "./repository.ts";

/** Where a note was written. */
export interface Born {
  readonly branch: string;
  /** The commit that HEAD was at; as soon as there is one, the first that the branch has for itself. */
  readonly commit: string;
  /** The branch had no commit of its own yet. */
  readonly isBase?: boolean;
  /** Where the branch ended when it was last there. */
  readonly tip?: string;
  /** Since when it is not there any more, in milliseconds since 1970. */
  readonly lostAt?: number;
  /** It has come here in one piece, which later changes hide. */
  readonly isMerged?: boolean;
}

/** Where a note was written that is new; undefined on the main branch, on none, and where it is not known which is main. */
export async function bornAt(at: number, repository: CodeRepository): Promise<Born | undefined> {
  const { head, branch, main, tips } = repository.refs;
  if (branch === undefined || main === undefined || branch === main) return undefined;
  if (repository.commitAt(at) !== head) return undefined;
  const isBase = await isWithin(head, tips.get(main)!, repository);
  return { branch, commit: head, ...isBase ? { isBase } : {} };
}

/** What is known of a note's branch after another look, and what is said of it. */
export async function followed(
  born: Born,
  { repository, now }: { readonly repository: CodeRepository; readonly now: Date },
): Promise<{ readonly born: Born; readonly said: Pick<Standing, "branch" | "lostAt"> }> {
  const { head, branch, tips } = repository.refs;
  if (born.isMerged) return { born, said: {} };
  if (born.isBase && branch === born.branch) {
    const commit = repository.at((repository.placeOf(born.commit) ?? 0) - 1);
    const own = commit === undefined ? born : { branch, commit, tip: head };
    return { born: own, said: {} };
  }
  const there = tips.get(born.branch);
  const isThere = there !== undefined && await isWithin(born.commit, there, repository);
  const tip = isThere ? there : born.tip ?? born.commit;
  if (born.isBase) return { born: { ...born, tip }, said: {} };
  const { lostAt: _, ...kept } = born;
  const lost = isThere ? {} : { lostAt: born.lostAt ?? now.getTime() };
  const later = { ...kept, tip, ...lost };
  if (await isWithin(born.commit, head, repository)) return { born: later, said: {} };
  return await isSquashed(tip, repository)
    ? { born: { ...later, isMerged: true }, said: {} }
    : { born: later, said: { branch: born.branch, ...lost } };
}

/** Whether the history of a commit has another one. */
async function isWithin(
  commit: string,
  other: string,
  repository: CodeRepository,
): Promise<boolean> {
  return (await repository.ask(["merge-base", commit, other]))?.trim() === commit;
}

/** Whether what a commit changed since it left HEAD's history has come into that in one piece or several. */
async function isSquashed(commit: string, repository: CodeRepository): Promise<boolean> {
  const { head } = repository.refs;
  const base = (await repository.ask(["merge-base", commit, head]))?.trim() ?? "";
  if (base === "") return false;
  const raw = ["--no-renames", "--raw", "--no-abbrev", "-r", "--diff-filter=AM"];
  const blobsOf = async (...args: string[]) =>
    new Set((await repository.ask(args))?.match(/(?<=^:\d+ \d+ \w+ )\w+/gm));
  const own = await blobsOf("diff-tree", ...raw, base, commit);
  const log = ["log", "--first-parent", "-m", "--format=", ...raw, `${base}..${head}`];
  return own.size > 0 && own.isSubsetOf(await blobsOf(...log));
}
