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
