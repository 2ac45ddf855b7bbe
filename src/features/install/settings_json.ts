// Claude Code's settings as text: finds memo's hooks in it, adds and removes them.

import {
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import type { HookGroups } from "../../../hooks/wire.ts";
import { MemoError } from "../../errors.ts";
import type { HookEntry, IsOwn } from "./entries.ts";
import { property, put, remove, withEmptied } from "./splice.ts";

/** The content of a missing settings file. */
export const EMPTY = "{}\n";

/**
 * Throws a `file` error unless memo can edit this text: strict JSON (Claude Code ignores the whole file otherwise)
 * in which `hooks` has the shape that Claude Code reads. `name` is the file as people write it.
 */
export function checkSettings(text: string, name: string): void {
  const errors: ParseError[] = [];
  const root = parseTree(withoutMark(text), errors, STRICT);
  const error = errors[0];
  if (error) throw notStrict(text, name, error);
  try {
    JSON.parse(withoutMark(text));
  } catch (cause) {
    throw new MemoError("file", `Cannot edit \`${name}\`: it is not valid JSON`, {
      cause,
      hint: `Fix the file; Claude Code ignores all of it until then`,
    });
  }
  const wrong = wrongShape(root!);
  if (wrong) {
    throw new MemoError("file", `Cannot edit \`${name}\`: ${wrong}`, {
      hint: "See https://code.claude.com/docs/en/hooks for the expected format",
    });
  }
}

/** Whether the user has switched all hooks off in this file. */
export function hooksAreDisabled(text: string): boolean {
  const value = property(parse(text), "disableAllHooks");
  return value !== undefined && getNodeValue(value) === true;
}

/** Whether the settings say nothing at all. */
export function isEmpty(text: string): boolean {
  return (parse(text).children ?? []).length === 0;
}

/** The handlers that `isOwn` recognises, in the order of the text. */
export function ownEntries(text: string, isOwn: IsOwn): HookEntry[] {
  return handlers(text).filter((found) => isOwn(found.entry.handler)).map((found) => found.entry);
}

/** `text` with `groups` added, each after the groups that its event already has. */
export function addHooks(text: string, groups: HookGroups): string {
  for (const [event, list] of Object.entries(groups)) {
    for (const group of list) {
      text = put(text, parse(text), { path: ["hooks", event], value: group, isItem: true });
    }
  }
  return text;
}

/** `text` without the handlers that `isOwn` recognises, and without lists that become empty. */
export function removeHooks(text: string, isOwn: IsOwn): string {
  for (;;) {
    const own = handlers(text).find((found) => isOwn(found.entry.handler));
    if (!own) return text;
    text = remove(text, withGroup(own.node));
  }
}

const STRICT = { disallowComments: true, allowTrailingComma: false };

/** Every handler in the text with its node. */
function handlers(text: string): { readonly node: Node; readonly entry: HookEntry }[] {
  const hooks = property(parse(text), "hooks");
  return (hooks?.children ?? []).flatMap((pair) => {
    const [event, list] = pair.children!;
    return (list?.children ?? []).flatMap((group) => {
      const matcher = property(group, "matcher");
      return (property(group, "hooks")?.children ?? []).map((node) => ({
        node,
        entry: {
          event: event!.value as string,
          matcher: matcher && getNodeValue(matcher),
          handler: getNodeValue(node),
        },
      }));
    });
  });
}

/** The node to take out with a handler: its group and what is above, where nothing else is in them. */
function withGroup(handler: Node): Node {
  const beside = handler.parent!;
  return beside.children!.length > 1 ? handler : withEmptied(beside.parent!.parent!);
}

/** Where memo puts something beside its hooks. */
const PLACES = [["permissions", "allow", "array"], ["mcpServers", undefined, undefined]] as const;

/** What about the shape would make an edit lose or misplace something, in words. */
function wrongShape(root: Node): string | undefined {
  if (root.type !== "object") return `it holds ${a(root)} where settings are an object`;
  for (const [key, part, type] of PLACES) {
    const node = property(root, key);
    const inner = node?.type === "object" && part !== undefined ? property(node, part) : undefined;
    if (node !== undefined && node.type !== "object") {
      return `\`${key}\` is ${a(node)}, not an object`;
    }
    if (inner !== undefined && inner.type !== type) {
      return `\`${key}.${part}\` is ${a(inner)}, not an ${type}`;
    }
  }
  const hooks = property(root, "hooks");
  if (!hooks) return undefined;
  if (hooks.type !== "object") return `\`hooks\` is ${a(hooks)}, not an object of events`;
  for (const pair of hooks.children!) {
    const [event, list] = pair.children!;
    if (list!.type !== "array") {
      return `\`hooks.${event!.value}\` is ${a(list!)}, not an array of groups`;
    }
  }
  return undefined;
}

function a(node: Node): string {
  return node.type === "null" ? "null" : `${/^[ao]/.test(node.type) ? "an" : "a"} ${node.type}`;
}

function notStrict(text: string, name: string, error: ParseError): MemoError {
  const code = printParseErrorCode(error.error);
  const before = text.slice(0, error.offset).trimEnd();
  const trailing = before.endsWith(",") && /[\]}]/.test(text.charAt(error.offset));
  const [what, offset] = code === "InvalidCommentToken"
    ? ["a comment", error.offset]
    : trailing
    ? ["a trailing comma", before.length - 1]
    : [words(code), error.offset];
  const lines = text.slice(0, offset).split("\n");
  const place = `line ${lines.length}, column ${lines.at(-1)!.length + 1}`;
  return new MemoError(
    "file",
    `Cannot edit \`${name}\`: ${what} at ${place}; Claude Code accepts only strict JSON and ignores the whole file`,
    { hint: `Fix line ${lines.length} of \`${name}\`, then run the command again` },
  );
}

/** `CloseBraceExpected` → `close brace expected`. */
function words(code: string): string {
  return code.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
}

/** The root of a text that has been checked. */
export function parse(text: string): Node {
  return parseTree(withoutMark(text))!;
}

/** A byte order mark as a space: parsers do not know it, and offsets stay what they are. */
function withoutMark(text: string): string {
  return text.startsWith("\uFEFF") ? " " + text.slice(1) : text;
}
