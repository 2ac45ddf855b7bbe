import { join } from "node:path";
import { messageOf } from "../../errors.ts";
import { fieldsOf } from "../../core/link/parse.ts";
import { isPersonal, KNOWN_TYPES } from "../../core/memory/types.ts";
import { oneLine } from "../../core/text/neutralise.ts";
import { isInProject } from "./notes.ts";
import { readText } from "./read_text.ts";
import {
  type ImportSource,
  type Reading,
  shortId,
  type Skipped,
  type SourceRecord,
  textOf,
  textsOf,
} from "./record.ts";

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
  where: "`$MEMORY_FILE_PATH`, `memory.jsonl` here or at home",
  gives:
    "each entity of the MCP server `@modelcontextprotocol/server-memory`, with its observations and relations; for this project if the file lies in it",
  places: ({ env, cwd, home }) => [
    ...env["MEMORY_FILE_PATH"] ? [env["MEMORY_FILE_PATH"]] : [],
    ...["memory.jsonl", "memory.json"].map((name) => join(cwd, name)),
    ...["memory.jsonl", "memory.json"].map((name) => join(home, name)),
  ],
  read: (path, place) => graphOf(readText(path), isInProject(path, place) ? "project" : "user"),
};

/** The records of a graph; what is about the user applies everywhere, the rest where its file lies. */
function graphOf(text: string, scope: SourceRecord["scope"]): Reading {
  const skipped: Skipped[] = [];
  const entities = new Map<string, { readonly kind: string; readonly said: readonly string[] }>();
  const relations = new Map<string, string[]>();
  for (const [i, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const skip = (because: string) => skipped.push({ what: `line ${i + 1}`, because });
    let fields: Readonly<Record<string, unknown>>;
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
    } else records.push(recordOf(name, kind, { lines, scope }));
  }
  for (const from of relations.keys()) {
    skipped.push({ what: from, because: "a relation of an entity that does not exist" });
  }
  return { records, skipped };
}

function recordOf(
  name: string,
  kind: string,
  { lines, scope }: { readonly lines: readonly string[]; readonly scope: SourceRecord["scope"] },
): SourceRecord {
  const word = kind.toLowerCase();
  const own = KNOWN_TYPES.find((name) => name === word);
  const isUser = USER.test(name) || lines.some(isPersonal);
  return {
    id: shortId(name),
    scope: isUser ? "user" : scope,
    content: {
      name,
      description: kind === "" ? "" : `${kind}: ${oneLine(lines[0]!).slice(0, 160)}`,
      type: own ?? (isUser ? "user" : TYPE_OF[word] ?? "reference"),
      tags: word === "" || word === own ? [] : [word],
      body: lines.map((line) => `- ${line.replace(/\s*\n\s*/g, "\n  ")}`).join("\n"),
    },
  };
}
