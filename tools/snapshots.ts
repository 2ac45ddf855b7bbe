// Writes what whole commands print to test/snapshots, where a test compares it.
//
//   deno task snapshots

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { takeSnapshots } from "../test/support/snapshots.ts";

const FOLDER = fileURLToPath(new URL("../test/snapshots", import.meta.url));

const snapshots = await takeSnapshots();
rmSync(FOLDER, { recursive: true, force: true });
for (const [name, text] of snapshots) {
  const path = join(FOLDER, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
