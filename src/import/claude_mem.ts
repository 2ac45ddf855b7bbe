import { basename, join } from "node:path";
import { projectAt } from "../memory/project.ts";
import {
  contentOf,
  dateOf,
  type ImportPlace,
  type ImportSource,
  type Reading,
  shortId,
  type Skipped,
  type SourceRecord,
  textOf,
  textsOf,
} from "./record.ts";
import { readDatabase, type Row } from "./sqlite.ts";

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
      return readingOf(await rows("observations"), await rows("session_summaries"), place);
    }),
};

/** Concepts tell more of what an observation is good for than its type. */
const BY_CONCEPT: readonly (readonly [string, string])[] = [
  ["gotcha", "gotcha"],
  ["pattern", "pattern"],
  ["trade-off", "decision"],
  ["why-it-exists", "decision"],
];
/** What is left to `progress` is history: it fades, and stays searchable. */
const BY_TYPE: Readonly<Record<string, string>> = {
  decision: "decision",
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

function readingOf(
  observations: readonly Row[],
  summaries: readonly Row[],
  place: ImportPlace,
): Reading {
  const project = basename(projectAt(place)?.root ?? place.cwd);
  const records: SourceRecord[] = [];
  const skipped: Skipped[] = [];
  const elsewhere = new Map<string, number>();
  const take = (row: Row, what: string, record: (row: Row) => SourceRecord | string) => {
    const owner = textOf(row["merged_into_project"]) || textOf(row["project"]);
    if (owner !== project) {
      elsewhere.set(owner, (elsewhere.get(owner) ?? 0) + 1);
      return;
    }
    const found = record(row);
    if (typeof found === "string") skipped.push({ what: `${what} ${row["id"]}`, because: found });
    else records.push(found);
  };
  for (const row of observations) take(row, "observation", observationOf);
  for (const row of summaries) take(row, "summary", summaryOf);
  for (const [owner, count] of elsewhere) {
    skipped.push({
      what: `${count} of the project ${owner}`,
      because: "run the import in that project",
    });
  }
  return { records, skipped };
}

function observationOf(row: Row): SourceRecord | string {
  if (row["type"] === SENSITIVE) return "claude-mem marks it as sensitive";
  const facts = listOf(row["facts"]).map((fact) => `- ${fact}`).join("\n");
  const narrative = textOf(row["narrative"]) || textOf(row["text"]);
  const body = [narrative, facts].filter((part) => part !== "").join("\n\n") ||
    textOf(row["subtitle"]) || textOf(row["title"]);
  if (body === "") return "it is empty";
  const concepts = listOf(row["concepts"]);
  const type = textOf(row["type"]);
  const memory = type === "decision"
    ? type
    : BY_CONCEPT.find(([concept]) => concepts.includes(concept))?.[1] ?? BY_TYPE[type] ?? "project";
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

function summaryOf(row: Row): SourceRecord | string {
  const said = PARTS.map(([column, title]) => [title, textOf(row[column])] as const)
    .filter(([, text]) => text !== "");
  if (said.length === 0) return "it is empty";
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

/** A list that is kept as JSON. */
function listOf(value: unknown): string[] {
  try {
    return textsOf(JSON.parse(textOf(value)));
  } catch {
    return [];
  }
}
