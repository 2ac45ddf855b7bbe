import { basename } from "node:path";
import { dayOf, readSpending, type Spending, type Sum, sumOf } from "../../core/llm/mod.ts";
import { ageInDays } from "../../core/memory/age.ts";
import { readMemories, sortedNewestFirst } from "../../core/memory/list.ts";
import type { MemoryFile } from "../../core/memory/memory.ts";
import { memoryFolders, type Place } from "../../core/memory/scopes.ts";
import { readUsage, type Usage, usageOf } from "../../core/ledger/usage.ts";
import { mayRead } from "../../core/memory/trust.ts";
import type { Paths } from "../../paths.ts";
import { isPrompt, readReceipts, type Receipt } from "../../core/recall/receipts.ts";

/** What `memo stats --json` prints. */
export interface Statistics {
  readonly days: number;
  /** Memories that apply here. */
  readonly memories: readonly { type: string; scope: string; count: number }[];
  /** Those that turns have used, most used first. */
  readonly used: readonly UsedMemory[];
  /** Those that none has, oldest first. */
  readonly unused: readonly UsedMemory[];
  /** Receipts by outcome. */
  readonly recall: readonly { outcome: string; count: number }[];
  /** What was put before the model, newest session first. */
  readonly sessions: readonly SessionShare[];
  /** LLM calls by day and purpose. */
  readonly llm: readonly (Sum & { day: string; purpose: string })[];
  readonly total: Sum;
}

/** A memory with its use. */
export interface UsedMemory extends Pick<Usage, "shown" | "used"> {
  readonly name: string;
  readonly path: string;
  /** Whether the user has approved its text, if a repository brings it. */
  readonly trusted: boolean;
  /** Since its last change. */
  readonly days: number;
}

/** memo's share of a session. */
export interface SessionShare {
  readonly session: string;
  /** When it began, as far as receipts tell. */
  readonly at: string;
  readonly project: string;
  readonly prompts: number;
  /** Context blocks that it was given, and their characters. */
  readonly blocks: number;
  readonly chars: number;
  /** What LLM calls for it cost. */
  readonly usd: number;
}

/** Counts what applies here, and what happened in the last days. */
export function gather(
  { paths, place }: { readonly paths: Paths; readonly place: Place },
  days: number,
  now: Date,
): Statistics {
  const first = new Date(now);
  first.setDate(first.getDate() - days + 1);
  const since = dayOf(first);
  const isRecent = ({ at }: { readonly at: string }) =>
    !Number.isNaN(Date.parse(at)) && dayOf(at) >= since;

  const memories = memoryFolders(place).flatMap((folder) =>
    readMemories(folder).memories
      .map((memory) => ({ ...memory, trusted: mayRead(folder, memory.digest) }))
  );
  const receipts = readReceipts(paths.receipts, Infinity).filter((receipt) =>
    receipt !== null && isRecent(receipt)
  );
  const calls = readSpending(paths.spending).filter(isRecent);
  return {
    days,
    memories: counts(memories, ({ type, scope }) => ({ type, scope })),
    ...useOf(memories, readUsage(paths.usage), now),
    recall: counts(receipts.filter(isPrompt), ({ outcome }) => ({ outcome })),
    sessions: sessionsOf(receipts, calls),
    llm: grouped(calls, ({ at, purpose }: Spending) => ({ day: dayOf(at), purpose }))
      .map(({ key, members }) => ({ ...key, ...sumOf(members) })),
    total: sumOf(calls),
  };
}

function useOf(
  memories: readonly (MemoryFile & Pick<UsedMemory, "trusted">)[],
  usage: ReadonlyMap<string, Usage>,
  now: Date,
): Pick<Statistics, "used" | "unused"> {
  const all = sortedNewestFirst(memories, (memory) => memory).reverse()
    .map((memory): UsedMemory => {
      const { name, path, trusted } = memory, { shown, used } = usageOf(usage, path);
      return { name, path, trusted, days: ageInDays(memory, now), shown, used };
    });
  return {
    used: all.filter(({ used }) => used > 0)
      .sort((a, b) => b.used - a.used || b.shown - a.shown || (a.path < b.path ? -1 : 1)),
    unused: all.filter(({ used }) => used === 0),
  };
}

function counts<T, K extends Record<string, string>>(
  items: readonly T[],
  keyOf: (item: T) => K,
): (K & { count: number })[] {
  return grouped(items, keyOf).map(({ key, members }) => ({ ...key, count: members.length }));
}

/** Items in groups by a key, in the order of the keys. */
function grouped<T, K extends Record<string, string>>(
  items: readonly T[],
  keyOf: (item: T) => K,
): { key: K; members: T[] }[] {
  const groups = new Map<string, { key: K; members: T[] }>();
  for (const item of items) {
    const key = keyOf(item);
    const name = JSON.stringify(key);
    if (!groups.has(name)) groups.set(name, { key, members: [] });
    groups.get(name)!.members.push(item);
  }
  return [...groups].toSorted(([a], [b]) => a < b ? -1 : 1).map(([, group]) => group);
}

/** The sessions of some receipts, newest first. */
function sessionsOf(receipts: readonly Receipt[], calls: readonly Spending[]): SessionShare[] {
  const bySession = Map.groupBy(
    receipts.filter(({ session }) => session !== undefined),
    ({ session }) => session!,
  );
  const costs = Map.groupBy(calls, ({ session }) => session);
  return [...bySession].map(([session, its]) => {
    const blocks = its.filter(({ outcome, chars }) => outcome === "hit" && chars > 0);
    return {
      session,
      at: its.reduce((first, { at }) => at < first ? at : first, its[0]!.at),
      project: basename(its.find(({ cwd }) => cwd !== undefined)?.cwd ?? ""),
      prompts: its.filter(isPrompt).length,
      blocks: blocks.length,
      chars: blocks.reduce((sum, { chars }) => sum + chars, 0),
      usd: sumOf(costs.get(session) ?? []).usd,
    };
  }).sort((a, b) => a.at < b.at ? 1 : -1);
}
