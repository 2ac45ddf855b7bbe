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
import { at, parse, put, removeEach, withoutMark } from "./splice.ts";

/** The content of a missing settings file. */
export const EMPTY = "{}\n";

/**
 * Throws a `file` error unless memo can edit this text: strict JSON (Claude Code ignores the whole file otherwise)
 * in which `hooks` has the shape that Claude Code reads. `name` is the file as people write it.
 */
export function checkSettings(text: string, name: string): void {
  try {
    JSON.parse(withoutMark(text));
  } catch (cause) {
    throw notStrict(text, name, cause);
  }
  const wrong = wrongShape(parse(text));
  if (wrong === undefined) return;
  throw new MemoError("file", `Cannot edit \`${name}\`: ${wrong}`, {
    hint: "See https://code.claude.com/docs/en/hooks for the expected format",
  });
}

/** Whether the user has switched all hooks off in this file. */
export function hooksAreDisabled(text: string): boolean {
  const value = at(parse(text), "disableAllHooks");
  return value !== undefined && getNodeValue(value) === true;
}

/** Whether the settings say nothing at all. */
export function isEmpty(text: string): boolean {
  return (parse(text).children ?? []).length === 0;
}

/** The handlers that `isOwn` recognises, in the order of the text. */
export function ownEntries(text: string, isOwn: IsOwn): HookEntry[] {
  return handlers(parse(text)).map(({ entry }) => entry).filter(({ handler }) => isOwn(handler));
}

/** `text` with `groups` added, each after the groups that its event already has. */
export function addHooks(text: string, groups: HookGroups): string {
  for (const [event, list] of Object.entries(groups)) {
    for (const group of list) {
      text = put(text, { path: ["hooks", event], value: group, isItem: true });
    }
  }
  return text;
}

/** `text` without the handlers that `isOwn` recognises, and without the groups and lists that become empty. */
export function removeHooks(text: string, isOwn: IsOwn): string {
  return removeEach(text, (root) => {
    const own = handlers(root).find(({ entry }) => isOwn(entry.handler))?.node;
    const { children, parent } = own?.parent ?? {};
    // A group goes with its last handler, whatever else is in it.
    return children?.length === 1 ? parent!.parent : own;
  });
}

/** Every handler of a document with its node. */
function handlers(root: Node): { readonly node: Node; readonly entry: HookEntry }[] {
  return (at(root, "hooks")?.children ?? []).flatMap((pair) => {
    const [event, list] = pair.children!;
    return (list?.children ?? []).flatMap((group) => {
      const matcher = at(group, "matcher");
      return (at(group, "hooks")?.children ?? []).map((node) => ({
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

/** Where memo puts something, with the type that has to be there. */
const PLACES = [
  [["hooks"], "object", "an object of events"],
  [["permissions"], "object", "an object"],
  [["permissions", "allow"], "array", "an array"],
  [["mcpServers"], "object", "an object"],
] as const;

/** What about the shape would make an edit lose or misplace something, in words. */
function wrongShape(root: Node): string | undefined {
  if (root.type !== "object") return `it holds ${a(root)} where settings are an object`;
  for (const [path, type, wanted] of PLACES) {
    const node = at(root, ...path);
    if (node !== undefined && node.type !== type) {
      return `\`${path.join(".")}\` is ${a(node)}, not ${wanted}`;
    }
  }
  for (const { children } of at(root, "hooks")?.children ?? []) {
    const [event, list] = children!;
    if (list!.type !== "array") {
      return `\`hooks.${event!.value}\` is ${a(list!)}, not an array of groups`;
    }
  }
  return undefined;
}

function a(node: Node): string {
  return node.type === "null" ? "null" : `${/^[ao]/.test(node.type) ? "an" : "a"} ${node.type}`;
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
    : words(code);
  const lines = text.slice(0, isTrailing ? before.length - 1 : offset).split("\n");
  const place = `line ${lines.length}, column ${lines.at(-1)!.length + 1}`;
  return new MemoError(
    "file",
    `Cannot edit \`${name}\`: ${what} at ${place}; Claude Code accepts only strict JSON and ignores the whole file`,
    { cause, hint: `Fix line ${lines.length} of \`${name}\`, then run the command again` },
  );
}

/** `CloseBraceExpected` → `close brace expected`. */
function words(code: string): string {
  return code.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
}
