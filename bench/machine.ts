import { spawnSync } from "node:child_process";
import { cpus, release, totalmem } from "node:os";
import { BUILD } from "../src/version.ts";

/** Where and with what a measurement was made: a number without it says little. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly os: string;
  /** memo's build. */
  readonly memo: string;
  /** undefined where there is no `node`. */
  readonly node: string | undefined;
}

export function describeMachine(): Machine {
  const { status, stdout } = spawnSync("node", ["--version"], { encoding: "utf8" });
  return {
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    os: `${process.platform} ${release()} ${process.arch}`,
    memo: BUILD,
    node: status === 0 ? stdout.trim() : undefined,
  };
}

/** The machine in one line. */
export function sayMachine({ cpu, cores, memoryGb, os, memo, node }: Machine): string {
  return `${cpu}, ${cores} cores, ${memoryGb} GB, ${os}; memo ${memo}; node ${node ?? "not found"}`;
}
