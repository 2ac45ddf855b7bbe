// A settings file as YAML: what is in it and where, and the same file with other values. A key may stand nested
// (`recall: {min_chars: 5}`) or flat (`recall.min_chars: 5`); both are read and both are changed where they stand.

import { lstatSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type Scalar,
  YAMLMap,
} from "yaml";
import { codeOf, MemoError, messageOf } from "../../errors.ts";
import { writeFileAtomic } from "../files/atomic.ts";
import { readRegular } from "../files/bounded.ts";
import { realPathOf } from "../files/real_path.ts";
import { createHash } from "node:crypto";

/** Settings are a few lines; a larger file is something else. */
const MAX_BYTES = 256 * 1024;

/** All values of a settings file, in order; empty if it does not exist. */
export function readSettingsFile(path: string) {
  try {
    const { document, lines } = parse(readText(path));
    const values = [...entriesIn(document.contents)].map(({ key, pair }) => ({
      key,
      value: plainValue(pair.value, document),
      line: lines.linePos((pair.key as Scalar).range?.[0] ?? 0).line,
    }));
    return { values, problem: undefined };
  } catch (error) {
    return { values: [], problem: `Cannot read \`${path}\`: ${messageOf(error)}` };
  }
}

/** Values to set by key; undefined takes one out. */
export type SettingsChanges = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * Changes a settings file in one step, comments and order kept, readable for its owner alone. A file that has nothing left
 * in it is deleted. Throws a `file` MemoError if the file is not a map of settings, and never overwrites it.
 */
export function changeSettingsFile(path: string, changes: SettingsChanges): void {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  const target = isLink ? realPathOf(path) : path;
  let [what, hint] = ["change", "Fix the file with `memo config edit`, or move it aside"];
  try {
    const text = withSettings(readText(target), changes);
    [what, hint] = ["write", "Check that its folder is writable and the disk is not full"];
    if (text === "" && !isLink) return rmSync(target, { force: true });
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    writeFileAtomic(target, text, { mode: 0o600 });
  } catch (cause) {
    const message = `Cannot ${what} \`${path}\`: ${messageOf(cause)}`;
    throw new MemoError("file", message, { cause, hint: `${hint}, then try again` });
  }
}

