// What has become of the things that a note names. A thing counts only if the tree had it when the note was written, or
// at any look since: what never was there is nothing. Values are compared only where the note states the old one.

import { basename, dirname } from "node:path";
import type { Drift } from "../../core/relation/standing.ts";
import { type Declaration, INDIRECT, manifestRow, type Manifests } from "./manifests.ts";
import { bare, bounded, type NamedThings, states, versionIn } from "./named.ts";
import type { CommitTree, PathStatus } from "./repository.ts";

/** What a tree had of a thing. */
export interface Reference {
  readonly file: string;
  /** The commit that had it, once that is noted. */
  readonly seen?: string;
  /** The value that the note states. */
  readonly value?: string;
  /** The line that defines it. */
  readonly line?: string;
}

/** What was there of the things of a note, by kind and name; null: it had no such thing. */
export type References = Readonly<Record<string, Reference | null>>;

/** A line with a word in it. */
export interface WordUse {
  readonly file: string;
  readonly line: string;
  readonly isDefinition: boolean;
  /** The literal that the line gives the word. */
  readonly literal: string | undefined;
}

/** A commit with what notes are compared with. */
export interface Code {
  readonly tree: CommitTree;
  readonly manifests: Manifests;
  /** Texts of the manifests. */
  readonly texts: ReadonlyMap<string, string>;
  /** The values of each key in files that notes name. */
  readonly settings: ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;
  /** Where words stand in the code; undefined: it cannot be told. */
  readonly uses: ReadonlyMap<string, readonly WordUse[]> | undefined;
}

/** HEAD, and what became of the paths that it does not have. */
type Head = Code & { readonly fates: ReadonlyMap<string, PathStatus> };

type FoundDrift = Omit<Drift, "thing" | "isMain"> & { readonly thing?: string };

/** A kind of thing: what a tree has of those that a note names, and what has become of one at HEAD, if it does not hold. */
interface ThingKind {
  groundsOf(
    named: NamedThings,
    code: Code,
  ): Iterable<readonly [name: string, ground: Reference | null]>;
  became(name: string, ground: Reference, named: NamedThings, head: Head): FoundDrift | undefined;
}

