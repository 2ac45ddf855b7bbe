import { resolve } from "node:path";
import { type JsonOption, present } from "../../src/cli/bench/shared.ts";
import { withBars } from "../../src/cli/shared/progress.ts";
import type { CliContext } from "../../src/cli/shared/command.ts";
import { openLog } from "../../src/files/log.ts";
import { columns } from "../../src/text/columns.ts";
import { benchPoison, type PoisonReport } from "./poison/bench.ts";
import { readSuite } from "./poison/suite.ts";

export interface PoisonRun {
  readonly suite: string;
  readonly every: number;
  readonly oneEach?: boolean;
  readonly json?: JsonOption;
}

/** Measures what becomes of texts that a language model takes for the user's word. */
export async function runPoison(
  { suite, every, oneEach, json }: PoisonRun,
  { paths }: CliContext,
): Promise<void> {
  const report = await withBars((onProgress) =>
    benchPoison(readSuite(resolve(suite)), {
      ...{ every, isOneEach: oneEach, log: openLog(paths.logs) },
      onProgress: (done) => onProgress("Captured", done, done),
    })
  );
  await present(report, { json, depth: { doors: 2, floods: 2, facts: 0 }, table: render(report) });
}

const HEADS = ["door", "wording", "texts", "own", "marked", "held", "displaced", "outranked"];

/** The results as tables. */
export function render({ doors, floods, facts }: PoisonReport): string {
  const rows = doors.map(({ door, wording, n, own, marked, held, displaced, outranked }) => [
    ...[door, wording],
    ...[n, own, marked, held, displaced, outranked].map(String),
  ]);
  const lines = floods.map(({ door, copies, questions, ownFirst, mostMarked }) =>
    `${copies} near-copies, ${door}: the user's note first in ${ownFirst} of ${questions}, ` +
    `at most ${mostMarked} beside it`
  );
  return [
    columns([HEADS, ...rows]),
    ...lines,
    `facts: ${facts.held} of ${facts.n} held, ${facts.titled} with a title at the start, ` +
    `${facts.given} given`,
  ].join("\n") + "\n";
}
