import { readFileSync } from "node:fs";

/** A hook's stdin as captured from the real client (`test/fixtures/hooks/`). */
export function readFixture(name: string): Record<string, unknown> {
  return JSON.parse(
    readFileSync(new URL(`../fixtures/hooks/${name}.json`, import.meta.url), "utf8"),
  );
}
