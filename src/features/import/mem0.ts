import { join } from "node:path";
import { MemoError } from "../../errors.ts";
import { parsed } from "../../core/files/there.ts";
import { fieldsOf } from "../../core/link/parse.ts";
import { isPersonal } from "../../core/memory/personal.ts";
import { KNOWN_TYPES } from "../../core/memory/types.ts";
import { isInProject } from "./in_project.ts";
import {
  contentOf,
  dateOf,
  type ImportSource,
  type Reading,
  readingOf,
  type Skipped,
  type SourceRecord,
  textOf,
  textsOf,
} from "./record.ts";
import { readDatabase, type Row } from "./sqlite.ts";
import { readText } from "./read_text.ts";

/** mem0: what `get_all` or an export gives as JSON, or the history database of the open-source library. */
export const mem0: ImportSource = {
  name: "mem0",
  summary: "mem0: an export or `get_all` as JSON, or its `history.db`",
  where: "`~/.mem0/history.db`, or a JSON file that you name",
  gives:
    "each memory; JSON as `get_all` returns it. What says that it is about a project, or lies in one, is for this project",
  places: ({ env, home }) => [join(env["MEM0_DIR"] || join(home, ".mem0"), "history.db")],
  async read(path, place) {
    const scope = isInProject(path, place) ? "project" : "user";
    if (/\.(?:db|sqlite3?)$/.test(path)) {
      return await readDatabase(path, async (query) =>
        readHistory(
          await query("SELECT * FROM history ORDER BY COALESCE(updated_at, created_at), rowid"),
          scope,
        ));
    }
    return readRecords(memoriesIn(readText(path), path), scope);
  },
};

/** The memories of `{"results": […]}`, `{"memories": […]}`, a list, or one JSON document a line. */
function memoriesIn(text: string, path: string): readonly unknown[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text.split("\n").filter((line) => line.trim() !== "").map(parsed); // one that is damaged is named by its number below
  }
  const { results, memories } = fieldsOf(value);
  const list = [value, results, memories].find(Array.isArray);
  if (list !== undefined) return list;
  if (textOf(fieldsOf(value)["memory"]) !== "") return [value];
  throw new MemoError("file", `Cannot import \`${path}\`: it has no list of memories`, {
    hint: "Save the result of mem0's `get_all` as JSON",
  });
}

/** How mem0 words a fact about its user. */
const OF_USER = /^(?:the )?(?:user|prefers?|likes?|loves?|dislikes?|name is)\b/i;
/** How it words one about a project, which is not to come up in others. */
const OF_PROJECT =
  /\b(?:project|repo|repository|monorepo|codebase|proyecto|repositorio|projekt|projet|projeto)\b/i;

function readRecords(memories: readonly unknown[], place: SourceRecord["scope"]): Reading {
  return readingOf(memories.map((memory, i): SourceRecord | Skipped => {
    const fields = fieldsOf(memory);
    const body = textOf(fields["memory"]) || textOf(fields["text"]) || textOf(fields["data"]);
    const id = textOf(fields["id"]);
    if (body === "" || id === "") {
      return { what: id || `memory ${i + 1}`, because: body === "" ? "no text" : "no id" };
    }
    const metadata = fieldsOf(fields["metadata"]);
    const said = textOf(metadata["type"]).toLowerCase();
    const known = KNOWN_TYPES.find((name) => name === said);
    const tags = [
      ...textsOf(fields["categories"]),
      ...[metadata["category"], known ? "" : said].map(textOf),
    ];
    const isUsers = isPersonal(body) || OF_USER.test(body);
    const scope = isUsers ? "user" : OF_PROJECT.test(body) ? "project" : place;
    return {
      id,
      scope,
      content: contentOf(body, {
        type: known ?? scope,
        tags: [...new Set(tags)].filter((tag) => tag !== ""),
        created: dateOf(fields["created_at"]),
        updated: dateOf(fields["updated_at"]),
      }),
    };
  }));
}

/** The last text of each memory in the history; deleted ones are left out. */
function readHistory(rows: readonly Row[], place: SourceRecord["scope"]): Reading {
  const last = new Map<string, Record<string, unknown>>();
  for (const row of rows) {
    const id = textOf(row["memory_id"]);
    const created_at = last.get(id)?.["created_at"] ?? row["created_at"];
    const isGone = Number(row["is_deleted"]) === 1 || row["event"] === "DELETE";
    if (isGone) last.delete(id);
    else {
      const { new_memory, updated_at } = row;
      last.set(id, { id, memory: new_memory, created_at, updated_at });
    }
  }
  return readRecords([...last.values()], place);
}
