// The modules of the page, as they stand but for the names of packages: a browser needs a path for them, or a map in an
// inline script, which the page's policy forbids. The executable has them as one (`tools/compile/build.ts`).

import { readdirSync, readFileSync } from "node:fs";

/** The packages that the page loads: what it imports, where the page has it, and its file. */
const PACKAGES = [
  ["preact", "/lib/preact.js", "preact/dist/preact.mjs"],
  ["preact/hooks", "/lib/hooks.js", "preact/hooks/dist/hooks.mjs"],
  ["htm", "/lib/htm.js", "htm/dist/htm.module.js"],
  ["htm/preact", "/lib/html.js", "htm/preact/index.module.js"],
] as const;
const PATHS = new Map<string, string>(PACKAGES.map(([name, path]) => [name, path]));

const PAGE = new URL("page/", import.meta.url);
const own = readdirSync(PAGE, { recursive: true, encoding: "utf8" })
  .map((file) => file.replaceAll("\\", "/")).filter((file) => file.endsWith(".js"));

/** Every module of the page, by path. */
export const MODULES: Readonly<Record<string, string>> = Object.fromEntries([
  ...PACKAGES.map(([, path, file]) =>
    [path, new URL(`../../../node_modules/${file}`, import.meta.url)] as const
  ),
  ...own.map((file) => [`/${file}`, new URL(file, PAGE)] as const),
].map(([path, file]) => [path, withPaths(readFileSync(file, "utf8"))]));

/** A module with paths in place of the names of packages; a map of its source is not there to be asked for. */
function withPaths(module: string): string {
  return module
    .replace(
      /\b(from ?|import[ (]?)(["'])([a-z][a-z/-]*)\2/g,
      (whole, word: string, quote: string, name: string) =>
        PATHS.has(name) ? `${word}${quote}${PATHS.get(name)}${quote}` : whole,
    )
    .replace(/^\/\/# sourceMappingURL=.*$/m, "");
}
