// memo's part of a JSON file of another agent's: put in and taken out without touching any other byte.

import { findNodeAtLocation, type Node, parse, type ParseError, parseTree } from "jsonc-parser";
import { MemoError } from "../../../errors.ts";
import { type Part, put, remove, withEmptied } from "../splice.ts";
import type { AgentFile } from "./agent.ts";

/** A JSON file with memo's parts; `alone` is what it holds when it was made for them. */
export function jsonFile(path: string, parts: readonly Part[], alone: object = {}): AgentFile {
  return {
    path,
    add: (text) => addParts(text ?? JSON.stringify(alone, null, 2) + "\n", parts, path),
    isTaken: (text) =>
      parts.some((part) => {
        const node = part.isItem ? undefined : nodeAt(text, part.path);
        return node !== undefined && !isOwn(valueOf(text, node));
      }),
    remove(text) {
      const rest = removeParts(text, parts);
      const value = parse(rest, [], { allowTrailingComma: true });
      return JSON.stringify(value) === JSON.stringify(alone) ? undefined : rest;
    },
  };
}

/** A handler in an agent's list for each event, which may be heard for some tools alone. */
export function hookParts(
  events: readonly string[],
  handler: object,
  matchers: Readonly<Record<string, string>> = {},
): Part[] {
  return events.map((event) => {
    const matcher = matchers[event];
    const value = { ...matcher === undefined ? {} : { matcher }, hooks: [handler] };
    return { path: ["hooks", event], value, isItem: true };
  });
}

/** Whether a value is memo's: it starts memo's hook for an agent, or memo's MCP server. */
function isOwn(value: unknown): boolean {
  const text = JSON.stringify(value) ?? "";
  return /\bhook --agent \w+"/.test(text) || /memo[^"]*",?.*"mcp"\]/.test(text);
}

/** A document with every part, in place of memo's there; throws a `file` MemoError if it cannot be read. */
function addParts(text: string, parts: readonly Part[], name: string): string {
  const base = text.trim() === "" ? "{}\n" : text;
  rootIn(base, name);
  for (const part of parts) checkShape(base, part, name);
  return parts.reduce(
    (document, part) => put(document, rootIn(document, name), part),
    removeParts(base, parts),
  );
}

/** A document without what is memo's at the places of the parts, and without the containers that held nothing else. */
function removeParts(text: string, parts: readonly Part[]): string {
  for (const part of parts) {
    for (let node = ownAt(text, part); node !== undefined; node = ownAt(text, part)) {
      text = remove(text, withEmptied(node));
    }
  }
  return text;
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

/** The node of a part that is there already and is memo's: an item, or the property that holds the value. */
function ownAt(text: string, { path, isItem }: Part): Node | undefined {
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
