import { basename } from "node:path";
import { KNOWN_TYPES } from "../../core/memory/types.ts";
import { isInProject } from "./in_project.ts";
import { type Note, readNotes } from "./notes.ts";
import type { ImportSource } from "./record.ts";

/** Files of a documentation that say nothing to remember. */
const PASSED = /^(?:MEMORY|LICENSE|CHANGELOG|CODE_OF_CONDUCT)\.md$/i;

/** A folder of Markdown notes, or one file. */
export const markdown: ImportSource = {
  name: "markdown",
  summary: "A folder of Markdown notes, or one file",
  where: "the folder or file that you name",
  gives:
    "each file, with its `#tags` and `[[links]]`; the type comes from its front matter, its folder or its name",
  places: () => [],
  read(path, place) {
    return readNotes(path, {
      scope: isInProject(path, place) ? "project" : "user",
      isNote: (relativePath) => !PASSED.test(basename(relativePath)),
      refine: ({ text, memory, relativePath }: Note) =>
        /^---/.test(text) && memory.type !== "project"
          ? {}
          : { type: typeOfFolder(relativePath) ?? memory.type },
    });
  },
};

/** The type that a note's folder or file name begins with: `decisions/x.md`, `decision_x.md`. */
function typeOfFolder(relativePath: string): string | undefined {
  const words = relativePath.toLowerCase().split(/[/_.-]/).map((word) => word.replace(/s$/, ""));
  return KNOWN_TYPES.find((name) => words.includes(name));
}
