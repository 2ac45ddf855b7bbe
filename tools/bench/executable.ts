import { spawn, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { commit } from "../compile/compile.ts";
import { type CliContext, contextIn } from "../../src/surfaces/cli/shared/command.ts";
import { pathsFor } from "../../src/paths.ts";
import type { Home } from "../../test/support/home.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** The compiled executable. */
export const MEMO = join(ROOT, "dist", process.platform === "win32" ? "memo.exe" : "memo");
const HOME = { MEMO_HOME: join(ROOT, "dist/bench") };

/** Where results are kept. */
export const RESULTS = join(ROOT, "bench/results");

/** The suites that lie in this checkout. */
export const SUITES = join(ROOT, "bench/suites");

/** The state of memo while it is measured: a folder of this checkout. */
export const PATHS = pathsFor(HOME);

/** What experiments run in: the sources, with the state of the measured memo. */
export const CONTEXT: CliContext = { ...contextIn(HOME, ROOT), env: { ...process.env, ...HOME } };

/** Runs one bench of the executable. */
export function memo(
  bench: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): void {
  runHere(MEMO, ["bench", bench, ...args], { ...HOME, ...env });
}

/** Runs an experiment from the sources. */
export function lab(
  experiment: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): void {
  runHere(process.execPath, ["run", "-A", "tools/lab.ts", experiment, ...args], {
    ...env,
    MEMO_COMMIT: commit(),
  });
}

function runHere(command: string, args: readonly string[], env: Record<string, string> = {}): void {
  const { status, error } = spawnSync(command, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: "inherit",
  });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

/** What a run of memo took, and what it said. */
export interface Taken {
  readonly ms: number;
  /** Of the processor, with what it has started and waited for (Linux); 0 elsewhere. */
  readonly cpuMs: number;
  /** The most memory that it had, and that one of those had (Linux). */
  readonly mb: number;
  readonly gitMb: number;
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs memo to its end, and looks at its memory meanwhile. */
export async function run(
  args: readonly string[],
  { env, project: cwd, memo = MEMO }: Pick<Home, "env" | "project"> & { readonly memo?: string },
): Promise<Taken> {
  const start = performance.now(), before = childCpuMs();
  const child = spawn(memo, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let mb = 0, gitMb = 0;
  const look = setInterval(() => {
    mb = Math.max(mb, peakMb(child.pid!));
    gitMb = Math.max(gitMb, ...childrenOf(child.pid!).map((pid) => peakMb(pid, "git")));
  }, 50);
  const code = new Promise<number | null>((resolve, reject) => {
    child.on("error", reject).on("close", resolve);
  }).finally(() => clearInterval(look));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return {
    code: await code,
    stdout,
    stderr,
    mb,
    gitMb,
    ms: performance.now() - start,
    cpuMs: childCpuMs() - before,
  };
}

/** The most memory that a process has had; 0 if it has ended, is another program yet, or this is no Linux. */
function peakMb(pid: number, program = ""): number {
  const [, name, kb] = /Name:\s+(.+)[^]*VmHWM:\s+(\d+)/.exec(readIfThere(`/proc/${pid}/status`)) ??
    [];
  return name?.startsWith(program) ? Number(kb) / 1024 : 0;
}

function childrenOf(pid: number): number[] {
  const tasks = `/proc/${pid}/task`;
  const own = unlessGone(() => readdirSync(tasks)).flatMap((id) =>
    readIfThere(`${tasks}/${id}/children`).match(/\d+/g) ?? []
  );
  return own.map(Number).flatMap((id) => [id, ...childrenOf(id)]);
}

function readIfThere(path: string): string {
  return unlessGone(() => [readFileSync(path, "utf8")]).join("");
}

/** What there is of a process that may end meanwhile. */
function unlessGone<T>(read: () => T[]): T[] {
  try {
    return read();
  } catch {
    return [];
  }
}

/** Milliseconds of the processor that all processes have taken which this one has waited for (Linux); 0 elsewhere. */
function childCpuMs(): number {
  if (process.platform !== "linux") return 0;
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]!.split(" ");
  return 10 * (Number(fields[13]) + Number(fields[14])); // cutime, cstime: proc(5)
}
