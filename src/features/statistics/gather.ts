import { basename } from "node:path";
import { dayOf, readSpending, sumOf } from "../../core/llm/mod.ts";
import { ageInDays } from "../../core/memory/age.ts";
import { readMemories, sortedNewestFirst } from "../../core/memory/list.ts";
import { memoryFolders, type Place } from "../../core/memory/scopes.ts";
import { readUsage, usageOf } from "../../core/ledger/usage.ts";
import { mayRead } from "../../core/memory/trust.ts";
import type { Paths } from "../../paths.ts";
import { isPrompt, readReceipts } from "../../core/recall/receipts.ts";

/** What `memo stats --json` prints. */
export type Statistics = ReturnType<typeof gather>;

/** Counts what applies here, and what happened in the last days. */
export function gather(
  { paths, place }: { readonly paths: Paths; readonly place: Place },
  days: number,
  now: Date,
) {
  const first = new Date(now);
  first.setDate(first.getDate() - days + 1);
  const since = dayOf(first);
  const isRecent = ({ at }: { readonly at: string }) =>
    !Number.isNaN(Date.parse(at)) && dayOf(at) >= since;

  const memories = memoryFolders(place).flatMap((folder) =>
    readMemories(folder).memories
      .map((memory) => ({ ...memory, trusted: mayRead(folder, memory.digest) }))
  );
  const usage = readUsage(paths.usage);
  // Oldest first; whether the user has approved its text counts if a repository brings it.
  const uses = sortedNewestFirst(memories, (memory) => memory).reverse().map((memory) => {
    const { name, path, trusted } = memory, { shown, used } = usageOf(usage, path);
    return { name, path, trusted, days: ageInDays(memory, now), shown, used };
  });
  const receipts = readReceipts(paths.receipts, Infinity)
    .filter((receipt) => receipt !== null && isRecent(receipt));
  const calls = readSpending(paths.spending).filter(isRecent);
  const costs = Map.groupBy(calls, ({ session }) => session);
  const ofSessions = receipts.filter(({ session }) => session !== undefined);
  return {
    days,
    /** Memories that apply here. */
    memories: counts(memories, ({ type, scope }) => ({ type, scope })),
    /** Those that turns have used, most used first. */
    used: uses.filter(({ used }) => used > 0)
      .sort((a, b) => b.used - a.used || b.shown - a.shown || (a.path < b.path ? -1 : 1)),
    unused: uses.filter(({ used }) => used === 0),
    recall: counts(receipts.filter(isPrompt), ({ outcome }) => ({ outcome })),
    /** What was put before the model, newest session first. */
    sessions: [...Map.groupBy(ofSessions, ({ session }) => session!)].map(([session, its]) => {
      const blocks = its.filter(({ outcome, chars }) => outcome === "hit" && chars > 0);
      return {
        session,
        /** When it began, as far as receipts tell. */
        at: its.reduce((first, { at }) => at < first ? at : first, its[0]!.at),
        project: basename(its.find(({ cwd }) => cwd !== undefined)?.cwd ?? ""),
        prompts: its.filter(isPrompt).length,
        blocks: blocks.length,
        chars: blocks.reduce((sum, { chars }) => sum + chars, 0),
        /** What LLM calls for it cost. */
        usd: sumOf(costs.get(session) ?? []).usd,
      };
    }).sort((a, b) => a.at < b.at ? 1 : -1),
    /** LLM calls by day and purpose. */
    llm: grouped(calls, ({ at, purpose }) => ({ day: dayOf(at), purpose }))
      .map(({ key, members }) => ({ ...key, ...sumOf(members) })),
    total: sumOf(calls),
  };
}

function counts<T, K extends object>(items: readonly T[], keyOf: (item: T) => K) {
  return grouped(items, keyOf).map(({ key, members }) => ({ ...key, count: members.length }));
}

/** Items in groups by a key, in the order of the keys. */
function grouped<T, K extends object>(items: readonly T[], keyOf: (item: T) => K) {
  return [...Map.groupBy(items, (item) => JSON.stringify(keyOf(item)))]
    .toSorted(([a], [b]) => a < b ? -1 : 1)
    .map(([, members]) => ({ key: keyOf(members[0]!), members }));
}
