// What the manifests of a tree declare: packages with their versions, and scripts or targets with their commands. Each
// kind of manifest is a row; it is read by its lines, so that a broken one still says what it can.

/** Something declared in a file. */
export interface Declaration {
  readonly file: string;
  /** The version or the command; empty: none is stated. */
  readonly value: string;
}

/** What the manifests of a tree declare, by name. */
export interface Manifests {
  readonly packages: ReadonlyMap<string, readonly Declaration[]>;
  readonly scripts: ReadonlyMap<string, readonly Declaration[]>;
}

/** What is declared in one file: its kind, name and value. */
type DeclaredValue = readonly [kind: keyof Manifests, name: string, value: string];

interface ManifestRow {
  readonly file: RegExp;
  /** A name, its value, and perhaps another that counts instead. */
  readonly packages?: RegExp;
  /** Names, and what they run. */
  readonly scripts?: RegExp;
  readonly read?: (text: string) => Iterable<DeclaredValue>;
  /** What runs its scripts. */
  readonly calls?: RegExp;
}

const TARGETS = /^@?([A-Za-z0-9][\w./ -]*?)(?:\s[^:=\n]*)?:(?![=:])/gm;
const IMAGES = /(?:image:\s*["']?|^FROM\s+(?:--\S+\s+)?)([\w./-]+):([\w.-]+)/gm;
const ROWS: readonly ManifestRow[] = [
  { file: /(?:^|\/)package\.json$/, read: json, calls: /^(?:npm|pnpm|yarn|bun)/ },
  { file: /(?:^|\/)deno\.jsonc?$/, read: json, calls: /^deno/ },
  { file: /(?:^|\/)composer\.json$/, read: json, calls: /^composer/ },
  {
    file: /(?:^|\/)pnpm-workspace\.yaml$/,
    packages: /^\s+["']?([\w@./-]+)["']?:\s*["']?([^\s"']*\d[^\s"']*)/gm,
  },
  {
    file: /(?:^|\/)go\.mod$/,
    packages: /^(?:require[ \t]+|[ \t]+)([\w.-]+\.[\w./~-]+)[ \t]+(v[\w.+-]+)(?!.*\/\/ indirect)/gm,
  },
  {
    file: /(?:^|\/)(?:Cargo|pyproject|[\w-]*\.versions)\.toml$/,
    read: toml,
    calls: /^(?:cargo|poetry|uv|hatch|pdm|mise)/,
  },
  {
    file:
      /(?:^|\/)(?:setup\.(?:py|cfg)|(?:[\w-]*requirements[\w-]*|requirements\/[\w-]+)\.(?:txt|in))$/,
    read: python,
  },
  {
    file: /(?:^|\/)(?:Gemfile|[\w-]+\.gemspec)$/,
    packages:
      /^\s*(?:gem|\w+\.add(?:_\w+)?_dependency)[\s(]+["']([^"']+)["'](?:\s*,\s*["']([^"']+)["'])?/gm,
  },
  {
    file: /\.(?:cs|fs|vb)proj$|(?:^|\/)Directory\.Packages\.props$/,
    packages: /<Package(?:Reference|Version)\s+Include="([^"]+)"(?:\s+Version="([^"]+)")?/g,
  },
  {
    file: /(?:^|\/)\.github\/(?:workflows|actions)\/.*\.ya?ml$|(?:^|\/)action\.ya?ml$/,
    packages:
      /(?:uses:\s*["']?|image:\s*["']?)([\w./-]+)[@:](?!\/)([\w./-]+)(?:["']?\s*#\s*(v[\w.]+))?/g,
  },
  {
    file: /(?:^|\/)(?:(?:docker-)?compose[\w.-]*\.ya?ml|[\w.-]*Dockerfile[\w.-]*|Containerfile)$/,
    packages: IMAGES,
  },
  { file: /(?:^|\/)(?:GNU)?[Mm]akefile$|\.mk$/, scripts: TARGETS, calls: /^make/ },
  { file: /(?:^|\/)\.?[Jj]ustfile$/, scripts: TARGETS, calls: /^just/ },
  { file: /(?:^|\/)[Tt]askfile[\w.-]*\.ya?ml$/, read: tasks, calls: /^(?:go-)?task/ },
];

/** The endings of all manifests. */
const MAY_BE =
  /(?:\.(?:jsonc?|toml|txt|in|cfg|ya?ml|mod|gemspec|..proj|props|mk)|setup\.py|file[\w.-]*)$/i;

/** The row of a file; undefined if it is no manifest. */
export function manifestRow(file: string): ManifestRow | undefined {
  if (!MAY_BE.test(file)) return undefined; // most files are none: the rows are asked of few
  return /(?:^|\/)(?:node_modules|vendor|testdata|fixtures|__fixtures__)\//.test(file)
    ? undefined
    : ROWS.find((row) => row.file.test(file));
}

/** What some manifests declare. */
export function manifestsIn(texts: ReadonlyMap<string, string>): Manifests {
  const all = {
    packages: new Map<string, Declaration[]>(),
    scripts: new Map<string, Declaration[]>(),
  };
  for (const [file, text] of texts) {
    for (const [kind, name, value] of declaredIn(text, manifestRow(file) ?? {})) {
      all[kind].set(name, [...all[kind].get(name) ?? [], { file, value }]);
    }
  }
  return all;
}

function* declaredIn(text: string, row: Partial<ManifestRow>): Iterable<DeclaredValue> {
  for (const [, name, value = "", better] of row.packages ? text.matchAll(row.packages) : []) {
    yield ["packages", name!, better ?? value];
  }
  for (const [, names] of row.scripts ? text.matchAll(row.scripts) : []) {
    for (const name of names!.split(/\s+/)) yield ["scripts", name, ""];
  }
  yield* row.read?.(text) ?? [];
}

/** The parts of a manifest in JSON. */
const JSON_PARTS: readonly (readonly [keyof Manifests, RegExp])[] = [
  ["scripts", /^(?:scripts|tasks)$/],
  ["packages", /^(?:(?:dev|peer|optional)?dependencies|imports|engines|require(?:-dev)?)$/i],
];

/** The scalars of a text in JSON, with comments, by their lines: part and key. */
function* json(text: string): Iterable<DeclaredValue> {
  let part: keyof Manifests | undefined;
  for (const line of text.split("\n")) {
    const [, key] = /^\s{0,4}"([\w-]+)"\s*:\s*\{\s*$/.exec(line) ?? [];
    if (key !== undefined) part = JSON_PARTS.find(([, keys]) => keys.test(key))?.[0];
    else if (/^\s*\}/.test(line)) part = undefined;
    const [, name, value] = /^\s*"([^"]+)"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(line) ?? [];
    if (name === "packageManager") {
      const [manager = "", version = ""] = value!.split("@");
      yield ["packages", manager, version];
    } else if (part !== undefined && name !== undefined) {
      yield [part, name, value!.replace(/\\(.)/g, "$1")];
    }
  }
}

/** What only another package needs. */
export const INDIRECT = /\/\/ indirect/;

const REQUIREMENT = /^([A-Za-z][\w.-]*)(?:\[[^\]]*\])?\s*((?:[~^=<>!]=?|===)\s*[\w.*]+[^;#]*)?/;

function* toml(text: string): Iterable<DeclaredValue> {
  let table = "", list = "";
  for (const line of text.split("\n")) {
    const [, header] = /^\s*\[+\s*([^\]]+?)\s*\]+\s*(?:#.*)?$/.exec(line) ?? [];
    if (header !== undefined) {
      [table, list] = [header.replaceAll('"', ""), ""];
      const [, own] = /dependencies\.([\w-]+)$/.exec(table) ?? [];
      if (own !== undefined) yield ["packages", own, ""];
      continue;
    }
    const [, key, rest = ""] = /^\s*"?([\w.-]+)"?\s*=\s*(.*)$/.exec(line) ?? [];
    if (key !== undefined) list = rest.startsWith("[") ? key : "";
    if (key !== undefined && list === "") {
      const value = /(?:version\s*=\s*|^)(["'])(.*?)\1/.exec(rest)?.[2] ?? "";
      if (/scripts$|tasks$/.test(table)) yield ["scripts", key, value];
      else if (/(?:^|[.-])dependencies$|dependency-groups|^(?:libraries|plugins)$/.test(table)) {
        yield ["packages", key.split(".")[0]!, value];
      }
      continue;
    }
    // `dependencies = ["click>=8", …]`, and the lists of extras and groups
    const isList = (list === "dependencies" && table === "project") || list === "requires" ||
      /optional-dependencies|dependency-groups/.test(table);
    if (isList) yield* quoted(line);
    if (/\]\s*(?:#.*)?$/.test(line) && !/\[[^\]]*\]["']/.test(line)) list = "";
  }
}

/** Requirements in quotes. */
function* quoted(line: string): Iterable<DeclaredValue> {
  for (const [, text] of line.matchAll(/["']([^"']+)["']/g)) {
    const [, name, value = ""] = REQUIREMENT.exec(text!) ?? [];
    if (name !== undefined) yield ["packages", name, value.trim()];
  }
}

function* python(text: string): Iterable<DeclaredValue> {
  for (const line of text.split("\n").map((each) => each.trim())) {
    const [whole = "", name, value = ""] = REQUIREMENT.exec(line) ?? [];
    if (/["']/.test(line)) yield* quoted(line);
    else if (name !== undefined && /^\s*(?:[;#].*)?$/.test(line.slice(whole.length))) {
      yield ["packages", name, value.trim()];
    }
  }
}

/** The tasks of a Taskfile: the keys right below `tasks:`. */
function* tasks(text: string): Iterable<DeclaredValue> {
  const [, block = ""] = /^tasks:.*\n((?:(?:[ \t#].*)?\n)*)/m.exec(text + "\n") ?? [];
  const [indent = ""] = /^[ \t]+(?=[^\s#])/m.exec(block) ?? [];
  const key = new RegExp(`^${indent}["']?([\\w:.*-]+?)["']?:(?:\\s|$)`, "gm");
  for (const [, name] of block.matchAll(key)) yield ["scripts", name!, ""];
}
