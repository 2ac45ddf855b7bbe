// What has become of the things that a note names. A thing counts only if the tree had it when the note was written, or
// at any look since: what never was there is nothing. Values are compared only where the note states the old one.

import { basename, dirname } from "node:path";
import type { Drift, Witness } from "../memory/standing.ts";
import { type Declared, INDIRECT, type Manifests } from "./manifests.ts";
import { bare, bounded, type Named, states, versionIn } from "./named.ts";
import type { Tree } from "./repository.ts";

/** What a tree had of a thing; null: it had no such thing. */
export type Ground = {
  readonly file: string;
  readonly isFolder?: boolean;
  /** The commit that had it, once that is noted. */
  readonly seen?: string;
  /** The value that the note states. */
  readonly value?: string;
  /** The line that defines it. */
  readonly line?: string;
} | null;

/** What was there of the things of a note, by kind and name; a thing without an entry has not been looked for. */
export type Grounds = Readonly<Record<string, Ground>>;

/** A line with a word in it. */
export interface Use {
  readonly file: string;
  readonly line: string;
  readonly isDefinition: boolean;
  /** The literal that the line gives the word. */
  readonly literal: string | undefined;
}

/** Where words stand in the code of a commit; undefined: it cannot be told. */
export type Uses = ReadonlyMap<string, readonly Use[]> | undefined;

/** The values of each key in a file. */
export type Settings = ReadonlyMap<string, ReadonlySet<string>>;

/** A commit with what notes are compared with. */
export interface Code {
  readonly tree: Tree;
  readonly manifests: Manifests;
  /** Texts of the manifests. */
  readonly texts: ReadonlyMap<string, string>;
  /** The scalar settings in files that notes name. */
  readonly settings: ReadonlyMap<string, Settings>;
  readonly uses: Uses;
}

/** Where a file went; undefined: it cannot be told. */
export interface Removal {
  readonly to: string | undefined;
  readonly by: Witness;
}

/** Names that many folders have a file of: alone they mean none. */
const COMMON =
  /^(?:index|mod|main|__init__|__main__|utils?|lib|types|package|setup|config|conftest)\.\w+$|^(?:README|CHANGELOG|LICENSE)\b/i;

/** The path that a note names in a tree. */
export function resolvePath(said: string, { files, folders, named }: Tree): string | undefined {
  const path = said.replace(/^(?:~\/|\/)+/, "");
  if (said.startsWith("~")) return undefined;
  const name = basename(path);
  if (path.endsWith("/")) return folders.has(path.slice(0, -1)) ? path.slice(0, -1) : undefined;
  if (!path.includes("/")) {
    const same = named.get(path) ?? [];
    return same.length === 1 && !(COMMON.test(path) && same[0] !== path) ? same[0] : undefined;
  }
  if (files.has(path) || folders.has(path)) return path;
  const below = (named.get(name) ?? []).filter((file) => file.endsWith("/" + path));
  return below.length === 1 ? below[0] : undefined;
}

/** What a tree has of the paths, scripts, packages and settings that a note names. */
export function groundsIn(
  named: Named,
  { tree, manifests, settings }: Omit<Code, "uses">,
): Grounds {
  const found: Record<string, Ground> = {};
  const { text } = named;
  for (const path of named.paths) {
    const file = resolvePath(path, tree);
    found[`path ${path}`] = file === undefined
      ? null
      : tree.folders.has(file)
      ? { file, isFolder: true }
      : { file };
  }
  for (const [name, call] of named.scripts) {
    const its = (manifests.scripts.get(name) ?? []).filter((each) => runs(call, each.file));
    const stated = its.find(({ value }) => value !== "" && saysCommand(named, value));
    const script = stated ?? its[0];
    found[`script ${name}`] = script === undefined
      ? null
      : { file: script.file, ...stated === undefined ? {} : { value: stated.value } };
  }
  for (const code of named.codes) {
    for (const [name, declared] of manifests.scripts) {
      const its = declared.find(({ value }) => value === code);
      if (its === undefined || named.scripts.has(name) || !bounded(name).test(text)) continue;
      found[`script ${name}`] = { file: its.file, value: code };
    }
  }
  const commands = new Set(Object.values(found).map((ground) => ground?.value));
  for (const [name, { isClear }] of named.packages) {
    if (commands.has(name)) continue; // it is what a script runs
    for (const full of packagesNamed(name, manifests)) {
      const declared = manifests.packages.get(full)!
        .toSorted((a, b) => Number(isNamed(b.file, named)) - Number(isNamed(a.file, named)));
      const stated = declared.find(({ value }) => states(text, name, versionIn(value)));
      if (stated === undefined && !isClear && full === name) continue;
      const { file, value } = stated ?? declared[0]!;
      found[`package ${full}`] = { file, ...stated === undefined ? {} : { value } };
    }
  }
  for (const file of settingsFiles(named, tree)) {
    // A key that stands there twice says nothing.
    for (const [key, [value = "", ...others]] of settings.get(file) ?? []) {
      if (others.length > 0 || key.length < 2 || !states(text, key, value)) continue;
      found[`setting ${key}\n${file}`] = { file, value };
    }
  }
  return found;
}

