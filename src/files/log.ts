import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { rotated } from "../paths.ts";

/** Writes one line of JSON to the log file; stdout is never the log's. */
export type Log = (event: string, details?: Readonly<Record<string, unknown>>) => void;

/** Past this size `daemon.log` becomes `daemon.log.1`, in place of the one before. */
const MAX_BYTES = 2 * 1024 * 1024;

/** Where the daemon logs. */
export function logFile(folder: string): string {
  return join(folder, "daemon.log");
}

/** A log in `folder`. A log that cannot be written is no reason to fail: the line is dropped. */
export function openLog(folder: string, now: () => Date = () => new Date()): Log {
  const path = logFile(folder);
  return (event, details = {}) => {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      rotate(path);
      const line = JSON.stringify({ at: now().toISOString(), pid: process.pid, event, ...details });
      appendFileSync(path, line + "\n", { mode: 0o600 });
    } catch {
      // the disk is full, say
    }
  };
}

function rotate(path: string): void {
  try {
    if (statSync(path).size > MAX_BYTES) renameSync(path, rotated(path));
  } catch {
    // there is none yet
  }
}
