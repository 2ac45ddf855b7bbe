import type { HookEventName } from "../../../hooks/events.ts";
import { messageOf } from "../../errors.ts";
import type { Log } from "../files/log.ts";
import { offAt } from "../memory/off.ts";
import type { Place } from "../memory/scopes.ts";
import type { Env, Paths } from "../../paths.ts";
import type { Config } from "../settings/config.ts";
import type { Engine } from "./engine.ts";
import type { Answers } from "../events/event.ts";
import type { Memory, MemoryFolder } from "../memory/memory.ts";
import { spawn } from "node:child_process";
import { TELEMETRY_OFF } from "../link/spawn.ts";
import { selfCommand } from "../link/self.ts";
import { GUARDS } from "../link/session_env.ts";

/** What jobs follow: the capture of a conversation, or the answer to a hook event. */
export type Occasion = "capture" | HookEventName;

/** Where something has happened, and on whose behalf a job runs. */
export interface JobContext {
  readonly engine: Engine;
  readonly place: Place;
  /** The environment of the session, with the login for the language model; undefined while it is not known. */
  readonly env: Env | undefined;
  readonly log: Log;
  readonly now: Date;
  readonly signal: AbortSignal;
  readonly after: Occasion;
}

/** The settings that are on or off. */
type Switch = { [Key in keyof Config]: Config[Key] extends boolean ? Key : never }[keyof Config];

/** Work that nobody waits for. */
export interface BackgroundJob {
  /** Its name in the log. */
  readonly name: string;
  readonly after: readonly Occasion[];
  /** The setting that turns it on; without one it always runs. */
  readonly setting?: Switch;
  run(context: JobContext): unknown;
}

/** Runs the jobs that follow and that the settings of the place turn on; one that fails is logged, and the next one runs. */
export async function runJobs(context: JobContext): Promise<void> {
  const { engine, place, env, log, signal, after } = context;
  if (offAt(place) !== undefined) return;
  const jobs = (engine.features.jobs ?? []).filter((job) => job.after.includes(after));
  for (const { name, setting, run } of jobs) {
    if (signal.aborted) return;
    if (setting !== undefined && !engine.config(place, env)[setting]) continue;
    try {
      await run(context);
    } catch (error) {
      log(name, { failed: messageOf(error) });
    }
  }
}

/** What features add to the core, which imports none of them: `src/features.ts` has all, as one value. */
export interface Features {
  /** Answers to hook events. */
  readonly answers?: Answers;
  /** What runs after captures and hook events, in this order. */
  readonly jobs?: readonly BackgroundJob[];
  /** What removes state that nobody needs any more, by the word for it in the log; returns how much. */
  readonly sweeps?: Readonly<Record<string, (engine: Engine, now: Date) => number>>;
  /** What a session's start says of a project that has moved, and what is done about it before. */
  readonly arrive?: (engine: Engine, place: Place) => Promise<string | undefined>;
  /** What is kept of a project outside its memory folders, and follows it to another root. */
  readonly follows?: readonly Follow[];
  /** Whether a rule that was saved is offered to the person as a guard. */
  readonly isOffered?: (rule: Memory) => boolean;
}

/** Takes along to another private folder what is kept for the memories or the project of one. */
export type Follow = (paths: Paths, from: MemoryFolder, to: MemoryFolder) => unknown;

const FAILED_CHARS = 300;

/** Runs a command of memo's in a process of its own, so that the daemon never waits for a network. */
export function runDetached(
  [name = "", ...words]: readonly string[],
  { env, place: { cwd }, log }: Pick<JobContext, "env" | "place" | "log">,
): void {
  const { command, args } = selfCommand();
  const child = spawn(command, [...args, name, ...words], {
    cwd,
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
    windowsHide: true,
    env: {
      ...env,
      ...TELEMETRY_OFF,
      ...Object.fromEntries(GUARDS.map((name) => [name, "1"])),
    } as NodeJS.ProcessEnv,
  });
  let said = "";
  child.stderr.on("data", (part) => said = (said + part).slice(0, FAILED_CHARS));
  child.on("error", ({ message }) => log(name, { failed: message }));
  child.on("close", (code) => log(name, code === 0 ? {} : { failed: said.trim(), code }));
  child.unref();
}
