import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import script from "./grade.py" with { type: "text" };
import { HIDDEN, REPRO, type Task } from "./suite.ts";

/** What the tests say of a module. */
export interface Grade {
  /** All three are green. */
  readonly isSolved: boolean;
  /** The test of the rule is not. */
  readonly breaksRule: boolean;
}

/** Runs the tests of modules in scratch copies of their repositories. */
export interface Grader extends AsyncDisposable {
  grade(task: Task, module: string): Promise<Grade>;
}

/** More processes do not make it faster on the machines that this is run on. */
const MOST_PROCESSES = 4;
/** Tests get this and no more of the environment: a patch is code that somebody else wrote. */
const ENV = ["PATH", "TMPDIR", "LANG"];

/** Opens a grader; undefined where there is no Python with pytest. */
export function openGrader(): Grader | undefined {
  const { status } = spawnSync("python3", ["-c", "import os, pytest; os.fork"], {
    stdio: "ignore",
  });
  if (status !== 0) return undefined;
  const workers = Array.from(
    { length: Math.min(availableParallelism(), MOST_PROCESSES) },
    () => new Worker(),
  );
  const known = new Map<string, Promise<Grade>>();
  let next = 0;
  return {
    grade(task, module) {
      const key = JSON.stringify([task.name, module]);
      const grade = known.get(key) ??
        workers[next++ % workers.length]!.do(task, module);
      known.set(key, grade);
      return grade;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(workers.map((worker) => worker.end()));
    },
  };
}

/** A process that runs tests, one module after the other. */
class Worker {
  readonly #process: ChildProcess;
  readonly #answers: Interface;
  #last: Promise<unknown> = Promise.resolve();

  constructor() {
    const own = Object.fromEntries(ENV.map((name) => [name, process.env[name]]));
    this.#process = spawn("python3", ["-c", script], {
      env: { ...own, PYTEST_DISABLE_PLUGIN_AUTOLOAD: "1", PYTHONDONTWRITEBYTECODE: "1" },
      stdio: ["pipe", "pipe", "ignore"],
    });
    this.#answers = createInterface({ input: this.#process.stdout! });
  }

  /** Grades one module after those before it. */
  do(task: Task, module: string): Promise<Grade> {
    const grade = this.#last.then(() => this.#grade(task, module));
    this.#last = grade.catch(() => {});
    return grade;
  }

  async #grade(task: Task, module: string): Promise<Grade> {
    const folder = mkdtempSync(join(tmpdir(), "memo-task-"));
    try {
      const files = [...task.repository, [task.module, module], [HIDDEN, task.hiddenTest]] as const;
      for (const [name, text] of files) {
        const path = join(folder, name);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, text);
      }
      const answer = this.#answer();
      this.#process.stdin!.write(
        JSON.stringify({ folder, tests: [task.visibleTest, REPRO, HIDDEN] }) + "\n",
      );
      const result = await answer as { readonly failed: readonly string[] } | null;
      return {
        isSolved: result?.failed.length === 0,
        breaksRule: result === null || result.failed.includes(HIDDEN),
      };
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  }

  #answer(): Promise<unknown> {
    return new Promise((given, failed) => {
      const ended = () => failed(new Error("The test process exited"));
      this.#process.once("close", ended);
      this.#answers.once("line", (line) => {
        this.#process.off("close", ended);
        given(JSON.parse(line));
      });
    });
  }

  end(): Promise<void> {
    return new Promise((ended) => {
      if (this.#process.exitCode !== null) return ended();
      this.#process.once("close", () => ended());
      this.#process.stdin!.end();
    });
  }
}
