import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { MemoryFolder } from "../memory/memory.ts";
import { JOURNAL } from "../memory/store.ts";

const DAYS = 2;
const LINES = 30;

/** The last 30 lines of the 2 newest days of the journal that counts here: the project's, else the user's. */
export function journalTail(folders: readonly MemoryFolder[]): string[] {
  const scope = folders.some((folder) => folder.scope === "project") ? "project" : "user";
  const folder = folders.find((folder) => folder.scope === scope);
  if (folder === undefined) return [];
  const journal = join(folder.path, JOURNAL);
  return newestDays(journal).flatMap((name) => {
    try {
      const lines = readFileSync(join(journal, name), "utf8").trimEnd().split("\n").slice(-LINES);
      return [name.replace(/\.md$/, ""), ...lines];
    } catch {
      return []; // gone this moment
    }
  });
}

/** The names of the newest days, in the order they were lived. */
function newestDays(journal: string): string[] {
  try {
    return readdirSync(journal).filter((name) => /^\d{4}-\d\d-\d\d\.md$/.test(name)).sort().slice(
      -DAYS,
    );
  } catch {
    return []; // there is no journal
  }
}
