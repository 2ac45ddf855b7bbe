import { existsSync, readFileSync } from "node:fs";
import { markdownTable, paragraph } from "./table.ts";

interface MatrixReport {
  readonly machine: string;
  readonly cells: number;
  readonly failed: readonly unknown[];
  readonly slowest: readonly {
    readonly event: string;
    readonly daemon: string;
    readonly index: string;
    readonly ms: number;
    /** With a daemon that does not answer. */
    readonly hungMs?: number;
  }[];
  /** Milliseconds that an empty process of another runtime took at that time. */
  readonly empty?: readonly number[];
}

/** What `tools/soak.ts` writes. */
export interface SoakReport {
  readonly machine: string;
  readonly memories: number;
  readonly errors: number;
  readonly withoutDaemon: number;
  readonly daemons: number;
  readonly calls: number;
  readonly points: readonly {
    readonly prompts: number;
    readonly busyMb: number;
    readonly restMb: number;
    readonly ownMb: number;
    readonly openFiles: number;
    readonly walMb: number;
  }[];
  readonly asleep: { readonly mb: number; readonly ownMb: number };
}

interface KillsReport {
  readonly machine: string;
  readonly kills: readonly {
    readonly what: string;
    readonly rounds: number;
    readonly killed: number;
    readonly lost: readonly string[];
    readonly torn: readonly string[];
  }[];
}

/** Results of the fault matrix, the kills and the soak. */
export function reliabilityFigures(): string {
  return [matrix(), kills(), soak()].filter((part) => part !== undefined).join("\n\n");
}

function matrix(): string | undefined {
  const report = read<MatrixReport>("matrix");
  if (report === undefined) return undefined;
  const { cells, failed, slowest, machine, empty } = report;
  const pace = empty === undefined ? "" : ` (\`node -e 0\` took ${empty.join(" to ")} ms)`;
  const said =
    `Fault matrix: ${cells} cells, ${failed.length} failed. For each event: the slowest cell with a hung ` +
    `daemon, and the slowest of all, on a busy machine${pace}: ${machine}.`;
  const rows = slowest.map(({ event, daemon, index, ms, hungMs }) =>
    [event, hungMs ?? "", ms, daemon, index].map(String)
  );
  const head = ["event", "ms, hung", "ms, slowest", "with the daemon", "and the index"];
  return `${paragraph(said)}\n\n${markdownTable(head, rows, { figuresFrom: 1 })}`;
}

function kills(): string | undefined {
  const report = read<KillsReport>("kills");
  if (report === undefined) return undefined;
  const said = `Kills (\`SIGKILL\`) at random moments: ${report.machine}.`;
  const rows = report.kills.map(({ what, rounds, killed, lost, torn }) =>
    [what, rounds, killed, lost.length, torn.length].map(String)
  );
  const head = ["what", "rounds", "killed before it ended", "lost", "partly written"];
  return `${paragraph(said)}\n\n${markdownTable(head, rows, { figuresFrom: 1 })}`;
}

function soak(): string | undefined {
  const report = soakReport();
  if (report === undefined) return undefined;
  const { memories, calls, errors, withoutDaemon, daemons, points, asleep, machine } = report;
  const said =
    `Soak with ${memories} memories, ${calls} calls: ${errors} errors; ${daemons} daemons in succession, ` +
    `${withoutDaemon} calls with none running; asleep in the end with ${asleep.mb} MB, ${asleep.ownMb} of ` +
    `them its own: ${machine}.`;
  const rows = points.map(({ prompts, busyMb, restMb, ownMb, openFiles, walMb }) =>
    [prompts, busyMb, restMb, ownMb, openFiles, walMb].map(String)
  );
  const head = [
    ...["prompts", "MB busy", "MB at rest", "its own", "open files"],
    "write-ahead log, MB",
  ];
  return `${paragraph(said)}\n\n${markdownTable(head, rows, { figuresFrom: 0 })}`;
}

/** The figures of the soak; undefined where it has not run. */
export function soakReport(): SoakReport | undefined {
  return read("soak");
}

function read<Report>(name: string): Report | undefined {
  const path = new URL(`../../bench/results/${name}.json`, import.meta.url);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) as Report : undefined;
}
