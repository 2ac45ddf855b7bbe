import type { Command } from "commander";
import type { DaemonStatus } from "../../core/daemon/methods.ts";
import { readPid, startDaemon, stopDaemon } from "../../core/daemon/lifecycle.ts";
import { codeOf } from "../../errors.ts";
import type { Env, Paths } from "../../paths.ts";
import { readLastLines } from "../../core/files/jsonl.ts";
import { logFile } from "../../core/files/log.ts";
import { call } from "../../core/link/socket.ts";
import type { CliContext } from "./shared/command.ts";
import { counted } from "../../core/text/counted.ts";
import { type Json, wholeNumber } from "./shared/options.ts";
import { columns, out, outJson, printFound, say } from "./shared/output.ts";

const STATUS_MS = 3000;

type Verb = (paths: Paths, env: Env) => Promise<boolean>;

/** What starts and ends the daemon, and what is said if that has changed something, and if not. */
const VERBS: readonly (readonly [string, string, done: string, idle: string, Verb])[] = [
  [
    "start",
    "Start the daemon if it is not running",
    "has started",
    "is already running",
    startDaemon,
  ],
  ["stop", "Stop the daemon", "has stopped", "was not running", stopDaemon],
  ["restart", "Restart the daemon", "has started", "", restartDaemon],
];

async function restartDaemon(paths: Paths, env: Env): Promise<boolean> {
  await stopDaemon(paths);
  await startDaemon(paths, env);
  return true;
}

/** `memo daemon`: manages the process that keeps the index and the model warm. */
export function define(command: Command, context: CliContext): void {
  const { paths, env } = context;
  for (const [name, about, done, idle, work] of VERBS) {
    command.command(name).description(about)
      .option("--json", "Print JSON: {running, pid, changed}")
      .action(async ({ json }: Json) => {
        const changed = await work(paths, env), pid = readPid(paths);
        if (json) return outJson({ running: pid !== undefined, pid: pid ?? null, changed });
        const who = pid === undefined ? "" : ` (pid ${pid})`;
        say(`The daemon ${changed ? done : idle}${who}`);
      });
  }
  command.command("status").description("Show whether the daemon is running and what it has loaded")
    .action(async (options: Json) => {
      const status = await daemonStatus(paths.socket);
      if (options.json) {
        outJson(status === undefined ? { running: false } : { running: true, ...status });
      } else if (status === undefined) {
        say("The daemon is not running; the next prompt starts it");
      } else out(columns(describe(status)));
      if (status === undefined) process.exitCode = 1;
    });
  command.command("logs").description("Show the last lines of the daemon's log")
    .addHelpText("after", "\nTo see what memo changed: `memo log`")
    .option("-n, --lines <number>", "Number of lines", wholeNumber, 40)
    .action((options: { lines: number; json?: boolean }) => {
      const path = logFile(paths.logs);
      const lines = readLastLines(path, options.lines).reverse();
      printFound(lines, {
        json: options.json,
        text: () => lines.map((line) => JSON.stringify(line) + "\n").join(""),
        nothing: () => `No log yet at \`${path}\``,
      });
    });
  command.command("run").description("Run the daemon in the foreground").action(async () => {
    const { runDaemon } = await import("../../core/daemon/run.ts");
    const { FEATURES } = await import("../../features.ts");
    await runDaemon(paths, env, FEATURES);
  });
  command.command("embed", { hidden: true }).action(async () => {
    await import("../../core/embed/embed_worker.ts"); // a process of `off_loop.ts`
  });
}

/** The daemon's own status; undefined when it is not running. */
async function daemonStatus(socket: string): Promise<DaemonStatus | undefined> {
  try {
    return await call("status", {}, { socket, timeoutMs: STATUS_MS }) as DaemonStatus;
  } catch (error) {
    if (["ENOENT", "ECONNREFUSED"].includes(codeOf(error) ?? "")) return undefined;
    throw error;
  }
}

function describe(status: DaemonStatus): string[][] {
  const pending = status.pending > 0 ? ` (${status.pending} not embedded yet)` : "";
  return [
    ["pid", String(status.pid)],
    ["uptime", `${Math.round(status.uptimeMs / 1000)} s`],
    ["requests", String(status.requests)],
    ["memory", `${Math.round(status.rssBytes / 1e6)} MB${status.isAtRest ? " (idle)" : ""}`],
    ["memories", `${status.memories}${pending}`],
    ["model", status.model ?? "not loaded yet"],
    ["capture", `${counted(status.queued, "conversation")} queued`],
  ];
}
