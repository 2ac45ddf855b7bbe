// What the manifests of a tree declare: packages with their versions, and scripts or targets with their commands. Each
// kind of manifest is a row; it is read by its lines, so that a broken one still says what it can.

/** Something declared in a file. */
export interface Declared {
  readonly file: string;
  readonly name: string;
  /** The version or the command; empty: none is stated. */
  readonly value: string;
}

/** What the manifests of a tree declare, by name. */
export interface Manifests {
  readonly packages: ReadonlyMap<string, readonly Declared[]>;
  readonly scripts: ReadonlyMap<string, readonly Declared[]>;
}

/** What is declared in one file. */
interface Found {
  readonly kind: "packages" | "scripts";
  readonly name: string;
  readonly value: string;
}

interface Row {
  readonly file: RegExp;
  read(text: string): Iterable<Found>;
}

const ROWS: readonly Row[] = [
  { file: /(?:^|\/)(?:package|composer|deno)\.jsonc?$/, read: json },
  { file: /(?:^|\/)pnpm-workspace\.yaml$/, read: catalogs },
  { file: /(?:^|\/)go\.mod$/, read: goMod },
  { file: /(?:^|\/)(?:Cargo|pyproject)\.toml$|(?:^|\/)[\w-]*\.versions\.toml$/, read: toml },
  { file: /(?:^|\/)(?:setup\.(?:py|cfg)|[\w-]*requirements[\w-]*\.(?:txt|in))$/, read: python },
  { file: /(?:^|\/)requirements\/[\w-]+\.(?:txt|in)$/, read: python },
  { file: /(?:^|\/)(?:Gemfile|[\w-]+\.gemspec)$/, read: ruby },
  { file: /\.(?:cs|fs|vb)proj$|(?:^|\/)Directory\.Packages\.props$/, read: dotnet },
  {
    file: /(?:^|\/)\.github\/(?:workflows|actions)\/.*\.ya?ml$|(?:^|\/)action\.ya?ml$/,
    read: uses,
  },
  { file: /(?:^|\/)(?:docker-)?compose[\w.-]*\.ya?ml$/, read: images },
  { file: /(?:^|\/)(?:[\w.-]*Dockerfile[\w.-]*|Containerfile)$/, read: images },
  { file: /(?:^|\/)(?:GNU)?[Mm]akefile$|\.mk$/, read: targets },
  { file: /(?:^|\/)\.?[Jj]ustfile$/, read: targets },
  { file: /(?:^|\/)[Tt]askfile[\w.-]*\.ya?ml$/, read: tasks },
];

/** The endings of all manifests. */
const MAY_BE =
  /(?:\.(?:jsonc?|toml|txt|in|cfg|ya?ml|mod|gemspec|..proj|props|mk)|setup\.py|file[\w.-]*)$/i;

/** The row of a file; undefined if it is no manifest. */
export function manifestRow(file: string): Row | undefined {
  if (!MAY_BE.test(file)) return undefined; // most files are none: the rows are asked of few
  return /(?:^|\/)(?:node_modules|vendor|testdata|fixtures|__fixtures__)\//.test(file)
    ? undefined
    : ROWS.find((row) => row.file.test(file));
}

/** What some manifests declare. */
export function manifestsIn(texts: ReadonlyMap<string, string>): Manifests {
  const all = { packages: new Map<string, Declared[]>(), scripts: new Map<string, Declared[]>() };
  for (const [file, text] of texts) {
    for (const { kind, name, value } of manifestRow(file)?.read(text) ?? []) {
      const same = all[kind].get(name) ?? [];
      all[kind].set(name, same);
      same.push({ file, name, value });
    }
  }
  return all;
}

const JSON_PARTS: Readonly<Record<string, Found["kind"]>> = {
  ...{ scripts: "scripts", tasks: "scripts", dependencies: "packages" },
  ...{ devDependencies: "packages", peerDependencies: "packages", imports: "packages" },
  ...{ optionalDependencies: "packages", engines: "packages", require: "packages" },
  "require-dev": "packages",
};

/** The scalars of a text in JSON, with comments, by their lines: part and key. */
function* json(text: string): Iterable<Found> {
  let part: Found["kind"] | undefined;
  for (const line of text.split("\n")) {
    const [, key] = /^\s{0,4}"([\w-]+)"\s*:\s*\{\s*$/.exec(line) ?? [];
    if (key !== undefined) part = JSON_PARTS[key];
    else if (/^\s*\}/.test(line)) part = undefined;
    const [, manager, version] = /^\s*"packageManager"\s*:\s*"(\w+)@([^"+]+)/.exec(line) ?? [];
    if (manager !== undefined) yield { kind: "packages", name: manager, value: version! };
    const [, name, value] = /^\s*"([^"]+)"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(line) ?? [];
    if (part === undefined || name === undefined) continue;
    yield { kind: part, name, value: value!.replace(/\\(.)/g, "$1") };
  }
}

