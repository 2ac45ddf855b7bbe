import { readdirSync, readFileSync } from "node:fs";

/** A hook's stdin as captured from the real client (`test/fixtures/hooks/`). */
export function readFixture(name: string): Record<string, unknown> {
  return JSON.parse(
    readFileSync(new URL(`../fixtures/hooks/${name}.json`, import.meta.url), "utf8"),
  );
}

/** Every captured stdin, by name. */
export function fixtureNames(): string[] {
  const folder = new URL("../fixtures/hooks/", import.meta.url);
  return readdirSync(folder).map((name) => name.replace(/\.json$/, ""));
}

/** The rows of a table in `test/fixtures/`; in a cell, line breaks and backslashes are written as in JSON. */
export function readRows(name: string): string[][] {
  const text = readFileSync(new URL(`../fixtures/${name}`, import.meta.url), "utf8");
  return text.replace(/\n$/, "").split("\n").map((line) =>
    line.split("\t").map((cell) => JSON.parse(`"${cell.replaceAll('"', '\\"')}"`))
  );
}
