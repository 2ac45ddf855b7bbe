import { join } from "node:path";
import { readState, writeState } from "../../core/files/state.ts";
import type { Paths } from "../../paths.ts";

/** How the last sync has ended. */
export interface LastSync {
  /** ISO 8601. */
  readonly at: string;
  /** Why it has stopped; undefined: it has not. */
  readonly error?: string | undefined;
  readonly hint?: string | undefined;
  /** Files that were not synced. */
  readonly heldBack?: number | undefined;
  /** Those of them that seem to contain a secret. */
  readonly withSecrets?: number | undefined;
}

/** The last sync of this machine; undefined: there was none. */
export function readLast({ sync }: Pick<Paths, "sync">): LastSync | undefined {
  const last = readState(fileIn(sync)) as LastSync | undefined;
  return typeof last?.at === "string" ? last : undefined;
}

/** Records how a sync has ended: one that runs by itself has nobody to tell. */
export function writeLast({ sync }: Pick<Paths, "sync">, last: LastSync): void {
  writeState(fileIn(sync), last);
}

function fileIn(sync: string): string {
  return join(sync, "last.json");
}
