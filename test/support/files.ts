import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** Every file below a folder with its text, by path from there, in order; none where there is no folder. */
export function filesIn(folder: string): Record<string, string> {
  const names = existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()
    : [];
  return Object.fromEntries(
    names.filter((name) => statSync(join(folder, name)).isFile())
      .map((name) => [name, readFileSync(join(folder, name), "utf8")]),
  );
}
