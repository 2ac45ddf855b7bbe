// Bun obeys some variables of its environment in a compiled executable, too, and has no option against it: one loads a
// file before the program, one makes it plain Bun, and some open a debugger. A session's environment may come from a
// project's settings, so the names are blanked in the runtime itself. No process can have a variable without a name.

import { readFileSync, writeFileSync } from "node:fs";

/** The variables that the runtime no longer reads, a longer name before the one that it begins with. */
export const BLANKED = [
  "BUN_INSPECT_CONNECT_TO",
  "BUN_INSPECT_PRELOAD",
  "BUN_INSPECT",
  "BUN_OPTIONS",
  "BUN_BE_BUN",
] as const;

/** Bun's own modules name them in JavaScript, which has to stay as it is; they are loaded for a debugger alone. */
const IN_SCRIPT = "process.env.";

/** Writes a copy of a runtime that does not read the variables; throws if it does not contain one of them. */
export function blankVariables(runtime: string, copy: string): void {
  const bytes = readFileSync(runtime);
  for (const name of BLANKED) {
    let count = 0;
    for (let at = bytes.indexOf(name); at >= 0; at = bytes.indexOf(name, at + 1)) {
      if (bytes.toString("latin1", at - IN_SCRIPT.length, at) === IN_SCRIPT) continue;
      bytes.fill(0, at, at + name.length);
      count++;
    }
    if (count === 0) throw new Error(`${runtime} does not contain ${name}`);
  }
  writeFileSync(copy, bytes, { mode: 0o755 });
}
