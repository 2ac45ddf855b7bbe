import { revertChange, type Reverted } from "../../core/change/revert.ts";
import { basename, join } from "node:path";
import {
  type ChangeKind,
  CHANGES,
  isOf,
  type Logged,
  previousVersion,
  readChanges,
  versionAt,
  type When,
} from "../../core/ledger/change_log.ts";
import type { MemoryFolder } from "../../core/memory/memory.ts";
import type { Paths } from "../../paths.ts";
import { folded } from "../../core/text/nearest.ts";
import { changeAs, type Changed, type Doing, memoriesIn, stayed } from "./changed.ts";
import {
  type FileChange,
  refuseForeign,
  restoring,
  restoringBeside,
} from "../../core/change/change.ts";
import { MemoError } from "../../errors.ts";
import { archiveOf, bytesOf, originalPath, relativePathOf } from "../../core/ledger/archive.ts";
import { memoryIn } from "../../core/memory/file.ts";
import type { FoundMemory } from "../../core/ledger/find.ts";
import { realPath } from "../../core/memory/project.ts";
import { statsOf } from "../../core/files/there.ts";
import type { HookOutput } from "../../../hooks/wire.ts";
import {
  answerSpoken,
  type EventContext,
  type HookEvent,
  SILENT,
  spokenIn,
} from "../../core/events/event.ts";
import { everyFolder } from "../../core/memory/scopes.ts";
import { neutraliseLine } from "../../core/text/neutralise.ts";
import { notePause } from "../../core/transcript/pause.ts";

/** Changes that nobody is told of; the last change that a person means is another one, and these are named next to it. */
const QUIET: readonly ChangeKind[] = ["confirm", "enrich", "undo", "sync", "conflict"];

/** Reverts the change, the group or the run with an id, and says what in a sentence; undefined: nothing. */
export async function undo(
  id: string,
  folders: readonly MemoryFolder[],
  { paths, ...doing }: Doing & { readonly paths: Paths },
): Promise<Reverted & { readonly said: string | undefined }> {
  const { triggers: suggestions } = paths;
  const undone = await revertChange(id, folders, { ...doing, suggestions });
  const { reverted, left } = undone;
  const [first] = reverted;
  const added = reverted.filter(({ before }) => before === undefined).length;
  const said = first &&
    `Undid: ${CHANGES[first.what]} ${memoriesIn(reverted, added)}${stayed(left.length)}`;
  return { ...undone, said };
}

/**
 * What a person means by undo: of changes, newest first, the id of the last, of its group, or, unless one memory is
 * named, of the run that it is a part of; and the newer ones that stay.
 */
export function lastChange(
  changes: readonly Logged[],
  { isNamed }: { readonly isNamed: boolean },
): { readonly id: string; readonly passed: readonly Logged[] } | undefined {
  const standing = changes.filter(({ undone }) => !undone);
  const at = standing.findIndex(({ what }) => !QUIET.includes(what));
  const last = standing[at];
  if (last === undefined) return undefined;
  // A dream is one change; the last change of one memory is a part of it.
  const whole = isNamed ? last.group : last.group?.split("/")[0];
  return { id: whole ?? last.id, passed: standing.slice(0, at) };
}

/** The changes of the memory that a name or a file means literally, under its other names too. */
export function changesNamed(name: string, all: readonly Logged[]): Logged[] {
  const wanted = folded(name), at = ({ folder, file }: Logged) => `${folder.path}/${file}`;
  const files = new Set(
    all.filter(({ name, file }) => [folded(name), file, basename(file, ".md")].includes(wanted))
      .map(at),
  );
  return all.filter((change) => files.has(at(change)));
}

/** Some changes with what they replaced, and what replaced it: parts of the same change. */
export function withGroups(own: readonly Logged[], all: readonly Logged[]): Logged[] {
  const groups = new Set(own.flatMap(({ group }) => group ?? []));
  return all.filter((change) => own.includes(change) || groups.has(change.group ?? ""));
}

/** Whether a word is the id of a change, of a group or of a run that stands. */
export function isChangeId(word: string, all: readonly Logged[]): boolean {
  return word !== "" && all.some((change) => isOf(change, word) && !change.undone);
}

/** What was restored, and whether that is what was there. */
export type Restored = Changed & { readonly path: string; readonly archived?: string };

