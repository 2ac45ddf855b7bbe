// Who may import whom, checked on the real import graph. A rule that fails here is a design that has changed: say so
// in the table, or undo it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { TYPES } from "../src/memory/types.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

interface Import {
  readonly from: string;
  /** A file of the project, or `npm:name`, or `node:name`. */
  readonly to: string;
  readonly isDynamic: boolean;
  readonly isType: boolean;
}

/** Layers from the ground up, and the files in each; a file may import its own layer and those below. */
const LAYERS: readonly (readonly RegExp[])[] = [
  [/^src\/(paths|errors|version)\.ts$/, /^src\/link\//, /^hooks\/events\.ts$/],
  [/^src\/(files|text|native)\//],
  [/^src\/redact\//],
  [/^src\/(memory|transcript)\//],
  [/^src\/settings\//],
  [/^src\/(journal|index|embed|llm)\//],
  [/^src\/change\//],
  [/^strategies\//],
  [
    /^src\/recall\//,
    /^src\/capture\//,
    /^src\/(guard|upkeep|history|install|upgrade|import|sync|team)\//,
  ],
  [/^src\/(events|engine|mcp|statistics)\//],
  [/^src\/daemon\//],
  [/^bench\//],
  [/^src\/ui\//],
  [/^src\/cli\//],
];

/** Folders of one layer that stand side by side: neither imports the other. */
const APART: readonly (readonly [RegExp, RegExp])[] = [
  [/^src\/recall\//, /^src\/capture\//],
  [/^src\/capture\//, /^src\/recall\//],
  [/^src\/recall\//, /^src\/history\//], // what happened never comes up by itself
];

/** Where functions that write memories are defined, or write other files. */
const OWN_FILES = [
  "src/files/atomic.ts",
  "src/journal/write.ts",
  "src/memory/index_file.ts",
  "src/memory/trust.ts",
];

/** The table of types, and the words of another tool for them. */
const WITH_TYPES = ["src/memory/types.ts", "src/import/claude_mem.ts"];

/** What a hook may load before it has asked the daemon. */
const HOT = [/^hooks\/client\.ts$/, ...LAYERS[0]!];
/** What the platform gives a hook; each costs start-up time. */
const HOT_PLATFORM = [
  "node:fs",
  "node:net",
];

const imports = readImports();

Deno.test("every source file has a place in the layers", () => {
  const files = new Set(imports.map(({ from }) => from));
  const placed = (file: string) =>
    layerOf(file) >= 0 || file.startsWith("hooks/") || file === "src/main.ts";
  assert.deepEqual([...files].filter((file) => !placed(file)), []);
});

Deno.test("no layer imports one above it", () => {
  const wrong = imports.filter(({ from, to, isType }) => {
    const [lower, upper] = [layerOf(from), layerOf(to)];
    return lower >= 0 && upper > lower && !(isType && to === "hooks/wire.ts");
  });
  assert.deepEqual(wrong, []);
});

Deno.test("the read path and the write path do not know of each other", () => {
  const wrong = imports.filter(({ from, to }) =>
    APART.some(([one, other]) => one.test(from) && other.test(to))
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

Deno.test("only src/change writes and removes memories", () => {
  const writers = ["src/change/file.ts", "src/change/kept_file.ts"];
  const wrong = imports.filter(({ from, to }) =>
    to === "src/change/file.ts" && !from.startsWith("src/change/")
  );
  assert.deepEqual(wrong, []);
  const names = /\b(writeIndexFile|vouchFor|appendEntry|createFileAtomic|moveToFree)\(/;
  const others = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
    .map((name) => join("src", name))
    .filter((file) => file.endsWith(".ts") && !file.startsWith("src/change/"))
    .filter((file) => !OWN_FILES.includes(file))
    .filter((file) => names.test(readFileSync(join(ROOT, file), "utf8")));
  assert.deepEqual(others, []);
  for (const writer of writers) assert.ok(imports.some(({ to }) => to === writer), writer);
});

Deno.test("main.ts imports nothing statically", () => {
  assert.deepEqual(
    imports.filter(({ from, isDynamic }) => from === "src/main.ts" && !isDynamic),
    [],
  );
});

Deno.test("a hook loads next to nothing before it has asked the daemon", () => {
  const loaded = reachable("hooks/client.ts");
  assert.ok(loaded.has("src/link/socket.ts"));
  const wrong = [...loaded].filter((file) =>
    !HOT.some((hot) => hot.test(file)) && !HOT_PLATFORM.includes(file)
  );
  assert.deepEqual(wrong, []);
});

Deno.test("a hook without a daemon loads neither the model's runtime nor a command-line parser", () => {
  const loaded = reachable("src/events/offline.ts");
  assert.ok(loaded.has("npm:@libsql/client"));
  const heavy = [...loaded].filter((file) =>
    /^npm:(@huggingface|onnxruntime|commander)/.test(file)
  );
  assert.deepEqual(heavy, []);
});

Deno.test("a hook that leaves a conversation for later loads nothing but files", () => {
  const loaded = reachable("src/events/capture.ts");
  assert.ok(loaded.has("src/capture/queue.ts"));
  const heavy = [...loaded].filter((file) =>
    file.startsWith("npm:") || file.startsWith("src/index/")
  );
  assert.deepEqual(heavy, []);
});

Deno.test("memo mcp lists its tools without loading what they run on", () => {
  const loaded = [...reachable("src/mcp/tools.ts")].filter((file) => file.startsWith("npm:"));
  assert.deepEqual(loaded, ["npm:zod"]);
});

Deno.test("each command pays for itself alone", () => {
  const loaded = [...reachable("src/cli/mod.ts")].filter((file) => file.startsWith("npm:"));
  assert.deepEqual(loaded.toSorted(), ["npm:commander", "npm:string-width", "npm:wrap-ansi"]);
});

Deno.test("what memo takes a type for stands in the table of types alone", () => {
  const names: string[] = TYPES.map(({ name }) => name);
  const others: readonly string[] = ["user", "project", "tool", "context"]; // scopes and roles too
  const lists = sources().filter((file) => !WITH_TYPES.includes(file)).flatMap((file) =>
    [...readFileSync(join(ROOT, file), "utf8").matchAll(/\[[^[\]]*\]/g)]
      .map(([list]) => [...list.matchAll(/"(\w+)"/g)].map(([, word]) => word!))
      .filter((words) => words.filter((word) => names.includes(word)).length > 1)
      .filter((words) => words.some((word) => names.includes(word) && !others.includes(word)))
      .map((words) => `${file}: ${words}`)
  );
  assert.deepEqual(lists, []);
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

function layerOf(file: string): number {
  return LAYERS.findIndex((patterns) => patterns.some((pattern) => pattern.test(file)));
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
