// memo's part of a JSON file of others: hooks, rules and a server, put in and taken out without touching any other byte.

import {
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { isDeepStrictEqual } from "node:util";
import type { HookGroups } from "../../../hooks/wire.ts";
import { TOOL_NAMES, writesMemories } from "../../core/link/tools.ts";
import { MemoError } from "../../errors.ts";
import { entriesOf, type HookEntry, type IsOwn } from "./entries.ts";
import { at, type DocumentPart, parse, put, removeEach, withoutMark } from "./splice.ts";

/** Rules for Claude Code's `permissions.allow`: memo's tools that only read are used without a question. */
export const PERMISSIONS: readonly string[] = TOOL_NAMES.filter((tool) => !writesMemories(tool))
  .map((tool) => `mcp__memo__${tool}`);

/** A file that memo has a part in. */
export interface PartFile {
  readonly path: string;
  /** The text with memo's part, which is put there once; `undefined` stands for no file. */
  readonly add: (text: string | undefined, known: Known) => string;
  /** Whether the user has an MCP server called `memo` there, which is left as it is. */
  readonly isTaken?: (text: string, known: Known) => boolean;
  /** The text without it; undefined if nothing is left of a file that was made for memo. */
  readonly remove: (text: string, known: Known) => string | undefined;
  /** memo's part of a text, as a file of its own. */
  readonly own?: (text: string, known: Known) => string;
  /** What is recorded of a text from before, where no copy of it may be kept. */
  readonly outline?: (text: string) => string;
}

/** What tells memo's part of a file from the rest. */
export interface Known {
  readonly isOwn: IsOwn;
  /** The text from before memo; null: no file; undefined: nobody has noted it. */
  readonly before: string | null | undefined;
}

/** memo's part of a file alone, as it is where there is no file yet. */
export function newText({ add }: Pick<PartFile, "add">): string {
  return add(undefined, { isOwn: () => false, before: null });
}

/** A JSON file with memo's parts in place of what is memo's there; `alone` is what it holds when it was made for them. */
export function jsonFile(
  path: string,
  parts: readonly DocumentPart[],
  { alone = {}, outline }: Pick<PartFile, "outline"> & { readonly alone?: object } = {},
): PartFile {
  const isTakenAt = (root: Node, isOwn: IsOwn) => ({ path, isItem }: DocumentPart) => {
    const node = isItem ? undefined : at(root, ...path);
    return node !== undefined && !isOwn(valueOf(node));
  };
  return {
    path,
    ...outline && { outline },
    add(text = JSON.stringify(alone, null, 2) + "\n", { isOwn }) {
      const base = isBlank(text) ? "{}\n" : text, errors: ParseError[] = [];
      const root = parse(base, errors);
      const wrong = errors.length > 0 ? "it is not a JSON object" : wrongShape(root, parts);
      if (wrong !== undefined) {
        throw new MemoError("file", `Cannot edit \`${path}\`: ${wrong}`, {
          hint: "Fix the file by hand, then run the command again",
        });
      }
      const own = ownParts(root, isOwn).map(({ path, value }) => [path, value]);
      const wanted = parts.filter((part) => !isTakenAt(root, isOwn)(part));
      const isDone = own.length === wanted.length &&
        wanted.every(({ path, value }) =>
          own.some((each) => isDeepStrictEqual(each, [path, value]))
        );
      return isDone ? text : parts.reduce(put, withoutOwn(base, isOwn));
    },
    isTaken: (text, { isOwn }) => parts.some(isTakenAt(parse(text), isOwn)),
    own: (text, { isOwn }) => ownText(text, isOwn),
    remove(text, { isOwn, before }) {
      if (isBlank(text)) return text;
      const rest = withoutOwn(text, isOwn, before ?? "");
      return before === null && isDeepStrictEqual(valueOf(parse(rest)), alone) ? undefined : rest;
    },
  };
}

/** Handlers in the lists of events, or groups of them. */
export function hookParts(groups: Readonly<Record<string, readonly object[]>>): DocumentPart[] {
  return Object.entries(groups).flatMap(([event, list]) =>
    list.map((value) => ({ path: ["hooks", event], value, isItem: true }))
  );
}

/** `text` without what is memo's, and without the lists and objects that become empty and were not there `before`. */
function withoutOwn(text: string, isOwn: IsOwn, before = ""): string {
  return removeEach(text, (root) => ownParts(root, isOwn)[0]?.node, parse(before));
}

/** What is memo's in a document, each with the node to take out: a group goes with its last handler. */
function ownParts(root: Node, isOwn: IsOwn): readonly (DocumentPart & { readonly node: Node })[] {
  const hooks = (at(root, "hooks")?.children ?? []).flatMap(({ children }) => {
    const [event, list] = children ?? [];
    return (list?.children ?? []).flatMap((item) => {
      const group = at(item, "hooks"), handlers = group?.children ?? [item];
      const matcher = at(item, "matcher"), limits = matcher && { matcher: valueOf(matcher) };
      return handlers.map((node) => ({ node, handler: valueOf(node) }))
        .filter(({ handler }) => isOwn(handler))
        .map(({ node, handler }) => ({
          path: ["hooks", String(event!.value)],
          value: group === undefined ? handler : { ...limits, hooks: [handler] },
          node: handlers.length === 1 ? item : node,
        }));
    });
  });
  const allowed = at(root, "permissions", "allow")?.children ?? [];
  const rules = allowed.filter(({ value }) => PERMISSIONS.includes(value))
    .map((node) => ({ path: ["permissions", "allow"], value: node.value, node }));
  const servers = ["mcpServers", "mcp"].flatMap((list) => {
    const path = [list, "memo"], found = at(root, ...path);
    const value = found && valueOf(found);
    return found !== undefined && isOwn(value) ? [{ path, value, node: found.parent! }] : [];
  });
  return [...hooks, ...rules, ...servers];
}

/** What is memo's in a text, as a file of its own. */
export function ownText(text: string, isOwn: IsOwn): string {
  return ownParts(parse(text), isOwn)
    .map(({ path, value }) => ({ path, value, isItem: /^(?:hooks|permissions)$/.test(path[0]!) }))
    .reduce(put, "{}\n");
}

/** The handlers that `isOwn` recognises, in the order of the text. */
export function ownEntries(text: string, isOwn: IsOwn): HookEntry[] {
  if (isBlank(text)) return [];
  return ownParts(parse(text), isOwn).flatMap(({ path: [list, event], value }) =>
    list === "hooks" ? entriesOf({ [event!]: [value as HookGroups[string][number]] }) : []
  );
}

/** A value as `JSON.parse` has it: that of the parser has no prototypes, which a comparison would mind. */
// deno-lint-ignore no-explicit-any
function valueOf(node: Node): any {
  return structuredClone(getNodeValue(node));
}

/** Whether a file holds nothing but white space and, perhaps, a byte order mark. */
function isBlank(text: string): boolean {
  return text.trim() === ""; // the mark is white space to `trim`
}

/**
 * Throws a `file` error unless memo can edit this text of Claude Code's: strict JSON (it ignores the whole file
 * otherwise) of the shape that it reads. `name` is the file as people write it.
 */
export function checkSettings(text: string, name: string): void {
  if (isBlank(text)) return;
  try {
    JSON.parse(withoutMark(text));
  } catch (cause) {
    throw notStrict(text, name, cause);
  }
  const root = parse(text);
  const events = at(root, "hooks")?.children?.map(({ children }) => children?.[0]?.value) ?? [];
  const wrong = wrongShape(root, [
    { path: ["hooks", ""] },
    ...events.map((event) => ({ path: ["hooks", event], isItem: true })),
    { path: ["permissions", "allow"], isItem: true },
    { path: ["mcpServers", "memo"] },
  ]);
  if (wrong === undefined) return;
  throw new MemoError("file", `Cannot edit \`${name}\`: ${wrong}`, {
    hint: "See https://code.claude.com/docs/en/hooks for the expected format",
  });
}

/** What about the shape would make an edit lose or misplace something, in words. */
function wrongShape(
  root: Node | undefined,
  parts: readonly Omit<DocumentPart, "value">[],
): string | undefined {
  if (root?.type !== "object") return `it contains ${a(root)}, not an object`;
  for (const { path, isItem } of parts) {
    for (let depth = 1; depth < path.length + (isItem ? 1 : 0); depth++) {
      const node = at(root, ...path.slice(0, depth));
      const wanted = depth === path.length ? "array" : "object";
      if (node === undefined || node.type === wanted) continue;
      return `\`${path.slice(0, depth).join(".")}\` is ${a(node)}, not an ${wanted}`;
    }
  }
  return undefined;
}

function a({ type }: { readonly type: string } = { type: "nothing" }): string {
  return /^n(?:ull|othing)/.test(type) ? type : `${/^[ao]/.test(type) ? "an" : "a"} ${type}`;
}

function notStrict(text: string, name: string, cause: unknown): MemoError {
  const errors: ParseError[] = [];
  parseTree(withoutMark(text), errors, { disallowComments: true, allowTrailingComma: false });
  const [{ error, offset } = { error: 0, offset: 0 }] = errors;
  const code = printParseErrorCode(error);
  const before = text.slice(0, offset).trimEnd();
  const isTrailing = before.endsWith(",") && /[\]}]/.test(text.charAt(offset));
  const what = code === "InvalidCommentToken"
    ? "a comment"
    : isTrailing
    ? "a trailing comma"
    : code.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase(); // close brace expected
  const lines = text.slice(0, isTrailing ? before.length - 1 : offset).split("\n");
  const place = `line ${lines.length}, column ${lines.at(-1)!.length + 1}`;
  return new MemoError(
    "file",
    `Cannot edit \`${name}\`: ${what} at ${place}; Claude Code accepts only strict JSON and ignores the whole file`,
    { cause, hint: `Fix line ${lines.length} of \`${name}\`, then run the command again` },
  );
}
