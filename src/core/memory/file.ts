import { basename } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { Document, isMap, isScalar, parseDocument, visit } from "yaml";
import { messageOf } from "../../errors.ts";
import { fieldsOf } from "../link/parse.ts";
import type { Memory, MemorySource, Problem } from "./memory.ts";
import { oneLine } from "../text/neutralise.ts";
import { DEFAULT_TYPE } from "./types.ts";

const MAX_FRONT_MATTER = 64 * 1024;
/** More than this is an attack on the reader's memory. */
const MAX_ALIASES = 20;
/** Warnings must not reach stderr. */
const QUIET = { logLevel: "silent" } as const;
const OPENING = /^\ufeff?---[ \t]*\r?\n/;
const CLOSING = /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/m;

/**
 * Reads a memory file. Never throws: broken or missing front matter makes the whole text the body, named by
 * the file, and a problem says so. `fallbackName` is for a memory whose front matter has none.
 */
export function parseMemory(
  text: string,
  options: { readonly fallbackName: string },
): { readonly memory: Memory; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const { matter, body } = split(text);
  const fields = matter === undefined ? undefined : matterOf(matter, problems);
  if (matter === undefined && OPENING.test(text)) {
    const message = CLOSING.test(text.replace(OPENING, ""))
      ? `Front matter is longer than ${MAX_FRONT_MATTER / 1024} KB`
      : "Front matter opens with `---` and is never closed";
    problems.push({ kind: "front-matter", message });
  }
  if (text.trim() === "") problems.push({ kind: "empty", message: "The file is empty" });
  const content = trimBlankLines(fields === undefined ? text : body);
  const heading = fields === undefined
    ? /^\ufeff?# +(\S.*?)[ #]*$/m.exec(content.split("\n")[0]!)
    : null;
  const fallbackName = heading?.[1] ?? options.fallbackName;
  return { memory: toMemory(fields ?? {}, content, fallbackName), problems };
}

/** The memory in a file's content, named by the file if it names none itself. */
export function memoryIn(content: string | Uint8Array, path: string): Memory {
  const text = typeof content === "string" ? content : new TextDecoder().decode(content);
  return parseMemory(text, { fallbackName: basename(path, ".md") }).memory;
}

/**
 * The text of a memory file. Given the text that it replaces, unchanged values keep their formatting, and
 * unknown keys, comments and the order of keys survive.
 */
export function serializeMemory(memory: Memory, original = ""): string {
  const sound = documentOf(original);
  const document = sound ?? new Document({}, { schema: "core" });
  const nested = document.hasIn(["metadata", "type"]) && !document.has("type");
  const typePath = nested ? ["metadata", "type"] : ["type"];
  const before = {
    ...parseMemory(sound ? original : "", { fallbackName: "" }).memory,
    ...(document.hasIn(typePath) ? {} : { type: undefined }), // it is always written
  };
  const set = (field: keyof Memory, paths: Path[] = [[field]]) => {
    if (!isDeepStrictEqual(memory[field], before[field])) put(document, paths, memory[field]);
  };
  for (const field of ["name", "description"] as const) set(field);
  set("type", [typePath]);
  for (const field of ["triggers", "never", "tags"] as const) set(field);
  set("pinned", [["pin"]]);
  for (const field of ["confidence", "created"] as const) set(field);
  set("updated", [["updated"], ["metadata", "modified"]]);
  set("supersedes");
  set("source", [["source"], ["metadata", "originSessionId"]]);
  const matter = document.toString({ lineWidth: 0, directives: false });
  // A text that did not change keeps its line ends and blank lines.
  const body = sound !== undefined && memory.body === before.body
    ? split(original).body
    : memory.body === ""
    ? ""
    : memory.body + "\n";
  return `---\n${matter}---\n${body}`;
}

type Path = readonly string[];

/** Writes a value at the first path; a default value is deleted from all paths instead. */
function put(document: Document, paths: readonly Path[], value: unknown): void {
  const [path] = paths as [Path];
  if (value === undefined || value === "" || value === 1 || value === false || isEmptyList(value)) {
    for (const path of paths) if (document.hasIn(path)) document.deleteIn(path);
    return;
  }
  const node = document.getIn(path, true);
  // In its old node a value keeps the comment behind it.
  if (isScalar(node) && node.tag === undefined && typeof value !== "object") node.value = value;
  else document.setIn(path, document.createNode(value));
}

function split(text: string): { matter: string | undefined; body: string } {
  const opening = OPENING.exec(text);
  if (opening === null) return { matter: undefined, body: text };
  const rest = text.slice(opening[0].length, opening[0].length + MAX_FRONT_MATTER);
  const closing = CLOSING.exec(rest);
  if (closing === null) return { matter: undefined, body: text };
  const bodyStart = opening[0].length + closing.index + closing[0].length;
  return { matter: rest.slice(0, closing.index), body: text.slice(bodyStart) };
}

