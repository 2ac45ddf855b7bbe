// The files that a memory is for. The last line of its text says so, where people and every agent can read it.

import { posix } from "node:path";

const BEGIN = "Applies to `";
const LINE = /^Applies to ((?:`[^`\n]+`(?:, )?)+)\.\s*$/;

/** The files that a text says it is for, as globs from the project's top; none if it is for all. */
export function globsIn(body: string): readonly string[] {
  const at = body.lastIndexOf(BEGIN);
  const [, globs = ""] = (at < 0 ? null : LINE.exec(body.slice(at))) ?? [];
  return globs.split("`").filter((_, i) => i % 2 === 1);
}

/** A text without what it says of that. */
export function withoutGlobs(body: string): string {
  return globsIn(body).length === 0 ? body : body.slice(0, body.lastIndexOf(BEGIN)).trimEnd();
}

/** A text that says which files it is for. */
export function withGlobs(body: string, globs: readonly string[]): string {
  if (globs.length === 0) return body;
  return `${body}\n\nApplies to ${globs.map((glob) => `\`${glob}\``).join(", ")}.`;
}

/** Whether a file is one of those that globs are for, and none that they exclude with `!`; paths have `/`. */
export function isForFile(globs: readonly string[], file: string): boolean {
  const matches = (glob: string) => posix.matchesGlob(file, glob);
  return globs.some((glob) => !glob.startsWith("!") && matches(glob)) &&
    !globs.some((glob) => glob.startsWith("!") && matches(glob.slice(1)));
}

/**
 * Whether globs are for what is in a folder: true there, false elsewhere, and undefined in a folder around theirs, of globs
 * that name no folder, or of no globs at all.
 */
export function isForFolder(globs: readonly string[], folder: string): boolean | undefined {
  const bases = globs.filter((glob) => !glob.startsWith("!")).map(baseOf);
  const isIn = (path: string, other: string) => other === "" || `${path}/`.startsWith(`${other}/`);
  if (bases.length === 0 || bases.includes("")) return undefined;
  if (bases.some((base) => isIn(folder, base))) return true;
  return bases.some((base) => isIn(base, folder)) ? undefined : false;
}

/** The folder that everything which a glob can match is in. */
function baseOf(glob: string): string {
  const parts = glob.split("/");
  const first = parts.findIndex((part) => /[*?[\]{}!]/.test(part));
  return parts.slice(0, first < 0 ? -1 : first).join("/");
}
