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
  readonly folders: readonly MemoryFolder[];
  /** The memories of each folder, read once. */
  readonly listings: () => readonly (Listing & { readonly folder: MemoryFolder })[];
  /** The version of the user's Claude Code, if it is known. */
  readonly client: () => Promise<string | undefined>;
  /** Opens the index, updated from the folders; rejects if the index is unusable. */
  readonly engine: () => Promise<Engine>;
}

/** One check of `memo doctor`: a text says that nothing is wrong, and a check that throws counts as failed. */
export type Check = (patient: Patient) => Finding | string | Promise<Finding | string>;

/** A hint that does not lead back to `memo doctor`. */
export function hintOf({ hint }: { readonly hint?: string | undefined } = {}): string | undefined {
  const first = hint?.replace(/, then run `memo doctor`$/, "");
  return first?.includes("memo doctor") ? undefined : first;
}

/** memo works, but not fully. */
export function warn(detail: string, fix: string): Finding {
  return { status: "warn", detail, fix };
}

/** memo does not work. */
export function fail(detail: string, fix: string): Finding {
  return { status: "fail", detail, fix };
}