const KINDS: Readonly<Record<string, ThingKind>> = {
  path: {
    *groundsOf({ paths }, { tree }) {
      for (const path of paths) {
        const file = resolvePath(path, tree);
        yield [path, file === undefined ? null : { file }];
      }
    },
    became(_name, { file }, _named, { fates }) {
      const fate = fates.get(file);
      return fate && { verdict: fate.to === undefined ? "gone" : "moved", ...fate };
    },
  },
  script: {
    *groundsOf(named, { manifests: { scripts } }) {
      for (const [name, call] of named.scripts) {
        const its = (scripts.get(name) ?? []).filter(({ file }) => runs(call, file));
        const stated = its.find(({ value }) => value !== "" && saysCommand(named, value));
        yield [name, stated ?? (its[0] === undefined ? null : { file: its[0].file })];
      }
      for (const [name, declared] of scripts) {
        const its = declared.find(({ value }) => named.codes.includes(value));
        if (its === undefined || named.scripts.has(name)) continue;
        if (bounded(name).test(named.text)) yield [name, its];
      }
    },
    became(name, ground, named, { manifests: { scripts } }) {
      const call = named.scripts.get(name);
      const now = (scripts.get(name) ?? []).filter(({ file }) =>
        call === undefined || runs(call, file)
      );
      const runner = { "package.json": "npm run ", "deno.json": "deno task " };
      const thing = call ?? (runner[basename(ground.file) as keyof typeof runner] ?? "") + name;
      if (now.length === 0) return call === undefined ? undefined : { thing, verdict: "gone" };
      const changed = changedTo(ground, now, named, isSame);
      return changed && { thing, ...changed };
    },
  },
  package: {
    *groundsOf(named, code) {
      const { manifests } = code;
      const run = [...KINDS["script"]!.groundsOf(named, code)].map(([, ground]) => ground?.value);
      for (const [name, isClear] of named.packages) {
        const full = packageNamed(name, manifests);
        if (full === undefined || run.includes(name)) continue; // it is what a script runs
        const declared = manifests.packages.get(full)!
          .toSorted((a, b) => Number(isNamed(b.file, named)) - Number(isNamed(a.file, named)));
        const stated = declared.find(({ value }) => states(named.text, name, versionIn(value)));
        if (stated === undefined && !isClear && full === name) continue;
        yield [full, stated ?? { file: declared[0]!.file }];
      }
    },
    became(name, ground, named, { manifests, texts }) {
      const now = manifests.packages.get(name);
      if (now !== undefined) {
        const versions = now.filter(({ value }) => /\d/.test(value));
        return changedTo(ground, versions, named, (a, b) => versionIn(a) === versionIn(b));
      }
      const word = new RegExp(`(?<![\\w@/.-])${RegExp.escape(name)}(?![\\w/-])`);
      const isThere = [...texts.values()].some((text) =>
        text.split("\n").some((line) => word.test(line) && !INDIRECT.test(line))
      );
      return isThere ? undefined : { verdict: "gone" };
    },
  },
  setting: {
    *groundsOf(named, { tree, settings }) {
      for (const file of settingsFiles(named, tree)) {
        // A key that stands there twice says nothing.
        for (const [key, [value = "", ...others]] of settings.get(file) ?? []) {
          if (others.length > 0 || key.length < 2 || !states(named.text, key, value)) continue;
          yield [`${key}\n${file}`, { file, value }];
        }
      }
    },
    became(name, ground, named, { settings, fates }) {
      const [thing = ""] = name.split("\n"), { file } = ground;
      const values = settings.get(fates.get(file)?.to ?? file)?.get(thing) ?? [];
      const now = [...values].map((value) => ({ file, value }));
      const changed = changedTo(ground, now, named, isSame);
      return changed && { thing, ...changed };
    },
  },
  symbol: {
    *groundsOf(named, { uses }) {
      for (const name of named.symbols) {
        const its = uses?.get(name);
        if (its !== undefined) yield [name, symbolGround(name, its, named)];
      }
    },
    became(name, { file, line, value: from }, named, { uses: all, fates }) {
      if (all === undefined) return undefined;
      const uses = all.get(name) ?? [];
      if (uses.length === 0) return { verdict: "gone" };
      if (from !== undefined) {
        const given = uses.filter(({ literal }) => literal !== undefined);
        const here = given.filter((use) => use.file === (fates.get(file)?.to ?? file));
        const [to, ...others] = new Set(
          (here.length > 0 ? here : given).map((use) => use.literal!),
        );
        if (others.length > 0 || given.some((use) => isSame(use.literal!, from))) return undefined;
        if (to !== undefined) return { verdict: "changed", from, to };
      }
      const definitions = uses.filter(({ isDefinition }) => isDefinition);
      const isHere = definitions.some((use) => use.file === file);
      if (line === undefined || !isNamed(file, named) || isHere) return undefined;
      const alike = definitions.filter((use) => isAlike(use.line, line));
      const [to, ...others] = new Set(alike.map((use) => use.file));
      return to === undefined || others.length > 0 ? undefined : { verdict: "moved", to };
    },
  },
  value: {
    *groundsOf(named, code) {
      for (const key of named.keys) {
        const only = valueOf(key, code);
        if (only !== undefined && saysValue(named, key, only.value)) yield [key, only];
      }
    },
    became(name, ground, named, head) {
      const only = valueOf(name, head), { file } = ground;
      const isThere = only?.file === (head.fates.get(file)?.to ?? file);
      return isThere ? changedTo(ground, [{ ...only!, file }], named, isSame) : undefined;
    },
  },
};

/** The one literal that all code gives a plain word, whose name is certain only then. */
function valueOf(key: string, { uses }: Code): Declaration | undefined {
  const [{ file, literal: value } = {}, ...others] = uses?.get(`= ${key}`) ?? [];
  return file === undefined || value === undefined || others.length > 0
    ? undefined
    : { file, value };
}

function saysValue({ text }: NamedThings, key: string, value: string): boolean {
  return value.length > 1 && states(text.toLowerCase(), key, value.toLowerCase());
}

