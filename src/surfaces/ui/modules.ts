// The modules of the page, as they stand but for the names of packages: a browser needs a path for them, or a map in an
// inline script, which the page's policy forbids. In the executable they are one
// (`tools/compile/build.ts`).

import preact from "../../../node_modules/preact/dist/preact.mjs" with { type: "text" };
import hooks from "../../../node_modules/preact/hooks/dist/hooks.mjs" with { type: "text" };
import htm from "../../../node_modules/htm/dist/htm.module.js" with { type: "text" };
import htmPreact from "../../../node_modules/htm/preact/index.module.js" with { type: "text" };
import main from "./page/main.js" with { type: "text" };
import api from "./page/api.js" with { type: "text" };
import keys from "./page/parts/keys.js" with { type: "text" };
import address from "./page/parts/address.js" with { type: "text" };
import edit from "./page/parts/edit.js" with { type: "text" };
import dialog from "./page/parts/dialog.js" with { type: "text" };
import toasts from "./page/parts/toasts.js" with { type: "text" };
import time from "./page/parts/time.js" with { type: "text" };
import text from "./page/parts/text.js" with { type: "text" };
import list from "./page/parts/list.js" with { type: "text" };
import now from "./page/views/now.js" with { type: "text" };
import card from "./page/views/card.js" with { type: "text" };
import entry from "./page/views/entry.js" with { type: "text" };
import why from "./page/views/why.js" with { type: "text" };
import memories from "./page/views/memories.js" with { type: "text" };
import memory from "./page/views/memory.js" with { type: "text" };
import review from "./page/views/review.js" with { type: "text" };

/** The packages that the page loads: what it imports, where that is, and its text. */
const PACKAGES: readonly (readonly [name: string, path: string, text: string])[] = [
  ["preact", "/lib/preact.js", preact],
  ["preact/hooks", "/lib/hooks.js", hooks],
  ["htm", "/lib/htm.js", htm],
  ["htm/preact", "/lib/html.js", htmPreact],
];

/** The page's own modules, by path. */
const OWN: Readonly<Record<string, string>> = {
  "/main.js": main,
  "/api.js": api,
  "/parts/address.js": address,
  "/parts/edit.js": edit,
  "/parts/keys.js": keys,
  "/parts/dialog.js": dialog,
  "/parts/toasts.js": toasts,
  "/parts/time.js": time,
  "/parts/text.js": text,
  "/parts/list.js": list,
  "/views/now.js": now,
  "/views/card.js": card,
  "/views/entry.js": entry,
  "/views/why.js": why,
  "/views/memories.js": memories,
  "/views/memory.js": memory,
  "/views/review.js": review,
};

/** Every module of the page, by path. */
export const MODULES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(PACKAGES.map(([, path, text]) => [path, withPaths(text)])),
  ...Object.fromEntries(Object.entries(OWN).map(([path, text]) => [path, withPaths(text)])),
};

/** A module with paths in place of the names of packages; a map of its source is not there to be asked for. */
function withPaths(module: string): string {
  const paths = new Map(PACKAGES.map(([name, path]) => [name, path]));
  return module
    .replace(
      /\b(from ?|import[ (]?)(["'])([a-z][a-z/-]*)\2/g,
      (whole, word: string, quote: string, name: string) =>
        paths.has(name) ? `${word}${quote}${paths.get(name)}${quote}` : whole,
    )
    .replace(/^\/\/# sourceMappingURL=.*$/m, "");
}
