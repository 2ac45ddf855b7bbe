import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describeMachine } from "../../bench/machine.ts";
import { type JsonOption, present, withBars } from "../../src/cli/bench/shared.ts";
import type { CliContext } from "../../src/cli/shared/command.ts";
import { openLog } from "../../src/files/log.ts";
import { benchMoments } from "./moments/bench.ts";
import { MOMENTS_JSON_DEPTH, type MomentsReport, renderMoments } from "./moments/report.ts";
import { readMomentsSuite } from "./moments/suite.ts";

export interface MomentsExperiment {
  readonly suite?: string;
  readonly split?: string;
  readonly json?: JsonOption;
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
  await present(report, { json, depth: MOMENTS_JSON_DEPTH, table: renderMoments(report) });
}
