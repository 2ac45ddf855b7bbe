import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Env } from "../../src/paths.ts";
import {
  repositoryIn,
  sync,
  type SyncOptions,
  type SyncReport,
} from "../../src/features/sync/mod.ts";
import { temporaryFolder } from "../support/temp.ts";
import { filesIn } from "../support/files.ts";

/** A machine of a person who syncs. */
export interface Machine {
  readonly home: string;
  /** The folder of the user's memories. */
  readonly memory: string;
  readonly claude: string;
  readonly env: Env;
  init(): Promise<void>;
  sync(options?: Partial<SyncOptions>): Promise<SyncReport>;
  /** Writes a file below the user's memories. */
  write(name: string, text: string): void;
  /** The text of a file; undefined: there is none. */
  read(name: string): string | undefined;
  /** Every file below the user's memories that is no index, by path. */
  files(): Record<string, string>;
}

/** Machines with a bare repository between them. */
export function machines(
  count: number,
): { readonly all: Machine[]; readonly remote: string } & Disposable {
  const folder = temporaryFolder();
  const remote = join(folder.path, "remote.git");
  execFileSync("git", ["init", "-q", "--bare", "-b", "main", remote]);
  const all = Array.from(
    { length: count },
    (_, i) => machine(join(folder.path, `m${i}`), remote, i),
  );
  return { all, remote, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

/** Two machines that sync. */
export async function pair() {
  const net = machines(2);
  const [a, b] = net.all as [Machine, Machine];
  await a.init();
  await b.init();
  return { ...net, a, b };
}

/** A test of two machines that sync. */
export function test(
  name: string,
  run: (net: Awaited<ReturnType<typeof pair>>) => Promise<void>,
): void {
  Deno.test(name, async () => {
    using net = await pair();
    await run(net);
  });
}

/** Syncs machines one after the other; resolves with the last one's report. */
export async function inTurn(...all: readonly Machine[]): Promise<SyncReport> {
  for (const each of all.slice(0, -1)) await each.sync();
  return await all.at(-1)!.sync();
}

function machine(home: string, remote: string, number: number): Machine {
  const claude = join(home, ".claude");
  const memory = join(claude, "memory");
  mkdirSync(memory, { recursive: true });
  const env = { PATH: process.env["PATH"], HOME: home };
  const state = join(home, "state");
  const paths = { claude, home, sync: join(state, "sync"), config: join(state, "config.yaml") };
  return {
    home,
    memory,
    claude,
    env,
    init: () => repositoryIn(paths, env).make(remote),
    sync: (options = {}) =>
      sync({ paths, env, now: NOW, patterns: [], roots: [], machine: `m${number}`, ...options }),
    write(name, text) {
      const path = join(memory, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    },
    read(name) {
      const path = join(memory, name);
      return existsSync(path) ? readFileSync(path, "utf8") : undefined;
    },
    files() {
      const { "MEMORY.md": _, ...files } = filesIn(memory);
      return files;
    },
  };
}

export const NOW = new Date("2026-11-21T12:00:00Z");

/** A memory file. */
export function memory(name: string, body: string, more = ""): string {
  return `---\nname: ${name}\ntype: tool\n${more}---\n${body}\n`;
}
