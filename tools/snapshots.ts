// Writes what whole commands print to test/snapshots, and what a newcomer sees in a terminal to test/screens, where tests
// compare it.
//
//   deno task snapshots

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { takeSnapshots } from "../test/support/snapshots.ts";
import { HAS_TERMINAL } from "../test/support/terminal.ts";
import { takeWalks } from "../test/support/walks.ts";

const TEST = fileURLToPath(new URL("../test", import.meta.url));

write("snapshots", await takeSnapshots());
if (HAS_TERMINAL) {
  write("screens", new Map([...await takeWalks()].map(([name, { screen }]) => [name, screen])));
} else console.error("warning: test/screens is unchanged: tmux is not available");

function write(folder: string, texts: ReadonlyMap<string, string>): void {
  rmSync(join(TEST, folder), { recursive: true, force: true });
  for (const [name, text] of texts) {
    const path = join(TEST, folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}
