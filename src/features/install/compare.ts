import { isDeepStrictEqual } from "node:util";
import type { HookEntry } from "./entries.ts";

/** How the hooks of one event differ from what an install would write. */
export interface HookDifference {
  readonly event: string;
  readonly kind: "missing" | "not needed" | "different";
}

/** Compares memo's hooks in the settings with those that an install would write, event by event. */
export function compareHooks(
  found: readonly HookEntry[],
  wanted: readonly HookEntry[],
): HookDifference[] {
  const events = new Set([...wanted, ...found].map(({ event }) => event));
  return [...events].flatMap((event) => {
    const is = of(event, found);
    const should = of(event, wanted);
    if (isDeepStrictEqual(is, should)) return [];
    const kind = is.length === 0 ? "missing" : should.length === 0 ? "not needed" : "different";
    return [{ event, kind }];
  });
}

/** Through JSON, because what the parser returns has no prototypes, which the comparison would mind. */
function of(event: string, entries: readonly HookEntry[]): HookEntry[] {
  return JSON.parse(JSON.stringify(entries.filter((entry) => entry.event === event)));
}
