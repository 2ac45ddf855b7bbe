// Prints the size of the project: lines, rooms with what others import from them, commands, numbers of ranking.

import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { COMMANDS } from "../src/surfaces/cli/mod.ts";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const files = (...patterns: string[]) =>
  globSync(patterns).map((file) => file.replaceAll("\\", "/"));
const read = (file: string) => readFileSync(file, "utf8");
const linesOf = (list: readonly string[]) =>
  list.reduce((sum, file) => sum + read(file).split("\n").length - 1, 0);

const product = files("{src,hooks,strategies}/**/*.ts");
const IMPORT = /(?:from|import\()\s*"(\.[^"]+\.ts)"/g;
const REEXPORT = /^export [^;]*? from "(\.[^"]+\.ts)"/gm;
const targets = (file: string, pattern: RegExp) =>
  [...read(file).matchAll(pattern)].map(([, to]) => join(dirname(file), to!));

/** The room of a file: `recall` of `src/core/recall/fuse.ts`, `hooks` of `hooks/wire.ts`. */
function roomOf(file: string): string {
  return /^src\/\w+\/(\w+)\//.exec(file)?.[1] ?? /^(hooks|strategies|bench)\//.exec(file)?.[1] ??
    file;
}

/** The files of each room that other rooms import, and what its `mod.ts` hands on. */
function doors(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const open = (file: string) =>
    found.set(roomOf(file), (found.get(roomOf(file)) ?? new Set()).add(file));
  for (const from of [...product, ...files("bench/**/*.ts")]) {
    for (const to of targets(from, IMPORT)) {
      if (roomOf(from) === roomOf(to) || !product.includes(to)) continue;
      open(to);
      if (to.endsWith("/mod.ts")) targets(to, REEXPORT).forEach(open);
    }
  }
  return found;
}

/** The lines of a reading list in AGENTS.md. */
function readingList(of: string): number {
  const section =
    read("AGENTS.md").split(`## To read ${of}, in this order\n`)[1]?.split("\n## ")[0] ?? "";
  return linesOf(
    [...section.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file]) => file!).filter(existsSync),
  );
}

const rooms = [...doors()].map(([room, { size }]) => ({ room, size }))
  .toSorted((a, b) => b.size - a.size);
const rows: readonly (readonly [string, number])[] = [
  ["product, lines of TypeScript", linesOf(product)],
  ["product, files", product.length],
  ["page, lines of js and css", linesOf(files("src/surfaces/ui/page/**/*.{js,css}"))],
  ["tests, lines", linesOf(files("test/**/*.ts"))],
  ["tools and bench, lines", linesOf(files("{tools,bench}/**/*.ts"))],
  ["files imported from outside their room", rooms.reduce((sum, { size }) => sum + size, 0)],
  ["commands", COMMANDS.length],
  ["reading list of recall, lines", readingList("recall")],
  ["reading list of capture, lines", readingList("capture")],
];
for (const [what, count] of rows) console.log(`${count.toLocaleString("en").padStart(8)}  ${what}`);
console.log(`\n${rooms.map(({ room, size }) => `${room} ${size}`).join(", ")}`);
