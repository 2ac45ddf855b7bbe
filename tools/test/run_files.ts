import { spawn } from "node:child_process";

/** What came of some tests. */
export interface Outcome {
  /** 0 when all have passed. */
  readonly code: number;
  readonly passed: number;
  readonly failed: number;
  readonly seconds: number;
  /** All that was printed. */
  readonly output: string;
}

/** What a run of many files came to. */
export interface Run extends Omit<Outcome, "output"> {
  readonly byFile: ReadonlyMap<string, Outcome>;
}

/** The arguments of every `deno test`: nothing is fetched, and types are checked elsewhere. */
const TEST = ["test", "-A", "--cached-only", "--no-check"];

/** The line that `deno test` ends with. */
const SUM = /^(?:ok|FAILED) \| (\d+) passed.*?\| (\d+) failed/gm;

/** Runs tests in one process, with arguments of `deno test`; `onOutput` is given what it prints. */
export function runTests(
  args: readonly string[],
  { cwd, onOutput = () => {} }: {
    readonly cwd?: string;
    readonly onOutput?: (text: string) => void;
  } = {},
): Promise<Outcome> {
  const started = performance.now();
  const child = spawn(process.execPath, [...TEST, ...args], {
    ...cwd === undefined ? {} : { cwd },
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NO_COLOR: "1" },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      onOutput(text);
    });
  }
  return new Promise((done) =>
    child.on("close", (status) => {
      const code = status ?? 1;
      const [, passed, failed] = [...output.matchAll(SUM)].at(-1) ?? [];
      done({
        code,
        passed: Number(passed ?? 0),
        // A run that breaks down has a failure, whatever its tests did.
        failed: Number(failed ?? 0) || (code === 0 ? 0 : 1),
        seconds: (performance.now() - started) / 1000,
        output,
      });
    })
  );
}

/** What went wrong in a run; all that was printed, if it has no such section because it broke down. */
export function failuresIn({ output }: Pick<Outcome, "output">): string {
  const at = output.lastIndexOf("\n ERRORS \n");
  return output.slice(Math.max(at, 0)).trim();
}

/**
 * Runs files in their order, `jobs` at a time, each in a process of its own: `deno test --parallel` takes files by the
 * length of their folder's path, so that those in `test/` itself, some of the longest, come last. `onFile` is given what
 * a file has printed when it has ended.
 */
export async function runFiles(
  files: readonly string[],
  { jobs, cwd, onFile }: {
    readonly jobs: number;
    readonly cwd: string;
    readonly onFile: (path: string, outcome: Outcome) => void;
  },
): Promise<Run> {
  const started = performance.now();
  const byFile = new Map<string, Outcome>(), waiting = [...files];
  await Promise.all(Array.from({ length: jobs }, async () => {
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      const outcome = await runTests([path], { cwd });
      byFile.set(path, outcome);
      onFile(path, outcome);
    }
  }));
  const outcomes = [...byFile.values()];
  const sum = (name: "passed" | "failed") =>
    outcomes.reduce((sum, outcome) => sum + outcome[name], 0);
  return {
    code: outcomes.every(({ code }) => code === 0) ? 0 : 1,
    passed: sum("passed"),
    failed: sum("failed"),
    seconds: (performance.now() - started) / 1000,
    byFile,
  };
}
