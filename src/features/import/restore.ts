// Takes an export back: each file of the person's own to its folder, byte for byte; of anybody else's the memories,
// marked as such. Nothing that is here is overwritten but by a newer version of it, unless the person wants that, and then
// the archive keeps the other one.

import { isUtf8 } from "node:buffer";
import { existsSync, lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { carryOut } from "../../core/change/carry_out.ts";
import type { FileChange } from "../../core/change/change.ts";
import type { Surroundings } from "../../core/change/follow.ts";
import { writeKept } from "../../core/change/incoming.ts";
import { messageOf } from "../../errors.ts";
import { basisOf } from "../../core/memory/provenance.ts";
import { newChangeId, readChanges } from "../../core/ledger/change_log.ts";
import { memoryIn, serializeMemory } from "../../core/memory/file.ts";
import {
  identityOf,
  isSameProject,
  knownProjects,
  projectAt,
  projectOf,
} from "../../core/memory/project.ts";
import type { MemoryFolder, Scope } from "../../core/memory/memory.ts";
import { privateFolder, userFolder } from "../../core/memory/scopes.ts";
import { digestOf } from "../../core/memory/trust.ts";
import { changeOf } from "../../core/change/merge.ts";
import { isArchived, isJournal, mergeFile } from "../sync/portable.ts";
import type { Bundle, BundleFile, BundleFolder } from "./bundle.ts";
import { fromElsewhere } from "./plan.ts";
import type { ImportPlace, Skipped } from "./record.ts";

interface FileStep {
  readonly kind: "add" | "update" | "same" | "skip";
  readonly file: BundleFile;
  /** Its path in its folder. */
  readonly rest: string;
  readonly path: string;
  readonly folder: MemoryFolder;
  /** Whether it is marked as not the person's word. */
  readonly isMarked: boolean;
  /** The file that it updates, as it is now. */
  readonly before?: string;
  readonly because?: string;
}

export interface RestoreOptions {
  /** The paths of the files in the export that are the person's own. */
  readonly own: ReadonlySet<string>;
  /** Overwrites what is newer here, too. */
  readonly overwrite?: boolean | undefined;
}

/** Plans where each file of an export goes. */
export async function planRestore(
  bundle: Bundle,
  place: ImportPlace,
  options: RestoreOptions,
) {
  const steps: FileStep[] = [];
  /** Where each folder goes: the root of its project, or the former one, and how many memories. */
  const targets: { scope: Scope; project?: string; isAbsent: boolean; memories: number }[] = [];
  for (const listed of bundle.folders) {
    const folder = await folderFor(listed, place);
    const own = bundle.files.filter(({ relativePath }) => relativePath.startsWith(`${listed.id}/`))
      .map((file) => stepFor(file, file.relativePath.slice(listed.id.length + 1), folder, options));
    steps.push(...own);
    const { scope, project } = folder;
    targets.push({
      scope,
      ...project !== undefined && { project },
      isAbsent: project !== undefined && !existsSync(project),
      memories: own.filter(({ rest }) => !isKept(rest)).length,
    });
  }
  return { steps, targets };
}

/** The folder on this machine: that of the same root, else of a clone, else of the former root for `memo doctor --moved`. */
async function folderFor(
  { id, root, identity }: BundleFolder,
  place: ImportPlace,
): Promise<MemoryFolder> {
  if (id === "user" || root === undefined) return userFolder(place);
  const here = projectAt(place);
  const roots = [...here === undefined ? [] : [here], ...knownProjects(place.claude)]
    .map((each) => each.root);
  const isHere = existsSync(root) || roots.includes(root) || identity === undefined;
  for (const each of isHere ? [] : new Set(roots)) {
    if (!isSameProject(await identityOf(each, place.env), identity!)) continue;
    return privateFolder(projectOf(each, place.claude));
  }
  return privateFolder(projectOf(root, place.claude));
}

/** Whether a file is no memory: the archive, the log of changes and the journal. */
function isKept(rest: string): boolean {
  return isArchived(rest) || isJournal(rest) || rest.endsWith(".jsonl");
}

function stepFor(
  given: BundleFile,
  rest: string,
  folder: MemoryFolder,
  { own, overwrite }: RestoreOptions,
): FileStep {
  const path = join(folder.path, rest);
  const isMarked = !own.has(given.relativePath);
  const file = isMarked && !isKept(rest) ? marked(given) : given;
  const step = { file, rest, path, folder, isMarked };
  const skip = (because: string) => ({ ...step, kind: "skip", because }) as const;
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isFile()) return skip("its path is not a file");
  const present = stats && readFileSync(path);
  if (present?.equals(given.bytes)) return { ...step, kind: "same", isMarked: false };
  if (present?.equals(file.bytes)) return { ...step, kind: "same" };
  if (isMarked && isKept(rest)) return skip("the export is not known to be yours");
  if (isMarked && !isUtf8(given.bytes)) return skip("it is not UTF-8 text");
  if (present === undefined) return { ...step, kind: "add" };
  const ours = present.toString("utf8");
  const theirs = Buffer.from(file.bytes).toString("utf8");
  if (isJournal(rest) || rest.endsWith(".jsonl")) {
    const { text } = mergeFile(rest, { base: undefined, ours, theirs });
    if (text === ours) return { ...step, kind: "same" };
    return { ...step, file: { ...file, bytes: Buffer.from(text) }, kind: "update" };
  }
  if (isArchived(rest)) return skip("the archive has another file with this name");
  const update = { ...step, kind: "update", before: digestOf(present) } as const;
  // As it was imported before the person said that it is theirs.
  if (overwrite || (!isMarked && present.equals(marked(given).bytes))) return update;
  if (isMarked && basisOf(memoryIn(present, path)) !== "elsewhere") {
    return skip("you have a memory with this name; `--overwrite` takes the export's");
  }
  const isNewer = (changeOf(theirs) || file.modified) > (changeOf(ours) || stats!.mtimeMs);
  return isNewer ? update : skip("the memory here is newer; `--overwrite` takes the export's");
}

