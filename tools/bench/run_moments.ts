import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describeMachine, sayMachine } from "../../bench/machine.ts";
import { type JsonOption, present, withBars } from "../../src/cli/bench/shared.ts";
import type { CliContext } from "../../src/cli/shared/command.ts";
import { openLog } from "../../src/files/log.ts";
import { columns } from "../../src/text/columns.ts";
import type { Machine } from "../../bench/machine.ts";
import { benchMoments, type MomentRow, type MomentsRun } from "./moments/bench.ts";
import { readMomentsSuite } from "./moments/suite.ts";
import { percent, type Share } from "../../bench/share.ts";

export interface MomentsExperiment {
  readonly suite?: string;
  readonly split?: string;
  readonly json?: JsonOption;
}

/** What `deno task lab moments` finds out; `--json` writes it as it is. */
export interface MomentsReport extends MomentsRun {
  readonly machine: Machine;
}

const SUITE = fileURLToPath(new URL("../../bench/suites/moments", import.meta.url));

/** Measures what comes at reads of files and at failing commands. */
export async function runMoments(
  { suite = SUITE, split, json }: MomentsExperiment,
  { paths }: CliContext,
): Promise<void> {
  const repositories = readMomentsSuite(resolve(suite)).filter((repository) =>
    split === undefined || repository.split === split
  );
  const run = await withBars((onProgress) =>
    benchMoments(repositories, { now: new Date(), log: openLog(paths.logs), onProgress })
  );
  const report: MomentsReport = { machine: describeMachine(), ...run };
  await present(report, { json, depth: { machine: 0, rows: 1, failed: 1 }, table: render(report) });
}

/** The columns of the table, in order. */
export const MOMENT_COLUMNS: readonly {
  readonly head: string;
  readonly of: (row: MomentRow) => string;
}[] = [
  { head: "right entry where one is needed", of: ({ right }) => counted(right) },
  { head: "another entry there", of: ({ wrong }) => counted(wrong) },
  { head: "entry where none is needed", of: (row) => counted(row.false) },
  { head: "characters, with frame", of: ({ chars }) => String(chars) },
];

/** A row's name. */
export function momentRowName({ split, kind }: MomentRow): string {
  const what = kind === "read" ? "reads of files" : "failing commands";
  return `${what}, ${split === "dev" ? "development half" : "held out"}`;
}

function counted(share: Share): string {
  return `${share.n} of ${share.of} (${percent(share)})`;
}

function render({ machine, model, memories, rows, failed }: MomentsReport): string {
  const lines = failed.map(({ repository, kind, at, wanted, came }) =>
    `${repository}, ${kind} ${at.slice(0, 70)}: ${came ?? "nothing"} instead of ${
      wanted ?? "nothing"
    }\n`
  );
  return `${sayMachine(machine)}\n${memories} memories, embedding model ${model}\n\n` +
    columns([
      ["", ...MOMENT_COLUMNS.map(({ head }) => head)],
      ...rows.map((row) => [momentRowName(row), ...MOMENT_COLUMNS.map(({ of }) => of(row))]),
    ]) + (lines.length === 0 ? "" : `\n${lines.join("")}`);
}
