// Which of two builds keeps the daemon. Several may be in use at the same time: one per project, or one that is being
// worked on. A daemon answers every build that speaks its protocol, and is replaced by a newer version alone; builds of
// the same version, whose order is unknown, replace each other rarely.

import { statSync } from "node:fs";
import { BUILD } from "../../version.ts";

/** Minimum time between two replacements by a build of the same version. */
const TAKEOVER_MS = 600_000;

/** Whether this build's daemon takes the place of one of another build; `takeover` is the mark of the last time. */
export function mayReplace(build: string, { takeover }: { readonly takeover: string }): boolean {
  const order = compareVersions(versionOf(BUILD), versionOf(build));
  if (order !== 0) return !(order < 0); // NaN, of a name that is no build's, too
  const age = Date.now() - (statSync(takeover, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return age > TAKEOVER_MS || age < -TAKEOVER_MS; // the clock may have been set back
}

function versionOf(build: string): string {
  return build.replace(/-[^-]*$/, "");
}

/** Orders versions: below 0 when the first is older. A version with `-` comes before the one without. */
export function compareVersions(a: string, b: string): number {
  const [[coreA, preA], [coreB, preB]] = [split(a), split(b)];
  for (let i = 0; i < 3; i++) {
    const difference = coreA[i]! - coreB[i]!;
    if (difference !== 0) return difference;
  }
  if (preA === preB) return 0;
  if (preA === "" || preB === "") return preA === "" ? 1 : -1;
  return preA.localeCompare(preB, "en", { numeric: true });
}

function split(version: string): [number[], string] {
  const [core = "", ...pre] = version.split("-");
  return [core.split(".").map(Number), pre.join("-")];
}