/** Somebody else's memory, which neither says whose word it is nor opens sessions or replaces others. */
function marked(file: BundleFile): BundleFile {
  const text = Buffer.from(file.bytes).toString("utf8");
  const memory = fromElsewhere({ ...memoryIn(text, file.relativePath), pinned: false });
  return { ...file, bytes: Buffer.from(serializeMemory({ ...memory, supersedes: [] }, text)) };
}

/** Writes the files; one that cannot be written is named, and the rest goes on. */
export async function applyRestore(
  { steps }: Awaited<ReturnType<typeof planRestore>>,
  surroundings: Surroundings,
): Promise<readonly Skipped[]> {
  const failed: Skipped[] = [];
  const group = newChangeId();
  const planned = new Map<FileChange, FileStep>();
  const wanted = steps.filter(({ kind }) => kind === "add" || kind === "update");
  // Logs and archives first: the changes of memories are logged after what the export brings.
  for (const step of wanted.filter(({ rest }) => isKept(rest))) {
    try {
      writeKept(step.path, step.file.bytes, step.folder, step.file.modified);
    } catch (error) {
      failed.push({ what: step.file.relativePath, because: messageOf(error) });
    }
  }
  // What is, by the log that came with it, as it is now: nothing is left to log.
  const folders = new Map(wanted.map(({ folder }) => [folder.path, folder]));
  const last = new Map(
    readChanges([...folders.values()])
      .map(({ folder, file, after }) => [join(folder.path, file), after]),
  );
  for (const step of wanted.filter(({ rest }) => !isKept(rest))) {
    const isLogged = last.get(step.path) === digestOf(step.file.bytes);
    planned.set({ ...changeFor(step, group), isLogged }, step);
  }
  await carryOut([...planned.keys()], {
    ...surroundings,
    onFailure: (change, because) =>
      failed.push({ what: planned.get(change)!.file.relativePath, because }),
  });
  return failed;
}

function changeFor({ before, rest, path, file, folder }: FileStep, group: string): FileChange {
  const change = { what: "import", group, folder, text: file.bytes } as const;
  return before === undefined
    ? { kind: "add", file: rest, modified: new Date(file.modified), ...change }
    : { kind: "replace", path, before, ...change };
}
