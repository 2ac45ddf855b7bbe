// Takes an export back: each file to its folder, byte for byte. Nothing that is here is overwritten but by a newer
// version of it, and then the archive keeps the older one.

import { existsSync, lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { carryOut } from "../change/carry_out.ts";
import type { FileChange } from "../change/change.ts";
import type { Surroundings } from "../change/follow.ts";
import { writeKept } from "../change/kept_file.ts";
import { messageOf } from "../errors.ts";
import { newChangeId, readChanges } from "../memory/change_log.ts";
import { identityOf, isSameProject } from "../memory/identity.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import { knownProjects, projectAt, projectOf } from "../memory/project.ts";
import { privateFolder, userFolder } from "../memory/scopes.ts";
import { digestOf } from "../memory/trust.ts";
import { changeOf } from "../change/merge_memories.ts";
import { mergeFile } from "../sync/merge.ts";
import { isArchived, isJournal } from "../sync/portable.ts";
import type { Bundle, BundleFile, BundleFolder } from "./bundle.ts";
import type { ImportPlace, Skipped } from "./record.ts";

/** What is done with a file of an export. */
interface FileStep {
  readonly kind: "add" | "update" | "same" | "skip";
  readonly file: BundleFile;
  /** Its path in its folder. */
  readonly rest: string;
  readonly path: string;
  readonly folder: MemoryFolder;
  /** The file that it updates, as it is now. */
  readonly before?: string;
  readonly because?: string;
}

export interface RestorePlan {
  readonly steps: readonly FileStep[];
  /** Where each folder of the export goes. */
  readonly targets: readonly Target[];
}

/** A folder of an export, and the one here that it goes to. */
export interface Target {
  readonly scope: MemoryFolder["scope"];
  /** The root of its project; the former one if the project is not on this machine. */
  readonly project?: string;
  readonly isAbsent: boolean;
  /** Its memories, without journal and archive. */
  readonly memories: number;
}

/** Plans where each file of an export goes. */
export async function planRestore(bundle: Bundle, place: ImportPlace): Promise<RestorePlan> {
  const steps: FileStep[] = [];
  const targets: Target[] = [];
  for (const listed of bundle.folders) {
    const folder = await folderFor(listed, place);
    const own = bundle.files.filter(({ relativePath }) => relativePath.startsWith(`${listed.id}/`))
      .map((file) => stepFor(file, file.relativePath.slice(listed.id.length + 1), folder));
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
  const here = projectAt(place)?.root;
  const roots = [
    ...here === undefined ? [] : [here],
    ...knownProjects(place.claude).map((each) => each.root),
  ];
  let found = existsSync(root) ? root : roots.find((each) => each === root);
  for (const each of found === undefined && identity !== undefined ? new Set(roots) : []) {
    if (isSameProject(await identityOf(each, place.env), identity!)) {
      found = each;
      break;
    }
  }
  const { folder } = projectOf(found ?? root, place.claude);
  return privateFolder({ root: found ?? root, folder });
}

/** Whether a file is no memory: the archive, the log of changes and the journal. */
function isKept(rest: string): boolean {
  return isArchived(rest) || isJournal(rest) || rest.endsWith(".jsonl");
}

function stepFor(file: BundleFile, rest: string, folder: MemoryFolder): FileStep {
  const path = join(folder.path, rest);
  const step = { file, rest, path, folder };
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return { ...step, kind: "add" };
  if (!stats.isFile()) return { ...step, kind: "skip", because: "its path is not a file" };
  const present = readFileSync(path);
  if (present.equals(file.bytes)) return { ...step, kind: "same" };
  const ours = present.toString("utf8");
  const theirs = Buffer.from(file.bytes).toString("utf8");
  if (isJournal(rest) || rest.endsWith(".jsonl")) {
    const { text = ours } = mergeFile(rest, { base: undefined, ours, theirs });
    if (text === ours) return { ...step, kind: "same" };
    return { ...step, file: { ...file, bytes: Buffer.from(text) }, kind: "update" };
  }
  if (isArchived(rest)) {
    return { ...step, kind: "skip", because: "the archive has another of its name" };
  }
  const isNewer = (changeOf(theirs) || file.modified) > (changeOf(ours) || stats.mtimeMs);
  return isNewer
    ? { ...step, kind: "update", before: digestOf(present) }
    : { ...step, kind: "skip", because: "the memory here is newer" };
}

/** Writes the files; one that cannot be written is named, and the rest goes on. */
export async function applyRestore(
  { steps }: RestorePlan,
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
  const logged = lastContents(wanted);
  for (const step of wanted.filter(({ rest }) => !isKept(rest))) {
    const isLogged = logged.has(contentKey(step));
    planned.set({ ...changeFor(step, group), isLogged }, step);
  }
  await carryOut([...planned.keys()], {
    ...surroundings,
    onFailure: (change, because) =>
      failed.push({ what: planned.get(change)!.file.relativePath, because }),
  });
  return failed;
}

/** The files that are, by the log that came with them, as they are now: nothing is left to log. */
function lastContents(steps: readonly FileStep[]): Set<string> {
  const folders = new Map(steps.map(({ folder }) => [folder.path, folder]));
  const last = new Map<string, string | undefined>();
  for (const { folder, file, after } of readChanges([...folders.values()])) {
    last.set(join(folder.path, file), after);
  }
  return new Set([...last].map(([path, after]) => `${path} ${after}`));
}

function contentKey({ path, file }: FileStep): string {
  return `${path} ${digestOf(file.bytes)}`;
}

function changeFor({ before, rest, path, file, folder }: FileStep, group: string): FileChange {
  const change = { what: "import", group, folder, text: file.bytes } as const;
  return before === undefined
    ? { kind: "add", file: rest, modified: new Date(file.modified), ...change }
    : { kind: "replace", path, before, ...change };
}
