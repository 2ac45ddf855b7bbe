import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeFileAtomic } from "../files/atomic.ts";
import type { Paths } from "../paths.ts";

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
  try {
    const last: unknown = JSON.parse(readFileSync(fileIn(sync), "utf8"));
    return typeof (last as LastSync | null)?.at === "string" ? last as LastSync : undefined;
  } catch {
    return undefined; // none yet, or damaged
  }
}

/** Records how a sync has ended: one that runs by itself has nobody to tell. */
export function writeLast({ sync }: Pick<Paths, "sync">, last: LastSync): void {
  writeFileAtomic(fileIn(sync), JSON.stringify(last) + "\n", { durable: false });
}

function fileIn(sync: string): string {
  return join(sync, "last.json");
}