/** What a tree has of what a note names. */
export function referencesIn(named: NamedThings, code: Code): References {
  return Object.fromEntries(
    Object.entries(KINDS).flatMap(([kind, { groundsOf }]) =>
      [...groundsOf(named, code)].map(([name, ground]) => [`${kind} ${name}`, ground])
    ),
  );
}

/** What has become of each thing that was there. */
export function judge(named: NamedThings, grounds: References, head: Head): Drift[] {
  const drift = new Map<string, Drift>();
  const title = named.text.slice(0, named.text.indexOf("\n"));
  const things = Object.entries(grounds);
  for (const [key, ground] of things) {
    const kind = key.slice(0, key.indexOf(" ")), name = key.slice(kind.length + 1);
    const found = ground && KINDS[kind]?.became(name, ground, named, head);
    if (!found) continue;
    const { thing = name } = found, isMain = title.includes(thing) || things.length === 1;
    if (!drift.has(thing)) drift.set(thing, { thing, ...found, ...isMain ? { isMain } : {} });
  }
  return [...drift.values()];
}

/** Names that many folders have a file of: alone they mean none. */
const COMMON =
  /^(?:index|mod|main|__init__|__main__|utils?|lib|types|package|setup|config|conftest)\.\w+$|^(?:README|CHANGELOG|LICENSE)\b/i;

/** The path that a note names in a tree. */
function resolvePath(said: string, { files, folders, named }: CommitTree): string | undefined {
  const path = said.replace(/^\/+/, "");
  if (said.startsWith("~")) return undefined;
  if (path.endsWith("/")) return folders.has(path.slice(0, -1)) ? path.slice(0, -1) : undefined;
  const same = named.get(basename(path)) ?? [];
  if (!path.includes("/")) {
    return same.length === 1 && !(COMMON.test(path) && same[0] !== path) ? same[0] : undefined;
  }
  if (files.has(path) || folders.has(path)) return path;
  const below = same.filter((file) => file.endsWith("/" + path));
  return below.length === 1 ? below[0] : undefined;
}

/** Whether a note that is of no repository is about this one: it had whatever the note names by folder and file. */
export function isAbout({ paths }: NamedThings, grounds: References): boolean {
  const own = paths.filter((path) => /\w\/\w/.test(path));
  return own.every((path) => grounds[`path ${path}`]) &&
    own.some((path) => !COMMON.test(basename(path)));
}

const SETTINGS =
  /\.(?:jsonc?|ya?ml|toml|ini|cfg|conf|properties|mod|env)$|(?:^|\/)\.[\w.-]+$|[.-]config\.\w+$/;

/** The files of a tree that may hold settings that a note states. */
export function settingsFiles({ paths }: NamedThings, tree: CommitTree): string[] {
  return paths.flatMap((path) => {
    const file = resolvePath(path, tree);
    return file !== undefined && tree.files.has(file) && SETTINGS.test(file) ? [file] : [];
  });
}

