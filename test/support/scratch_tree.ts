import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { endAll, PATIENCE } from "./home.ts";
import { temporaryFolder } from "./temp.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** What it takes to check, test and document the project; packages and the build are linked. */
const COPIED = ("bench docs hooks plugin src strategies test tools " +
  "deno.json deno.lock AGENTS.md CONTRIBUTING.md LICENSE NOTICE README.md SECURITY.md").split(" ");
const LINKED = ["node_modules", "dist"];

/** How deno ended, and what it printed. */
export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** A copy of the project to change as a newcomer would. */
export interface ScratchTree extends AsyncDisposable {
  readonly path: string;
  write(file: string, text: string): void;
  read(file: string): string;
  /** Replaces a text that stands in the file once. */
  edit(file: string, from: string, to: string): void;
  /** Runs deno in the copy; the exit code, and both streams as one text. */
  deno(...args: string[]): Ended;
  /** The same, with a text on stdin. */
  pipe(stdin: string, ...args: string[]): Ended;
}

/** Copies the project to a temporary folder. */
export function scratchTree(): ScratchTree {
  const temp = temporaryFolder();
  for (const name of COPIED) cpSync(join(ROOT, name), join(temp.path, name), { recursive: true });
  for (const name of LINKED) symlinkSync(join(ROOT, name), join(temp.path, name));
  return {
    path: temp.path,
    write: (file, text) => writeFileSync(join(temp.path, file), text),
    read: (file) => readFileSync(join(temp.path, file), "utf8"),
    edit(file, from, to) {
      const path = join(temp.path, file), before = readFileSync(path, "utf8");
      if (before.split(from).length !== 2) throw new Error(`${file} does not have once: ${from}`);
      writeFileSync(path, before.replace(from, () => to));
    },
    deno: (...args) => runDeno(temp.path, args),
    pipe: (input, ...args) => runDeno(temp.path, args, { input }),
    async [Symbol.asyncDispose]() {
      await endAll({ root: temp.path, memoHome: join(temp.path, "home") }); // a daemon still writes there
      temp[Symbol.dispose]();
    },
  };
}

function runDeno(cwd: string, args: readonly string[], { input = "" } = {}): Ended {
  const { status, stdout, stderr } = spawnSync(Deno.execPath(), args, {
    cwd,
    input,
    encoding: "utf8",
    env: {
      ...process.env,
      ...PATIENCE,
      NO_COLOR: "1",
      MEMO_HOME: join(cwd, "home"),
      CLAUDE_CONFIG_DIR: join(cwd, "home"),
    },
  });
  return { code: status, output: stdout + stderr };
}
