// Who may import whom, checked on the real import graph. A rule that fails here is a design that has changed: say so
// in the table, or undo it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { TYPES } from "../src/core/memory/types.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

interface Import {
  readonly from: string;
  /** A file of the project, or `npm:name`, or `node:name`. */
  readonly to: string;
  readonly isDynamic: boolean;
  readonly isType: boolean;
}

/** The layers, from the ground up. A layer is a folder, and imports itself and those before it. */
const LAYERS = ["src/core", "hooks", "strategies", "src/features", "bench", "src/surfaces"];
/** The only arrows up: the core takes types and the table of events from hooks, and runs strategies. */
const UP = ["src/core → hooks", "src/core → strategies"];
/** The rooms of the core in order: each imports itself and those before it. */
const CORE = [
  ...["link", "files", "text", "native", "redact", "memory", "ledger", "transcript", "settings"],
  ...["journal", "embed", "relation", "index", "llm", "change", "recall", "capture", "events"],
  ...["engine", "daemon"],
];

/** Where functions that write memories are defined, or write other files. */
const OWN_FILES = [
  "src/core/files/atomic.ts",
  "src/core/journal/journal.ts",
  "src/core/change/follow.ts",
  "src/core/memory/trust.ts",
];

const imports = readImports();

Deno.test("every source file has its layer, and imports none above it", () => {
  const files = new Set(imports.map(({ from }) => from));
  assert.deepEqual([...files].filter((file) => !isRoot(file) && layerOf(file) < 0), []);
  const wrong = imports.filter(({ from, to }) => {
    const [low, high] = [layerOf(from), layerOf(to)];
    return low >= 0 && high > low && !UP.includes(`${LAYERS[low]} → ${LAYERS[high]}`);
  });
  assert.deepEqual(wrong, []);
});

Deno.test("no room of the core imports one above it", () => {
  const place = (file: string) => CORE.indexOf(roomOf(file));
  const inCore = imports.filter(({ from }) => from.startsWith("src/core/"));
  assert.deepEqual(inCore.filter(({ from }) => place(from) < 0), []);
  assert.deepEqual(inCore.filter(({ from, to }) => place(to) > place(from)), []);
});

Deno.test("the write path does not know of the read path, as the read path does not of it", () => {
  const wrong = imports.filter(({ from, to }) =>
    roomOf(from) === "capture" && roomOf(to) === "recall"
  );
  assert.deepEqual(wrong, []);
});

Deno.test("nothing but types and the table of events is taken from hooks/", () => {
  const wrong = imports.filter(({ from, to, isType }) =>
    to.startsWith("hooks/") && from !== "src/main.ts" && !from.startsWith("hooks/") && !isType &&
    to !== "hooks/events.ts"
  );
  assert.deepEqual(wrong, []);
});

