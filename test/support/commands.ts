import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { bunExecutable } from "../../tools/compile/locate.ts";
import type { Finished } from "./run.ts";

/**
 * The commands that work on files alone, and do not ask what program they are: the sources, on the executable's runtime,
 * do what it does, and print the same help of all others. `test/cli/executable_test.ts` compares them.
 */
export const TOGETHER: readonly string[] = `add config dream export forget guard import index list
  log recall search share show stats sync team trust undo`.split(/\s+/);

/** A command line and where it runs. */
interface CommandLine {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** What ends the output of a command, on stdout and on stderr. */
const END = /\0(\d+)\n$/;

let loop: Loop | undefined;

/**
 * Runs a command in a process that runs those of this file one after another: most of what a command of the executable
 * takes is its start. undefined: it has to be a process of its own, such as one of several at once.
 */
export function runTogether(line: CommandLine): Promise<Finished> | undefined {
  if (process.platform === "win32") return undefined; // it passes no third pipe on
  const [name = ""] = line.args, isHelp = line.args.at(-1) === "--help";
  if (!TOGETHER.includes(name) && !isHelp || loop?.isBusy) return undefined;
  if (loop === undefined || loop.hasEnded) loop = new Loop();
  return loop.run(line);
}

/** The process, which ends with this one: it reads no further line then. */
class Loop {
  readonly #process: ChildProcess;
  readonly #lines: Socket;
  #output = ["", ""];
  #done: ((finished: Finished) => void) | undefined;
  hasEnded = false;

  constructor() {
    const script = fileURLToPath(new URL("command_loop.ts", import.meta.url));
    this.#process = spawn(bunExecutable(), [script], { stdio: ["ignore", "pipe", "pipe", "pipe"] });
    this.#process.unref();
    const [, stdout, stderr, lines] = this.#process.stdio;
    this.#lines = (lines as Socket).unref();
    [stdout, stderr].forEach((stream, at) =>
      (stream as Socket).unref().setEncoding("utf8").on("data", (text: string) => {
        this.#output[at] += text;
        this.#finish();
      })
    );
    this.#process.on("close", (code) => {
      this.hasEnded = true;
      this.#conclude(code);
    });
  }

  get isBusy(): boolean {
    return this.#done !== undefined;
  }

  run(line: CommandLine): Promise<Finished> {
    this.#output = ["", ""];
    return new Promise((done) => {
      const awake = setInterval(() => {}, 60_000); // the process itself keeps nobody awake
      this.#done = (finished) => {
        clearInterval(awake);
        done(finished);
      };
      this.#lines.write(JSON.stringify(line) + "\n");
    });
  }

  #finish(): void {
    const [code] = this.#output.map((text) => END.exec(text)?.[1]);
    if (this.#output.every((text) => END.test(text))) this.#conclude(Number(code));
  }

  #conclude(code: number | null): void {
    const [stdout, stderr] = this.#output.map((text) => text.replace(END, ""));
    const done = this.#done;
    this.#done = undefined;
    done?.({ code, stdout: stdout!, stderr: stderr! });
  }
}
