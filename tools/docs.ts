// Fills the marked parts of the documents from the tables they show.
//
//   deno run -A tools/docs.ts

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { BLOCKS, DOCUMENTS } from "./docs/blocks.ts";
import { fill } from "./docs/fill.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

for (const document of DOCUMENTS) change(document, (text) => fill(text, BLOCKS));

/** Writes a file if its text changed. */
function change(name: string, text: (before: string) => string): void {
  const path = join(ROOT, name);
  const before = existsSync(path) ? readFileSync(path, "utf8") : "";
  const after = text(before);
  if (after === before) return;
  writeFileSync(path, after);
  console.error(`Wrote ${name}`);
}
