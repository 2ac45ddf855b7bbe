// memo's part of a JSON file of another agent's: put in and taken out without touching any other byte.

import { getNodeValue, type Node, type ParseError } from "jsonc-parser";
import { MemoError } from "../../../errors.ts";
import { at, parse, type Part, put, removeEach } from "../splice.ts";
import type { AgentFile } from "./agent.ts";

/** A JSON file with memo's parts, each in place of what is memo's there; `alone` is what it holds when it was made for them. */
export function jsonFile(path: string, parts: readonly Part[], alone: object = {}): AgentFile {
  const without = (text: string) =>
    parts.reduce((rest, part) => removeEach(rest, (root) => ownAt(root, part)), text);
  return {
    path,
    add(text = JSON.stringify(alone, null, 2) + "\n") {
      const base = text.trim() === "" ? "{}\n" : text;
      check(base, parts, path);
      return parts.reduce(put, without(base));
    },
    isTaken: (text) =>
      parts.some((part) => {
        const node = part.isItem ? undefined : at(parse(text), ...part.path);
        return node !== undefined && !isOwn(node);
      }),
    remove(text) {
      const rest = without(text);
      return JSON.stringify(getNodeValue(parse(rest))) === JSON.stringify(alone) ? undefined : rest;
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
function isOwn(node: Node): boolean {
  const text = JSON.stringify(getNodeValue(node)) ?? "";
  return /\bhook --agent \w+"/.test(text) || /memo[^"]*",?.*"mcp"\]/.test(text);
}

/** The node of a part that is there already and is memo's: an item, or the property that holds the value. */
function ownAt(root: Node, { path, isItem }: Part): Node | undefined {
  const node = at(root, ...path);
  if (isItem) return node?.children?.find(isOwn);
  return node !== undefined && isOwn(node) ? node.parent : undefined;
}

/** Throws a `file` MemoError unless a document is an object, and so is everything on the way to the parts; a list for an item. */
function check(text: string, parts: readonly Part[], name: string): void {
  const errors: ParseError[] = [];
  const root = parse(text, errors);
  const refuse = (why: string) =>
    new MemoError("file", `Cannot edit \`${name}\`: ${why}`, {
      hint: "Fix the file by hand, then run the command again",
    });
  if (root?.type !== "object" || errors.length > 0) throw refuse("it is not a JSON object");
  for (const { path, isItem } of parts) {
    for (let depth = 1; depth < path.length + (isItem ? 1 : 0); depth++) {
      const node = at(root, ...path.slice(0, depth));
      const wanted = depth === path.length ? "array" : "object";
      if (node === undefined || node.type === wanted) continue;
      throw refuse(`\`${path.slice(0, depth).join(".")}\` is no ${wanted}`);
    }
  }
}
