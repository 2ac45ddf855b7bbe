// Paths as patterns, ids and people write them.

/** A path with `/` between its folders on every system. */
export function withSlashes(path: string): string {
  return process.platform === "win32" ? path.replaceAll("\\", "/") : path;
}
