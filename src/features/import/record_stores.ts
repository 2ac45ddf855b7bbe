// Stores that are records: a list in JSON, the lines of a graph, or the rows of a database.

import { basename, join } from "node:path";
import { messageOf } from "../../errors.ts";
import { parsed } from "../../core/files/there.ts";
import { fieldsOf } from "../../core/link/parse.ts";
import { DEFAULT_TYPE, isPersonal, KNOWN_TYPES } from "../../core/memory/types.ts";
import { projectAt } from "../../core/memory/project.ts";
import { isInProject } from "./notes.ts";
import {
  contentOf,
  dateOf,
  type ImportPlace,
  type ImportSource,
  readDatabase,
  readingOf,
  readJson,
  readText,
  type RecordContent,
  shortId,
  type Skipped,
  type SourceContent,
  type SourceRecord,
  type TableRow,
  textOf,
  textsOf,
  unreadable,
} from "./record.ts";
import { oneLine } from "../../core/text/neutralise.ts";

type StoreFields = Readonly<Record<string, unknown>>;

/** The keys that have a record's text, the likeliest first. */
const TEXTS = ["memory", "content", "text", "data"];

/** The records of a list; one without an id or a text is named, by its place if need be. */
function listed(
  values: readonly unknown[],
  read: (
    fields: StoreFields,
    body: string,
  ) => Omit<SourceRecord, "id" | "content"> & Partial<RecordContent>,
): SourceContent {
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
    if (!Array.isArray(memories)) throw unreadable(path, "it has no `memories` list");
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
  where: "`~/.mem0/history.db`, or a JSON file you name",
  gives:
    "each memory, from JSON as `get_all` returns it; those that mention a project, or come from a file in one, are for this project",
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
  throw unreadable(path, "it has no list of memories", {
    hint: "Save the result of mem0's `get_all` as JSON",
  });
}

/** How mem0 words a fact about its user. */
const OF_USER = /^(?:the )?(?:user|prefers?|likes?|loves?|dislikes?|name is)\b/i;
/** How it words one about a project, which is not to come up in others. */
const OF_PROJECT =
  /\b(?:project|repo|repository|monorepo|codebase|proyecto|repositorio|projekt|projet|projeto)\b/i;

