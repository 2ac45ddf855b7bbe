import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { TasksOptions } from "../../../bench/tasks/bench.ts";
import { MemoError } from "../../errors.ts";
import { openLog } from "../../files/log.ts";
import { suitesFolder } from "../../native/mod.ts";
import type { CliContext } from "../shared/command.ts";
import { type JsonOption, present, withBars } from "./shared.ts";

export interface TasksCommand
  extends Partial<Pick<TasksOptions, "replies" | "questions" | "onServed">> {
  readonly suite?: string;
  readonly arm?: readonly string[];
  /** Recorded patches, in place of memo's own. */
  readonly patches?: string;
  readonly json?: JsonOption;
}

/** The folder of memo's own tasks and of the recordings. */
const OWN = "tasks";

/** `memo bench tasks`: from old conversations to bugs that are fixed at the first try. */
export async function runTasks(options: TasksCommand, context: CliContext): Promise<void> {
  const { ARMS } = await import("../../../bench/tasks/arms.ts");
  const { benchTasks } = await import("../../../bench/tasks/bench.ts");
  const { describeMachine } = await import("../../../bench/machine.ts");
  const { openGrader } = await import("../../../bench/tasks/grade.ts");
  const { readPatches } = await import("../../../bench/tasks/patches.ts");
  const { joined, readTaskSuite } = await import("../../../bench/tasks/suite.ts");
  const { renderTasks, TASKS_JSON_DEPTH } = await import("../../../bench/tasks/report.ts");

  const known = ARMS.map(({ name }) => name as string);
  const wrong = options.arm?.find((name) => !known.includes(name));
  if (wrong !== undefined) {
    throw new MemoError("usage", `Unknown arm \`${wrong}\``, {
      hint: `Run \`memo bench tasks --arm ${known.join(",")}\``,
    });
  }
  const suites = suitesFolder(context.paths), folder = join(suites, OWN);
  const own = readTaskSuite(folder);
  const suite = options.suite === undefined
    ? own
    : joined(readTaskSuite(existing(resolve(context.cwd, options.suite))), own);
  await using grader = openGrader();
  const run = await withBars((onProgress) =>
    benchTasks(suite, {
      replies: options.replies ?? join(folder, "replies.jsonl"),
      questions: options.questions,
      patches: readPatches(options.patches ?? join(folder, "patches.jsonl")),
      grader,
      arms: options.arm ?? known,
      log: openLog(context.paths.logs),
      onServed: options.onServed,
      ...{ suites, onProgress },
    })
  );
  const report = { machine: describeMachine(), ...run };
  await present(report, {
    ...{ json: options.json, depth: TASKS_JSON_DEPTH, table: renderTasks(report) },
  });
  if (run.open.length > 0 || run.unpatched.length > 0) process.exitCode = 1;
}

function existing(path: string): string {
  if (existsSync(path)) return path;
  throw new MemoError("not-found", `Cannot read the suite at \`${path}\`: it does not exist`, {
    hint: "Run `git clone https://github.com/vectorize-io/sde-bench`, and name that folder",
  });
}
