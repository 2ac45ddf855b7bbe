import { spawnSync } from "node:child_process";
import { cpus, release, totalmem } from "node:os";
import { BUILD, COMMIT } from "../src/version.ts";

/** The machine and build of a measurement; a number means little without them. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly os: string;
  /** memo's build. */
  readonly memo: string;
  /** undefined if `node` is not installed. */
  readonly node: string | undefined;
  /** The commit that memo was built from, with a `+` where files had been changed since; undefined: not known. */
  readonly commit: string | undefined;
  /** When, as a date. */
  readonly on: string;
}

/** This machine, and this build unless the caller measures another. */
export function describeMachine(commit: string = COMMIT): Machine {
  const { status, stdout } = spawnSync("node", ["--version"], { encoding: "utf8" });
  return {
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    os: `${process.platform} ${release()} ${process.arch}`,
    memo: BUILD,
    node: status === 0 ? stdout.trim() : undefined,
    commit: commit || undefined,
    on: new Date().toISOString().slice(0, 10),
  };
}

/** The machine in one line. */
export function formatMachine(machine: Machine): string {
  const { cpu, cores, memoryGb, os, memo, node, commit, on } = machine;
  const build = commit === undefined ? memo : `${memo} (commit ${commit})`;
  return `${cpu}, ${cores} cores, ${memoryGb} GB, ${os}; memo ${build}; node ${
    node ?? "not found"
  }; ${on}`;
}
