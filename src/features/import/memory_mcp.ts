import { join } from "node:path";
import { MemoError } from "../../errors.ts";
import { fieldsOf } from "../../core/link/parse.ts";
import { DEFAULT_TYPE } from "../../core/memory/types.ts";
import { projectAt } from "../../core/memory/project.ts";
import { readJson } from "./read_text.ts";
import {
  contentOf,
  dateOf,
  type ImportSource,
  readingOf,
  type Skipped,
  type SourceRecord,
  textOf,
  textsOf,
} from "./record.ts";

/** What memory-mcp tags a memory with that it no longer shows. */
const PUT_AWAY: readonly string[] = ["superseded", "archived"];

/** yuvalsuede/memory-mcp: `.memory/state.json` in the project. */
export const memoryMcp: ImportSource = {
  name: "memory-mcp",
  summary: "memory-mcp's `.memory/state.json`",
  where: "`.memory/state.json`",
  gives: "each memory; superseded and archived ones go to the archive",
  places: (place) => [join(projectAt(place)?.root ?? place.cwd, ".memory", "state.json")],
  read(path) {
    const { memories } = fieldsOf(readJson(path));
    if (!Array.isArray(memories)) {
      throw new MemoError("file", `Cannot import \`${path}\`: it has no list \`memories\``);
    }
    return readingOf(memories.map(recordOf));
  },
};

function recordOf(memory: unknown, i: number): SourceRecord | Skipped {
  const fields = fieldsOf(memory);
  const id = textOf(fields["id"]);
  const body = textOf(fields["content"]);
  if (id === "" || body === "") {
    return { what: id || `memory ${i + 1}`, because: id === "" ? "no id" : "no content" };
  }
  const tags = textsOf(fields["tags"]);
  return {
    id,
    scope: "project",
    isOld: tags.some((tag) => PUT_AWAY.includes(tag)),
    content: contentOf(body, {
      type: textOf(fields["type"]) || DEFAULT_TYPE,
      tags: tags.filter((tag) => !PUT_AWAY.includes(tag)),
      created: dateOf(fields["created"]),
      updated: dateOf(fields["updated"]),
    }),
  };
}
