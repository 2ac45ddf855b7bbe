// What memo adds to a session of the real Claude Code: the same prompts with memo and without.

import { join } from "node:path";
import { openSuite } from "../../bench/loaders/mod.ts";
import { memoryOf } from "../../bench/store.ts";
import { type JsonOption, present } from "../../src/surfaces/cli/bench.ts";
import { serializeMemory } from "../../src/core/memory/file.ts";
import { holdSession } from "../../test/support/held_session.ts";
import { makeHome, PATIENCE, succeed, warmUp } from "../../test/support/home.ts";
import { SUITES } from "./executable.ts";

export interface BillRun {
  readonly prompts: number;
  readonly json?: JsonOption;
}

const SUITE = join(SUITES, "coding-agent");
/** While other programs run, the real Claude Code takes several seconds a prompt. */
const PATIENT_MS = 20 * 60_000;

/** Runs one session with the suite's memories and one without memo, with prompts from all over the suite. */
export async function runBill({ prompts: many, json }: BillRun): Promise<void> {
  const { suite } = openSuite(SUITE);
  const step = suite.queries.length / many;
  const prompts = Array.from({ length: many }, (_, i) => suite.queries[Math.floor(i * step)]!.text);
  await using bare = makeHome(PATIENCE, { hasModel: true });
  const without = await holdSession(bare, prompts, PATIENT_MS);
  await using home = makeHome(PATIENCE, { hasModel: true });
  const folder = { scope: "user", path: join(home.claude, "memory") } as const;
  for (const [number, document] of suite.documents.entries()) {
    const memory = memoryOf(document, { folder, number, now: new Date() });
    home.write(memory.path.slice(folder.path.length + 1), serializeMemory(memory));
  }
  await succeed(home, ["index"]);
  await succeed(home, ["init"]);
  await warmUp(home);
  const { counted } = await holdSession(home, prompts, PATIENT_MS);
  const report = { prompts: many, without: without.counted, counted };
  const grown = (100 * (counted - without.counted) / without.counted).toFixed(1);
  const table = `${many} requests grow by ${grown} %`;
  await present(report, { json, depth: 1, table });
}
