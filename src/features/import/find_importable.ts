import { existsSync } from "node:fs";
import { listTranscripts } from "../../core/transcript/find.ts";
import { projectAt } from "../../core/memory/project.ts";
import { isFolder } from "../../core/memory/project.ts";
import { hasClaudeMd } from "./claude_md.ts";
import { filesBelow } from "./notes.ts";
import type { ImportPlace, ImportSource } from "./record.ts";
import { SOURCES } from "./sources.ts";

/** A store of memories that lies here and can be imported with `memo import SOURCE PATH`. */
export interface Importable {
  readonly source: string;
  readonly summary: string;
  readonly path: string;
  /** How many records it has; undefined if it cannot be read. */
  readonly records: number | undefined;
}

/**
 * What `memo import` can take over in a place: the stores of other tools where those keep them, CLAUDE.md, and
 * conversations. It reads them to count their records and writes nothing; it never rejects.
 */
export async function findImportable(place: ImportPlace): Promise<Importable[]> {
  const found: Importable[] = [];
  for (const source of SOURCES) {
    for (const path of new Set(source.places(place))) {
      if (!isStore(source, path)) continue;
      const records = await countOf(source, path, place);
      if (records === 0) continue;
      found.push({ source: source.name, summary: source.summary, path, records });
    }
  }
  const transcripts = await listTranscripts(place, projectAt(place)?.root ?? place.cwd);
  if (transcripts.length > 0) {
    found.push({
      source: "conversations",
      summary: "Claude Code's conversations in this project",
      path: transcripts[0]!.folder,
      records: transcripts.length,
    });
  }
  return found;
}

/** Whether a path holds anything of a source; an empty folder does not. */
function isStore(source: ImportSource, path: string): boolean {
  if (!existsSync(path)) return false;
  if (source.name === "claude-md") return hasClaudeMd(path);
  return !isFolder(path) || filesBelow(path).length > 0;
}

async function countOf(
  source: ImportSource,
  path: string,
  place: ImportPlace,
): Promise<number | undefined> {
  try {
    return (await source.read(path, place)).records.length;
  } catch {
    return undefined; // named by the import itself
  }
}
