// Takes an export back: each file to its folder, byte for byte. Nothing that is here is overwritten but by a newer
// version of it, and then the archive keeps the older one.

import { existsSync, lstatSync, mkdirSync, readFileSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { messageOf } from "../errors.ts";
import { writeFileAtomic } from "../files/atomic.ts";
import { refuseLink } from "../memory/folder.ts";
import { identityOf, isSameProject } from "../memory/identity.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import { knownProjects, projectAt, projectOf } from "../memory/project.ts";
import { privateFolder, userFolder } from "../memory/scopes.ts";
import { makeFolder, refuseOutside, rewrite } from "../memory/store.ts";
import { changeOf, mergeFile } from "../sync/merge.ts";
import { isArchived, isJournal } from "../sync/portable.ts";
import type { Bundle, BundleFile, BundleFolder } from "./bundle.ts";
import type { ImportPlace, Skipped } from "./record.ts";

/** What is done with a file of an export. */
interface FileStep {
  readonly kind: "add" | "update" | "same" | "skip";
  readonly file: BundleFile;
  readonly path: string;
  readonly folder: MemoryFolder;
  readonly because?: string;
}

export interface RestorePlan {
  readonly steps: readonly FileStep[];
  /** Projects of the export that are not on this machine, by their former root. */
  readonly absent: readonly string[];
}

/** Plans where each file of an export goes. */
export async function planRestore(bundle: Bundle, place: ImportPlace): Promise<RestorePlan> {
  const steps: FileStep[] = [];
  const absent: string[] = [];
  for (const listed of bundle.folders) {
    const folder = await folderFor(listed, place);
    if (folder.project !== undefined && !existsSync(folder.project)) absent.push(folder.project);
    for (const file of bundle.files) {
      if (!file.way.startsWith(`${listed.id}/`)) continue;
      const rest = file.way.slice(listed.id.length + 1);
      steps.push(stepFor(file, rest, folder));
    }
  }
  return { steps, absent };
}

/** The folder on this machine: that of the same root, else of a clone, else of the former root for `memo project mv`. */
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

function stepFor(file: BundleFile, rest: string, folder: MemoryFolder): FileStep {
  const path = join(folder.path, rest);
  const step = { file, path, folder };
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return { ...step, kind: "add" };
  if (!stats.isFile()) return { ...step, kind: "skip", because: "there is no file at its path" };
  const present = readFileSync(path);
  if (present.equals(file.bytes)) return { ...step, kind: "same" };
  const [ours, theirs] = [present.toString("utf8"), Buffer.from(file.bytes).toString("utf8")];
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
    ? { ...step, kind: "update" }
    : { ...step, kind: "skip", because: "the memory here is newer" };
}

/** Writes the files; one that cannot be written is named, and the rest goes on. */
export function applyRestore(
  { steps }: RestorePlan,
  { now, group }: { readonly now: Date; readonly group: string },
): readonly Skipped[] {
  const failed: Skipped[] = [];
  for (const { kind, file, path, folder } of steps) {
    if (kind === "same" || kind === "skip") continue;
    try {
      makeFolder(folder);
      const isMemory = !/^\.archive\/|^journal\//.test(path.slice(folder.path.length + 1));
      if (kind === "update" && isMemory) {
        rewrite(path, file.bytes, folder, { what: "import", now, group });
      } else {
        for (let at = dirname(path); at.length >= folder.path.length; at = dirname(at)) {
          refuseLink(at);
        }
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        refuseOutside(path, folder.path);
        writeFileAtomic(path, file.bytes);
      }
      utimesSync(path, file.modified / 1000, file.modified / 1000);
    } catch (error) {
      failed.push({ what: file.way, because: messageOf(error) });
    }
  }
  return failed;
}
