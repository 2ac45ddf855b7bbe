// The files of the page, which are in the executable as text.

import index from "./page/index.html" with { type: "text" };
import style from "./page/style.css" with { type: "text" };
import icon from "./page/icon.svg" with { type: "text" };
import { MODULES } from "./modules.ts";

const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  html: "text/html; charset=utf-8",
};

/** Every file of the page, by path. */
export const ASSETS = new Map(
  Object.entries({ "/": index, "/style.css": style, "/icon.svg": icon, ...MODULES })
    .map(([path, text]) => {
      const type = TYPES[path === "/" ? "html" : path.slice(path.lastIndexOf(".") + 1)]!;
      return [path, { type, body: Buffer.from(text) }];
    }),
);
