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
import { VERSION } from "../../version.ts";
import { isAboutUser, memoryOf } from "./entry.ts";
import type { Note, Team } from "./fold.ts";

/** What has changed in the copies of a team. */
export interface Copied {
  readonly written: number;
  readonly removed: number;
  /** Where copies that somebody had edited by hand were put. */
  readonly setAside: readonly string[];
}

/** A copy as memo wrote it: its digest, and the version of a note that it was made from. */
type Written = readonly [digest: string, version: string];

/** Makes the copies what the team has approved; only what has changed is made again. */
export function writeCopies(folder: string, { notes }: Team): Copied {
  const digests = digestsIn(folder);
  const before = writtenIn(folder);
  const isOwn = (path: string) => before.get(path)?.[0] === digests.get(path);
  const sound = Map.groupBy([...before].filter(([path]) => isOwn(path)), ([, [, from]]) => from);
  const after = new Map<string, Written>();
  const setAside: string[] = [];
  let [made, written, removed] = [0, 0, 0];
  for (const note of notes) {
    if (note.current?.approved === undefined) continue;
    const version = versionOf(note);
    const { length } = foldersFor(note.current.proposal.origin.remotes);
    const same = sound.get(version);
    if (same?.length === length) {
      for (const [path, copy] of same) after.set(path, copy);
      continue;
    }
    for (const [path, text] of copiesOf(note, folder)) {
      const digest = digestOf(text);
      after.set(path, [digest, version]);
      made++;
      if (digests.get(path) === digest) continue;
      if (digests.has(path) && !isOwn(path)) setAside.push(putAside(path, folder));
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      writeFileAtomic(path, text, { mode: 0o400, durable: false });
      written++;
    }
  }
  for (const path of digests.keys()) {
    if (after.has(path)) continue;
    if (isOwn(path)) {
      rmSync(path);
      removed++;
    } else setAside.push(putAside(path, folder));
  }
  if (made > 0 || before.size !== after.size) {
    const kept = [...after].map(([path, copy]) => [path.slice(folder.length + 1), copy]);
    writeState(join(folder, "copies.json"), Object.fromEntries(kept));
  }
  for (const each of allFoldersOf(folder)) mkdirSync(each, { recursive: true, mode: 0o700 });
  return { written, removed, setAside };
}

/** What the copies of a note follow from: two rows, and the memo that makes them. */
function versionOf({ id, current }: Note): string {
  const { proposal: { sha256, author, at }, approved } = current!;
  return [VERSION, id, sha256, author, at, approved!.author, approved!.at].join("\n");
}

/** The files of a note: one for each repository that it names, else one for all. */
function copiesOf({ id, current }: Note, folder: string): [path: string, text: string][] {
  const { proposal, approved } = current!;
  const memory = memoryOf(proposal);
  if (isAboutUser(memory)) return []; // nobody describes the user but the user
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

/** The copies as memo wrote them. */
function writtenIn(folder: string): Map<string, Written> {
  const kept = Object.entries(readState(join(folder, "copies.json")) ?? {});
  return new Map(kept.map(([path, copy]): [string, Written] => {
    const [digest, version = ""] = [copy].flat(); // an earlier memo has kept the digest alone
    return [join(folder, path), [`${digest}`, `${version}`]];
  }));
}