/** The versions behind `catalog:` of pnpm. */
function* catalogs(text: string): Iterable<Found> {
  for (
    const [, name, value] of text.matchAll(
      /^\s+["']?([\w@./-]+)["']?:\s*["']?([^\s"']*\d[^\s"']*)/gm,
    )
  ) {
    yield { kind: "packages", name: name!, value: value! };
  }
}

/** What only another package needs. */
export const INDIRECT = /\/\/ indirect/;

function* goMod(text: string): Iterable<Found> {
  for (const line of text.split("\n")) {
    const [, name, value] = /^(?:require\s+|\s+)([\w.-]+\.[\w./~-]+)\s+(v[\w.+-]+)/.exec(line) ??
      [];
    if (name === undefined || INDIRECT.test(line)) continue;
    yield { kind: "packages", name, value: value! };
  }
}

const REQUIREMENT = /^([A-Za-z][\w.-]*)(?:\[[^\]]*\])?\s*((?:[~^=<>!]=?|===)\s*[\w.*]+[^;#]*)?/;

function* toml(text: string): Iterable<Found> {
  let table = "", list = "";
  for (const line of text.split("\n")) {
    const [, header] = /^\s*\[+\s*([^\]]+?)\s*\]+\s*(?:#.*)?$/.exec(line) ?? [];
    if (header !== undefined) {
      [table, list] = [header.replaceAll('"', ""), ""];
      const [, own] = /dependencies\.([\w-]+)$/.exec(table) ?? [];
      if (own !== undefined) yield { kind: "packages", name: own, value: "" };
      continue;
    }
    const [, key, rest] = /^\s*"?([\w.-]+)"?\s*=\s*(.*)$/.exec(line) ?? [];
    const isPackages = /(?:^|[.-])dependencies$|dependency-groups|^(?:libraries|plugins)$/.test(
      table,
    );
    if (key !== undefined && !rest!.startsWith("[")) {
      list = "";
      if (/scripts$|tasks$/.test(table)) {
        yield { kind: "scripts", name: key, value: /^["'](.*)["']/.exec(rest!)?.[1] ?? "" };
      } else if (isPackages) {
        const value = /version\s*=\s*["']([^"']*)/.exec(rest!) ?? /^["']([^"']*)/.exec(rest!);
        yield { kind: "packages", name: key.split(".")[0]!, value: value?.[1] ?? "" };
      }
      continue;
    }
    if (key !== undefined) list = key;
    // `dependencies = ["click>=8", …]`, and the lists of extras and groups
    const isList = (list === "dependencies" && /^project$/.test(table)) || list === "requires" ||
      /optional-dependencies|dependency-groups/.test(table);
    if (isList) yield* quoted(line);
    if (/\]\s*(?:#.*)?$/.test(line) && !/\[[^\]]*\]["']/.test(line)) list = "";
  }
}

/** Requirements in quotes. */
function* quoted(line: string): Iterable<Found> {
  for (const [, text] of line.matchAll(/["']([^"']+)["']/g)) {
    const [, name, value = ""] = REQUIREMENT.exec(text!) ?? [];
    if (name !== undefined) yield { kind: "packages", name, value: value.trim() };
  }
}

function* python(text: string): Iterable<Found> {
  for (const line of text.split("\n")) {
    if (/["']/.test(line)) yield* quoted(line);
    else {
      const [whole, name, value = ""] = REQUIREMENT.exec(line.trim()) ?? [];
      const isAlone = whole !== undefined &&
        /^\s*(?:[;#].*)?$/.test(line.trim().slice(whole.length));
      if (isAlone) yield { kind: "packages", name: name!, value: value.trim() };
    }
  }
}

function* ruby(text: string): Iterable<Found> {
  const GEM =
    /^\s*(?:gem|\w+\.add(?:_\w+)?_dependency)[\s(]+["']([^"']+)["'](?:\s*,\s*["']([^"']+)["'])?/;
  for (const line of text.split("\n")) {
    const [, name, value = ""] = GEM.exec(line) ?? [];
    if (name !== undefined) yield { kind: "packages", name, value };
  }
}

function* dotnet(text: string): Iterable<Found> {
  const PACKAGE = /<Package(?:Reference|Version)\s+Include="([^"]+)"(?:\s+Version="([^"]+)")?/g;
  for (const [, name, value = ""] of text.matchAll(PACKAGE)) {
    yield { kind: "packages", name: name!, value };
  }
}

function* uses(text: string): Iterable<Found> {
  for (
    const [, name, hash, said] of text.matchAll(
      /uses:\s*["']?([\w./-]+)@([\w./-]+)(?:["']?\s*#\s*(v[\w.]+))?/g,
    )
  ) {
    yield { kind: "packages", name: name!, value: said ?? hash! };
  }
  yield* images(text);
}

function* images(text: string): Iterable<Found> {
  for (
    const [, name, value] of text.matchAll(
      /(?:image:\s*["']?|^FROM\s+(?:--\S+\s+)?)([\w./-]+):([\w.-]+)/gm,
    )
  ) {
    yield { kind: "packages", name: name!, value: value! };
  }
}

function* targets(text: string): Iterable<Found> {
  for (const [, names] of text.matchAll(/^@?([A-Za-z0-9][\w./ -]*?)(?:\s[^:=\n]*)?:(?![=:])/gm)) {
    for (const name of names!.split(/\s+/)) yield { kind: "scripts", name, value: "" };
  }
}

/** The tasks of a Taskfile: the keys right below `tasks:`. */
function* tasks(text: string): Iterable<Found> {
  let isIn = false;
  let indent = "";
  for (const line of text.split("\n")) {
    if (/^\S/.test(line)) [isIn, indent] = [/^tasks:/.test(line), ""];
    const [, space, name] = /^(\s+)["']?([\w:.*-]+?)["']?:(?:\s|$)/.exec(line) ?? [];
    if (!isIn || name === undefined) continue;
    if (indent === "") indent = space!;
    if (space === indent) yield { kind: "scripts", name, value: "" };
  }
}
