import { type Document, isMap, parseDocument } from "yaml";
import type { Memory, Problem, Source } from "./memory.ts";
import { DEFAULT_TYPE } from "./types.ts";

export interface ParseOptions {
  /** Name for a memory whose front matter has none: the file's own, say. */
  readonly fallbackName: string;
}

/** What a file says, and what is wrong with it. */
export interface Parsed {
  readonly memory: Memory;
  readonly problems: readonly Problem[];
}

/** Front matter is looked for up to here; what goes on longer is not front matter. */
const MAX_FRONT_MATTER = 64 * 1024;
const OPENING = /^\ufeff?---[ \t]*\r?\n/;
const CLOSING = /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/m;

/**
 * Reads a memory file. Never throws: broken or missing front matter makes the whole text the body, named by
 * the file, and a problem says so.
 */
export function parseMemory(text: string, options: ParseOptions): Parsed {
  const problems: Problem[] = [];
  const { matter, body } = split(text);
  const fields = matter === undefined ? {} : fieldsOf(matter, problems);
  const content = fields === undefined ? text : body;
  if (matter === undefined && /^\ufeff?---[ \t]*\r?\n/.test(text)) {
    problems.push({
      kind: "front-matter",
      message: "Front matter is opened by `---` and never closed",
    });
  }
  if (content.trim() === "" && fields === undefined) {
    problems.push({ kind: "empty", message: "The file is empty" });
  }
  return { memory: toMemory(fields ?? {}, trimBlankLines(content), options), problems };
}

/**
 * The text of a memory file. Given the text it replaces, its unknown keys, comments and order of keys survive.
 */
export function serializeMemory(memory: Memory, original?: string): string {
  const { document, had } = documentOf(original);
  const nested = had("metadata", "type") && !had("type");
  const set = (path: readonly string[], value: unknown) => {
    if (value !== undefined) document.setIn(path, document.createNode(value));
    else if (document.hasIn(path)) document.deleteIn(path);
  };
  set(["name"], memory.name);
  set(["description"], memory.description);
  set(nested ? ["metadata", "type"] : ["type"], memory.type);
  set(["triggers"], listOrNothing(memory.triggers));
  set(["tags"], listOrNothing(memory.tags));
  set(["confidence"], memory.confidence === 1 ? undefined : memory.confidence);
  set(["created"], memory.created);
  set(["updated"], memory.updated);
  set(["supersedes"], listOrNothing(memory.supersedes));
  set(["source"], memory.source);
  return `---\n${document.toString({ lineWidth: 0 })}---\n${
    memory.body === "" ? "" : memory.body + "\n"
  }`;
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

/** The keys of front matter; undefined, with a problem, for what is not a YAML map. */
function fieldsOf(matter: string, problems: Problem[]): Record<string, unknown> | undefined {
  const document = parseDocument(matter, { schema: "core" });
  const [error] = document.errors;
  if (error !== undefined) {
    const line = (error.linePos?.[0].line ?? 1) + 1;
    const message = `Front matter is not YAML at line ${line}: ${error.message.split("\n")[0]}`;
    problems.push({ kind: "front-matter", message });
    return undefined;
  }
  if (document.contents === null) return {};
  if (!isMap(document.contents)) {
    problems.push({
      kind: "front-matter",
      message: "Front matter is not a list of `key: value` lines",
    });
    return undefined;
  }
  try {
    return document.toJS({ maxAliasCount: 20 });
  } catch (error) {
    problems.push({
      kind: "front-matter",
      message: `Front matter cannot be read: ${(error as Error).message}`,
    });
    return undefined;
  }
}

function toMemory(fields: Record<string, unknown>, body: string, options: ParseOptions): Memory {
  const metadata = mapOf(fields["metadata"]);
  const confidence = Number(fields["confidence"] ?? 1);
  return {
    name: textOf(fields["name"]) ?? options.fallbackName,
    description: textOf(fields["description"]) ?? "",
    type: textOf(fields["type"]) ?? textOf(metadata["type"]) ?? DEFAULT_TYPE,
    body,
    triggers: listOf(fields["triggers"]),
    tags: listOf(fields["tags"]),
    confidence: Number.isFinite(confidence) ? Math.min(1, Math.max(0, confidence)) : 1,
    created: textOf(fields["created"]),
    updated: textOf(fields["updated"]) ?? textOf(metadata["modified"]),
    supersedes: listOf(fields["supersedes"]),
    source: sourceOf(fields["source"]) ?? sourceOf({ session: metadata["originSessionId"] }),
  };
}

function documentOf(original: string | undefined): {
  document: Document;
  had: (...path: string[]) => boolean;
} {
  const matter = original === undefined ? undefined : split(original).matter;
  const parsed = matter === undefined ? undefined : parseDocument(matter, { schema: "core" });
  const sound = parsed !== undefined && parsed.errors.length === 0 && isMap(parsed.contents);
  const document: Document = sound ? parsed : parseDocument("{}", { schema: "core" });
  if (!sound && isMap(document.contents)) document.contents.flow = false;
  return { document, had: (...path) => sound && document.hasIn(path) };
}

/** A value as a text of one line; numbers and booleans are written as they stand. */
function textOf(value: unknown): string | undefined {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value !== "string") return undefined;
  const line = value.replace(/\s+/g, " ").trim();
  return line === "" ? undefined : line;
}

/** A list of texts, also where it was written `a, b`. */
function listOf(value: unknown): string[] {
  const items = Array.isArray(value) ? value : typeof value === "string" ? value.split(",") : [];
  return items.map(textOf).filter((item) => item !== undefined);
}

function sourceOf(value: unknown): Source | undefined {
  const { session, turn, transcript } = mapOf(value);
  const source = {
    ...field("session", session),
    ...field("turn", turn),
    ...field("transcript", transcript),
  };
  return Object.keys(source).length === 0 ? undefined : source;
}

function field(name: keyof Source, value: unknown): Source {
  const text = textOf(value);
  return text === undefined ? {} : { [name]: text };
}

function mapOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as Record<string, unknown>
    : {};
}

function listOrNothing(items: readonly string[]): readonly string[] | undefined {
  return items.length === 0 ? undefined : items;
}

/** Without blank lines at either end, and with plain line ends. */
function trimBlankLines(text: string): string {
  return text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n").replace(/^(?:[ \t]*\n)+/, "")
    .trimEnd();
}