/** Makes a memory, in use or archived, what it was at a time, or right after a change. */
export async function restoreVersion(
  { memory, folder, archived }: FoundMemory,
  when: When,
  doing: Doing,
): Promise<Restored> {
  refuseForeign({ memory, folder }, "restore");
  const path = archived ? originalPath(memory.path, folder) : memory.path;
  const place = { folder, file: relativePathOf(realPath(path), realPath(folder.path)) };
  const found = versionAt(place, when);
  if (found.kind === "version") return await written(restoring(place, found.bytes), doing);
  throw new MemoError(
    "not-found",
    `Cannot restore \`${memory.name}\` as of that time: ${found.because}`,
    {
      hint: `Run \`memo log ${place.file}\` to see its versions`,
    },
  );
}

/**
 * Brings an archived memory back. Where memo has rewritten the memory since, its version before takes its place, unless
 * the very file is named; where another memory has its file name by now, it stands beside it.
 */
export async function restoreArchived(
  { memory, folder }: FoundMemory,
  { isNamed }: { readonly isNamed: boolean },
  doing: Doing,
): Promise<Restored> {
  const path = originalPath(memory.path, folder);
  const file = { folder, file: relativePathOf(path, folder.path) };
  const previous = isNamed || statsOf(path) === undefined ? undefined : previousVersion(file);
  if (previous !== undefined) return await written(restoring(file, previous), doing);
  const bytes = bytesOf(memory.path, join(memory.path, ".."));
  if (bytes === undefined) {
    throw new MemoError("not-found", `Cannot read \`${memory.path}\` in the archive`, {
      hint: "Run `memo list --archived` to see what is there",
    });
  }
  const there = bytesOf(path, folder.path);
  const isSame = there !== undefined && memoryIn(there, "").name === memory.name;
  const change = isNamed && isSame ? restoring(file, bytes) : restoringBeside(file, bytes);
  // The age of a memory without a date is that of its file.
  const modified = new Date(memory.mtimeMs);
  const restored = await written(change.kind === "add" ? { ...change, modified } : change, doing);
  return { ...restored, archived: memory.path };
}

async function written(change: FileChange, doing: Doing): Promise<Restored> {
  const target = change.kind === "add" ? join(change.folder.path, change.file) : change.path;
  const was = bytesOf(target, change.folder.path);
  const restored = await changeAs("Restored", (group) => [{ ...change, group }], doing);
  const { path, memory: { name } } = restored.done[0]!;
  const now = bytesOf(path, change.folder.path);
  const isSame = was !== undefined && now !== undefined && Buffer.compare(was, now) === 0;
  return { ...restored, path, ...isSame && { said: `“${name}” is unchanged` } };
}

/** The archived files that memo has left where it moved a memory to another folder: nothing was lost with them. */
export function movedIn(folders: readonly MemoryFolder[]): Set<string> {
  const changes = readChanges(folders);
  const hasCome = ({ folder, group, name }: Logged) =>
    changes.some((other) =>
      other.group === group && other.folder !== folder && other.name === name &&
      other.after !== undefined
    );
  return new Set(
    changes.filter((change) => MOVES.includes(change.what) && change.group && hasCome(change))
      .flatMap(({ before, after, folder }) =>
        before === undefined || after !== undefined ? [] : join(archiveOf(folder), before.archived)
      ),
  );
}

/** `undo`: of a move. */
const MOVES: readonly ChangeKind[] = ["share", "move", "undo"];

/**
 * `memo undo` as a prompt, which the line below an answer names: takes back the last change, or that of a named memory.
 * What names nothing is a prompt like any other. The turn is not captured.
 */
export async function undoAtPrompt(
  event: HookEvent<"UserPromptSubmit">,
  context: EventContext,
): Promise<HookOutput> {
  const { command, rest = "" } = spokenIn(event) ?? {};
  if (command !== "undo") return SILENT;
  const { paths, place, folders, now, log, follow } = context;
  const name = rest.replace(/^[“"]|[”"]$/g, "");
  const all = readChanges(folders).reverse();
  const meant = isChangeId(name, all)
    ? { id: name }
    : lastChange(name === "" ? all : withGroups(changesNamed(name, all), all), {
      isNamed: name !== "",
    });
  if (meant === undefined && name !== "") return SILENT;
  const { session, promptId: prompt } = event;
  if (session !== undefined) notePause(paths, { session, prompt });
  if (meant === undefined) return answerSpoken("has nothing to undo here");
  const warn = (failed: string) => log("change", { failed });
  const { said, left } = await undo(meant.id, everyFolder(place), {
    ...{ paths, now: now(), warn },
    sync: async (changed) => {
      await follow(changed, warn);
      return [];
    },
  });
  const done = said ?? `cannot undo that: ${left[0]?.because ?? "it no longer exists"}`;
  return answerSpoken(neutraliseLine(done.charAt(0).toLowerCase() + done.slice(1)));
}
