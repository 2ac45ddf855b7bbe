// Which transcripts are a project's. Claude Code has a folder of them for each folder that it was started in.

import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { statsOf } from "../files/stats.ts";
import { namesIn } from "../files/there.ts";
import { type Place, placeIn, projectAt } from "../memory/project.ts";

/** The working directory stands in one of the first lines. */
const HEAD_BYTES = 64 * 1024;
const CWD = /"cwd":("(?:[^"\\]|\\.)*")/;

/** A transcript, as its file is now. */
export interface TranscriptFile {
  readonly path: string;
  readonly mtimeMs: number;
  readonly size: number;
}

/** The transcripts of the project at a place; where there is none, those of conversations outside any project. */
export function transcriptsOfProject(place: Place): TranscriptFile[] {
  const root = projectAt(place)?.root;
  const projects = join(place.claude, "projects");
  return namesIn(projects).flatMap((name) => {
    const files = transcriptsIn(join(projects, name));
    const cwd = files.map(({ path }) => cwdIn(path)).find((cwd) => cwd !== undefined);
    if (cwd === undefined) return [];
    return projectAt(placeIn(place, cwd, cwd))?.root === root ? files : [];
  });
}

/** Newest first. */
function transcriptsIn(folder: string): TranscriptFile[] {
  return namesIn(folder).filter((name) => name.endsWith(".jsonl")).flatMap((name) => {
    const path = join(folder, name);
    const stats = statsOf(path);
    return stats?.isFile() ? [{ path, mtimeMs: stats.mtimeMs, size: stats.size }] : [];
  }).sort((a, b) => b.mtimeMs - a.mtimeMs);
}

function cwdIn(path: string): string | undefined {
  const bytes = Buffer.alloc(HEAD_BYTES);
  try {
    const file = openSync(path, "r");
    const read = readSync(file, bytes, 0, HEAD_BYTES, 0);
    closeSync(file);
    const found = CWD.exec(bytes.subarray(0, read).toString())?.[1];
    return found === undefined ? undefined : JSON.parse(found);
  } catch {
    return undefined; // deleted, or not what it seems
  }
}
