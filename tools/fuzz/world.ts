// The machines of a fuzz: each a home with a project, all with the same remote, and everything that was ever written.

import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { seededRandom } from "../../bench/random.ts";
import { endDaemons, type Home, makeHome, runMemo } from "../../test/support/home.ts";
import type { Finished, RunOptions } from "../../test/support/run.ts";

/** A machine of the person. */
export interface Machine {
  readonly number: number;
  readonly home: Home;
  /** The folder of its clone, which moves. */
  project: string;
}

/** A command that takes longer hangs. */
const HANGS_MS = 180_000;
const URL = "https://example.com/ada/shop.git";
const WORDS =
  "kiln quay lamp moss reed tarn bolt fern gate hull iris jade kelp loom mast nave oath pier quill rune"
    .split(" ");
/** A text as `World.text` makes it, whole. */
const TEXT = /qz(\d+)z:[^\n]*? qz\1z\./g;

/** Machines, and what is known of their texts. */
export class World implements AsyncDisposable {
  readonly machines: readonly Machine[];
  readonly remote: string;
  readonly exports: string;
  /** Every text that was ever in a file. */
  readonly known = new Set<string>();
  /** Those that a person has deleted by hand, or named with `--hard`. */
  readonly excused = new Set<string>();
  /** What was done, in words. */
  readonly history: string[] = [];
  #texts = 0;

  private constructor(machines: readonly Machine[]) {
    this.machines = machines;
    const { root } = machines[0]!.home;
    this.remote = join(root, "remote.git");
    this.exports = join(root, "exports");
  }

  /** Makes the machines, and has each sync for the first time. */
  static async make(count: number): Promise<World> {
    const machines = Array.from({ length: count }, (_, number) => {
      const home = makeHome({ MEMO_LLM_PROVIDER: "none", MEMO_CAPTURE_ENABLED: "false" }, {
        hasModel: true,
      });
      execFileSync("git", ["init", "-q", home.project]);
      execFileSync("git", ["-C", home.project, "remote", "add", "origin", URL]);
      writeFileSync(join(home.root, "editor.sh"), EDITOR);
      chmodSync(join(home.root, "editor.sh"), 0o700);
      return { number, home, project: home.project };
    });
    const world = new World(machines);
    mkdirSync(world.exports);
    execFileSync("git", ["init", "-q", "--bare", "-b", "main", world.remote]);
    for (const machine of machines) await run(machine, ["sync", "init", world.remote]);
    return world;
  }

  /** A text of its own, which can be found byte for byte. */
  text(): string {
    const n = ++this.#texts;
    const random = seededRandom(n);
    const words = Array.from({ length: 7 }, () => WORDS[Math.floor(random() * WORDS.length)]);
    return `qz${n}z: the ${words.join(" ")} ${n} qz${n}z.`;
  }

  /** The texts in the files of some machines. */
  found(machines: readonly Machine[] = this.machines): Set<string> {
    return new Set(machines.flatMap((machine) => filesOf(machine).flatMap(textsIn)));
  }

  /** Enters what a machine has in its files. */
  learn(machine: Machine): void {
    for (const text of this.found([machine])) this.known.add(text);
  }

  /** The texts that are in no file any more. */
  lost(): string[] {
    const found = this.found();
    return [...this.known].filter((text) => !found.has(text) && !this.excused.has(text));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { home } of this.machines) {
      await endDaemons(home.memoHome);
      await home.dispose();
    }
  }
}

/** Replaces the text of a memory, or adds to it, also while somebody else adds to the file. */
const EDITOR = `#!/bin/sh
if [ "$FUZZ_MODE" = meanwhile ]; then
  cp "$1" "$1.open"
  printf '\\n%s\\n' "$FUZZ_OTHER" >> "$FUZZ_PATH"
  cat "$1.open" > "$1" && rm "$1.open"
fi
if [ "$FUZZ_MODE" = replace ]; then
  awk '/^---$/ { n++ } { print } n == 2 { exit }' "$1" > "$1.new" && cat "$1.new" > "$1" && rm "$1.new"
fi
printf '\\n%s\\n' "$FUZZ_TEXT" >> "$1"
`;

/** Runs memo on a machine, in its project; throws for a command that hangs. */
export async function run(
  { home, project }: Machine,
  args: readonly string[],
  { env = {}, killAfterMs }: Pick<RunOptions, "env" | "killAfterMs"> = {},
): Promise<Finished> {
  const finished = await runMemo({ ...home, project }, args, {
    env: { ...home.env, ...env },
    killAfterMs: killAfterMs ?? HANGS_MS,
  });
  if (finished.code === null && killAfterMs === undefined) {
    throw new Error(`memo ${args.join(" ")} hangs or was killed: ${finished.stderr}`);
  }
  return finished;
}

/** Every memory file and version on a machine: in use, archived, and in the journal. */
export function filesOf({ home, project }: Machine): string[] {
  const folders = [join(home.claude, "memory"), join(project, ".claude", "memory")];
  return folders.flatMap(below).sort();
}

/** Whether a file is a version in the archive. */
export function isArchived(path: string): boolean {
  return path.includes("/.archive/");
}

/** The memories in use on a machine. */
export function liveFiles(machine: Machine): string[] {
  return filesOf(machine).filter((path) => !isArchived(path) && !path.includes("/journal/"));
}

/** The texts in a file. */
export function textsIn(path: string): string[] {
  try {
    return [...readFileSync(path, "utf8").matchAll(TEXT)].map(([text]) => text);
  } catch {
    return []; // it has just been moved
  }
}

function below(folder: string): string[] {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return below(path);
    return entry.name.endsWith(".md") && basename(path) !== "MEMORY.md" ? [path] : [];
  });
}
