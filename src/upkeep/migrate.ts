// Sorts files from before projects had folders of their own: a project's memories in the user's folder, a journal of
// all projects, and journals and archives in repositories. Each file goes to the project of its session.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { writeFileAtomic } from "../files/atomic.ts";
import { type Day, joinDay, journalDays, journalFile, splitDay } from "../journal/journal.ts";
import { appendEntry } from "../journal/write.ts";
import { type Change, logged } from "../memory/change_log.ts";
import { readMemories } from "../memory/list.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import { projectAt, projectOf } from "../memory/project.ts";
import { placeIn, privateFolder, sharedFolders, userFolder } from "../memory/scopes.ts";
import { JOURNAL, makeFolder } from "../memory/store.ts";
import type { Paths } from "../paths.ts";
import { changeWithUndo } from "./snapshot.ts";
import { capturedTurns, type Whose, whose } from "./whose.ts";

/** Types that hold in every project; memories of other types are about the project of their session. */
const PERSONAL: readonly string[] = ["user", "feedback", "tool"];

/** A file in the wrong place. */
export interface Move {
  readonly kind: "memory" | "journal" | "archive";
  /** Its name in messages. */
  readonly name: string;
  readonly from: string;
  readonly to: string;
  /** The memory folder to move it to. */
  readonly folder: MemoryFolder;
  /** Of a journal: the entries to move, by their anchor lines. */
  readonly anchors?: readonly string[];
}

/** The files to sort. */
export interface Migration {
  readonly moves: readonly Move[];
  /** Files from a session whose project is unknown. */
  readonly unknown: readonly string[];
}

/** Looks for misplaced files in the user's folder and in the repository of the working directory. */
export function planMigration(paths: Paths, cwd: string): Migration {
  const find = whose(paths);
  const unknown: string[] = [];
  const moves = [
    ...misplacedMemories(paths, find, unknown),
    ...mixedJournal(paths, find),
    ...leftInRepository(paths, cwd),
  ];
  return { moves, unknown };
}

/** Moves all files; `undoLast` moves them back. */
export async function migrate({ moves }: Migration, paths: Paths, now: Date): Promise<void> {
  await changeWithUndo(paths.migrations, {
    paths: moves.flatMap(({ from, to }) => [from, to]),
    now,
    change: async () => {
      for (const move of moves) {
        makeFolder(move.folder);
        if (move.anchors !== undefined) await moveEntries(move, move.anchors);
        else logged(move.folder, logLine(move, now), () => moveFile(move));
      }
    },
  });
}

function misplacedMemories(paths: Paths, find: Whose, unknown: string[]): Move[] {
  const taken = new Set<string>();
  return readMemories(userFolder(paths)).memories.flatMap(
    ({ path, name, type, source }): Move[] => {
      if (source === undefined || PERSONAL.includes(type)) return [];
      const root = find(source);
      if (root === undefined) unknown.push(path);
      if (root === undefined || root === "none") return [];
      const folder = privateFolder(projectOf(root, paths.claude));
      const to = freePath(join(folder.path, basename(path)), taken);
      return [{ kind: "memory", name, from: path, to, folder }];
    },
  );
}

/** Entries of the user's journal that are about a project. */
function mixedJournal(paths: Paths, find: Whose): Move[] {
  const journal = join(userFolder(paths).path, JOURNAL);
  return journalDays(journal).flatMap((day) => {
    const from = journalFile(journal, day);
    const entries = splitDay(readFileSync(from, "utf8")).entries
      .flatMap(({ anchor, line }) => anchor === undefined ? [] : [{ line, root: find(anchor) }])
      .filter(({ root }) => root !== undefined && root !== "none");
    return [...Map.groupBy(entries, ({ root }) => root!)].map(([root, its]) =>
      journalMove({ from, day, anchors: its.flatMap(({ line }) => line ?? []) }, root, paths)
    );
  });
}

/** The journal and the archive that memo left in the repository; files written by others stay there. */
function leftInRepository(paths: Paths, cwd: string): Move[] {
  const place = placeIn(paths, cwd);
  const project = projectAt(place);
  if (project === undefined) return [];
  const own = capturedTurns(paths);
  return sharedFolders(project, place).folders.flatMap((folder) => {
    const journal = join(folder.path, JOURNAL);
    const days = journalDays(journal).flatMap((day) => {
      const from = journalFile(journal, day);
      const anchors = splitDay(readFileSync(from, "utf8")).entries
        .filter(({ anchor }) => anchor !== undefined && own.has(anchor.turn))
        .flatMap(({ line }) => line ?? []);
      return anchors.length === 0 ? [] : [journalMove({ from, day, anchors }, project.root, paths)];
    });
    return [...days, ...leftArchive(folder)];
  });
}

function leftArchive(folder: MemoryFolder): Move[] {
  const archive = join(folder.path, ".archive");
  if (!existsSync(archive)) return [];
  const taken = new Set<string>();
  return readdirSync(archive, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => ({
      kind: "archive",
      name,
      from: join(archive, name),
      to: freePath(join(folder.archive!, relative(archive, join(archive, name))), taken),
      folder,
    }));
}

function journalMove(
  { from, day, anchors }: { from: string; day: string; anchors: readonly string[] },
  root: string,
  paths: Paths,
): Move {
  const folder = privateFolder(projectOf(root, paths.claude));
  const to = journalFile(join(folder.path, JOURNAL), day);
  return { kind: "journal", name: day, from, to, folder, anchors };
}

async function moveEntries({ from, to, folder }: Move, anchors: readonly string[]): Promise<void> {
  const day = splitDay(readFileSync(from, "utf8"));
  const goes = (line: string | undefined) => line !== undefined && anchors.includes(line);
  for (const { line, text } of day.entries) {
    if (goes(line)) await appendEntry({ path: to, folder, anchor: line!, text });
  }
  const left: Day = { ...day, entries: day.entries.filter(({ line }) => !goes(line)) };
  const text = joinDay(left);
  if (text.trim() === "") rmSync(from);
  else writeFileAtomic(from, text);
}

function moveFile({ from, to }: Move): void {
  mkdirSync(join(to, ".."), { recursive: true, mode: 0o700 });
  writeFileAtomic(to, readFileSync(from));
  rmSync(from);
}

/** `memo migrate --undo` takes it back, and so no version is kept. */
function logLine({ name, kind, to, folder }: Move, now: Date): Omit<Change, "id"> {
  const file = relative(kind === "archive" ? folder.archive! : folder.path, to);
  return { at: now.toISOString(), what: "move", name, type: "", file };
}

function freePath(path: string, taken: Set<string>): string {
  for (let n = 1;; n++) {
    const free = n === 1 ? path : path.replace(/\.md$/, `-${n}.md`);
    if (taken.has(free) || existsSync(free)) continue;
    taken.add(free);
    return free;
  }
}
