import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { ARMS } from "../../bench/tasks/arms.ts";
import { LATER, PROJECT } from "../../bench/tasks/story.ts";
import type { Served } from "../../bench/tasks/bench.ts";
import { deliveryOf } from "../../bench/tasks/delivery.ts";
import { digestOf, promptOf, readPatches } from "../../bench/tasks/patches.ts";
import { writeQuestions } from "../../bench/question_files.ts";
import { runTasks, type TasksCommand } from "../../src/cli/bench/tasks.ts";
import type { CliContext } from "../../src/cli/shared/command.ts";
import { presetStrategy } from "../../src/settings/presets.ts";
import { wideOf } from "./retention/wide.ts";

export interface TasksExperiment extends Omit<TasksCommand, "onServed"> {
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

/** `memo bench tasks`, which also writes what is still to be answered and done. */
export async function runTasksExperiment(
  { work, samples, ...command }: TasksExperiment,
  context: CliContext,
): Promise<void> {
  await runTasks({
    ...command,
    ...command.questions !== undefined && { questions: resolve(command.questions) },
    async onServed(served) {
      if (command.questions !== undefined) await writeWide(served, resolve(command.questions));
      if (work !== undefined) layOutWork(served, { ...command, samples, work: resolve(work) });
    },
  }, context);
}

/** The questions of the presets about the tasks' requests, with more notes than they would show. */
async function writeWide({ world, model, contexts }: Served, folder: string): Promise<void> {
  const prompts = [...new Set([...contexts.values()].flat().map(({ task }) => task))]
    .map(({ name, request }) => ({ id: name, project: PROJECT, text: request }));
  for (const { preset } of ARMS as readonly { preset?: string }[]) {
    const strategy = presetStrategy(preset ?? "");
    if (strategy === undefined) continue;
    const wide = await wideOf(prompts, world, { open: model.open, strategy, now: LATER });
    writeQuestions(folder, { set: strategy, questions: wide });
  }
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