/** The files of a tree that may hold settings that a note states. */
export function settingsFiles(named: Named, tree: Tree): string[] {
  return named.paths.flatMap((path) => {
    const file = resolvePath(path, tree);
    return file !== undefined && tree.files.has(file) && SETTINGS.test(file) ? [file] : [];
  });
}

const SETTINGS =
  /\.(?:jsonc?|ya?ml|toml|ini|cfg|conf|properties|mod|env)$|(?:^|\/)\.[\w.-]+$|[.-]config\.\w+$/;

function isNamed(file: string, { paths }: Named): boolean {
  return paths.some((path) => file === path || file.endsWith("/" + path));
}

/** The scalar settings of a file. */
export function settingsOf(content: string): Settings {
  const all = new Map<string, Set<string>>();
  const SETTING =
    /^[ \t]*(?:- |export |const |set )?["']?([A-Za-z][\w.@-]*)["']?(?:\s*[=:]\s*|[ \t]+)["']?([^\s"'{}[\],;#][^"'{}[\],;#\n]{0,60}?)["']?[,;]?[ \t]*(?:#.*|\/\/.*)?$/gm;
  for (const [, key, value] of content.matchAll(SETTING)) {
    all.set(key!, (all.get(key!) ?? new Set()).add(value!));
  }
  return all;
}

/** The packages of manifests that a piece of a text names: whole, by the end of its path, or by a scope. */
function packagesNamed(name: string, { packages }: Manifests): string[] {
  if (packages.has(name)) return [name];
  if (name.includes("/")) {
    const ends = [...packages.keys()].filter((full) => full.endsWith("/" + name));
    return ends.length === 1 ? ends : [];
  }
  const core = `@${name}/core`;
  return packages.has(core) ? [core] : [];
}

/** Whether a call runs what a manifest declares. */
function runs(call: string, file: string): boolean {
  const [, folder] = / \(in (.+)\/\)$/.exec(call) ?? [];
  if (folder !== undefined && dirname(file) !== folder) return false;
  const manifest = basename(file).toLowerCase();
  if (/^(?:npm|pnpm|yarn|bun)/.test(call)) return manifest === "package.json";
  if (call.startsWith("deno")) return manifest.startsWith("deno.json");
  if (/^(?:go-)?task/.test(call)) return manifest.startsWith("taskfile");
  if (call.startsWith("make")) return /makefile$|\.mk$/.test(manifest);
  if (call.startsWith("just")) return manifest.endsWith("justfile");
  if (call.startsWith("composer")) return manifest === "composer.json";
  return /\.toml$|rakefile/.test(manifest);
}

/** How a script is called that the note gives by what it runs. */
function callOf(name: string, file: string): string {
  const runner = { "package.json": "npm run", "deno.json": "deno task" }[basename(file)];
  return runner === undefined ? name : `${runner} ${name}`;
}

function saysCommand({ codes, text }: Named, command: string): boolean {
  return codes.includes(command) || (command.length > 5 && bounded(command).test(text));
}

/** The literal that a line gives a name. */
export function literalIn(line: string, name: string): string | undefined {
  const at = line.search(new RegExp(`(?<![\\w$])${RegExp.escape(name)}(?![\\w$])`));
  if (at < 0) return undefined;
  const rest = line.slice(at + name.length);
  const [, value] =
    /^["']?(?:\s*:\s*[\w<>&'., []+\]?(?=\s*=)|\s+[\w.*]+(?=\s*=))?\s*(?::?=|:|\s(?=["'\d]))\s*(.{1,60}?)\s*[,;]?\s*(?:(?:\/\/|#).*)?$/
      .exec(rest) ?? [];
  if (value === undefined || value === "") return undefined;
  const isLiteral = /^(["'`]).*\1$|^-?[\d.][\w.]*(?:\s*[*+]\s*[\w.]+)*$|^(?:true|false|True|False)$/
    .test(value);
  return isLiteral ? bare(value) : undefined;
}

/** What the code of the note's commit had of a symbol, if its value or its file was stated. */
export function symbolGround(name: string, uses: readonly Use[], named: Named): Ground {
  const definitions = uses.filter(({ isDefinition }) => isDefinition);
  for (const { file, line, literal: value } of [...definitions, ...uses]) {
    if (value !== undefined && states(named.text, name, value)) return { file, line, value };
  }
  const own = definitions.find(({ file }) => isNamed(file, named)) ?? definitions[0];
  if (own !== undefined) return { file: own.file, line: own.line };
  const isEnvironment = /^[A-Z][A-Z0-9]*_[A-Z0-9_]+$/.test(name);
  return isEnvironment && uses.length > 0 ? { file: uses[0]!.file } : null;
}

/** Whether what HEAD has of a symbol is not yet enough to tell how it stands. */
export function needsPast(name: string, uses: readonly Use[], named: Named): boolean {
  if (uses.length === 0) return true;
  const values = uses.flatMap(({ literal }) => literal ?? []);
  if (values.length > 0 && !values.some((value) => states(named.text, name, value))) return true;
  const isFileNamed = named.paths.some((path) => /\.\w+$/.test(path));
  return isFileNamed && !uses.some((use) => use.isDefinition && isNamed(use.file, named));
}

/** What has become of each thing that was there. */
export function judge(
  named: Named,
  grounds: Grounds,
  { head, isPast, missing, removals }: {
    readonly head: Code;
    /** Whether a commit is on HEAD's main line: what another branch had is not gone from this one. */
    readonly isPast: (commit: string) => boolean;
    /** The paths that HEAD does not have, with the files of those that were folders. */
    readonly missing: ReadonlyMap<string, readonly string[]>;
    /** What became of these files. */
    readonly removals: ReadonlyMap<string, Removal>;
  },
): Drift[] {
  const drift: Drift[] = [];
  const moved = new Map<string, string>();
  const title = named.text.slice(0, named.text.indexOf("\n"));
  const things = Object.entries(grounds).filter(([, ground]) => isPast(ground?.seen ?? ""));
  const isMain = (thing: string) => title.includes(thing) || things.length === 1;
  const say = (thing: string, rest: Omit<Drift, "thing">) =>
    drift.push({ thing, ...rest, ...isMain(thing) ? { isMain: true } : {} });

  for (const [key, ground] of things) {
    const thing = key.slice(key.indexOf(" ") + 1);
    if (!key.startsWith("path ")) continue;
    const { file } = ground!, inside = missing.get(file);
    const gone = inside === undefined ? undefined : removalOf(file, inside, { head, removals });
    if (gone === undefined) continue;
    const to = gone.to ?? asFolder(file, head.tree);
    if (to !== undefined) moved.set(file, to);
    say(thing, {
      verdict: to === undefined ? "gone" : "moved",
      ...to === undefined ? {} : { to },
      by: gone.by,
    });
  }
  for (const [key, ground] of things) {
    const kind = key.slice(0, key.indexOf(" ")), name = key.slice(kind.length + 1);
    const found = RULES[kind]?.({ name, ground: ground!, named, head, moved });
    if (found !== undefined) say(found.thing ?? name, found);
  }
  const told = new Set<string>();
  return drift.filter(({ thing }) => !told.has(thing) && told.add(thing));
}

interface Asked {
  readonly name: string;
  readonly ground: Exclude<Ground, null>;
  readonly named: Named;
  readonly head: Code;
  /** The new paths of files that the note names. */
  readonly moved: ReadonlyMap<string, string>;
}

type Found = Omit<Drift, "thing"> & { readonly thing?: string };

/** How each kind of thing but paths is looked at. */
const RULES: Readonly<Record<string, (asked: Asked) => Found | undefined>> = {
  symbol({ name, ground, named, head: { uses: all }, moved }) {
    if (all === undefined) return undefined;
    const uses = all.get(name) ?? [];
    if (uses.length === 0) return { verdict: "gone" };
    const { file, line, value } = ground;
    const definitions = uses.filter(({ isDefinition }) => isDefinition);
    if (value !== undefined) {
      const now = uses.filter(({ literal }) => literal !== undefined);
      const here = now.filter((each) => each.file === (moved.get(file) ?? file));
      const values = new Set((here.length > 0 ? here : now).map(({ literal }) => literal!));
      const isHeld = now.some(({ literal }) => isSame(literal!, value));
      if (isHeld || values.size > 1) return undefined;
      if (values.size === 1) return { verdict: "changed", from: value, to: [...values][0]! };
    }
    if (line === undefined || !isNamed(file, named)) return undefined;
    if (definitions.some((use) => use.file === file)) return undefined;
    const others = definitions.filter((use) => isAlike(use.line, line));
    const places = new Set(others.map((use) => use.file));
    return places.size === 1 ? { verdict: "moved", to: [...places][0]! } : undefined;
  },
  script({ name, ground, named, head: { manifests } }) {
    const call = named.scripts.get(name);
    const now = (manifests.scripts.get(name) ?? [])
      .filter((each) => call === undefined || runs(call, each.file));
    const thing = call ?? callOf(name, ground.file);
    if (now.length === 0) return call === undefined ? undefined : { thing, verdict: "gone" };
    return changedTo(ground, now, { thing, named, isHeld: isSame });
  },
  package({ name, ground, named, head: { manifests, texts } }) {
    const now = manifests.packages.get(name) ?? [];
    if (now.length > 0) {
      const isHeld = (a: string, b: string) => versionIn(a) === versionIn(b);
      const versions = now.filter(({ value }) => /\d/.test(value));
      return changedTo(ground, versions, { thing: name, named, isHeld });
    }
    const word = new RegExp(`(?<![\\w@/.-])${RegExp.escape(name)}(?![\\w/-])`);
    const isThere = [...texts.values()].some((text) =>
      text.split("\n").some((line) => word.test(line) && !INDIRECT.test(line))
    );
    return isThere ? undefined : { verdict: "gone" };
  },
  setting({ name, ground, head: { settings }, moved }) {
    const [key = "", file = ""] = name.split("\n");
    const values = settings.get(moved.get(file) ?? file)?.get(key);
    const [value] = values ?? [];
    if (values?.size !== 1 || value === undefined || isSame(value, ground.value!)) return undefined;
    return { thing: key, verdict: "changed", from: ground.value!, to: value };
  },
};

/** The value that a declaration has now, where the note states another one. */
function changedTo(
  { file, value: from }: Exclude<Ground, null>,
  now: readonly Declared[],
  { thing, named, isHeld }: {
    readonly thing: string;
    readonly named: Named;
    readonly isHeld: (a: string, b: string) => boolean;
  },
): Found | undefined {
  const here = now.filter((each) => each.file === file);
  // Where the note names the file, others say nothing.
  const others = here.length > 0 && isNamed(file, named) ? here : now;
  if (from === undefined || others.some(({ value }) => isHeld(value, from))) return undefined;
  const values = new Set((here.length > 0 ? here : now).map(({ value }) => value));
  const [to] = values;
  return values.size === 1 && to !== undefined && to !== ""
    ? { thing, verdict: "changed", from, to }
    : undefined;
}

function isSame(a: string, b: string): boolean {
  return bare(a).toLowerCase() === bare(b).toLowerCase();
}

/** Whether two lines define the same thing, and not by chance two of one name. */
function isAlike(a: string, b: string): boolean {
  const [one, two] = [a, b].map((line) => new Set(line.match(/[\w$]+/g) ?? [])) as [
    Set<string>,
    Set<string>,
  ];
  return one.intersection(two).size / Math.max(1, one.union(two).size) >= 0.4;
}

/** `x.rs` that is now `x/mod.rs`, and the like. */
function asFolder(file: string, { files }: Tree): string | undefined {
  const [, stem, ending] = /^(.+)\.(\w+)$/.exec(file) ?? [];
  if (stem === undefined) return undefined;
  return [`${stem}/mod.${ending}`, `${stem}/__init__.${ending}`, `${stem}/index.${ending}`]
    .find((path) => files.has(path));
}

/** What became of a path that HEAD does not have: of a folder, what became of most of its files. */
function removalOf(
  path: string,
  files: readonly string[],
  { head, removals }: {
    readonly head: Code;
    readonly removals: ReadonlyMap<string, Removal>;
  },
): Removal | undefined {
  if (files.length === 0) return removals.get(path);
  const gone = files.flatMap((file) => {
    const removal = removals.get(file);
    return removal === undefined ? [] : [{ file, ...removal }];
  });
  if (gone.length === 0 || gone.length < files.length) return undefined;
  const places = Map.groupBy(
    gone.flatMap(({ file, to }) => {
      const end = file.slice(path.length);
      return to?.endsWith(end) ? [to.slice(0, -end.length)] : [];
    }),
    (place) => place,
  );
  const [best] = [...places].sort((a, b) => b[1].length - a[1].length);
  const isMost = best !== undefined && best[0] !== "." && best[1].length * 2 > gone.length;
  const to = isMost && head.tree.folders.has(best[0]) ? best[0] : undefined;
  const by = gone.reduce((a, b) => a.by.day >= b.by.day ? a : b).by;
  return { to, by };
}
