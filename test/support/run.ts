import { spawn } from "node:child_process";

/** How a process ended, and what it printed. */
export interface Finished {
  /** `null`: it was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How to run a program. */
export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly stdin?: string | Uint8Array;
  /** The user and group to run it as, where the caller may. */
  readonly user?: number | undefined;
  /** Kills it with `SIGKILL` after so long. */
  readonly killAfterMs?: number | undefined;
}

/** Runs a program to its end. */
export function run(
  program: string,
  args: readonly string[],
  { cwd, env, stdin = "", user, killAfterMs }: RunOptions = {},
): Promise<Finished> {
  const child = spawn(program, args, {
    cwd,
    env,
    ...user === undefined ? {} : { uid: user, gid: user },
  });
  child.stdin.on("error", () => {}); // it may end without reading
  child.stdin.end(stdin);
  const timer = killAfterMs === undefined
    ? undefined
    : setTimeout(() => child.kill("SIGKILL"), killAfterMs);
  return new Promise((done, fail) => {
    let [stdout, stderr] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => stdout += text);
    child.stderr.setEncoding("utf8").on("data", (text: string) => stderr += text);
    child.on("error", fail);
    child.on("close", (code) => {
      clearTimeout(timer);
      done({ code, stdout, stderr });
    });
  });
}
