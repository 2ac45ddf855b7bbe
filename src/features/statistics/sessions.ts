import { basename } from "node:path";
import { type Spending, sumOf } from "../../core/llm/ledger.ts";
import type { Bill } from "./bill.ts";
import { isPrompt, type Receipt } from "../../core/recall/receipts.ts";

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
  /** What those blocks and memo's tools have cost in its requests, if its transcript is still there. */
  readonly bill?: Bill | undefined;
}

/** A session before its bill is read. */
export interface Session {
  readonly share: Omit<SessionShare, "bill">;
  readonly transcript: string | undefined;
}

/** The sessions of some receipts, newest first. */
export function sessionsOf(receipts: readonly Receipt[], calls: readonly Spending[]): Session[] {
  const bySession = Map.groupBy(
    receipts.filter(({ session }) => session !== undefined),
    ({ session }) => session!,
  );
  const costs = Map.groupBy(calls, ({ session }) => session);
  return [...bySession].map(([session, its]): Session => {
    const blocks = its.filter(({ outcome, chars }) => outcome === "hit" && chars > 0);
    return {
      transcript: its.find(({ transcript }) => transcript !== undefined)?.transcript,
      share: {
        session,
        at: its.reduce((first, { at }) => at < first ? at : first, its[0]!.at),
        project: basename(its.find(({ cwd }) => cwd !== undefined)?.cwd ?? ""),
        prompts: its.filter(isPrompt).length,
        blocks: blocks.length,
        chars: blocks.reduce((sum, { chars }) => sum + chars, 0),
        usd: sumOf(costs.get(session) ?? []).usd,
      },
    };
  }).sort((a, b) => a.share.at < b.share.at ? 1 : -1);
}
