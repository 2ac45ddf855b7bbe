import { writeFileSync } from "node:fs";
import { constants, setPriority } from "node:os";

const { PRIORITY_LOW } = constants.priority;

/**
 * Gives a process that was started detached the lowest priority. Linux with `autogroup`, the default of most
 * distributions, divides the processor between sessions first, and compares processes only within one: so the session
 * that it leads gets the same.
 */
export function giveWay(pid: number): void {
  try {
    setPriority(pid, PRIORITY_LOW);
    if (process.platform === "linux") {
      writeFileSync(`/proc/${pid}/autogroup`, String(PRIORITY_LOW));
    }
  } catch {
    // It has ended, or the system has no such file: then it runs like any other.
  }
}
