import type { Command } from "commander";
import type { DaemonStatus } from "../../core/daemon/methods.ts";
import { readPid, startDaemon, stopDaemon } from "../../core/daemon/lifecycle.ts";
import { codeOf } from "../../errors.ts";
import { readLastLines } from "../../core/files/jsonl.ts";
import { logFile } from "../../core/files/log.ts";
import { call } from "../../core/link/socket.ts";
import type { CliContext } from "./shared/command.ts";
import { counted } from "../../core/text/counted.ts";
import { wholeNumber } from "./shared/options.ts";
import { columns, out, outJson, say } from "./shared/output.ts";

const STATUS_MS = 3000;

interface Json {
  readonly json?: boolean;
}

/** `memo daemon`: manages the process that keeps the index and the model warm. */
export function define(command: Command, context: CliContext): void {
  const { paths, env } = context;
  const tell = (changed: boolean, what: string, json: boolean | undefined) => {
    const pid = readPid(paths);
    if (json) outJson({ running: pid !== undefined, pid: pid ?? null, changed });
    else say(`The daemon ${what}${pid === undefined ? "" : ` (pid ${pid})`}`);
  };
  command.command("start").description("Start the daemon if it is not running")
    .option("--json", "Print JSON: {running, pid, changed}")
    .action(async ({ json }: Json) => {
      const started = await startDaemon(paths, env);
      tell(started, started ? "has started" : "is already running", json);
    });
  command.command("stop").description("Stop the daemon")
    .option("--json", "Print JSON: {running, pid, changed}")
    .action(async ({ json }: Json) => {
      const stopped = await stopDaemon(paths);
      tell(stopped, stopped ? "has stopped" : "was not running", json);
    });
  command.command("restart").description("Restart the daemon")
    .option("--json", "Print JSON: {running, pid, changed}")
    .action(async ({ json }: Json) => {
      await stopDaemon(paths);
      await startDaemon(paths, env);
      tell(true, "has started", json);
    });
  command.command("status").description("Show whether the daemon is running and what it has loaded")
    .option("--json", "Print JSON")
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
    .option("-n, --lines <number>", "Number of lines", wholeNumber, 40)
    .option("--json", "Print JSON")
    .action((options: { lines: number; json?: boolean }) => {
      const path = logFile(paths.logs);
      const lines = readLastLines(path, options.lines).reverse();
      if (options.json) outJson(lines);
      else if (lines.length === 0) say(`No log yet at \`${path}\``);
      else out(lines.map((line) => JSON.stringify(line) + "\n").join(""));
      if (lines.length === 0) process.exitCode = 1;
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
  return [
    ["pid", String(status.pid)],
    ["uptime", `${Math.round(status.uptimeMs / 1000)} s`],
    ["requests", String(status.requests)],
    ["memory", `${Math.round(status.rssBytes / 1e6)} MB${status.isAtRest ? " at rest" : ""}`],
    [
      "memories",
      `${status.memories}${status.pending > 0 ? ` (${status.pending} not embedded yet)` : ""}`,
    ],
    ["model", status.model ?? "not loaded yet"],
    ["capture", `${counted(status.queued, "conversation")} in the queue`],
  ];
}
