import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stopDaemon } from "../src/core/daemon/lifecycle.ts";
import { type Paths, pathsFor } from "../src/paths.ts";

/** A separate memo: processes with this environment use no other. */
export interface SandboxHome {
  readonly env: Readonly<Record<string, string>>;
  readonly paths: Paths;
}

/** A temporary folder with memories. */
export interface Sandbox {
  /** A working directory. */
  readonly cwd: string;
  readonly home: SandboxHome;
}

/** The caller's variables that processes need; none of Claude Code's or memo's own. */
const PASSED_ON = ["PATH", "SystemRoot", "TMPDIR", "TEMP", "DENO_DIR"];

/**
 * Gives work a sandbox; daemons are stopped and everything is deleted afterwards, also on Ctrl-C: at once, or, where
 * there is somebody to `stop`, when the work has ended or at the second Ctrl-C.
 */
export async function withSandbox<T>(
  work: (sandbox: Sandbox) => Promise<T>,
  stop?: AbortController,
): Promise<T> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "memo-bench-")));
  const home = makeHome(root);
  const cwd = join(root, "project");
  mkdirSync(cwd);

  const dispose = async () => {
    await stopDaemon(home.paths).catch(() => {});
    rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  let ending: Promise<void> | undefined;
  const onSignal = () => {
    if (stop !== undefined && !stop.signal.aborted) stop.abort();
    else ending ??= dispose().finally(() => process.exit(INTERRUPTED));
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  try {
    return await work({ cwd, home });
  } finally {
    await ending; // interrupted: failures of the measured processes do not matter
    for (const signal of SIGNALS) process.off(signal, onSignal);
    await dispose();
  }
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Exit code of a command that was interrupted. */
export const INTERRUPTED = 130;

function makeHome(root: string): SandboxHome {
  const passedOn = PASSED_ON.flatMap((key) => {
    const value = process.env[key];
    return value === undefined ? [] : [[key, value] as const];
  });
  const env = {
    ...Object.fromEntries(passedOn),
    HOME: root,
    USERPROFILE: root,
    CLAUDE_CONFIG_DIR: join(root, ".claude"),
    MEMO_HOME: join(root, "state"),
    NO_COLOR: "1",
  };
  return { env, paths: pathsFor(env) };
}
