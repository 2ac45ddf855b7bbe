// The copies of a team's approved notes, as memory files that recall reads. They follow from the rows alone: the same
// rows give the same bytes, and no word of a row can claim another author, a pin or the place of another memory.

import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { writeFileAtomic } from "../../core/files/atomic.ts";
import { readState, writeState } from "../../core/files/state.ts";
import { serializeMemory } from "../../core/memory/file.ts";
import { fileName } from "../../core/memory/title.ts";
import {
  allFoldersOf,
  attributionTags,
  foldersFor,
  isAttribution,
} from "../../core/memory/teams.ts";
import { digestOf } from "../../core/memory/trust.ts";
import { isAboutUser, memoryOf, type Note, type Team, WITHOUT_PRIVATE } from "./entry.ts";

/** What has changed in the copies of a team. */
export interface Copied {
  readonly written: number;
  readonly removed: number;
  /** Where copies that somebody had edited by hand were put. */
  readonly setAside: readonly string[];
}

/** Makes the copies what the team has approved; only what has changed is written. */
export function writeCopies(folder: string, { notes }: Team): Copied {
  const digests = digestsIn(folder);
  const before = writtenIn(folder);
  const isOwn = (path: string) => before.get(path) === digests.get(path);
  const after = new Map<string, string>();
  const setAside: string[] = [];
  let [written, removed] = [0, 0];
  for (const [path, text] of notes.flatMap((note) => copiesOf(note, folder))) {
    const digest = digestOf(text);
    after.set(path, digest);
    if (digests.get(path) === digest) continue;
    if (digests.has(path) && !isOwn(path)) setAside.push(putAside(path, folder));
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileAtomic(path, text, { mode: 0o400, durable: false });
    written++;
  }
  for (const path of digests.keys()) {
    if (after.has(path)) continue;
    if (isOwn(path)) {
      rmSync(path);
      removed++;
    } else setAside.push(putAside(path, folder));
  }
  if (!isDeepStrictEqual(before, after)) {
    const kept = [...after].map(([path, digest]) => [path.slice(folder.length + 1), digest]);
    writeState(join(folder, "copies.json"), Object.fromEntries(kept));
  }
  for (const each of allFoldersOf(folder)) mkdirSync(each, { recursive: true, mode: 0o700 });
  return { written, removed, setAside };
}

/** The files of a note: one for each repository that it names, else one for all. */
function copiesOf({ id, current }: Note, folder: string): [path: string, text: string][] {
  if (current?.approved === undefined) return [];
  const { proposal, approved } = current;
  const memory = memoryOf(proposal);
  if (isAboutUser(memory)) return []; // nobody describes the user but the user
  const at = approved.at.slice(0, 10);
  const text = serializeMemory({
    ...memory,
    ...WITHOUT_PRIVATE,
    created: memory.created ?? proposal.at.slice(0, 10),
    updated: memory.updated ?? at,
    tags: [
      ...memory.tags.filter((tag) => !isAttribution(tag)),
      ...attributionTags({ by: proposal.author, approved: approved.author }),
    ],
  });
  const name = fileName(memory.type, memory.name).replace(/\.md$/, `-${id}.md`);
  return foldersFor(proposal.origin.remotes).map((each) => [join(folder, each, name), text]);
}

/** The digests of the copies that are there. */
function digestsIn(folder: string): Map<string, string> {
  const paths = allFoldersOf(folder).flatMap((each) => {
    const names = existsSync(each) ? readdirSync(each) : [];
    return names.filter((name) => name.endsWith(".md")).map((name) => join(each, name));
  });
  return new Map(paths.map((path) => [path, digestOf(readFileSync(path))]));
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
function writtenIn(folder: string): Map<string, string> {
  const kept = Object.entries(readState(join(folder, "copies.json")) ?? {});
  // An earlier memo has kept a version behind each digest.
  return new Map(kept.map(([path, digest]) => [join(folder, path), `${[digest].flat()[0]}`]));
}
