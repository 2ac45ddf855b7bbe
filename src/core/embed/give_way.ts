import { writeFileSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { codeOf } from "../../errors.ts";

const { PRIORITY_LOW } = constants.priority;

/**
 * Gives a process that was started detached the lowest priority. Linux with `autogroup`, the default of most
 * distributions, divides the processor between sessions first, and compares processes only within one: so the session
 * that it leads gets the same.
 */
export function giveWay(pid: number): void {
  try {
    setPriority(pid, PRIORITY_LOW);
  } catch {
    return; // it has ended
  }
  if (process.platform === "linux") groupGivesWay(pid);
}

/** Linux lets all users but root change one group in a tenth of a second, whoever asks. */
const AGAIN_MS = 150, MOST_TRIES = 20;

function groupGivesWay(pid: number, tries = 1): void {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(PRIORITY_LOW));
  } catch (error) {
    // It has ended, or the system has no such file: then it runs like any other.
    if (codeOf(error) !== "EAGAIN" || tries === MOST_TRIES) return;
    setTimeout(() => groupGivesWay(pid, tries + 1), AGAIN_MS).unref();
  }
}
