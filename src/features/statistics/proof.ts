// What memo can prove of itself on this machine, over all projects: what its text has cost
// each session, what language models have cost, how long its hooks took, and how the store has grown.

import { dayOf, readSpending, spentToday, type Sum, sumOf } from "../../core/llm/ledger.ts";
import type { Paths } from "../../paths.ts";
import { isPrompt, readReceipts, type Receipt } from "../../core/recall/receipts.ts";
import type { Config } from "../../core/settings/config.ts";
import type { Bills } from "./bills.ts";
import { grouped } from "./grouped.ts";
import { type Latency, latencyOf } from "./latency.ts";
import { type SessionShare, sessionsOf } from "./sessions.ts";

/** What the page's last tab shows. */
export interface Proof {
  readonly days: number;
  /** Newest first; the newest of the days that there is room for. */
  readonly sessions: readonly SessionShare[];
  /** Sessions whose transcripts are still being read: another look will have their bills. */
  readonly unread: number;
  readonly llm: {
    /** By day and purpose, oldest first. */
    readonly days: readonly (Sum & { readonly day: string; readonly purpose: string })[];
    readonly total: Sum;
    readonly today: Sum;
    /** Where the day's calls end. */
    readonly caps: { readonly calls: number; readonly usd: number };
  };
  readonly latency: Latency;
  /** Memories by the day they were saved on, oldest first. */
  readonly saved: readonly { readonly day: string; readonly count: number }[];
  readonly use: readonly DayOfUse[];
}

/** The prompts of one day. */
export interface DayOfUse {
  readonly day: string;
  readonly prompts: number;
  /** Those that were given memories, and how many memories that were. */
  readonly answered: number;
  readonly memories: number;
}

export interface ProofOptions {
  readonly paths: Paths;
  readonly config: Config;
  readonly now: Date;
  /** Days to look back, including today. */
  readonly days: number;
  readonly bills: Bills;
  /** How many memories were saved on each day. */
  readonly saved: () => Promise<Proof["saved"]>;
}

/** Hooks whose times are shown. */
const HOOKS = 1000;
/** Sessions that are shown: each is a transcript to read. */
const SESSIONS = 60;
/** How long to wait for their bills. */
const WAIT_MS = 400;

/** All of it. */
export async function proofOf(
  { paths, config, now, days, bills, saved }: ProofOptions,
): Promise<Proof> {
  const first = new Date(now);
  first.setDate(first.getDate() - days + 1);
  const since = dayOf(first);
  const isRecent = ({ at }: { readonly at: string }) => dayOf(at) >= since;
  const receipts = readReceipts(paths.receipts, Infinity).filter((receipt) =>
    !Number.isNaN(Date.parse(receipt?.at))
  );
  const recent = receipts.filter(isRecent);
  const calls = readSpending(paths.spending).filter(isRecent);

  const sessions = sessionsOf(recent, calls).slice(0, SESSIONS);
  const unread = await bills.read(sessions.flatMap(({ transcript }) => transcript ?? []), WAIT_MS);
  return {
    days,
    sessions: sessions.map(({ share, transcript }) => ({
      ...share,
      bill: transcript === undefined ? undefined : bills.of(transcript),
    })),
    unread,
    llm: {
      days: grouped(calls, ({ at, purpose }) => ({ day: dayOf(at), purpose }))
        .map(({ key, members }) => ({ ...key, ...sumOf(members) })),
      total: sumOf(calls),
      today: spentToday(paths.spending, now),
      caps: { calls: config["llm.daily_calls"], usd: config["llm.daily_usd"] },
    },
    latency: latencyOf(receipts.slice(0, HOOKS)),
    saved: await saved(),
    use: useByDay(recent),
  };
}

function useByDay(receipts: readonly Receipt[]): DayOfUse[] {
  return grouped(receipts.filter(isPrompt), ({ at }) => ({ day: dayOf(at) }))
    .map(({ key, members }) => {
      const answered = members.filter(({ outcome, memories }) =>
        outcome === "hit" && memories.length > 0
      );
      return {
        ...key,
        prompts: members.length,
        answered: answered.length,
        memories: answered.reduce((sum, { memories }) => sum + memories.length, 0),
      };
    });
}
