// A year that passes within hours: processes with a moved clock, and files that get the time of their day.

import { execFileSync } from "node:child_process";
import { readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { columns } from "../../../src/surfaces/cli/shared/output.ts";
import type { Home } from "../../../test/support/home.ts";

const MONTHS = 12;
const DAY_SECONDS = 86_400, YEAR_SECONDS = 365 * DAY_SECONDS;
/** Claude Code deletes its transcripts after so long. */
const TRANSCRIPT_DAYS = 30;

/** How far a day of so many lies from the year's end, which is now. */
export function secondsOf(day: number, days: number): number {
  return (day - days) / days * YEAR_SECONDS;
}

/** Whether a day of so many is the last one of a month. */
export function endsMonth(day: number, days: number): boolean {
  return Math.floor((day + 1) * MONTHS / days) > Math.floor(day * MONTHS / days);
}

/** Builds the clock (`cc` and Linux); a home at another time has processes with it. */
export function movedClock(folder: string): (home: Home, seconds: number) => Home {
  const clock = join(folder, "clock.so");
  const source = fileURLToPath(new URL("clock.c", import.meta.url));
  execFileSync("cc", ["-shared", "-fPIC", "-O1", "-o", clock, source]);
  return (home, seconds) => ({
    ...home,
    env: { ...home.env, LD_PRELOAD: clock, LAB_CLOCK_SECONDS: String(Math.round(seconds)) },
  });
}

/** Gives the files of a day its time, and deletes old transcripts as Claude Code does. */
export function goBack(folders: readonly string[], begun: number, seconds: number): void {
  for (const path of folders.flatMap(filesIn)) {
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (mtimeMs === undefined || path.includes("/runtime/") || path.endsWith(".md")) continue;
    if (mtimeMs >= begun - 1000) {
      const at = mtimeMs / 1000 + seconds;
      utimesSync(path, at, at);
    }
    const age = (begun + seconds * 1000 - statSync(path).mtimeMs) / 1000 / DAY_SECONDS;
    if (age > TRANSCRIPT_DAYS && path.includes("/projects/")) rmSync(path);
  }
}

/** Every file below a folder. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

/** What was seen at the end of each month, a column a month. */
export function monthsTable(months: readonly Readonly<Record<string, number>>[]): string {
  const names = [...new Set(months.flatMap((month) => Object.keys(month)))];
  return columns([
    ["", ...months.map((_, i) => `month ${i + 1}`)],
    ...names.map((name) => [name, ...months.map((month) => String(month[name] ?? 0))]),
  ]);
}
