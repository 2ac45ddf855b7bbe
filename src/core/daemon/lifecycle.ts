import {
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { codeOf, MemoError } from "../../errors.ts";
import { isAlive, takeLock, whenFree } from "../files/lock.ts";
import type { Env, Paths } from "../../paths.ts";
import { mayReplace } from "../link/builds.ts";
import { type DaemonReply, isSameBuild, isSameProtocol } from "../link/protocol.ts";
import { exchange } from "../link/socket.ts";
import { LOCK_FRESH_MS, LONGEST_REST_MS, restUntil, spawnDaemon } from "../link/spawn.ts";
import { type ChildProcess, execFileSync } from "node:child_process";
import type { Log } from "../files/log.ts";
import { statsOf, textAt } from "../files/there.ts";

/** What listens: this build; another that `serves` it, or is `foreign`; an `older` one, to be replaced; or none. */
export type Presence = "none" | "same build" | "serves" | "foreign" | "older" | "hung";

/** Whether requests of this build are answered. */
export function isServing(found: Presence): boolean {
  return found === "same build" || found === "serves";
}

/** Maximum time for a healthy daemon to answer a ping, in milliseconds; it may be embedding at that moment. */
const PING_MS = 2000;
/** Maximum time before another one replaces it: on a busy machine loading a model alone takes seconds. */
const HUNG_MS = 5000;
/** Maximum wait for the daemon that a person asks for: on a busy machine Deno takes tens of seconds to load one. */
const START_MS = 60_000;
const STOP_MS = 3000;

/** Identifies the listener on the socket. */
export async function presence(paths: Paths, timeoutMs = PING_MS): Promise<Presence> {
  try {
    const reply: DaemonReply = await exchange("ping", {}, { socket: paths.socket, timeoutMs });
    if (isSameBuild(reply)) return "same build";
    if (mayReplace(reply.build, paths)) return "older";
    return isSameProtocol(reply) ? "serves" : "foreign";
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ECONNREFUSED" || code === "ENOTSOCK") return "none";
    return "hung";
  }
}

/** Starts the daemon unless one serves, waits until it answers, and returns whether it had to be started. */
export async function startDaemon(paths: Paths, env: Env): Promise<boolean> {
  const found = await presence(paths);
  if (isServing(found)) return false;
  if (found === "foreign") {
    const message = "Cannot use the daemon: it is an incompatible version of memo";
    throw new MemoError("daemon", message, { hint: "Run `memo daemon restart`" });
  }
  forgetCrashes(paths); // the user asks for it now
  const deadline = Date.now() + START_MS;
  let child = spawnDaemon(paths, env);
  while (Date.now() < deadline) {
    await sleep(50);
    if (isServing(await presence(paths, 500))) return true;
    if (child?.exitCode) {
      throw new MemoError("daemon", "Cannot start the daemon: it exited at once", {
        hint: "Run `memo daemon run` to see why",
      });
    }
    // Another process was starting one, which may have failed; a child that still loads is left alone.
    if (child === undefined || hasEnded(child)) child = spawnDaemon(paths, env);
  }
  throw new MemoError(
    "daemon",
    `Cannot start the daemon: it did not answer within ${START_MS / 1000} s`,
    { hint: "Run `memo daemon logs`, or `memo daemon run` to start it in the foreground" },
  );
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Stops the daemon of any build, by request and then by force, and returns whether there was one. */
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
    rmSync(paths.pid, { force: true }); // it was killed and could not remove it
  }
  return true;
}

/**
 * Makes this process the one daemon: takes the start-up lock, replaces a daemon that hangs or is older,
 * and clears a stale socket. Returns a function that releases the lock, or undefined if another daemon serves already
 * or is about to.
 */
export async function claim(paths: Paths): Promise<(() => void) | undefined> {
  mkdirSync(paths.run, { recursive: true, mode: 0o700 });
  secureFolder(paths.run);
  const release = takeLock(paths.lock, LOCK_FRESH_MS);
  if (release === undefined) return undefined;
  const found = await presence(paths, HUNG_MS);
  if (isServing(found) || found === "foreign") {
    release();
    return undefined;
  }
  if (found === "older") writeFileSync(paths.takeover, "", { mode: 0o600 });
  if (found !== "none") await stopDaemon(paths);
  if (process.platform !== "win32") rmSync(paths.socket, { force: true });
  return release;
}

