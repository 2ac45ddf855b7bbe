import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { isAlive } from "../files/lock.ts";

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
