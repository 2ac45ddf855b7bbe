import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { ARMS } from "./tasks/arms.ts";
import { benchTasks, type Served } from "./tasks/bench.ts";
import { openGrader } from "./tasks/grade.ts";
import { renderTasks, TASKS_JSON_DEPTH } from "./tasks/report.ts";
import { joined, readTaskSuite } from "./tasks/suite.ts";
import { SUITES } from "./executable.ts";
import { deliveryOf } from "./tasks/delivery.ts";
import { digestOf, promptOf, readPatches } from "./tasks/patches.ts";
import { describeMachine } from "../../bench/machine.ts";
import { type JsonOption, present } from "../../src/surfaces/cli/bench.ts";
import { withBars } from "../../src/surfaces/cli/shared/progress.ts";
import { openLog } from "../../src/core/files/log.ts";
import type { CliContext } from "../../src/surfaces/cli/shared/command.ts";

export interface TasksExperiment {
  /** Folder of sde-bench, in addition to memo's own tasks. */
  readonly suite?: string;
  readonly arm?: readonly string[];
  readonly replies?: string;
  readonly questions?: string;
  /** Recorded patches, in place of memo's own. */
  readonly patches?: string;
  readonly json?: JsonOption;
  /** Where the contexts without a recorded patch are laid out for coding agents. */
  readonly work?: string;
  readonly samples: number;
}

/** What the recorder has to know of a folder that an agent worked in. */
export interface Worked {
  readonly key: string;
  readonly task: string;
  readonly arm: string;
  readonly parts: number;
  /** The path of the module, below the folder. */
  readonly module: string;
}

/** The file of it, in the folder of all agents' work. */
export const WORK_FILE = "work.json";

/** From old conversations to bugs that are fixed at the first try; writes what is still to be answered and done. */
export async function runTasks(
  { work, samples, ...options }: TasksExperiment,
  { paths }: CliContext,
): Promise<void> {
  const known = ARMS.map(({ name }) => name as string);
  const wrong = options.arm?.find((name) => !known.includes(name));
  if (wrong !== undefined) {
    throw new Error(`Unknown arm ${wrong}; expected one of ${known.join(", ")}`);
  }
  const folder = join(SUITES, "tasks");
  const own = readTaskSuite(folder);
  const suite = options.suite === undefined
    ? own
    : joined(readTaskSuite(resolve(options.suite)), own);
  const questions = options.questions === undefined ? undefined : resolve(options.questions);
  await using grader = openGrader();
  const run = await withBars((onProgress) =>
    benchTasks(suite, {
      replies: options.replies ?? join(folder, "replies.jsonl"),
      questions,
      patches: readPatches(options.patches ?? join(folder, "patches.jsonl")),
      grader,
      arms: options.arm ?? known,
      log: openLog(paths.logs),
      suites: SUITES,
      onProgress,
      onServed(served) {
        if (work === undefined) return;
        layOutWork(served, { patches: options.patches, samples, work: resolve(work) });
      },
    })
  );
  const report = { machine: describeMachine(), ...run };
  await present(report, {
    ...{ json: options.json, depth: TASKS_JSON_DEPTH, table: renderTasks(report) },
  });
  if (run.open.length > 0 || run.unpatched.length > 0) process.exitCode = 1;
}

/** Writes a folder for each context that no patch was made from: `ARM-SAMPLE/TASK/` with `prompt.txt` and `repo/`. */
function layOutWork(
  { contexts }: Served,
  { work, samples, patches }: { work: string; samples: number; patches?: string | undefined },
): void {
  const known = new Set(patches === undefined ? [] : readPatches(patches).map(({ key }) => key));
  const todo: Record<string, Worked> = {};
  for (const [arm, sessions] of contexts) {
    for (const context of sessions) {
      const { task } = context, key = digestOf(task, context);
      if (known.has(key)) continue;
      known.add(key);
      for (let sample = 1; sample <= samples; sample++) {
        const name = `${arm}-${sample}/${task.name}`, folder = join(work, name);
        const files = [...task.repository].map(([path, text]) =>
          [join("repo", path), text] as const
        );
        for (const [path, text] of [["prompt.txt", promptOf(task, context)] as const, ...files]) {
          mkdirSync(dirname(join(folder, path)), { recursive: true });
          writeFileSync(join(folder, path), text);
        }
        const parts = deliveryOf(task.name, context)?.parts.n ?? 0;
        todo[name] = { ...{ key, arm, parts }, task: task.name, module: join("repo", task.module) };
      }
    }
  }
  writeFileSync(join(work, WORK_FILE), JSON.stringify(todo, null, 1) + "\n");
}
