// Keeps what the index says of notes and code in step with HEAD: in the background, after a session's start, a prompt, a
// capture. A look at a repository of any size ends in time; what it did not come to is done at the next one.

import { createHash } from "node:crypto";
import { join } from "node:path";
import type { JobContext } from "../../core/engine/jobs.ts";
import { askGit } from "../../core/files/git.ts";
import { statsOf } from "../../core/files/there.ts";
import type { IndexedMemory } from "../../core/index/corpus.ts";
import type { Index, StandingRow } from "../../core/index/mod.ts";
import { changedAt } from "../../core/memory/age.ts";
import { projectAt } from "../../core/memory/project.ts";
import { localFolders } from "../../core/memory/scopes.ts";
import { noteChanges } from "../../core/recall/at_work.ts";
import type { Standing } from "../../core/relation/standing.ts";
import { hasTrait } from "../../core/memory/types.ts";
import { type Born, bornAt, followed } from "./branches.ts";
import { checkNotes, type NoteBasis } from "./check_notes.ts";
import { CodeRepository, type Refs, refsOf } from "./repository.ts";

/** So long notes are looked at once HEAD has been read, and so long git may take in all, in milliseconds. */
const LOOK_MS = 10_000, GIT_MS = 30_000;
/** A note that is older than this when it is first seen may come from any branch. */
const NEW_MS = 86_400_000;
/** Asks what the last commits were, and which files they changed. */
const LAST_CHANGES = ["log", "--max-count=5", "--name-only", "--format=%s"];
/** Work trees that are being looked at, and the state of index, HEAD and branches after the last look. */
const looking = new Set<string>(), done = new Map<string, string>();

/** Compares the notes that may be about a project with its HEAD, as far as they or it have changed. */
export async function followHead(context: JobContext): Promise<void> {
  const top = projectAt(context.place)?.top;
  if (top === undefined || looking.has(top) || statsOf(join(top, ".git")) === undefined) return;
  looking.add(top);
  try {
    const refs = await refsOf(top);
    if (refs === undefined) return;
    await context.engine.withIndex(async (index) => {
      const state = async () =>
        hashOf(refs.head, refs.branch, ...refs.tips, await index.generation());
      if (done.get(top) === await state()) return;
      noteChanges(top, `${refs.branch ?? ""}\n${await askGit(top, LAST_CHANGES)}`);
      if (await look(top, { refs, index, context })) done.set(top, await state());
    });
  } finally {
    looking.delete(top);
  }
}

/** What is kept of a note for the next look. */
interface Rests extends NoteBasis {
  readonly born?: Born | undefined;
}

/** Looks at a work tree; returns whether nothing is left to do until something changes. */
async function look(
  top: string,
  { refs, index, context: { place, log, now } }: {
    readonly refs: Refs;
    readonly index: Index;
    readonly context: JobContext;
  },
): Promise<boolean> {
  const began = performance.now(), signal = AbortSignal.timeout(GIT_MS);
  const repository = await CodeRepository.open(top, { signal, refs });
  if (repository === undefined) return true;
  const rows = await index.standings.rows(top), others = await index.standings.onBranches(top);
  const notes = (await index.all(localFolders(place))).flatMap((memory) => {
    const hash = hashOf(memory.name, memory.description, memory.body, changedAt(memory));
    const row = rows.get(memory.id), isSame = row?.hash === hash;
    if (isSame && row.head === refs.head && row.standing?.branch === undefined) return [];
    const known = isSame ? JSON.parse(row.rests) as Rests : undefined;
    const isForeign = !SCOPES.includes(memory.scope);
    if (
      isForeign && row === undefined &&
      !/\w\/\w/.test(memory.name + memory.description + memory.body)
    ) return [];
    return [{ ...memory, hash, known, isForeign, before: row?.standing, at: changedAt(memory) }];
  });
  let until: number | undefined;
  const isEnough = () => performance.now() > (until ??= performance.now() + LOOK_MS);
  const checked = await checkNotes(repository, notes, isEnough);
  const found: StandingRow[] = [];
  let isNews = false;
  for (const [note, { drift, ...known }] of checked) {
    const elsewhere = others.get(note.id);
    const { born } = elsewhere === undefined ? note.known ?? {} : JSON.parse(elsewhere) as Rests;
    const isNew = note.known === undefined && !note.isForeign && mayBeOfBranch(note, now);
    const first = born ?? (isNew ? await bornAt(note.at, repository) : undefined);
    const later = first && await followed(first, { repository, now });
    const isAll = drift.length === 0 && later?.said.branch === undefined;
    const standing: Standing | undefined = isAll ? undefined : { drift, ...later?.said };
    isNews ||= JSON.stringify(standing) !== JSON.stringify(note.before);
    const rests = JSON.stringify({ ...known, born: later?.born } satisfies Rests);
    found.push({ memory: note.id, hash: note.hash, head: refs.head, rests, standing });
  }
  if (signal.aborted) { // what git had no time for would count as holding; not again at this HEAD
    log("head", { failed: `git needed more than ${GIT_MS} ms` });
    return true;
  }
  await index.standings.put(top, found, { isNews });
  if (found.length > 0) {
    const drifted = found.filter(({ standing }) => standing !== undefined).length;
    const ms = Math.round(performance.now() - began);
    log("head", { notes: found.length, of: notes.length, drifted, ms });
  }
  return checked.size === notes.length;
}

/** The scopes whose notes are about one repository: another one is about this where it names its paths. */
const SCOPES = ["project", "shared", "auto"];

/** Whether a note was just written; rules and facts about the user are not of a branch. */
function mayBeOfBranch(memory: IndexedMemory, now: Date): boolean {
  return now.getTime() - changedAt(memory) < NEW_MS && !hasTrait(memory.type, "wish");
}

function hashOf(...parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 16);
}
