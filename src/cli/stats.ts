import type { Command } from "commander";
import { dayOf, readSpending, type Spending, type Sum, sumOf } from "../llm/ledger.ts";
import { readMemories } from "../memory/list.ts";
import { memoryFolders, placeIn } from "../memory/scopes.ts";
import { isPrompt, readReceipts } from "../recall/receipts.ts";
import type { CliContext } from "./command.ts";
import { wholeNumber } from "./options.ts";
import { columns, out, outJson, paint } from "./output.ts";

interface Statistics {
  readonly days: number;
  readonly memories: readonly { type: string; scope: string; count: number }[];
  /** Receipts by outcome. */
  readonly recall: readonly { outcome: string; count: number }[];
  /** LLM calls by day and purpose. */
  readonly llm: readonly (Sum & { day: string; purpose: string })[];
  readonly total: Sum;
}

/** `memo stats`: counts memories and prompts, and sums LLM spending. */
export function define(command: Command, context: CliContext): void {
  command
    .option("-d, --days <number>", "Number of days, including today", wholeNumber, 7)
    .option("--json", "Print JSON")
    .action((options: { days: number; json?: boolean }) => {
      const statistics = gather(context, options.days);
      if (options.json) outJson(statistics);
      else out(render(statistics));
    });
}

function gather({ paths, cwd }: CliContext, days: number): Statistics {
  const first = new Date();
  first.setDate(first.getDate() - days + 1);
  const since = dayOf(first);
  const isRecent = ({ at }: { readonly at: string }) => dayOf(at) >= since;

  const memories = memoryFolders(placeIn(paths, cwd))
    .flatMap((folder) => readMemories(folder).memories);
  const receipts = readReceipts(paths.receipts, Infinity).filter(isPrompt).filter(isRecent);
  const calls = readSpending(paths.spending).filter(isRecent);
  return {
    days,
    memories: grouped(memories, ({ type, scope }) => ({ type, scope }))
      .map(({ key, members }) => ({ ...key, count: members.length })),
    recall: grouped(receipts, ({ outcome }) => ({ outcome }))
      .map(({ key, members }) => ({ ...key, count: members.length })),
    llm: grouped(calls, ({ at, purpose }: Spending) => ({ day: dayOf(at), purpose }))
      .map(({ key, members }) => ({ ...key, ...sumOf(members) })),
    total: sumOf(calls),
  };
}

/** Groups items by `keyOf`, in the order of the keys. */
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

function render({ days, memories, recall, llm, total }: Statistics): string {
  const span = days === 1 ? "today" : `last ${days} days`;
  const calls = llm.map(({ day, purpose, ...sum }) => [day, purpose, ...spent(sum)]);
  const sum = llm.length > 1 ? [["all", "", ...spent(total)]] : [];
  return [
    section("Memories", memories.map(({ type, scope, count }) => [type, scope, String(count)])),
    section(`Prompts, ${span}`, recall.map(({ outcome, count }) => [outcome, String(count)])),
    section(`Language model, ${span}`, [...calls, ...sum]),
  ].join("\n");
}

function section(heading: string, rows: string[][]): string {
  const lines = rows.length === 0 ? "none\n" : columns(rows);
  return `${paint("bold", heading)}\n${lines.replace(/^/gm, "  ").trimEnd()}\n`;
}

function spent({ calls, input, output, usd }: Sum): string[] {
  const noun = calls === 1 ? "call" : "calls";
  return [`${calls} ${noun}`, `${input} tokens in`, `${output} out`, `$${usd.toFixed(4)}`];
}