/** The keys of front matter, with values as text; undefined, with a problem, unless it is a YAML map. */
function matterOf(matter: string, problems: Problem[]): Record<string, unknown> | undefined {
  const refuse = (what: string) => {
    problems.push({ kind: "front-matter", message: `Front matter ${what}` });
    return undefined;
  };
  try {
    let document = parse(matter);
    const [error] = document.errors;
    if (error !== undefined) {
      const line = (error.linePos?.[0].line ?? 1) + 1;
      // The library's message without the excerpt and the position, which counts from the front matter.
      const because = error.message.split("\n")[0]!.replace(/ at line \d+, column \d+:?$/, "");
      const message = `is not YAML at line ${line}: ${because}`;
      document = parse(withQuotedTexts(matter));
      if (document.errors.length > 0) return refuse(message);
      problems.push({
        kind: "unquoted",
        message: `Front matter ${message}; put the text in quotes`,
      });
    }
    if (document.contents === null) return {};
    if (!isMap(document.contents)) return refuse("is not a list of `key: value` lines");
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    return refuse(`cannot be read: ${messageOf(error)}`);
  }
}

function parse(matter: string): Document.Parsed {
  return parseDocument(matter, { schema: "failsafe", customTags: ["null"], ...QUIET });
}

/** Keys whose value is a string of one line. */
const TEXT_LINE = /^(name|description):[ \t]+(\S.*)$/gm;

/** Quotes a name or description that is not valid YAML unquoted, as in `description: Ada: senior developer`. */
function withQuotedTexts(matter: string): string {
  return matter.replace(
    TEXT_LINE,
    (line, key: string, text: string) =>
      parse(line).errors.length === 0 ? line : `${key}: ${JSON.stringify(text.trimEnd())}`,
  );
}

function toMemory(fields: Record<string, unknown>, body: string, fallbackName: string): Memory {
  const metadata = fieldsOf(fields["metadata"]);
  const confidence = Number(textOf(fields["confidence"]) ?? 1);
  return {
    name: textOf(fields["name"]) ?? oneLine(fallbackName),
    description: textOf(fields["description"]) ?? "",
    type: textOf(fields["type"]) ?? textOf(metadata["type"]) ?? DEFAULT_TYPE,
    body,
    triggers: listOf(fields["triggers"]),
    ...neverOf(fields["never"]),
    tags: listOf(fields["tags"]),
    pinned: textOf(fields["pin"]) === "true",
    confidence: Number.isFinite(confidence) ? Math.min(1, Math.max(0, confidence)) : 1,
    created: textOf(fields["created"]),
    updated: textOf(fields["updated"]) ?? textOf(metadata["modified"]),
    supersedes: listOf(fields["supersedes"]),
    source: sourceOf(fields["source"]) ?? sourceOf({ session: metadata["originSessionId"] }),
  };
}

/** The front matter of a text, to be changed in place; undefined if it is missing or invalid. */
function documentOf(original: string): Document | undefined {
  const { matter } = split(original);
  if (matter === undefined || matterOf(matter, []) === undefined) return undefined;
  let document: Document = parseDocument(matter, { schema: "core", ...QUIET });
  if (document.errors.length > 0) {
    document = parseDocument(withQuotedTexts(matter), { schema: "core", ...QUIET });
  }
  if (document.errors.length > 0) return undefined;
  document.contents ??= document.createNode({});
  let hasAliases = false;
  visit(document, { Alias: () => (hasAliases = true, visit.BREAK) });
  // With aliases, a change in one place would change another.
  return hasAliases
    ? new Document(document.toJS({ maxAliasCount: MAX_ALIASES }), { schema: "core" })
    : document;
}

/** A value as a string of one line. */
function textOf(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const line = oneLine(value);
  return line === "" ? undefined : line;
}

/** The prompts that a memory is not for: whole sentences, so that one alone is no list of what its commas separate. */
function neverOf(value: unknown): Pick<Memory, "never"> {
  const never = (Array.isArray(value) ? value : [value]).flatMap((item) => textOf(item) ?? []);
  return never.length === 0 ? {} : { never };
}

/** A list of strings, also if it is written `a, b`. */
function listOf(value: unknown): string[] {
  const items = Array.isArray(value) ? value : typeof value === "string" ? value.split(",") : [];
  return items.map(textOf).filter((item) => item !== undefined);
}

/** The keys of a source, in the order in which they are written. */
const SOURCE_KEYS = [
  ...["session", "turn", "transcript", "earlier", "import", "id", "digest"] as const,
] satisfies readonly (keyof MemorySource)[];

function sourceOf(value: unknown): MemorySource | undefined {
  const fields = fieldsOf(value);
  const known = SOURCE_KEYS.flatMap((key) => {
    const found = key === "earlier" ? listOf(fields[key]) : textOf(fields[key]);
    return found === undefined || isEmptyList(found) ? [] : [[key, found]];
  });
  return known.length === 0 ? undefined : Object.fromEntries(known);
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function trimBlankLines(text: string): string {
  return text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n").replace(/^(?:[ \t]*\n)+/, "")
    .trimEnd();
}
