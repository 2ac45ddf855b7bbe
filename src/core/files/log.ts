import { join } from "node:path";
import { appendLine } from "./jsonl.ts";

/** Writes one line of JSON to the log file; stdout is never the log's. */
export type Log = (event: string, details?: Readonly<Record<string, unknown>>) => void;

const MAX_BYTES = 2 * 1024 * 1024;

/** Where the daemon logs. */
export function logFile(folder: string): string {
  return join(folder, "daemon.log");
}

/** A log in `folder`; a line that cannot be written is dropped. */
export function openLog(folder: string, now: () => Date = () => new Date()): Log {
  const path = logFile(folder);
  return (event, details = {}) => {
    try {
      const line = { at: now().toISOString(), pid: process.pid, event, ...details };
      appendLine(path, line, MAX_BYTES);
    } catch {
      // the disk is full, say
    }
  };
}
