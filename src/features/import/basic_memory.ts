import { join } from "node:path";
import { fieldsOf } from "../../core/link/parse.ts";
import { DEFAULT_TYPE, KNOWN_TYPES, policyOf } from "../../core/memory/types.ts";
import { type Note, readNotes } from "./notes.ts";
import { readJson } from "./read_text.ts";
import { type ImportPlace, type ImportSource, textOf } from "./record.ts";

/** basic-memory: Markdown notes with `permalink`, and observations as `- [category] text #tag`. */
export const basicMemory: ImportSource = {
  name: "basic-memory",
  summary: "basic-memory's notes",
  where: "the projects of its `config.json`, `~/basic-memory`",
  gives: "each note",
  places: (place) => [...configured(place), join(place.home, "basic-memory")],
  read: (path) => readNotes(path, { scope: "user", refine }),
};

const OBSERVATION = /^[ \t]*[-*][ \t]+\[([\p{L}][\p{L}\p{N} _-]{0,40})\][ \t]/gmu;
const TITLE = /^title:[ \t]*(.+)$/m;
/** Categories of observations that are no types of memo's, and the type that most of them make. */
const TYPE_OF: Readonly<Record<string, string>> = {
  preference: "user",
  design: "architecture",
  convention: "pattern",
  issue: "gotcha",
  bug: "gotcha",
  setup: "tool",
};

function refine({ text, memory }: Note) {
  const type = memory.type.toLowerCase();
  const known = type !== DEFAULT_TYPE && KNOWN_TYPES.includes(type);
  return {
    name: titleOf(text) ?? memory.name,
    type: known ? type : byCategory(memory.body) ?? "reference",
  };
}

/** The title that the front matter gives. */
function titleOf(text: string): string | undefined {
  const title = /^---[ \t]*\n([^]*?)\n---/.exec(text.replace(/\r\n/g, "\n"))?.[1];
  const value = TITLE.exec(title ?? "")?.[1]?.trim().replace(/^(["'])(.*)\1$/, "$2");
  return value === "" ? undefined : value;
}

/** The type that the first observation with a known category names. */
function byCategory(body: string): string | undefined {
  for (const [, category] of body.matchAll(OBSERVATION)) {
    const word = category!.trim().toLowerCase();
    const type = TYPE_OF[word] ?? KNOWN_TYPES.find((name) => name === word && !fades(name));
    if (type !== undefined) return type;
  }
  return undefined;
}

/** Whether memo forgets memories of a type with time, as basic-memory never does. */
function fades(type: string): boolean {
  return policyOf(type).lifespanDays !== null;
}

/** The folders of its projects, by its configuration. */
function configured({ env, home }: ImportPlace): string[] {
  const folder = env["BASIC_MEMORY_CONFIG_DIR"] ?? join(home, ".basic-memory");
  try {
    const config = fieldsOf(readJson(join(folder, "config.json")));
    const paths = Object.values(fieldsOf(config["projects"]))
      .map((each) => textOf(each) || textOf(fieldsOf(each)["path"]));
    const first = paths[0];
    return first === undefined || first === "" ? [] : paths.filter((path) => path !== "");
  } catch {
    return []; // not installed
  }
}
