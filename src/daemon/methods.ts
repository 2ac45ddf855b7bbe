import type { HookOutput } from "../../hooks/wire.ts";
import { readJobs } from "../capture/queue.ts";
import { messageOf } from "../errors.ts";
import { readEvent } from "../events/event.ts";
import { EVENTS } from "../events/mod.ts";
import type { Log } from "../files/log.ts";
import { memoryFolders } from "../memory/scopes.ts";
import type { CaptureWorker } from "./capture_worker.ts";
import type { Engine } from "../engine/engine.ts";

/** What the daemon says of itself. */
export interface DaemonStatus {
  readonly pid: number;
  readonly uptimeMs: number;
  readonly requests: number;
  readonly rssBytes: number;
  readonly memories: number;
  readonly pending: number;
  readonly model: string | undefined;
  /** Conversations that wait to be captured. */
  readonly queued: number;
  /** Whether one is being captured now. */
  readonly capturing: boolean;
}

export interface HookParams {
  /** The hook's stdin, parsed. */
  readonly input: unknown;
  /** Claude Code's configuration folder, as the hook's environment has it. */
  readonly claude: string;
  /** Claude Code's process, where the hook could tell. */
  readonly pid?: number | undefined;
  /** The variables by which the session's environment reaches a language model. */
  readonly login?: Readonly<Record<string, string>> | undefined;
}

/** What a method works with. */
export interface MethodContext {
  readonly engine: Engine;
  readonly log: Log;
  readonly capture: CaptureWorker;
  readonly startedAt: number;
  requests(): number;
  /** Brings the http server in step with the settings; resolves with its port, if it serves. */
  followHttp(): Promise<number | undefined>;
  stop(): void;
}

type Method = (params: unknown, context: MethodContext) => Promise<unknown>;

/** Every request that the daemon answers. */
export const METHODS: Readonly<Record<string, Method>> = {
  hook: (params, context) => answerHook(params as HookParams, context),
  ping: () => Promise.resolve({ pid: process.pid }),
  status: (_params, context) => status(context),
  /** Brings the index in step with the folders that count for `cwd`; waits for words, not for vectors. */
  sync: async (params, { engine }) => {
    const { cwd, claude } = params as { cwd: string; claude: string };
    for (const folder of memoryFolders({ cwd, claude })) await engine.sync(folder);
    return {};
  },
  http: async (_params, context) => ({ port: await context.followHttp() ?? null }),
  stop: (_params, context) => {
    context.stop();
    return Promise.resolve({ pid: process.pid });
  },
};

async function answerHook(
  { input, claude, pid, login }: HookParams,
  context: MethodContext,
): Promise<HookOutput> {
  const { engine, log, capture } = context;
  if (login !== undefined) engine.adopt(login);
  const event = readEvent(input);
  const handler = event !== undefined && Object.hasOwn(EVENTS, event.name)
    ? EVENTS[event.name]
    : undefined;
  if (event === undefined || handler === undefined) return {};
  const config = engine.config({ cwd: event.cwd, claude });
  const eventContext = {
    paths: { ...engine.paths, claude },
    log,
    folders: memoryFolders({ cwd: event.cwd, claude }),
    config,
    now: () => new Date(),
    withIndex: engine.withIndex.bind(engine),
    // Half the time is left for ranking by words.
    embed: (text: string) => engine.embedSoon(text, config["recall.deadline_ms"] / 2),
    ask: engine.ask,
    prefetches: engine.prefetches,
    sync: engine.sync.bind(engine),
    freshen: engine.freshen.bind(engine),
    captureSoon: capture.wake.bind(capture),
    pid,
    afterwards: (work: () => unknown) => void setImmediate(() => attempt(work, log)),
  };
  try {
    return await engine.first(() => handler(event, eventContext));
  } catch (error) {
    log("hook", { name: event.name, failed: messageOf(error) });
    return {};
  }
}

/** Runs work that nobody waits for; what goes wrong is logged. */
async function attempt(work: () => unknown, log: Log): Promise<void> {
  try {
    await work();
  } catch (error) {
    log("hook", { failed: messageOf(error) });
  }
}

async function status(
  { engine, capture, startedAt, requests }: MethodContext,
): Promise<DaemonStatus> {
  const { memories, pending, model } = await engine.withIndex((index) => index.statistics());
  return {
    pid: process.pid,
    uptimeMs: Date.now() - startedAt,
    requests: requests(),
    rssBytes: process.memoryUsage().rss,
    memories,
    pending,
    model,
    queued: readJobs(engine.paths.capture).length,
    capturing: capture.isBusy(),
  };
}
