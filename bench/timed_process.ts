import { spawn } from "node:child_process";
import type { Command } from "../src/core/link/self.ts";

/** How a process went. */
export interface TimedRun {
  /** From just before it was started until it had ended and its streams were closed. */
  readonly ms: number;
  readonly code: number | null;
  readonly stdout: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Let the process write its progress where we do. */
  readonly showStderr?: boolean;
}

/** Runs a process to its end and measures it from outside. */
export function runTimed({ command, args }: Command, options: RunOptions): Promise<TimedRun> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: options.env,
      stdio: ["pipe", "pipe", options.showStderr ? "inherit" : "ignore"],
      windowsHide: true,
    });
    child.stdin!.on("error", () => {}); // it may end without reading
    child.stdin!.end(options.stdin ?? "");
    let stdout = "";
    child.stdout!.setEncoding("utf8").on("data", (text: string) => stdout += text);
    child.on("error", reject);
    child.on("close", (code) => resolve({ ms: performance.now() - start, code, stdout }));
  });
}