function ofMem0(memories: readonly unknown[], place: SourceRecord["scope"]): SourceContent {
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
function lastOf(rows: readonly TableRow[]): StoreFields[] {
  const last = new Map<string, StoreFields>();
  for (const row of rows) {
    const id = textOf(row["memory_id"]);
    const created_at = last.get(id)?.["created_at"] ?? row["created_at"];
    const isGone = Number(row["is_deleted"]) === 1 || row["event"] === "DELETE";
    if (isGone) last.delete(id);
    else last.set(id, { id, memory: row["new_memory"], created_at, updated_at: row["updated_at"] });
  }
  return [...last.values()];
}

/** memo's types for the words that people use for kinds of entities. */
const TYPE_OF: Readonly<Record<string, string>> = {
  person: "reference",
  preference: "user",
  technology: "tool",
  library: "tool",
  service: "tool",
  rule: "feedback",
  component: "architecture",
  module: "architecture",
  system: "architecture",
  convention: "pattern",
  bug: "gotcha",
  task: "progress",
};
/** The entity that stands for the person who uses the server, as its documentation names it. */
const USER = /^(?:default[_ -]?user|user|me)$/i;

/** The MCP project's knowledge-graph server: entities and relations, one JSON document a line. */
export const knowledgeGraph: ImportSource = {
  name: "knowledge-graph",
  summary: "`memory.jsonl` of the MCP server `@modelcontextprotocol/server-memory`",
  where: "`$MEMORY_FILE_PATH`, `memory.jsonl` here or in your home folder",
  gives:
    "each entity of the MCP server `@modelcontextprotocol/server-memory`, with its observations and relations; for this project if the file is in it",
  places: ({ env, cwd, home }) => [
    ...env["MEMORY_FILE_PATH"] ? [env["MEMORY_FILE_PATH"]] : [],
    ...["memory.jsonl", "memory.json"].map((name) => join(cwd, name)),
    ...["memory.jsonl", "memory.json"].map((name) => join(home, name)),
  ],
  read: (path, place) => graphOf(readText(path), isInProject(path, place) ? "project" : "user"),
};

/** The records of a graph; what is about the user applies everywhere, the rest where its file lies. */
function graphOf(text: string, scope: SourceRecord["scope"]): SourceContent {
  const skipped: Skipped[] = [];
  const entities = new Map<string, { readonly kind: string; readonly said: readonly string[] }>();
  const relations = new Map<string, string[]>();
  for (const [i, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const skip = (because: string) => skipped.push({ what: `line ${i + 1}`, because });
    let fields: StoreFields;
    try {
      fields = fieldsOf(JSON.parse(line));
    } catch (error) {
      skip(`not JSON: ${messageOf(error)}`);
      continue;
    }
    const [name, from, to] = ["name", "from", "to"].map((key) => oneLine(textOf(fields[key])));
    if (fields["type"] === "entity" && name !== "") {
      const said = [...entities.get(name!)?.said ?? [], ...textsOf(fields["observations"])];
      entities.set(name!, { kind: oneLine(textOf(fields["entityType"])), said });
    } else if (fields["type"] === "relation" && from !== "" && to !== "") {
      const kind = oneLine(textOf(fields["relationType"])).replace(/_/g, " ") || "relates to";
      relations.set(from!, [...relations.get(from!) ?? [], `${kind} ${to}`]);
    } else skip("neither an entity nor a relation");
  }
  const records: SourceRecord[] = [];
  for (const [name, { kind, said }] of entities) {
    const lines = [...said, ...relations.get(name) ?? []];
    relations.delete(name);
    if (lines.length === 0) {
      skipped.push({ what: name, because: "no observations and no relations" });
      continue;
    }
    const word = kind.toLowerCase();
    const own = KNOWN_TYPES.find((name) => name === word);
    const isUser = USER.test(name) || lines.some(isPersonal);
    const content = {
      name,
      description: kind === "" ? "" : `${kind}: ${oneLine(lines[0]!).slice(0, 160)}`,
      type: own ?? (isUser ? "user" : TYPE_OF[word] ?? "reference"),
      tags: word === "" || word === own ? [] : [word],
      body: lines.map((line) => `- ${line.replace(/\s*\n\s*/g, "\n  ")}`).join("\n"),
    };
    records.push({ id: shortId(name), scope: isUser ? "user" : scope, content });
  }
  for (const from of relations.keys()) {
    skipped.push({ what: from, because: "a relation of an entity that does not exist" });
  }
  return { records, skipped };
}

/** thedotmack/claude-mem: observations and session summaries of all projects in one database. */
export const claudeMem: ImportSource = {
  name: "claude-mem",
  summary: "claude-mem's database: what it observed in this project",
  where: "`~/.claude-mem/claude-mem.db`",
  gives: "this project's observations and session summaries, except what it marks as sensitive",
  places: ({ env, home }) => [
    join(env["CLAUDE_MEM_DATA_DIR"] || join(home, ".claude-mem"), "claude-mem.db"),
  ],
  read: (path, place) =>
    readDatabase(path, async (query) => {
      const tables = await query("SELECT name FROM sqlite_master WHERE type = 'table'");
      const rows = async (table: string) =>
        tables.some(({ name }) => name === table)
          ? await query(`SELECT * FROM ${table} ORDER BY id`)
          : [];
      const observations = (await rows("observations")).map((row) => [row, observationOf] as const);
      const summaries = (await rows("session_summaries")).map((row) => [row, summaryOf] as const);
      return readingIn([...observations, ...summaries], place);
    }),
};

/** Concepts that tell more of what an observation is good for than its type; others are types of memo's, or nothing. */
const BY_CONCEPT: Readonly<Record<string, string>> = {
  "trade-off": "decision",
  "why-it-exists": "decision",
};
/** What is left to `progress` is history: it fades, and stays searchable. */
const BY_TYPE: Readonly<Record<string, string>> = {
  discovery: "architecture",
  bugfix: "gotcha",
  security_alert: "gotcha",
  security_note: "gotcha",
  feature: "progress",
  refactor: "progress",
  change: "progress",
};
function readingIn(
  rows: readonly (readonly [TableRow, read: (row: TableRow) => SourceRecord | Skipped])[],
  place: ImportPlace,
): SourceContent {
  const project = basename(projectAt(place)?.root ?? place.cwd);
  const byOwner = Map.groupBy(rows, ([row]) => {
    const owner = textOf(row["merged_into_project"]) || textOf(row["project"]);
    return place.isAll || owner === project ? undefined : owner;
  });
  const own = byOwner.get(undefined) ?? [];
  byOwner.delete(undefined);
  return readingOf([
    ...own.map(([row, read]) => read(row)),
    ...[...byOwner].map(([owner, { length: count }]) => ({
      what: `${count} from project ${owner}`,
      because: "run the import in that project, or pass `--all`",
      count,
    })),
  ]);
}

function observationOf(row: TableRow): SourceRecord | Skipped {
  const what = `observation ${row["id"]}`;
  // Its word for what must not be repeated elsewhere.
  if (row["type"] === "sensitive") return { what, because: "claude-mem marks it as sensitive" };
  const facts = listOf(row["facts"]).map((fact) => `- ${fact}`).join("\n");
  const narrative = textOf(row["narrative"]) || textOf(row["text"]);
  const body = [narrative, facts].filter((part) => part !== "").join("\n\n") ||
    textOf(row["subtitle"]) || textOf(row["title"]);
  if (body === "") return { what, because: "it is empty" };
  const concepts = listOf(row["concepts"]);
  const type = textOf(row["type"]);
  const memory = [type, ...concepts].find((word) => KNOWN_TYPES.includes(word)) ??
    concepts.flatMap((concept) => BY_CONCEPT[concept] ?? [])[0] ?? BY_TYPE[type] ?? DEFAULT_TYPE;
  return {
    id: idOf(row),
    scope: "project",
    content: contentOf(body, {
      name: textOf(row["title"]),
      description: textOf(row["subtitle"]),
      type: memory,
      tags: [type, ...concepts].filter((tag) => tag !== "" && tag !== memory),
      created: createdOf(row),
    }),
  };
}

const PARTS = [
  ["learned", "Learned"],
  ["completed", "Completed"],
  ["investigated", "Investigated"],
  ["next_steps", "Next steps"],
  ["notes", "Notes"],
] as const;

function summaryOf(row: TableRow): SourceRecord | Skipped {
  const said = PARTS.map(([column, title]) => [title, textOf(row[column])] as const)
    .filter(([, text]) => text !== "");
  if (said.length === 0) return { what: `summary ${row["id"]}`, because: "it is empty" };
  const body = said.map(([title, text]) => `**${title}:** ${text}`).join("\n\n");
  const name = textOf(row["request"]) || said[0]![1];
  return {
    id: `summary/${idOf(row)}`,
    scope: "project",
    content: contentOf(body, {
      name: contentOf(name).name!,
      type: "context",
      created: createdOf(row),
    }),
  };
}

/** Numbers of rows begin at 1 on every machine: the session makes them unique. */
function idOf(row: TableRow): string {
  const session = textOf(row["memory_session_id"]) || textOf(row["sdk_session_id"]);
  return `${shortId(session)}/${row["id"]}`;
}

function createdOf(row: TableRow): string | undefined {
  return dateOf(Number(row["created_at_epoch"]) || undefined) ?? dateOf(row["created_at"]);
}

function listOf(value: unknown): string[] {
  return textsOf(parsed(textOf(value)));
}
