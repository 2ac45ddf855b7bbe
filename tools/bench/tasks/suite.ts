// Bugs whose obvious fix is wrong, because the rule was decided in an old conversation: the form of
// vectorize-io/sde-bench, which also has conversations that decide nothing.

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { MemoError } from "../../../src/errors.ts";
import { readCheckout } from "./checkout.ts";

/** One turn of a conversation, as the data has it. */
export interface Said {
  readonly role: "user" | "assistant";
  readonly text: string;
}

/** One bug. */
export interface Task {
  readonly name: string;
  /** The kind of its rule. */
  readonly category: string;
  /** Relative path of the file that has the bug, and the function in it. */
  readonly module: string;
  readonly function: string;
  /** What the user types. */
  readonly request: string;
  /** The rule, only for judging. */
  readonly policy: string;
  /** The conversations that decided the rule, oldest first; of several, the later ones change it. */
  readonly conversations: readonly (readonly Said[])[];
  /** The files of the repository, by relative path. */
  readonly repository: ReadonlyMap<string, string>;
  /** Relative path of the test that must stay green. */
  readonly visibleTest: string;
  /** The test of the rule, which nobody but the judge sees. */
  readonly hiddenTest: string;
}

/** A conversation that decides nothing. */
export interface Decoy {
  readonly name: string;
  readonly turns: readonly Said[];
}

/** Tasks and decoys. */
export interface TaskSuite {
  readonly tasks: readonly Task[];
  readonly decoys: readonly Decoy[];
}

/** The parts of a `task.json` that are used. */
export interface RawTask {
  readonly category: string;
  readonly module: string;
  readonly function?: string;
  readonly bug_report: string;
  readonly policy?: string;
  readonly pass_to_pass: readonly string[];
  readonly conversations?: readonly Said[] | readonly (readonly Said[])[];
}

/** Where the visible repro is, and where the hidden test is put. */
export const REPRO = "tests/test_regression.py";
export const HIDDEN = "tests/test_hidden.py";

/** Reads a suite: a folder with `tasks/` and `decoys.json`, or a checkout of the benchmark. */
export function readTaskSuite(folder: string): TaskSuite {
  const tasks = join(folder, "tasks");
  if (existsSync(tasks)) {
    return {
      tasks: readdirSync(tasks).sort().map((name) => readTask(join(tasks, name), name)),
      decoys: decoysOf(join(folder, "decoys.json")),
    };
  }
  if (existsSync(join(folder, "gen", "traps.py"))) return readCheckout(folder);
  throw new MemoError("not-found", `Cannot read the suite at \`${folder}\`: it has no \`tasks\``, {
    hint: "Run `git clone https://github.com/vectorize-io/sde-bench`, and pass that folder",
  });
}

/** Two suites as one. */
export function joined(one: TaskSuite, other: TaskSuite): TaskSuite {
  return { tasks: [...one.tasks, ...other.tasks], decoys: [...one.decoys, ...other.decoys] };
}

/** The decoys of a file. */
export function decoysOf(path: string): Decoy[] {
  if (!existsSync(path)) return [];
  return (readJson(path) as readonly { readonly id?: string; readonly turns: readonly Said[] }[])
    .map(({ id, turns }, i) => ({ name: id ?? `decoy-${i + 1}`, turns }));
}

/** A task from its `task.json`. */
export function taskOf(
  raw: RawTask,
  { name, repository, hiddenTest }: Pick<Task, "name" | "repository" | "hiddenTest">,
): Task {
  const told = raw.conversations ?? [];
  const first = told[0];
  return {
    ...{ name, repository, hiddenTest },
    category: raw.category,
    module: raw.module,
    function: raw.function ?? "",
    request: raw.bug_report,
    policy: raw.policy ?? "",
    conversations: Array.isArray(first)
      ? told as readonly (readonly Said[])[]
      : first === undefined
      ? []
      : [told as readonly Said[]],
    visibleTest: raw.pass_to_pass[0]!,
  };
}

/** A JSON file's value; throws a MemoError that names the file. */
export function readJson(path: string): unknown {
  const text = readFileSync(path, "utf8");
  try {
    return JSON.parse(text);
  } catch {
    throw new MemoError("file", `Cannot read \`${path}\`: it is not JSON`);
  }
}

function readTask(folder: string, name: string): Task {
  return taskOf(readJson(join(folder, "task.json")) as RawTask, {
    name,
    repository: filesBelow(join(folder, "repo")),
    hiddenTest: readFileSync(join(folder, "grading", "test_hidden.py"), "utf8"),
  });
}

function filesBelow(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(folder, name)).isFile() && !name.includes("__pycache__"))
    .sort();
  return new Map(
    names.map((name) => [name.replaceAll("\\", "/"), readFileSync(join(folder, name), "utf8")]),
  );
}
