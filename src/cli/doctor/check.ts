import type { Config } from "../../settings/config.ts";
import type { Engine } from "../../engine/engine.ts";
import type { MemoryFolder } from "../../memory/memory.ts";
import type { Receipt } from "../../recall/receipts.ts";
import type { CliContext } from "../command.ts";

/** What a check found. */
export interface Finding {
  readonly status: "ok" | "warn" | "fail";
  readonly detail: string;
  /** What to do next; every finding that is not `ok` has one. */
  readonly fix?: string | undefined;
}

/** What checks look at. */
export interface Patient extends CliContext {
  readonly config: Config;
  readonly now: Date;
  /** No server is asked. */
  readonly offline: boolean;
  /** The receipts of the last prompts, newest first. */
  readonly receipts: readonly Receipt[];
  /** Index and model, in step with `folders`; rejects when the index cannot be used. */
  readonly open: () => Promise<{ engine: Engine; folders: readonly MemoryFolder[] }>;
}

/** One thing that `memo doctor` looks at. A check that throws has failed, and the error says why. */
export interface Check {
  readonly name: string;
  readonly run: (patient: Patient) => Finding | Promise<Finding>;
}

/** All is well. */
export function ok(detail: string): Finding {
  return { status: "ok", detail };
}

/** memo works, and not as well as it could. */
export function warn(detail: string, fix: string): Finding {
  return { status: "warn", detail, fix };
}

/** memo does not do what it is for. */
export function fail(detail: string, fix: string): Finding {
  return { status: "fail", detail, fix };
}

/** `1 file`, `2 files`. */
export function counted(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : nouns}`;
}