const SETTING =
  /^[ \t]*(?:- |export |const |set )?["']?([A-Za-z][\w.@-]*)["']?(?:\s*[=:]\s*|[ \t]+)["']?([^\s"'{}[\],;#][^"'{}[\],;#\n]{0,60}?)["']?[,;]?[ \t]*(?:#.*|\/\/.*)?$/gm;

/** The scalar settings of a file. */
export function settingsOf(content: string): ReadonlyMap<string, ReadonlySet<string>> {
  const all = new Map<string, Set<string>>();
  for (const [, key, value] of content.matchAll(SETTING)) {
    all.set(key!, (all.get(key!) ?? new Set()).add(value!));
  }
  return all;
}

/** Whether a note names a file, by its path or the end of it. */
function isNamed(file: string, { paths }: NamedThings): boolean {
  return paths.some((path) => file === path || file.endsWith("/" + path));
}

/** The package of manifests that a piece of a text names: whole, by the end of its path, or by a scope. */
function packageNamed(name: string, { packages }: Manifests): string | undefined {
  if (packages.has(name)) return name;
  const core = `@${name}/core`;
  if (!name.includes("/")) return packages.has(core) ? core : undefined;
  const ends = [...packages.keys()].filter((full) => full.endsWith("/" + name));
  return ends.length === 1 ? ends[0] : undefined;
}

/** Whether a call runs what a manifest declares. */
function runs(call: string, file: string): boolean {
  const [, folder] = / \(in (.+)\/\)$/.exec(call) ?? [];
  const isThere = folder === undefined || dirname(file) === folder;
  return isThere && manifestRow(file)?.calls?.test(call) === true;
}

function saysCommand({ codes, text }: NamedThings, command: string): boolean {
  return codes.includes(command) || (command.length > 5 && bounded(command).test(text));
}

const LITERAL =
  /^["']?(?:\s*:\s*[\w<>&'., []+\]?(?=\s*=)|\s+[\w.*]+(?=\s*=))?\s*(?::?=|:|\s(?=["'\d]))\s*((["'`]).{0,58}?\2|-?[\d.][\w.]*(?:\s*[*+]\s*[\w.]+)*|true|false|True|False)\s*[,;]?\s*(?:(?:\/\/|#).*)?$/;

/** The literal that a line gives a name. */
export function literalIn(line: string, name: string): string | undefined {
  const at = line.search(new RegExp(`(?<![\\w$])${RegExp.escape(name)}(?![\\w$])`));
  const [, literal] = at < 0 ? [] : LITERAL.exec(line.slice(at + name.length)) ?? [];
  return literal === undefined ? undefined : bare(literal);
}

/** What code has of a symbol: the value that the note states, or else where it is defined. */
function symbolGround(
  name: string,
  uses: readonly WordUse[],
  named: NamedThings,
): Reference | null {
  const definitions = uses.filter(({ isDefinition }) => isDefinition);
  for (const { file, line, literal: value } of [...definitions, ...uses]) {
    if (value !== undefined && states(named.text, name, value)) return { file, line, value };
  }
  const own = definitions.find(({ file }) => isNamed(file, named)) ?? definitions[0];
  if (own !== undefined) return { file: own.file, line: own.line };
  const isEnvironment = /^[A-Z][A-Z0-9]*_[A-Z0-9_]+$/.test(name);
  return isEnvironment && uses.length > 0 ? { file: uses[0]!.file } : null;
}

/** Whether what HEAD has of a note's symbols is not yet enough to tell how they stand. */
export function needsPast(named: NamedThings, code: Code): boolean {
  const { uses: all } = code;
  const isFileNamed = named.paths.some((path) => /\.\w+$/.test(path));
  if (all === undefined) return false;
  const isOther = named.keys.some((key) => {
    const only = valueOf(key, code);
    return only !== undefined && !saysValue(named, key, only.value);
  });
  return isOther || named.symbols.some((name) => {
    const uses = all.get(name) ?? [];
    const values = uses.flatMap(({ literal }) => literal ?? []);
    return uses.length === 0 ||
      (values.length > 0 && !values.some((value) => states(named.text, name, value))) ||
      (isFileNamed && !uses.some((use) => use.isDefinition && isNamed(use.file, named)));
  });
}

/** The value that a declaration has now, where the note states another one. */
function changedTo(
  { file, value: from }: Reference,
  now: readonly Declaration[],
  named: NamedThings,
  isHeld: (a: string, b: string) => boolean,
): FoundDrift | undefined {
  const here = now.filter((each) => each.file === file), own = here.length > 0 ? here : now;
  // Where the note names the file, others say nothing.
  const others = isNamed(file, named) ? own : now;
  if (from === undefined || others.some(({ value }) => isHeld(value, from))) return undefined;
  const [to = "", ...more] = new Set(own.map(({ value }) => value));
  return to === "" || more.length > 0 ? undefined : { verdict: "changed", from, to };
}

function isSame(a: string, b: string): boolean {
  return bare(a).toLowerCase() === bare(b).toLowerCase();
}

/** Whether two lines define the same thing, and not by chance two of one name. */
function isAlike(a: string, b: string): boolean {
  const [one, two] = [new Set(a.match(/[\w$]+/g)), new Set(b.match(/[\w$]+/g))];
  return one.intersection(two).size / Math.max(1, one.union(two).size) >= 0.4;
}
