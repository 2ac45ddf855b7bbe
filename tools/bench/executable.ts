import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { commit } from "../compile/compile.ts";
import { type CliContext, contextIn } from "../../src/cli/shared/command.ts";
import { pathsFor } from "../../src/paths.ts";

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
  run(MEMO, ["bench", bench, ...args], { ...HOME, ...env });
}

/** Runs an experiment from the sources. */
export function lab(
  experiment: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): void {
  run(process.execPath, ["run", "-A", "tools/lab.ts", experiment, ...args], {
    ...env,
    MEMO_COMMIT: commit(),
  });
}

function run(command: string, args: readonly string[], env: Record<string, string> = {}): void {
  const { status, error } = spawnSync(command, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: "inherit",
  });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

/** Milliseconds of the processor that all processes have taken which this one has waited for (Linux); 0 elsewhere. */
export function childCpuMs(): number {
  if (process.platform !== "linux") return 0;
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]!.split(" ");
  return 10 * (Number(fields[13]) + Number(fields[14])); // cutime, cstime: proc(5)
}
