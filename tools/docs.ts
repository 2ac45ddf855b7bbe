// Fills the marked parts of the documents from the tables and results they speak of.
//
//   deno run -A tools/docs.ts

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { BLOCKS, DOCUMENTS } from "./docs/blocks.ts";
import { fill } from "./docs/fill.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

for (const document of DOCUMENTS) {
  const path = join(ROOT, document);
  const before = readFileSync(path, "utf8");
  const after = fill(before, BLOCKS);
  if (after === before) continue;
  writeFileSync(path, after);
  console.error(`Wrote ${document}`);
}
