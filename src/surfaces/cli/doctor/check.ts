import type { Engine } from "../../../core/engine/engine.ts";
import { openLog } from "../../../core/files/log.ts";
import { readMemories } from "../../../core/memory/list.ts";
import { memoryFolders } from "../../../core/memory/scopes.ts";
import { readReceipts } from "../../../core/recall/receipts.ts";
import { localTime } from "../../../core/text/counted.ts";
import { configHere } from "../shared/config_here.ts";
import type { CliContext } from "../shared/command.ts";
import { claudeVersion } from "../shared/follow_settings.ts";

/** The result of a check. */
export interface Finding {
  readonly status: "ok" | "warn" | "fail";
  readonly detail: string;
  /** The next step; every finding but `ok` has one. */
  readonly fix?: string | undefined;
}

/** How thorough an examination is. */
export interface Examination {
  /** Do not contact any server. */
  readonly offline?: boolean;
  /** Of what asks about the language model, run only what asks a program of this machine. */
  readonly local?: boolean;
  /** Ask the language model a question, which costs a little. */
  readonly deep?: boolean;
}

/** Number of receipts that the checks read. */
const RECEIPTS = 50;

/** The input of the checks; what is slow to get is got once, when the first of them asks for it. */
export function patientOf(context: CliContext, options: Examination) {
  const { paths, env, place } = context, folders = memoryFolders(place);
  let opened: Promise<Engine> | undefined;
  let client: ReturnType<typeof claudeVersion> | undefined;
  const read = () => folders.map((folder) => ({ folder, ...readMemories(folder) }));
  let listings: ReturnType<typeof read> | undefined;
  const open = async () => {
    // The index needs native libraries on disk; the other checks run even if they cannot be loaded.
    const { Engine } = await import("../../../core/engine/engine.ts");
    const engine = new Engine({ paths, env, log: openLog(paths.logs), background: false });
    const behind = folders.filter((folder) => !folder.known?.isCurrent(folder));
    await Promise.all(behind.map((folder) => engine.sync(folder)));
    return engine;
  };
  return {
    ...{ ...context, ...options, config: configHere(context), now: new Date(), folders },
    receipts: readReceipts(paths.receipts, RECEIPTS),
    listings: () => listings ??= read(),
    client: () => client ??= claudeVersion(context),
    /** The index, updated from the folders; rejects if it is unusable. */
    engine: () => opened ??= open(),
    close: () => opened?.then((engine) => engine.close(), () => {}),
  };
}

export type Patient = ReturnType<typeof patientOf>;

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

/** A time to the minute, here. */
export function minute(at: string | number = ""): string {
  const { day, time } = localTime(new Date(at));
  return `${day} ${time}`;
}