Deno.test("only src/core/change writes and removes memories", () => {
  const users = imports.filter(({ to }) => to === "src/core/change/file.ts");
  assert.ok(users.length > 0);
  assert.deepEqual(users.filter(({ from }) => !from.startsWith("src/core/change/")), []);
  const names = /\b(writeIndexFile|vouchFor|appendEntry|createFileAtomic|moveToFree)\(/;
  const others = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
    .map((name) => join("src", name))
    .filter((file) => file.endsWith(".ts") && !file.startsWith("src/core/change/"))
    .filter((file) => !OWN_FILES.includes(file))
    .filter((file) => names.test(readFileSync(join(ROOT, file), "utf8")));
  assert.deepEqual(others, []);
});

Deno.test("main.ts imports nothing statically", () => {
  assert.deepEqual(
    imports.filter(({ from, isDynamic }) => from === "src/main.ts" && !isDynamic),
    [],
  );
});

/** What is loaded with a file, statically: something that shows it was looked at, and what may not be. */
const LOADS: readonly (readonly [what: string, file: string, has: string, not: RegExp])[] = [
  [
    "a hook without a daemon loads neither the model's runtime nor a command-line parser",
    ...["src/core/events/offline.ts", "src/core/index/database.ts"] as const,
    /^npm:(@huggingface|onnxruntime|commander)/,
  ],
  [
    "a hook that leaves a conversation for later loads nothing but files",
    ...["src/core/events/capture.ts", "src/core/capture/queue.ts"] as const,
    /^npm:|^src\/core\/index\//,
  ],
  [
    "memo mcp lists its tools without loading what they run on",
    ...["src/surfaces/mcp/tools.ts", "npm:zod"] as const,
    /^npm:(?!zod$)|^strategies\/|^src\/core\/(index|text\/language)\//,
  ],
  [
    "each command pays for itself alone",
    ...["src/surfaces/cli/mod.ts", "npm:commander"] as const,
    /^npm:(?!(commander|string-width|wrap-ansi)$)/,
  ],
  [
    "a command that opens no index loads no libSQL, which unpacks a library",
    ...["src/surfaces/cli/list.ts", "src/core/memory/list.ts"] as const,
    /^npm:(@libsql\/client|libsql)$/,
  ],
  [
    "memo add loads no upkeep, history or recall: it reads settings without what changes them",
    ...["src/surfaces/cli/add.ts", "src/surfaces/cli/shared/config_here.ts"] as const,
    /^src\/features\/(upkeep|history)\/|^src\/core\/(recall|engine)\//,
  ],
  ...["search", "recall", "list", "forget"].map((command) =>
    [
      `memo ${command} loads neither engine, redaction nor providers: a daemon that runs has them ready`,
      ...[`src/surfaces/cli/${command}.ts`, "src/surfaces/cli/shared/output.ts"] as const,
      /^src\/core\/(engine|daemon|llm|redact\/redact)|^src\/features\.ts$/,
    ] as const
  ),
  [
    "a hook loads next to nothing before it has asked the daemon",
    ...["hooks/client.ts", "src/core/link/socket.ts"] as const,
    /^(?!(src\/(paths|errors|version)|hooks\/(events|client))\.ts$|src\/core\/link\/|node:(fs|net)$)/,
  ],
];

for (const [what, file, has, not] of LOADS) {
  Deno.test(what, () => {
    const loaded = [...reachable(file)];
    assert.ok(loaded.includes(has));
    assert.deepEqual(loaded.filter((each) => not.test(each)), []);
  });
}

Deno.test("what memo takes a type for stands in the table of types alone", () => {
  const names: string[] = TYPES.map(({ name }) => name);
  const others: readonly string[] = ["user", "project", "tool", "context"]; // scopes and roles too
  const isType = (word: string) => names.includes(word) && !others.includes(word);
  const lists = sources().filter((file) => file !== "src/core/memory/types.ts").flatMap((file) => {
    const text = readFileSync(join(ROOT, file), "utf8");
    const found = [...text.matchAll(/\[[^[\]]*\]/g)]
      .map(([list]) => [...list.matchAll(/"(\w+)"/g)].map(([, word]) => word!))
      .filter((words) =>
        words.filter((word) => names.includes(word)).length > 1 && words.some(isType)
      );
    // A word of another tool's may mean a type, but one that is a type needs no row.
    const same = [...text.matchAll(/\b(\w+)"?: "(\w+)"/g)].map(([, ...pair]) => pair as string[])
      .filter(([key, value]) => key === value && isType(key!));
    // Types as the keys of a table are a column that belongs there.
    const tables = [...text.matchAll(/\{[^{}]*\}/g)]
      .map(([table]) => [...table.matchAll(/^\s*"?(\w+)"?:/gm)].map(([, key]) => key!))
      .filter((keys) => keys.filter(isType).length > 1);
    return [...found, ...same, ...tables].map((words) => `${file}: ${words}`);
  });
  assert.deepEqual(lists, []);
});

Deno.test("no two types of the product have one name", () => {
  const declared = /^(?:export )?(?:abstract )?(?:interface|type|class) (\w+)/gm;
  const names = sources().filter((file) => !file.startsWith("bench")).flatMap((file) =>
    [...readFileSync(join(ROOT, file), "utf8").matchAll(declared)].map(([, name]) => name!)
  );
  assert.ok(names.length > 500);
  assert.deepEqual(names.filter((name, i) => names.indexOf(name) !== i), []);
});

Deno.test("sources use no API of one runtime alone", () => {
  const files = sources();
  const found = files.flatMap((file) =>
    readFileSync(join(ROOT, file), "utf8").split("\n")
      .filter((line) => /\b(Deno|Bun)\.[a-z]/.test(line) && !/^\s*(\/\/|\*|\/\*)/.test(line))
      .map((line) => `${file}: ${line.trim()}`)
  );
  assert.ok(files.includes(join("src", "main.ts")));
  assert.deepEqual(found, []);
});

/** Every source file of the product. */
function sources(): string[] {
  return ["src", "hooks", "strategies", "bench"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((name) =>
      join(folder, name)
    )
  ).filter((name) => name.endsWith(".ts"));
}

/** Whether a file stands beside the layers: the entry, the ground, and what features hand over. */
function isRoot(file: string): boolean {
  return /^src\/[a-z]+\.ts$/.test(file);
}

function layerOf(file: string): number {
  return LAYERS.findIndex((layer) => file.startsWith(`${layer}/`));
}

/** The room of a file: `recall` of `src/core/recall/gate.ts`. */
function roomOf(file: string): string {
  return /^src\/\w+\/(\w+)\//.exec(file)?.[1] ?? file;
}

/** Everything that is loaded with a file: its static imports and theirs. */
function reachable(file: string, seen = new Set<string>()): Set<string> {
  for (const { from, to, isDynamic, isType } of imports) {
    if (from !== file || isDynamic || isType || seen.has(to)) continue;
    seen.add(to);
    reachable(to, seen);
  }
  return seen;
}

/** The project's import graph, as the runtime resolves it. */
function readImports(): Import[] {
  const { modules } = JSON.parse(execFileSync(Deno.execPath(), ["info", "--json", "src/main.ts"], {
    cwd: ROOT,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    stdio: ["ignore", "pipe", "ignore"],
  }));
  const found: Import[] = [];
  for (const { specifier, dependencies = [] } of modules) {
    if (!specifier.startsWith("file:") || specifier.includes("/node_modules/")) continue;
    const from = relative(ROOT, fileURLToPath(specifier));
    for (const { code, type, isDynamic = false, specifier: written } of dependencies) {
      const to = nameOf(code?.specifier ?? type?.specifier ?? written, written);
      found.push({ from, to, isDynamic, isType: code === undefined });
    }
  }
  return found;
}

function nameOf(specifier: string, written: string): string {
  if (specifier.startsWith("file:") && !specifier.includes("/node_modules/")) {
    return relative(ROOT, fileURLToPath(specifier));
  }
  return specifier.startsWith("node:") ? specifier : `npm:${written}`;
}