/** The text of a settings file with other values; throws when the text is not YAML or no map. */
export function withSettings(text: string, changes: SettingsChanges): string {
  const { document } = parse(text);
  for (const [key, value] of Object.entries(changes)) {
    const entries = [...entriesIn(document.contents)].filter((entry) => entry.key === key);
    // Where a key stands twice, the last one counts, and is the one that stays.
    const kept = value === undefined ? undefined : entries.pop();
    for (const { steps } of entries) remove(steps);
    if (kept !== undefined) kept.pair.value = replacement(kept.pair.value, value, document);
    else if (value !== undefined) document.setIn(newPlace(document, key), value);
  }
  if (isMap(document.contents) && document.contents.items.length === 0) {
    const { commentBefore, comment } = document.contents;
    document.comment = joined(joined(commentBefore, comment), document.comment) ?? null;
    document.contents = null;
  }
  if (document.contents === null) return commentsOf(document);
  return document.toString({ // the rest is to look as it does
    lineWidth: 0,
    indent: /^( +)[^\s#-]/m.exec(text)?.[1]?.length ?? 2,
    flowCollectionPadding: /[{[] /.test(text),
  });
}

function parse(text: string): { document: Document; lines: LineCounter } {
  const lines = new LineCounter();
  const document: Document = parseDocument(text, { lineCounter: lines });
  const error = document.errors[0];
  if (error !== undefined) {
    const { line, col } = error.linePos?.[0] ?? { line: 1, col: 1 };
    const why = error.message.split("\n")[0]!.replace(/ at line \d+, column \d+:?$/, "");
    throw new Error(`line ${line}, column ${col}: ${why}`);
  }
  if (document.contents !== null && !isMap(document.contents) && !isNothing(document.contents)) {
    throw new Error("it is not a map of settings");
  }
  return { document, lines };
}

function readText(path: string): string {
  try {
    return readRegular(path, MAX_BYTES).toString("utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return "";
    throw error;
  }
}

/** The pairs from the root of a file to a value, each with the map that it is in. */
type Steps = readonly { readonly map: YAMLMap; readonly pair: Pair }[];
/** A value in the tree of a file. */
type FileEntry = { readonly key: string; readonly pair: Pair; readonly steps: Steps };

/** Every value that is not itself a map, in the order of the text. */
function* entriesIn(map: unknown, above = "", steps: Steps = []): Generator<FileEntry> {
  if (!isMap(map)) return;
  for (const pair of map.items) {
    if (!isScalar(pair.key)) continue;
    const key = above + String(pair.key.value), on = [...steps, { map, pair }];
    if (isMap(pair.value)) yield* entriesIn(pair.value, `${key}.`, on);
    else if (!isNothing(pair.value)) yield { key, pair, steps: on };
  }
}

/** `recall:` with nothing behind it says nothing. */
function isNothing(node: unknown): boolean {
  return node === null || (isScalar(node) && node.value === null);
}

function plainValue(node: unknown, document: Document): unknown {
  const resolved = isAlias(node) ? node.resolve(document) : node;
  return isScalar(resolved) ? resolved.value : String(resolved);
}

/** Where a key that is not there yet goes: nested, unless something else is in the way of that. */
function newPlace(document: Document, key: string): readonly string[] {
  const path = key.split(".");
  for (let depth = 1; depth < path.length; depth++) {
    const above = path.slice(0, depth);
    const node = document.getIn(above, true);
    if (isMap(node)) continue;
    if (node !== undefined && !isNothing(node)) return [key];
    document.setIn(above, new YAMLMap());
  }
  return path;
}

/** A node for a new value in the place of an old one, whose comments stay. */
function replacement(old: unknown, value: unknown, document: Document): Node {
  const fresh = document.createNode(value) as Scalar;
  if (isScalar(old)) {
    fresh.comment = old.comment;
    fresh.commentBefore = old.commentBefore;
    if (old.anchor) fresh.anchor = old.anchor;
  }
  return fresh;
}

/** Removes a pair, and maps that it leaves empty. The comment above it stays, because it may be about more. */
function remove(steps: Steps, orphan?: string): void {
  const { map, pair } = steps.at(-1)!;
  const at = map.items.indexOf(pair);
  map.items.splice(at, 1);
  const comment = joined((pair.key as Scalar).commentBefore, orphan);
  if (map.items.length === 0 && steps.length > 1) {
    remove(steps.slice(0, -1), joined(joined(map.commentBefore, comment), map.comment));
    return;
  }
  const next = map.items[at]?.key;
  if (isScalar(next)) next.commentBefore = joined(comment, next.commentBefore) ?? null;
  else map.comment = joined(map.comment, comment) ?? null;
}

function joined(a: string | null | undefined, b: string | null | undefined): string | undefined {
  return a && b ? `${a}\n${b}` : a || b || undefined;
}

/** The text of a file that holds nothing but comments. */
function commentsOf(document: Document): string {
  const text = joined(document.commentBefore, document.comment);
  return text ? text.replace(/^/gm, "#") + "\n" : "";
}

// A strategy in a file of the user's, as the value of a setting: `./mine.ts@DIGEST`. It lies in the folder of memo's
// settings, where no repository and no team puts anything, and the digest is of the content that the person has allowed.

const VALUE = /^(\.\/\w[\w.-]*\.(?:js|mjs|ts))(?:@([0-9a-f]{32}))?$/;
const MAX_STRATEGY_BYTES = 256 * 1024;

/** The file that a value of `strategy.*` names; undefined if it names a strategy of memo's. */
export function ownFile(value: string) {
  /** The digest is of the content that may run; undefined: none may. */
  const [, name, allowed] = VALUE.exec(value) ?? [];
  return name === undefined ? undefined : { name, allowed };
}

/** A file that a setting names. */
export type OwnFile = NonNullable<ReturnType<typeof ownFile>>;

/** Reads such a file; throws where there is none, or a link in its place. */
export function readOwnFile(folder: string, name: string) {
  const path = join(folder, name);
  try {
    if (lstatSync(path).isSymbolicLink()) throw new Error("it is a symbolic link");
    const bytes = readRegular(path, MAX_STRATEGY_BYTES);
    const digest = createHash("sha256").update(bytes).digest("hex").slice(0, 32);
    return { text: bytes.toString("utf8"), digest };
  } catch (error) {
    throw new MemoError("file", `Cannot read the strategy \`${path}\`: ${messageOf(error)}`, {
      hint: `Put the file itself in \`${folder}\``,
    });
  }
}

/** The text of a file whose content is allowed; throws where another one is, or none. */
export function allowedText(folder: string, { name, allowed }: OwnFile): string {
  const { text, digest } = readOwnFile(folder, name);
  if (digest === allowed) return text;
  throw new MemoError(
    "usage",
    allowed === undefined ? "it is not allowed yet" : "it has changed since it was allowed",
    { hint: `Read it, then run \`memo config set strategy.TYPE=${name}\` to allow it` },
  );
}
