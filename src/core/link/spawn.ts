import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import type { Env, Paths } from "../../paths.ts";
import { selfCommand } from "./self.ts";
import { neutralEnv } from "./session_env.ts";

/** A process that took the start-up lock this recently is still starting. */
export const LOCK_FRESH_MS = 10_000;

/**
 * glibc gives each thread an arena of its own and keeps freed memory in it: with one arena and a low threshold, the
 * memory of a long text's embedding returns to the system. What a prompt takes is below the thresholds: at 128 KB, some
 * 150 pages of it went to the system and came back, zeroed, with every prompt.
 */
export const ALLOCATOR: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: "1",
  MALLOC_TRIM_THRESHOLD_: "1048576",
  MALLOC_MMAP_THRESHOLD_: "262144",
};

/** The machine's size for Bun's collector: on a large one the heap grows to twice of what is alive, and stays so. */
export const HEAP: Readonly<Record<string, string>> = { BUN_JSC_forceRAMSize: "268435456" };

/** The maximum wait after crashes. */
export const LONGEST_REST_MS = 600_000;

/** Turns off ONNX Runtime's telemetry; it must be set before the library is loaded. */
export const TELEMETRY_OFF: Readonly<Record<string, string>> = { ORT_DISABLE_TELEMETRY: "1" };

/**
 * Starts the daemon in a session of its own, without any of this process's streams: Claude Code would wait for a child
 * that holds its hook's stdout. It gets nothing of the session that starts it, since it serves all of them. Does
 * nothing while another process is starting one, or during the wait after crashes.
 */
export function spawnDaemon(paths: Paths, env: Env): ChildProcess | undefined {
  if (isStarting(paths) || restUntil(paths) !== undefined) return undefined;
  const { command, args } = selfCommand();
  const child = spawn(command, [...args, "daemon", "run"], {
    detached: true,
    stdio: "ignore",
    windowsHide: true,
    cwd: process.platform === "win32" ? undefined : "/",
    env: { ...neutralEnv(env), ...TELEMETRY_OFF, ...ALLOCATOR, ...HEAP },
  });
  child.on("error", () => {}); // no daemon this time; the next hook tries again
  child.unref();
  return child;
}

/** Until when the next start must wait, because daemons have crashed so often; undefined if it need not. */
export function restUntil({ crashes }: Paths, now = Date.now()): number | undefined {
  const until = statSync(crashes, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return now < until && until <= now + LONGEST_REST_MS ? until : undefined; // the clock may have been set back
}

function isStarting(paths: Paths): boolean {
  try {
    const age = Date.now() - statSync(paths.lock).mtimeMs;
    if (Math.abs(age) > LOCK_FRESH_MS) return false; // the clock may have been set back
    process.kill(Number(readFileSync(paths.lock, "utf8")) || process.pid, 0);
    return true;
  } catch {
    return false; // there is no lock, or who took it has died: locks are the user's own
  }
}
