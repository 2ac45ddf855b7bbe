import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type JsonOption, present, withBars } from "../../src/cli/bench/shared.ts";
import type { CliContext } from "../../src/cli/shared/command.ts";
import { openLog } from "../../src/files/log.ts";
import { columns } from "../../src/text/columns.ts";
import { benchObedience, type ObedienceResult } from "./obedience/bench.ts";
import { readObedienceSuite } from "./obedience/suite.ts";

export interface ObedienceRun {
  readonly suite?: string;
  readonly replies?: string;
  readonly questions?: string;
  readonly json?: JsonOption;
}

const SUITE = fileURLToPath(new URL("../../bench/suites/obedience", import.meta.url));

/** Measures how right capture's verdicts on the rules of a turn are. */
export async function runObedience(
  { suite = SUITE, replies, questions, json }: ObedienceRun,
  { paths }: CliContext,
): Promise<void> {
  const folder = resolve(suite);
  const result = await withBars((onProgress) =>
    benchObedience(readObedienceSuite(folder), {
      replies: resolve(replies ?? join(folder, "replies.jsonl")),
      questions: questions === undefined ? undefined : resolve(questions),
      ...{ log: openLog(paths.logs), onProgress },
    })
  );
  await present(result, { json, depth: { misses: 1 }, table: renderObedience(result) });
  if (result.open.length > 0) process.exitCode = 1;
}

/** The results as a table, with every verdict that is not the truth. */
export function renderObedience(result: ObedienceResult): string {
  const { conversations, turns, rules, breaches, misses, open } = result;
  const row = (name: string, { said, right, wanted, found }: typeof breaches) => [
    ...[name, `${right} of ${said}`, share(right, said), `${found} of ${wanted}`],
    share(found, wanted),
  ];
  return [
    `${turns} turns of ${conversations} conversations under ${rules} rules`,
    "",
    columns([
      ["verdicts", "right", "precision", "found", "recall"],
      row("all", result),
      row("breaches", breaches),
    ]),
    ...misses.map(({ conversation, turn, rule, truth = "nothing", said = "nothing" }) =>
      `${conversation} turn ${turn}, ${rule}: ${said}, should be ${truth}`
    ),
    ...open.map((key) => `question ${key} has no recorded reply`),
  ].join("\n") + "\n";
}

function share(n: number, of: number): string {
  return of === 0 ? "-" : (n / of).toFixed(3);
}
