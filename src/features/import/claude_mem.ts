import { basename, join } from "node:path";
import { parsed } from "../../core/files/there.ts";
import { projectAt } from "../../core/memory/project.ts";
import { DEFAULT_TYPE, KNOWN_TYPES } from "../../core/memory/types.ts";
import {
  contentOf,
  dateOf,
  type ImportPlace,
  type ImportSource,
  readDatabase,
  type Reading,
  readingOf,
  type Row,
  shortId,
  type Skipped,
  type SourceRecord,
  textOf,
  textsOf,
} from "./record.ts";

/** thedotmack/claude-mem: observations and session summaries of all projects in one database. */
export const claudeMem: ImportSource = {
  name: "claude-mem",
  summary: "claude-mem's database: what it observed in this project",
  where: "`~/.claude-mem/claude-mem.db`",
  gives:
    "this project's observations and session summaries; what it marks as sensitive is left out",
  places: ({ env, home }) => [
    join(env["CLAUDE_MEM_DATA_DIR"] || join(home, ".claude-mem"), "claude-mem.db"),
  ],
  read: (path, place) =>
    readDatabase(path, async (query) => {
      const tables = new Set(
        (await query("SELECT name FROM sqlite_master WHERE type = 'table'"))
          .map(({ name }) => name),
      );
      const rows = async (table: string) =>
        tables.has(table) ? await query(`SELECT * FROM ${table} ORDER BY id`) : [];
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
/** claude-mem's word for what must not be repeated elsewhere. */
const SENSITIVE = "sensitive";

function readingIn(
  rows: readonly (readonly [Row, read: (row: Row) => SourceRecord | Skipped])[],
  place: ImportPlace,
): Reading {
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
      what: `${count} of the project ${owner}`,
      because: "run the import in that project, or pass `--all`",
      count,
    })),
  ]);
}

function observationOf(row: Row): SourceRecord | Skipped {
  const what = `observation ${row["id"]}`;
  if (row["type"] === SENSITIVE) return { what, because: "claude-mem marks it as sensitive" };
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

function summaryOf(row: Row): SourceRecord | Skipped {
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
function idOf(row: Row): string {
  return `${shortId(textOf(row["memory_session_id"]) || textOf(row["sdk_session_id"]))}/${
    row["id"]
  }`;
}

function createdOf(row: Row): string | undefined {
  return dateOf(Number(row["created_at_epoch"]) || undefined) ?? dateOf(row["created_at"]);
}

function listOf(value: unknown): string[] {
  return textsOf(parsed(textOf(value)));
}