/** Writes this process's id; returns what deletes it and the socket, unless another daemon owns them by then. */
export function notePid(paths: Paths): () => void {
  writeFileSync(paths.pid, `${process.pid}\n`, { mode: 0o600 });
  return () => {
    if (readPid(paths) !== process.pid) return;
    rmSync(paths.pid, { force: true });
    if (process.platform !== "win32") rmSync(paths.socket, { force: true });
  };
}

/** The process id in the pid file, or undefined. */
export function readPid(paths: Paths): number | undefined {
  const pid = Number(textAt(paths.pid));
  return Number.isInteger(pid) && pid > 1 ? pid : undefined;
}

/** Makes the run folder this user's alone: an open one, which may hold another's socket, is set aside whole. */
function secureFolder(folder: string): void {
  if (process.platform === "win32") return;
  const found = statSync(folder);
  if (found.uid !== process.getuid?.() || !found.isDirectory()) {
    throw new MemoError("daemon", `Cannot use \`${folder}\`: you do not own this folder`, {
      hint: "Set `MEMO_HOME` to a folder you own",
    });
  }
  if ((found.mode & 0o077) === 0) return;
  const open = `${folder}.open-${process.pid}`;
  renameSync(folder, open);
  mkdirSync(folder, { mode: 0o700 });
  rmSync(open, { recursive: true, force: true });
}

async function isGone(pid: number, waitMs: number): Promise<boolean> {
  return await whenFree(() => !isAlive(pid) || undefined, { waitMs, pollMs: 20 }) ?? false;
}

/** Whether a process id is a memo daemon's; ids are reused, so its command line must say so. */
export function isDaemon(pid: number): boolean {
  if (!isAlive(pid)) return false;
  try {
    const command = process.platform === "linux"
      ? readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")
      : execFileSync("/bin/ps", ["-p", String(pid), "-o", "command="], { encoding: "utf8" });
    return /\bdaemon run\b/.test(command);
  } catch {
    return false;
  }
}

// A daemon that is killed, or runs out of memory, leaves its pid file. The next one counts that and logs it; after
// several in a row the next start is delayed, longer each time, so that prompts do not keep exhausting the memory.
/** Fewer crashes in a row may be accidental; from this many on, the next start is delayed. */
const TOLERATED = 3;
const FIRST_REST_MS = 5_000;
/** A daemon that has served for this long did not die of the cause of the crashes before it. */
const SOUND_MS = 600_000;

/** Records whether the previous daemon crashed; call it before the pid file is rewritten. */
export function noteCrash(
  paths: Paths,
  { log, now }: { readonly log: Log; readonly now: Date },
): void {
  const died = statsOf(paths.pid), previous = Number(textAt(paths.pid));
  if (died === undefined || isDaemon(previous)) return;
  const wasSound = now.getTime() - died.mtimeMs > SOUND_MS;
  const times = wasSound ? 1 : deathsIn(paths) + 1;
  writeFileSync(paths.crashes, `${times}\n`, { mode: 0o600 });
  const restMs = backoffAfter(times);
  // The file's mtime is the time of the next allowed start: clients read it with one call.
  const until = new Date(now.getTime() + restMs);
  utimesSync(paths.crashes, until, until);
  log("daemon", {
    found: "the previous daemon was killed or ran out of memory",
    ...{ previous, times },
    ...(restMs === 0 ? {} : { nextNotBefore: until.toISOString() }),
  });
}

/** Delay between a daemon's start and the next one, should it crash as well. */
export function backoffAfter(times: number): number {
  if (times < TOLERATED) return 0;
  return Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** Math.min(times - TOLERATED, 10));
}

/** The deaths in a row after which the next start is put off, and until when; undefined if it is not. */
export function restOf(paths: Paths, now: Date): { times: number; until: Date } | undefined {
  const until = restUntil(paths, now.getTime());
  return until === undefined ? undefined : { times: deathsIn(paths), until: new Date(until) };
}

/** Records that a daemon has ended normally. */
export function forgetCrashes(paths: Paths): void {
  rmSync(paths.crashes, { force: true });
}

function deathsIn({ crashes }: Paths): number {
  return Number(textAt(crashes)) || 0;
}
