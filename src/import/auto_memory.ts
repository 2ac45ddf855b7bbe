import { basename } from "node:path";
import { autoFolder } from "../memory/scopes.ts";
import { INDEX_FILE } from "../memory/folder.ts";
import { readNotes } from "./notes.ts";
import type { ImportSource } from "./record.ts";

/** Claude Code's own auto memory of this project. memo reads it where it lies; a copy is memo's to change. */
export const autoMemory: ImportSource = {
  name: "auto-memory",
  summary: "Claude Code's own auto memory of this project",
  where: "Claude Code's own memory of this project",
  gives: "a copy of each file, which memo may change; memo reads the originals in any case",
  places: (place) => [autoFolder(place)],
  read: (path) =>
    readNotes(path, {
      scope: "project",
      isNote: (relativePath) => basename(relativePath) !== INDEX_FILE,
    }),
};
