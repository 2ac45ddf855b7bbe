import type { Config } from "../../../core/settings/config.ts";
import type { Engine } from "../../../core/engine/engine.ts";
import type { Listing } from "../../../core/memory/list.ts";
import type { MemoryFolder } from "../../../core/memory/memory.ts";
import type { Receipt } from "../../../core/recall/receipts.ts";
import type { CliContext } from "../shared/command.ts";

/** The result of a check. */
export interface Finding {
  readonly status: "ok" | "warn" | "fail";
  readonly detail: string;
  /** The next step; every finding but `ok` has one. */
  readonly fix?: string | undefined;
}

/** The input of the checks. */
export interface Patient extends CliContext {
  readonly config: Config;
  readonly now: Date;
  /** Do not contact any server. */
  readonly offline: boolean;
  /** Of what asks about the language model, run only what asks a program of this machine. */
  readonly local: boolean;
  /** Ask the language model a question, which costs a little. */
  readonly deep: boolean;
  /** Recent receipts, newest first. */
  readonly receipts: readonly Receipt[];
  /** The memories of each folder that applies here, read once. */
  readonly listings: () => readonly (Listing & { readonly folder: MemoryFolder })[];
  /** The version of the user's Claude Code, if it is known. */
  readonly client: () => Promise<string | undefined>;
  /** Opens the index, updated from `folders`; rejects if the index is unusable. */
  readonly open: () => Promise<{ engine: Engine; folders: readonly MemoryFolder[] }>;
}

/** One check of `memo doctor`. A check that throws counts as failed. */
export interface Check {
  readonly name: string;
  readonly run: (patient: Patient) => Finding | Promise<Finding>;
}

/** No problem found. */
export function ok(detail: string): Finding {
  return { status: "ok", detail };
}

/** memo works, but not fully. */
export function warn(detail: string, fix: string): Finding {
  return { status: "warn", detail, fix };
}

/** memo does not work. */
export function fail(detail: string, fix: string): Finding {
  return { status: "fail", detail, fix };
}
