// Which files of a repository's `.claude/` may be read into a prompt, a session's start or the settings: those that
// the user has allowed with `memo trust`, and those that memo itself wrote here. Consent is given to a content in a
// project, so a pull that changes a file asks again for that file, and work trees of one project ask once.

import { hash } from "node:crypto";
import { changeState } from "../files/state.ts";
import { orNothing, readIfExists, whileUnchanged } from "../files/there.ts";
import { isOthers, type MemoryFile, type MemoryFolder } from "./memory.ts";
import { asMarked, asSuspect, isSuspect, isSuspectMemory } from "./provenance.ts";

/** The origin of consent to a content: the user, memo's change of a memory, or memo's writing of a new one. */
export type Voucher = "you" | "memo" | "own";

/** A project in the trust file. */
export interface TrustedProject {
  readonly file: string;
  readonly project: string;
}

type Vouchers = Readonly<Record<string, Voucher>>;

const NOTHING: ReadonlySet<string> = new Set();

/** The identity of a content: SHA-256 of a file's bytes, in hex. */
export function digestOf(bytes: Uint8Array | string): string {
  return hash("sha256", bytes);
}

/** Where consent to a folder's files is noted; undefined: they need none, or it is given nowhere. */
function consentTo({ scope, trust: file, project }: MemoryFolder): TrustedProject | undefined {
  const isNoted = scope === "shared" && file !== undefined && project !== undefined;
  return isNoted ? { file, project } : undefined;
}

/** The contents of a folder that may be read; undefined: all of them, because the folder is the user's alone. */
export function readable(folder: MemoryFolder): ReadonlySet<string> | undefined {
  if (folder.scope !== "shared") return undefined;
  const where = consentTo(folder);
  return where === undefined ? NOTHING : trusted(where);
}

/** Whether a content of a folder may be shown to the model. */
export function mayRead(folder: MemoryFolder, digest: string | undefined): boolean {
  const contents = readable(folder);
  return contents === undefined || (digest !== undefined && contents.has(digest));
}

/** The trusted contents of a project. */
export function trusted({ file, project }: TrustedProject): ReadonlySet<string> {
  const { sets } = load(file);
  return sets.get(project) ?? NOTHING;
}

/** Trusts contents in a project from now on. */
export async function grant(
  { file, project }: TrustedProject,
  digests: readonly string[],
  by: Voucher,
): Promise<void> {
  if (digests.every((digest) => trusted({ file, project }).has(digest))) return;
  await change(file, (projects) => ({
    ...projects,
    [project]: {
      ...Object.fromEntries(digests.map((digest) => [digest, by])),
      ...projects[project],
    },
  }));
}

/**
 * Trusts a content that memo is about to write into a folder; only shared folders need it. What memo writes anew there is
 * as much the user's word as its marks say, and a change of it is, too.
 */
export async function vouchFor(
  folder: MemoryFolder,
  digest: string,
  before?: string,
): Promise<void> {
  const where = consentTo(folder);
  const isOwn = before === undefined || isOwnContent(folder, before);
  if (where !== undefined) await grant(where, [digest], isOwn ? "own" : "memo");
}

/** Whether a content of a shared folder was written there by memo for the user, and not brought by the repository. */
export function isOwnContent(folder: MemoryFolder, digest: string | undefined): boolean {
  const { file, project } = consentTo(folder) ?? {};
  return file !== undefined && load(file).vouchers[project!]?.[digest ?? ""] === "own";
}

/** Revokes all trust in a project, or that in some contents, and returns the number of contents. */
export async function revoke(
  { file, project }: TrustedProject,
  digests: Iterable<string> = trusted({ file, project }),
): Promise<number> {
  const gone = new Set(digests).intersection(trusted({ file, project }));
  if (gone.size > 0) {
    await change(file, ({ [project]: its = {}, ...others }) => {
      const left = Object.entries(its).filter(([digest]) => !gone.has(digest));
      return left.length === 0 ? others : { ...others, [project]: Object.fromEntries(left) };
    });
  }
  return gone.size;
}

/** Moves the trusted contents along with a project. */
export async function moveTrust(file: string, from: string, to: string): Promise<void> {
  if (trusted({ file, project: from }).size === 0) return;
  await change(file, ({ [from]: moved, ...others }) => ({
    ...others,
    [to]: { ...moved, ...others[to] },
  }));
}

/** A prompt costs one `stat`. An unreadable file allows nothing; `memo trust` reports it. */
const load = whileUnchanged((file) => {
  const vouchers = orNothing(() => projectsIn(readIfExists(file))) ?? {};
  const sets = new Map(
    Object.entries(vouchers).map(([root, its]) => [root, new Set(Object.keys(its))]),
  );
  return { sets, vouchers };
});

/** The contents that a file allows, by project, then by SHA-256 of the content; throws if it is damaged. */
function projectsIn(text: string | undefined): Readonly<Record<string, Vouchers>> {
  if (text === undefined) return {};
  const { projects } = JSON.parse(text);
  const isMap = (value: unknown): value is Record<string, Vouchers> =>
    typeof value === "object" && value !== null;
  if (!isMap(projects) || !Object.values(projects).every(isMap)) throw new Error("it is damaged");
  return projects;
}

async function change(
  file: string,
  alter: (projects: Readonly<Record<string, Vouchers>>) => Record<string, Vouchers | undefined>,
): Promise<void> {
  await changeState(file, (projects) => ({ projects: alter(projects) }), {
    read: projectsIn,
    hint: "Delete the file, then run `memo trust` in each project you trust",
  });
}

// A memory as it counts in its folder. A file in Claude Code's auto memory that no session is known to have written is
// not the user's word, and what others have written is held back where it asks for what no memory needs.
/** A file's memory, with the mark that its folder gives it. */
export function attributed(file: MemoryFile, folder: MemoryFolder): MemoryFile {
  if (isOwnContent(folder, file.digest)) return { ...file, isOwn: true };
  const isUnknown = isUnwatched(file, folder);
  if (!isUnknown && !isOthers(folder.scope)) return file;
  if (isSuspect(`${file.name}\n${file.description}\n${file.body}`)) return asSuspect(file);
  return isUnknown ? asMarked(file, "elsewhere") : file;
}

/** Whether no prompt gets a file's memory until the user has reviewed it. */
export function isHeldBack(file: MemoryFile, folder: MemoryFolder): boolean {
  return isSuspectMemory(attributed(file, folder));
}

/** Whether a file is in Claude Code's auto memory, written by no session that is known, and not trusted by a person. */
export function isUnwatched({ digest = "" }: MemoryFile, folder: MemoryFolder): boolean {
  const { scope, trust: file, path: project } = folder;
  return scope === "auto" && file !== undefined && !trusted({ file, project }).has(digest);
}
