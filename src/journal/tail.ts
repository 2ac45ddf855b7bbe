import { readFileSync } from "node:fs";
import { journalDays, journalFile, journalOf, readAnchor } from "./journal.ts";
import { READ_BULLET } from "../memory/provenance.ts";
import type { MemoryFolder } from "../memory/memory.ts";

const DAYS = 2;
const LINES = 30;

/**
 * The last 30 lines of the 2 newest days of the journal that counts here: the project's, else the user's.
 */
export function journalTail(folders: readonly MemoryFolder[]): string[] {
  const folder = journalOf(folders)?.path;
  if (folder === undefined) return [];
  return journalDays(folder).slice(-DAYS).flatMap((day) => {
    try {
      const lines = readFileSync(journalFile(folder, day), "utf8").trimEnd().split("\n");
      return [day, ...lines.filter(mayStand).slice(-LINES)];
    } catch {
      return []; // gone this moment
    }
  });
}

/** Anchors are for programs, and what was only read is not the session's to begin with. */
function mayStand(line: string): boolean {
  return readAnchor(line) === undefined && !line.startsWith(`- ${READ_BULLET}`);
}
