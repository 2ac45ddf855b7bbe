// Keeps what the index says of notes and code in step with HEAD: in the background, after a session's start, a prompt, a
// capture. A look at a repository of any size ends in time; what it did not come to is done at the next one.

import { createHash } from "node:crypto";
import { join } from "node:path";
import type { JobContext } from "../engine/jobs.ts";
import { statsOf } from "../files/stats.ts";
import type { IndexedMemory } from "../index/corpus.ts";
import type { StandingRow } from "../index/standings.ts";
import { changedAt } from "../memory/age.ts";
import { projectAt } from "../memory/project.ts";
import { memoryFolders } from "../memory/scopes.ts";
import type { Standing } from "../memory/standing.ts";
import { hasTrait } from "../memory/types.ts";
import { type Born, type Branch, branchHere, branchStanding, followed } from "./branches.ts";
import { checkNotes, type Known } from "./check_notes.ts";
import { Repository } from "./repository.ts";

/** So long notes are looked at once HEAD has been read, and so long git may take in all, in milliseconds. */
const LOOK_MS = 3000, GIT_MS = 30_000;
/** Work trees that are being looked at, and the state of index and HEAD after the last look. */
const looking = new Set<string>(), done = new Map<string, string>();

/** Compares the notes of a project with its HEAD, as far as they or it have changed. */
export async function followHead({ engine, place, log, now }: JobContext): Promise<void> {
  const top = projectAt(place)?.top;
  if (top === undefined || looking.has(top) || statsOf(join(top, ".git")) === undefined) return;
  looking.add(top);
  const began = performance.now();
  try {
    const signal = AbortSignal.timeout(GIT_MS);
    const repository = new Repository(top, signal);
    const head = await repository.head();
    const folders = memoryFolders(place).filter(({ scope }) => SCOPES.includes(scope));
    if (head === undefined || folders.length === 0) return;
    await engine.withIndex(async (index) => {
      const state = async () => `${head} ${await index.generation()}`;
      if (done.get(top) === await state()) return;
      const rows = await index.standings.rows(top), others = await index.standings.onBranches(top);
      await repository.readLine(head);
      const here = await branchHere(repository, head);
      const notes = (await index.all(folders)).flatMap((memory) => {
        const row = rows.get(memory.id), hash = hashOf(memory);
        if (row?.hash === hash && row.head === head) return [];
        const known = row?.hash === hash ? JSON.parse(row.rests) as Rests : undefined;
        const at = changedAt(memory), elsewhere = others.get(memory.id);
        const born = elsewhere === undefined
          ? known ? known.born : bornHere(memory, here, { repository, now })
          : (JSON.parse(elsewhere) as Rests).born;
        return [{ ...memory, hash, known, born, before: row?.standing, at }];
      });
      let until: number | undefined;
      const isEnough = () => performance.now() > (until ??= performance.now() + LOOK_MS);
      const checked = await checkNotes(repository, notes, { head, isEnough });
      if (signal.aborted) { // what git had no time for would count as holding; not again at this HEAD
        done.set(top, await state());
        return log("head", { failed: `git took over ${GIT_MS} ms` });
      }
      const found: { row: StandingRow; isNews: boolean }[] = [];
      for (const [note, { drift, ...known }] of checked) {
        const asked = { repository, head, now };
        const born = note.born && await followed(note.born, here, asked);
        const branch = await branchStanding(born, asked);
        const isAll = drift.length === 0 && branch.branch === undefined;
        const standing: Standing | undefined = isAll ? undefined : { drift, ...branch };
        const rests = JSON.stringify({ ...known, born } satisfies Rests);
        const row = { memory: note.id, hash: note.hash, head, rests, standing };
        found.push({ row, isNews: JSON.stringify(standing) !== JSON.stringify(note.before) });
      }
      const isNews = found.some((each) => each.isNews);
      await index.standings.put(top, found.map(({ row }) => row), { isNews });
      if (checked.size === notes.length) done.set(top, await state());
      if (checked.size > 0) {
        const drifted = found.filter(({ row }) => row.standing !== undefined).length;
        const ms = Math.round(performance.now() - began);
        log("head", { notes: checked.size, of: notes.length, drifted, ms });
      }
    });
  } finally {
    looking.delete(top);
  }
}

/** What is kept of a note for the next look. */
interface Rests extends Known {
  readonly born?: Born | undefined;
}

/** A note that is older than this when it is first seen may come from any branch. */
const NEW_MS = 86_400_000;

/** Where a note was written that is first seen; rules and facts about the user are not of a branch. */
function bornHere(
  memory: IndexedMemory,
  here: Branch | undefined,
  { repository, now }: { readonly repository: Repository; readonly now: Date },
): Born | undefined {
  const at = changedAt(memory);
  const isNew = now.getTime() - at < NEW_MS && repository.commitAt(at)?.id === here?.head;
  if (here === undefined || !isNew || hasTrait(memory.type, "wish")) return undefined;
  return { branch: here.name, commit: here.head, ...here.isBase ? { isBase: true } : {} };
}

/** The scopes whose notes are about one repository. */
const SCOPES = ["project", "shared", "auto"];

function hashOf(memory: IndexedMemory): string {
  const { name, description, body } = memory;
  return createHash("sha256").update(JSON.stringify([name, description, body, changedAt(memory)]))
    .digest("hex").slice(0, 16);
}
