import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { codeOf, MemoError } from "../errors.ts";
import { forgetCrashes } from "./crashes.ts";
import { isDaemon } from "./is_daemon.ts";
import { isAlive, takeLock } from "../files/lock.ts";
import type { Env, Paths } from "../paths.ts";
import { isSameBuild, type Reply } from "../link/protocol.ts";
import { exchange } from "../link/socket.ts";
import { LOCK_FRESH_MS, spawnDaemon } from "../link/spawn.ts";

/** What listens on the socket. */
export type Presence = "none" | "same build" | "other build" | "hung";

/** How long a sound daemon may take to answer a ping, in milliseconds; it may be embedding just then. */
const PING_MS = 2000;
/**
 * How long it may take before another one replaces it: on a busy machine loading a model alone takes seconds, and hooks
 * answer by themselves meanwhile.
 */
const HUNG_MS = 5000;
/** How long a daemon that was asked to stop may take. */
const STOP_MS = 3000;

/** Finds out what listens on the socket. */
export async function presence(paths: Paths, timeoutMs = PING_MS): Promise<Presence> {
  try {
    const reply: Reply = await exchange("ping", {}, { socket: paths.socket, timeoutMs });
    return isSameBuild(reply) ? "same build" : "other build";
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ECONNREFUSED" || code === "ENOTSOCK") return "none";
    return "hung";
  }
}

/** Starts the daemon unless it runs, and waits until it answers. Returns whether it had to be started. */
export async function startDaemon(paths: Paths, env: Env, timeoutMs = 10_000): Promise<boolean> {
  if (await presence(paths) === "same build") return false;
  forgetCrashes(paths); // somebody wants it now
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    const child = spawnDaemon(paths, env);
    for (let i = 0; i < 20; i++) {
      await sleep(50);
      if (await presence(paths, 500) === "same build") return true;
      if (child?.exitCode) {
        throw new MemoError("daemon", "Cannot start the daemon: it exited at once", {
          hint: "Run `memo daemon run` to see why",
        });
      }
    }
  }
  throw new MemoError(
    "daemon",
    `Cannot start the daemon: it did not answer within ${timeoutMs} ms`,
    {
      hint: "Run `memo daemon logs`, or `memo daemon run` to start it in the foreground",
    },
  );
}

/** Stops whatever daemon there is, by asking and then by force. Returns whether there was one. */
export async function stopDaemon(paths: Paths): Promise<boolean> {
  const pid = readPid(paths);
  const found = await presence(paths, 1000);
  if (found === "none" && (pid === undefined || !isDaemon(pid))) return false;
  if (found !== "none" && found !== "hung") {
    await exchange("stop", {}, { socket: paths.socket, timeoutMs: PING_MS }).catch(() => {});
  }
  if (pid !== undefined && !await isGone(pid, found === "hung" ? 0 : STOP_MS) && isDaemon(pid)) {
    process.kill(pid, "SIGKILL");
    await isGone(pid, STOP_MS);
    rmSync(paths.pid, { force: true }); // it did not die by itself
  }
  return true;
}

/**
 * Makes this process the one daemon: takes the start-up lock, replaces a daemon of another build or one that
 * hangs, clears a stale socket. Returns how to give up the lock, or undefined when another daemon serves already
 * or is about to.
 */
export async function claim(paths: Paths): Promise<(() => void) | undefined> {
  mkdirSync(paths.run, { recursive: true, mode: 0o700 });
  secureFolder(paths.run);
  const release = takeLock(paths.lock, LOCK_FRESH_MS);
  if (release === undefined) return undefined;
  const found = await presence(paths, HUNG_MS);
  if (found === "same build") {
    release();
    return undefined;
  }
  if (found !== "none") await stopDaemon(paths);
  if (process.platform !== "win32") rmSync(paths.socket, { force: true });
  return release;
}

/** Notes this process's id; `remove` takes it and the socket away again, unless another daemon has them now. */
export function notePid(paths: Paths): { remove(): void } {
  writeFileSync(paths.pid, `${process.pid}\n`, { mode: 0o600 });
  return {
    remove() {
      if (readPid(paths) !== process.pid) return;
      rmSync(paths.pid, { force: true });
      if (process.platform !== "win32") rmSync(paths.socket, { force: true });
    },
  };
}

/** The process id in the pid file, or undefined. */
export function readPid(paths: Paths): number | undefined {
  try {
    const pid = Number(readFileSync(paths.pid, "utf8"));
    return Number.isInteger(pid) && pid > 1 ? pid : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Sees to it that the run folder is this user's and closed to others. One that was open may hold a stranger's socket, so
 * it is set aside whole, and never becomes the one that clients trust.
 */
function secureFolder(folder: string): void {
  if (process.platform === "win32") return;
  const found = statSync(folder);
  if (found.uid !== process.getuid?.() || !found.isDirectory()) {
    throw new MemoError("daemon", `Cannot use \`${folder}\`: it is not a folder of this user's`, {
      hint: "Set `MEMO_HOME` to another folder, one of your own",
    });
  }
  if ((found.mode & 0o077) === 0) return;
  const open = `${folder}.open-${process.pid}`;
  renameSync(folder, open);
  mkdirSync(folder, { mode: 0o700 });
  rmSync(open, { recursive: true, force: true });
}

async function isGone(pid: number, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  while (isAlive(pid)) {
    if (Date.now() >= deadline) return false;
    await sleep(20);
  }
  return true;
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
