// The copies of a team's approved notes, as memory files that recall reads. They follow from the rows alone: the same
// rows give the same bytes, and no word of a row can claim another author, a pin or the place of another memory.

import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { writeFileAtomic } from "../files/atomic.ts";
import { serializeMemory } from "../memory/file.ts";
import { fileName } from "../memory/slug.ts";
import { allFoldersOf, attributionTags, foldersFor, isAttribution } from "../memory/teams.ts";
import { digestOf } from "../memory/trust.ts";
import { isAboutUser, memoryOf } from "./entry.ts";
import type { Note, Team } from "./fold.ts";

/** Whether a note may reach a model: nobody describes the user but the user. */
export function mayBeCopied({ current }: Note): boolean {
  return current?.approved !== undefined && !isAboutUser(memoryOf(current.proposal));
}

/** What has changed in the copies of a team. */
export interface Copied {
  readonly written: number;
  readonly removed: number;
  /** Where copies that somebody had edited by hand were put. */
  readonly setAside: readonly string[];
}

/** Whether the copies are as memo last wrote them: much cheaper to tell than to write them again. */
export function areAsWritten(folder: string): boolean {
  const digests = digestsIn(folder);
  const copies = copiesIn(folder);
  return copies.length > 0 && copies.length === digests.size &&
    copies.every((path) => digests.get(path) === digestOf(readFileSync(path)));
}

/** Makes the copies what the team has approved. */
export function writeCopies(folder: string, { notes }: Team): Copied {
  const wanted = new Map(notes.filter(mayBeCopied).flatMap((note) => copiesOf(note, folder)));
  let written = 0;
  let removed = 0;
  const setAside: string[] = [];
  const digests = digestsIn(folder);
  for (const path of copiesIn(folder)) {
    const digest = digestOf(readFileSync(path));
    if (wanted.has(path) && digestOf(wanted.get(path)!) === digest) {
      wanted.delete(path);
    } else if (digests.get(path) !== digest) {
      setAside.push(putAside(path, folder));
    } else if (!wanted.has(path)) {
      rmSync(path);
      removed++;
    }
  }
  for (const [path, text] of wanted) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileAtomic(path, text, { mode: 0o400, durable: false });
    digests.set(path, digestOf(text));
    written++;
  }
  if (written + removed + setAside.length > 0) keepDigests(folder, digests);
  for (const each of allFoldersOf(folder)) mkdirSync(each, { recursive: true, mode: 0o700 });
  return { written, removed, setAside };
}

/** The files of a note: one for each repository that it names, else one for all. */
function copiesOf({ id, current }: Note, folder: string): [path: string, text: string][] {
  const { proposal, approved } = current!;
  const memory = memoryOf(proposal);
  const at = approved!.at.slice(0, 10);
  const text = serializeMemory({
    ...memory,
    pinned: false,
    never: undefined,
    supersedes: [],
    source: undefined,
    created: memory.created ?? proposal.at.slice(0, 10),
    updated: memory.updated ?? at,
    tags: [
      ...memory.tags.filter((tag) => !isAttribution(tag)),
      ...attributionTags({ by: proposal.author, approved: approved!.author }),
    ],
  });
  const name = fileName(memory.type, memory.name).replace(/\.md$/, `-${id}.md`);
  return foldersFor(proposal.origin.remotes).map((each) => [join(folder, each, name), text]);
}

function copiesIn(folder: string): string[] {
  return allFoldersOf(folder).flatMap((each) => {
    try {
      return readdirSync(each).filter((name) => name.endsWith(".md")).map((name) =>
        join(each, name)
      );
    } catch {
      return [];
    }
  });
}

/** Keeps what somebody wrote into a copy, which the team's text is about to replace. */
function putAside(path: string, folder: string): string {
  const place = join(folder, "edited");
  mkdirSync(place, { recursive: true, mode: 0o700 });
  const to = join(place, `${Date.now()}-${basename(path)}`);
  renameSync(path, to);
  chmodSync(to, 0o600);
  return to;
}

/** The digests of the copies as memo wrote them. */
function digestsIn(folder: string): Map<string, string> {
  try {
    const kept = JSON.parse(readFileSync(join(folder, "copies.json"), "utf8"));
    return new Map(Object.entries(kept).map(([path, digest]) => [join(folder, path), `${digest}`]));
  } catch {
    return new Map();
  }
}

function keepDigests(folder: string, digests: ReadonlyMap<string, string>): void {
  const there = new Set(copiesIn(folder));
  const kept = [...digests].filter(([path]) => there.has(path))
    .map(([path, digest]) => [path.slice(folder.length + 1), digest]);
  writeFileAtomic(join(folder, "copies.json"), JSON.stringify(Object.fromEntries(kept)) + "\n", {
    durable: false,
  });
}
