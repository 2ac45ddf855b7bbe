// What a dream would merge. To look through ten thousand memories takes seconds: a look is begun when it is asked for,
// prompts go before it, and what is known meanwhile is the look before.

import { statsOf } from "../../../core/files/stats.ts";
import { within } from "../../../core/link/within.ts";
import { changeLog } from "../../../core/ledger/change_log.ts";
import type { MemoryFolder } from "../../../core/memory/memory.ts";
import { planDream, type Step } from "../../../features/upkeep/mod.ts";
import type { CallContext } from "../calls/call.ts";
import { catalogueOf } from "../memories/catalogue.ts";

/** An answer waits this long for a look at all memories; that of a small store is there by then. */
const MOMENT_MS = 100;

interface Look {
  /** The state of the memories that it was begun with. */
  readonly stamp: string;
  /** The steps of each merge. */
  readonly merges: readonly (readonly Step[])[];
}

/** The last look at the memories of each engine, and the one that is under way. */
const looks = new WeakMap<
  CallContext["engine"],
  { last?: Look; next?: Promise<void> | undefined }
>();

/** What a dream would merge, as far as it is known, and whether that is being looked for. */
export async function plannedMerges(
  context: CallContext,
): Promise<{ readonly found: Look["merges"]; readonly isLooking: boolean }> {
  const { engine } = context;
  const { folders } = await catalogueOf(context);
  const own = folders.filter(({ scope }) => scope === "user" || scope === "project");
  const stamp = JSON.stringify([
    await engine.withIndex((index) => index.generation()),
    own.map((folder) => logStamp(folder)),
  ]);
  const known = looks.get(engine) ?? {};
  looks.set(engine, known);
  if (known.last?.stamp !== stamp) {
    known.next ??= look(own, context)
      .then((merges) => void (known.last = { stamp, merges }))
      .finally(() => known.next = undefined);
    await within(MOMENT_MS, known.next);
  }
  return { found: known.last?.merges ?? [], isLooking: known.last?.stamp !== stamp };
}

async function look(
  folders: readonly MemoryFolder[],
  { engine, paths, now }: CallContext,
): Promise<Look["merges"]> {
  const merges: (readonly Step[])[] = [];
  for (const folder of folders) {
    const pause = () => engine.yieldToPrompts();
    const { steps } = await planDream(folder, { paths, now: now(), patterns: [], pause });
    merges.push(...Map.groupBy(steps, ({ group }) => group).values());
  }
  return merges;
}

function logStamp(folder: MemoryFolder): string {
  const { size, mtimeMs } = statsOf(changeLog(folder)) ?? {};
  return `${size} ${mtimeMs}`;
}
