import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { unpackDebian } from "./debian.ts";
import { type Home, MEMO, runMemo } from "./home.ts";
import type { Finished } from "./run.ts";

const CACHE = fileURLToPath(new URL("../../node_modules/.cache/strace", import.meta.url));

/** A tracer of system calls that works here: the machine's own, or Debian's, unpacked; undefined: none. */
export function obtainTracer(): string | undefined {
  if (process.platform !== "linux") return undefined;
  const own = ["strace"].find(works);
  if (own !== undefined) return own;
  const folder = unpackDebian("strace", CACHE);
  return folder && [join(folder, "usr/bin/strace")].find(works);
}

/** Whether it may trace: containers often forbid that. */
function works(path: string): boolean {
  return spawnSync(path, ["-f", "-o", "/dev/null", "true"]).status === 0;
}

export interface Traced extends Finished {
  /** Every system call of the kind. */
  readonly calls: readonly string[];
  /** Those that look up a name, or open a socket to anything but this machine's files. */
  readonly network: readonly string[];
}

/** Runs a command in a home, and everything that it starts, until the last of them has ended; notes its system calls. */
export async function trace(
  home: Home,
  args: readonly string[],
  { tracer, stdin, executable = MEMO, kind = "network" }: {
    readonly tracer: string;
    /** Those about sockets, or about paths. */
    readonly kind?: "network" | "file";
    readonly stdin?: string;
    readonly executable?: string;
  },
): Promise<Traced> {
  const path = join(home.root, "trace");
  const options = ["-f", "-qq", "-e", `trace=${kind}`, "-o", path, executable];
  const finished = await runMemo(home, [...options, ...args], {
    executable: tracer,
    ...stdin === undefined ? {} : { stdin },
  });
  const calls = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
  rmSync(path, { force: true });
  return { ...finished, calls, network: calls.filter((call) => /AF_INET|nscd/.test(call)) };
}
