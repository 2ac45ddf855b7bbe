// memo's part of a JSON file of another agent's: put in and taken out without touching any other byte.

import { findNodeAtLocation, type Node, parse, type ParseError, parseTree } from "jsonc-parser";
import { MemoError } from "../../../errors.ts";
import { type Part, put, remove, withEmptied } from "../splice.ts";

/** A document with every part, in place of those that `isOwn` finds; throws a `file` MemoError if it cannot be read. */
export function addParts(
  text: string | undefined,
  parts: readonly Part[],
  { name, isOwn }: { readonly name: string; readonly isOwn: (value: unknown) => boolean },
): string {
  const base = text === undefined || text.trim() === "" ? "{}\n" : text;
  rootIn(base, name);
  for (const part of parts) checkShape(base, part, name);
  const clean = removeParts(base, parts, isOwn);
  return parts.reduce((document, part) => put(document, rootIn(document, name), part), clean);
}

/** A document without what is memo's at the places of the parts, and without the containers that held nothing else. */
export function removeParts(
  text: string,
  parts: readonly Part[],
  isOwn: (value: unknown) => boolean,
): string {
  return parts.reduce((document, part) => {
    let next = document;
    for (let node = ownAt(next, part, isOwn); node; node = ownAt(next, part, isOwn)) {
      next = remove(next, withEmptied(node));
    }
    return next;
  }, text);
}

/** Whether a document has something of the user's own in a place that memo would take. */
export function isTaken(
  text: string,
  parts: readonly Part[],
  isOwn: (value: unknown) => boolean,
): boolean {
  return parts.some(({ path, isItem }) => {
    const node = isItem ? undefined : nodeAt(text, path);
    return node !== undefined && !isOwn(valueOf(text, node));
  });
}

/** Throws unless everything on the way to a part is of the type that it is put into. */
function checkShape(text: string, { path, isItem = false }: Part, name: string): void {
  for (let depth = 1; depth <= (isItem ? path.length : path.length - 1); depth++) {
    const node = nodeAt(text, path.slice(0, depth));
    const wanted = depth === path.length ? "array" : "object";
    if (node === undefined) return;
    if (node.type === wanted) continue;
    const place = path.slice(0, depth).join(".");
    throw new MemoError("file", `Cannot edit \`${name}\`: \`${place}\` is no ${wanted}`, {
      hint: "Fix the file by hand, then run the command again",
    });
  }
}

/** Whether a document holds nothing but the given values. */
export function isBare(text: string, alone: object = {}): boolean {
  return JSON.stringify(parse(text, [], { allowTrailingComma: true })) === JSON.stringify(alone);
}

/** The node of a part that is there already and is memo's: an item, or the property that holds the value. */
function ownAt(text: string, { path, isItem }: Part, isOwn: (value: unknown) => boolean) {
  const node = nodeAt(text, path);
  if (node === undefined) return undefined;
  if (!isItem) return isOwn(valueOf(text, node)) ? node.parent : undefined;
  return node.children?.find((item) => isOwn(valueOf(text, item)));
}

function nodeAt(text: string, path: readonly string[]): Node | undefined {
  const root = parseTree(text, [], { allowTrailingComma: true });
  return root && findNodeAtLocation(root, [...path]);
}

function valueOf(text: string, { offset, length }: Node): unknown {
  return parse(text.slice(offset, offset + length));
}

function rootIn(text: string, name: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  if (root?.type === "object" && errors.length === 0) return root;
  throw new MemoError("file", `Cannot edit \`${name}\`: it is not a JSON object`, {
    hint: "Fix the file by hand, then run the command again",
  });
}
