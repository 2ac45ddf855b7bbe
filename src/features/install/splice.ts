// Puts an item into JSON text, or takes one out, and leaves every other byte alone. (`modify` of jsonc-parser
// formats whole lines, which rewrites what others wrote in a file of one line.)

import { getNodePath, type Node, type ParseError, parseTree } from "jsonc-parser";

/** The root of a text; what cannot be read of it is added to `errors`. */
export function parse(text: string, errors: ParseError[] = []): Node {
  return parseTree(withoutMark(text), errors, { allowTrailingComma: true })!;
}

/** A byte order mark as a space: parsers do not know it, and offsets stay what they are. */
export function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, " ");
}

/** The value at a path; where a name is there twice, the last counts, as for JSON. */
export function at(root: Node | undefined, ...path: readonly string[]): Node | undefined {
  return path.reduce((node, key) => node && property(node, key), root);
}

/** A value with its place in a document; the last step to an item is the list that it belongs to. */
export interface DocumentPart {
  readonly path: readonly string[];
  readonly value: unknown;
  /** Whether the value is one of a list's. */
  readonly isItem?: boolean;
}

/**
 * `text` with a value after everything that `container` holds, under a key where that is an object. A document with
 * properties on lines of their own is laid out like its first one, an empty one by two spaces; an item comes below the one
 * before it, or beside it where that one does not start a line.
 */
function insert(text: string, container: Node, value: unknown, key?: string): string {
  const [first] = rootOf(container).children ?? [], last = container.children?.at(-1);
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const isOverLines = first === undefined ||
    text.slice(rootOf(first).offset, first.offset).includes("\n");
  const step = first === undefined ? "  " : indentOf(text, first.offset);
  const outer = newline + indentOf(text, container.offset);
  const inner = last === undefined ? outer + step : newline + indentOf(text, last.offset);
  const json = isOverLines
    ? JSON.stringify(value, null, step).replaceAll("\n", inner)
    : JSON.stringify(value);
  const piece = key === undefined
    ? json
    : `${JSON.stringify(key)}:${isOverLines ? " " : ""}${json}`;
  if (last === undefined) {
    const filled = isOverLines ? inner + piece + outer : piece;
    return splice(text, container.offset + 1, end(container) - 1, filled);
  }
  const isBelow = text.slice(0, last.offset).endsWith(inner);
  const gap = !isOverLines ? "" : isBelow ? inner : " ";
  return splice(text, end(last), end(last), `,${gap}${piece}`);
}

/** `text` with a value at the end of a path, or as an item of the list there; what has that name already stays. */
export function put(text: string, { path, value, isItem = false }: DocumentPart): string {
  let container = parse(text);
  for (const [depth, key] of path.entries()) {
    const inner = property(container, key);
    if (inner === undefined) {
      const held = path.slice(depth + 1)
        .reduceRight<unknown>((held, key) => ({ [key]: held }), isItem ? [value] : value);
      return insert(text, container, held, key);
    }
    container = inner;
  }
  return isItem ? insert(text, container, value) : text;
}

/**
 * `text` without each node that `find` still names, and without the containers that this leaves empty, but for the
 * document itself and those that were there `before`.
 */
export function removeEach(
  text: string,
  find: (root: Node) => Node | undefined,
  before: Node | undefined,
): string {
  const withEmptied = (node: Node): Node => {
    const container = node.parent!, above = container.parent;
    if (container.children!.length > 1 || above === undefined) return node;
    if (at(before, ...getNodePath(container).map(String)) !== undefined) return node;
    return withEmptied(above.type === "property" ? above : container);
  };
  for (;;) {
    const node = find(parse(text));
    if (node === undefined) return text;
    text = remove(text, withEmptied(node));
  }
}

function property(object: Node, key: string): Node | undefined {
  if (object.type !== "object") return undefined;
  const pair = object.children!.findLast((pair) => pair.children?.[0]?.value === key);
  return pair?.children?.[1];
}

/** `text` without `node`, an item of an array or a property, and without the comma that it needed. */
function remove(text: string, node: Node): string {
  const container = node.parent!;
  const siblings = container.children!;
  const index = siblings.indexOf(node);
  if (index > 0) return splice(text, end(siblings[index - 1]!), end(node), "");
  const next = siblings[1];
  if (next) return splice(text, node.offset, next.offset, "");
  return splice(text, container.offset + 1, end(container) - 1, "");
}

/** The white space at the start of the line that `offset` is in. */
function indentOf(text: string, offset: number): string {
  const line = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(line, offset))![0];
}

function rootOf(node: Node): Node {
  return node.parent ? rootOf(node.parent) : node;
}

function end(node: Node): number {
  return node.offset + node.length;
}

function splice(text: string, from: number, to: number, piece: string): string {
  return text.slice(0, from) + piece + text.slice(to);
}
