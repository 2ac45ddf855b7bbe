import type { HookOutput } from "../../hooks/wire.ts";
import { readJobs } from "../capture/queue.ts";
import { messageOf } from "../errors.ts";
import { hostOf } from "../engine/host.ts";
import { type Caller, contextFor } from "../events/context.ts";
import { readEvent, SILENT } from "../events/event.ts";
import { handle } from "../events/mod.ts";
import type { Log } from "../files/log.ts";
import { memoryFolders, placeIn } from "../memory/scopes.ts";
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

/** A hook's question. */
export interface HookParams extends Caller {
  /** The hook's stdin, parsed. */
  readonly input: unknown;
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
    const { cwd, claude, projectDir } = params as {
      cwd: string;
      claude: string;
      projectDir?: string;
    };
    const place = placeIn({ ...engine.paths, claude }, cwd, projectDir);
    for (const folder of memoryFolders(place)) await engine.sync(folder);
    return {};
  },
  http: async (_params, context) => ({ port: await context.followHttp() ?? null }),
  stop: (_params, context) => {
    context.stop();
    return Promise.resolve({ pid: process.pid });
  },
};

async function answerHook(
  { input, login, ...caller }: HookParams,
  context: MethodContext,
): Promise<HookOutput> {
  const { engine, log, capture } = context;
  const captureSoon = capture.wake.bind(capture);
  if (login !== undefined) engine.adopt(login);
  const event = readEvent(input);
  if (event === undefined) return SILENT;
  const eventContext = contextFor(event, hostOf(engine, { log, captureSoon }), caller);
  try {
    return await engine.first(() => handle(event, eventContext));
  } catch (error) {
    log("hook", { name: event.name, failed: messageOf(error) });
    return SILENT;
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
