// Stores that are a list of records in JSON, each with an id and a text.

import { join } from "node:path";
import { MemoError } from "../../errors.ts";
import { parsed } from "../../core/files/there.ts";
import { fieldsOf } from "../../core/link/parse.ts";
import { DEFAULT_TYPE, isPersonal, KNOWN_TYPES } from "../../core/memory/types.ts";
import { projectAt } from "../../core/memory/project.ts";
import { isInProject } from "./notes.ts";
import { readDatabase, readJson, readText, type Row } from "./read_text.ts";
import {
  type Content,
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

type Fields = Readonly<Record<string, unknown>>;

/** The keys that have a record's text, the likeliest first. */
const TEXTS = ["memory", "content", "text", "data"];

/** The records of a list; one without an id or a text is named, by its place if need be. */
function listed(
  values: readonly unknown[],
  read: (fields: Fields, body: string) => Omit<SourceRecord, "id" | "content"> & Partial<Content>,
): Reading {
  return readingOf(values.map((value, i): SourceRecord | Skipped => {
    const fields = fieldsOf(value);
    const id = textOf(fields["id"]);
    const body = TEXTS.map((key) => textOf(fields[key])).find((text) => text !== "") ?? "";
    if (body === "" || id === "") {
      return { what: id || `memory ${i + 1}`, because: body === "" ? "no text" : "no id" };
    }
    const { scope, isOld = false, ...content } = read(fields, body);
    const [created, updated] = ["created", "updated"].map((key) =>
      dateOf(fields[key] ?? fields[`${key}_at`])
    );
    return { id, scope, isOld, content: contentOf(body, { ...content, created, updated }) };
  }));
}

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
    return listed(memories, (fields) => {
      const tags = textsOf(fields["tags"]);
      return {
        scope: "project",
        isOld: tags.some((tag) => PUT_AWAY.includes(tag)),
        type: textOf(fields["type"]) || DEFAULT_TYPE,
        tags: tags.filter((tag) => !PUT_AWAY.includes(tag)),
      };
    });
  },
};

/** mem0: what `get_all` or an export gives as JSON, or the history database of the open-source library. */
export const mem0: ImportSource = {
  name: "mem0",
  summary: "mem0: an export or `get_all` as JSON, or its `history.db`",
  where: "`~/.mem0/history.db`, or a JSON file that you name",
  gives:
    "each memory; JSON as `get_all` returns it. What says that it is about a project, or lies in one, is for this project",
  places: ({ env, home }) => [join(env["MEM0_DIR"] || join(home, ".mem0"), "history.db")],
  async read(path, place) {
    const memories = /\.(?:db|sqlite3?)$/.test(path)
      ? await readDatabase(path, async (query) => lastOf(await query(HISTORY)))
      : memoriesIn(readText(path), path);
    return ofMem0(memories, isInProject(path, place) ? "project" : "user");
  },
};

const HISTORY = "SELECT * FROM history ORDER BY COALESCE(updated_at, created_at), rowid";

/** The memories of `{"results": […]}`, `{"memories": […]}`, a list, or one JSON document a line. */
function memoriesIn(text: string, path: string): readonly unknown[] {
  const value = parsed(text);
  // A line that is damaged is named by its number.
  if (value === undefined) return text.split("\n").filter((line) => line.trim() !== "").map(parsed);
  const { results, memories, memory } = fieldsOf(value);
  const list = [value, results, memories].find(Array.isArray);
  if (list !== undefined) return list;
  if (textOf(memory) !== "") return [value];
  throw new MemoError("file", `Cannot import \`${path}\`: it has no list of memories`, {
    hint: "Save the result of mem0's `get_all` as JSON",
  });
}

/** How mem0 words a fact about its user. */
const OF_USER = /^(?:the )?(?:user|prefers?|likes?|loves?|dislikes?|name is)\b/i;
/** How it words one about a project, which is not to come up in others. */
const OF_PROJECT =
  /\b(?:project|repo|repository|monorepo|codebase|proyecto|repositorio|projekt|projet|projeto)\b/i;

function ofMem0(memories: readonly unknown[], place: SourceRecord["scope"]): Reading {
  return listed(memories, (fields, body) => {
    const metadata = fieldsOf(fields["metadata"]);
    const said = textOf(metadata["type"]).toLowerCase();
    const known = KNOWN_TYPES.find((name) => name === said);
    const own = [metadata["category"], known ? "" : said].map(textOf).filter((tag) => tag !== "");
    const isUsers = isPersonal(body) || OF_USER.test(body);
    const scope = isUsers ? "user" : OF_PROJECT.test(body) ? "project" : place;
    const tags = [...new Set([...textsOf(fields["categories"]), ...own])];
    return { scope, type: known ?? scope, tags };
  });
}

/** The last text of each memory in mem0's history; deleted ones are left out. */
function lastOf(rows: readonly Row[]): Fields[] {
  const last = new Map<string, Fields>();
  for (const row of rows) {
    const id = textOf(row["memory_id"]);
    const created_at = last.get(id)?.["created_at"] ?? row["created_at"];
    const isGone = Number(row["is_deleted"]) === 1 || row["event"] === "DELETE";
    if (isGone) last.delete(id);
    else last.set(id, { id, memory: row["new_memory"], created_at, updated_at: row["updated_at"] });
  }
  return [...last.values()];
}
