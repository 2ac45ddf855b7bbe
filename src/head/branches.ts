// The branch that a note comes from. As long as HEAD's history lacks the commit that it was written on, it may be about
// what is not here; merged, with a merge commit or squashed, it is as any other.

import type { Standing } from "../memory/standing.ts";
import type { Repository } from "./repository.ts";

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
  readonly isMerged?: boolean;
}

/** What is checked out. */
export interface Branch {
  readonly head: string;
  readonly name: string;
  /** Whether all of HEAD's history is the main branch's, too. */
  readonly isBase: boolean;
}

/** The branch that is checked out; undefined on the main branch, on none, and where it is not known which one is main. */
export async function branchHere(
  repository: Repository,
  head: string,
): Promise<Branch | undefined> {
  const [name, main] = [await repository.branch(), await repository.mainBranch()];
  if (name === undefined || main === undefined || name === main.name) return undefined;
  return { head, name, isBase: await repository.isWithin(head, main.commit) };
}

/** What is known of a note's branch, after another look. */
export async function followed(
  born: Born,
  here: Branch | undefined,
  { repository, head, now }: {
    readonly repository: Repository;
    readonly head: string;
    readonly now: Date;
  },
): Promise<Born> {
  if (born.isMerged) return born;
  if (born.isBase && here?.name === born.branch) {
    const commit = repository.after(born.commit);
    return commit === undefined ? born : { branch: born.branch, commit, tip: head };
  }
  const tip = await repository.tipOf(born.branch);
  const isThere = tip !== undefined && await repository.isWithin(born.commit, tip);
  const last = isThere ? tip : born.tip ?? born.commit;
  if (born.isBase) return { ...born, tip: last };
  if (here?.name !== born.branch && await isIn(born.commit, last, { repository, head })) {
    return { ...born, isMerged: true };
  }
  const { branch, commit, lostAt = now.getTime() } = born;
  return { branch, commit, tip: last, ...isThere ? {} : { lostAt } };
}

async function isIn(
  commit: string,
  tip: string,
  { repository, head }: { readonly repository: Repository; readonly head: string },
): Promise<boolean> {
  return await repository.isWithin(commit, head) || await repository.isSquashed(tip, head);
}

/** What is said of a note that was written on a branch; nothing where HEAD has its commit. */
export async function branchStanding(
  born: Born | undefined,
  { repository, head }: { readonly repository: Repository; readonly head: string },
): Promise<Pick<Standing, "branch" | "lostAt">> {
  if (born === undefined || born.isMerged || born.isBase) return {};
  if (await repository.isWithin(born.commit, head)) return {};
  const { branch, lostAt } = born;
  return { branch, ...lostAt === undefined ? {} : { lostAt } };
}
