import { TIMEOUT_SECONDS } from "../../../hooks/events.ts";
import type { HookOutput } from "../../../hooks/wire.ts";
import { readJobs } from "../capture/queue.ts";
import { messageOf } from "../../errors.ts";
import { runJobs } from "../engine/jobs.ts";
import {
  contextFor,
  type EventHost,
  type HookCaller,
  leaveReceipt,
  NOTHING_GIVEN,
} from "../events/conversation.ts";
import { readEvent, SILENT } from "../events/event.ts";
import { handle } from "../events/mod.ts";
import type { Log } from "../files/log.ts";
import type { CaptureWorker } from "./capture_worker.ts";
import type { OpenPage, PageParams } from "./page.ts";
import type { Served } from "./served.ts";
import type { Deferred } from "./server.ts";
import type { Sessions } from "./sessions.ts";
import type { Engine } from "../engine/engine.ts";
import { memoryFolders, placeIn } from "../memory/scopes.ts";
import { isAttended } from "../link/session_env.ts";
import type { Env } from "../../paths.ts";

/** The daemon's status. */
export interface DaemonStatus {
  readonly pid: number;
  readonly uptimeMs: number;
  readonly requests: number;
  readonly rssBytes: number;
  /** Whether it has done nothing since it last released memory; a daemon of an older build does not say. */
  readonly isAtRest?: boolean;
  readonly memories: number;
  readonly pending: number;
  readonly model: string | undefined;
  /** Conversations that wait for capture. */
  readonly queued: number;
  /** How many of them wait for a session of their project, whose login they need. */
  readonly waiting: number;
  /** Whether one is being captured now. */
  readonly capturing: boolean;
}

/** A hook's request. */
export interface HookParams extends HookCaller {
  /** The hook's stdin, parsed. */
  readonly input: unknown;
  /** The session's own variables. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** How old the hook was when it asked, in milliseconds. */
  readonly ageMs?: number | undefined;
  /** Whether memo's plugin has sent it, and not the settings. */
  readonly isPlugin?: boolean | undefined;
}

/** The context of a method. */
export interface MethodContext {
  readonly engine: Engine;
  readonly log: Log;
  readonly capture: CaptureWorker;
  readonly sessions: Sessions;
  readonly served: Served;
  readonly page: OpenPage;
  readonly startedAt: number;
  requests(): number;
  isAtRest(): boolean;
  stop(): void;
  /** Runs work after the reply; the work learns whether the client took it. */
  defer(work: Deferred): void;
}

/** Answers a request. */
export type Method = (params: unknown, context: MethodContext) => Promise<unknown>;

/** The requests that the daemon answers, beside those of features. */
export const METHODS: Readonly<Record<string, Method>> = {
  hook: (params, context) => answerHook(params as HookParams, context),
  ping: () => Promise.resolve({ pid: process.pid }),
  status: (_params, context) => status(context),
  sync: syncFolders,
  current: currentFolders,
  page: (params, { page }) => page.open(params as PageParams),
  stop: (_params, context) => {
    context.stop();
    return Promise.resolve({ pid: process.pid });
  },
};

async function answerHook(
  { input, variables, ageMs = 0, isPlugin = false, ...caller }: HookParams,
  context: MethodContext,
): Promise<HookOutput> {
  const { engine, log, capture, sessions, served } = context;
  const timeout = performance.now() + TIMEOUT_SECONDS * 1000 - ageMs;
  /** The client throws an answer away that comes after the hook's timeout. */
  const defer: typeof context.defer = (work) =>
    context.defer((isTaken) => work(isTaken && performance.now() < timeout));
  const event = readEvent(input);
  if (event === undefined) return SILENT;
  if (event.name === "UserPromptSubmit") engine.model.prefetch(event);
  const { session, transcript, cwd } = event;
  const { claude, projectDir = cwd } = caller;
  if (variables !== undefined) {
    const news = { session, transcript, cwd, projectDir, claude, pid: caller.pid };
    sessions.note(news, stringsOf(variables));
  }
  if (event.name === "SessionEnd") sessions.end(session);
  if (served.isTwin(input, isPlugin ? "plugin" : "settings")) return SILENT;
  const own = sessions.envOf(session);
  const host = hostOf(engine, {
    log,
    captureSoon: capture.wake.bind(capture),
    defer,
    session: own,
  });
  const eventContext = contextFor(event, host, caller);
  const { place } = eventContext, env = own?.env;
  const { signal } = new AbortController();
  defer(() => runJobs({ engine, place, env, log, now: new Date(), signal, after: event.name }));
  try {
    return await engine.first(() => handle(event, eventContext));
  } catch (error) {
    const failed = messageOf(error);
    log("hook", { name: event.name, failed });
    leaveReceipt(event, eventContext, { ...NOTHING_GIVEN, outcome: "failed", why: failed });
    return SILENT;
  }
}

function stringsOf(variables: Readonly<Record<string, unknown>>): Record<string, string> {
  const texts = Object.entries(variables).filter(([, value]) => typeof value === "string");
  return Object.fromEntries(texts) as Record<string, string>;
}

async function status(
  { engine, capture, sessions, startedAt, requests, isAtRest }: MethodContext,
): Promise<DaemonStatus> {
  const { memories, pending, model } = await engine.withIndex((index) => index.statistics());
  const jobs = readJobs(engine.paths.capture);
  return {
    pid: process.pid,
    uptimeMs: Date.now() - startedAt,
    requests: requests(),
    rssBytes: process.memoryUsage().rss,
    isAtRest: isAtRest(),
    memories,
    pending,
    model,
    queued: jobs.length,
    waiting: jobs.filter((job) => sessions.envFor(job) === undefined).length,
    capturing: capture.isBusy(),
  };
}

// What commands ask of the index about folders: to look at their files, or whether it has to.
interface FoldersParams extends HookCaller {
  readonly cwd: string;
  /** The folders in which a command has changed files, and which; none: any may have changed. */
  readonly changed?: readonly { readonly folder: string; readonly paths?: readonly string[] }[];
}

/** Updates the index from the folders of `cwd`, or follows changes in some; waits for keywords, not for vectors. */
async function syncFolders(params: unknown, { engine, log }: MethodContext) {
  const { changed = [] } = params as FoldersParams;
  const folders = foldersOf(params, engine);
  for (const folder of changed.length === 0 ? folders : []) await engine.sync(folder);
  const here = changed.flatMap(({ folder: path, paths }) => {
    const folder = folders.find((folder) => folder.path === path);
    return folder === undefined ? [] : [{ folder, paths }];
  });
  await engine.follow(here, (failed) => log("index file", { failed }));
  return { listed: here.map(({ folder }) => folder.path) };
}

/** The folders that apply to `cwd` and that the index has as they are at this moment. */
export async function currentFolders(params: unknown, { engine }: MethodContext) {
  const folders = foldersOf(params, engine);
  const current = await engine.current(folders);
  engine.freshen(folders.filter((folder) => !current.includes(folder))).catch(() => {}); // logged
  return { folders: current.map(({ path }) => path) };
}

function foldersOf(params: unknown, { paths }: Engine) {
  const { cwd, claude, projectDir } = params as FoldersParams;
  return memoryFolders(placeIn({ ...paths, claude }, cwd, projectDir));
}

/** A session's environment. */
export interface SessionEnv {
  readonly env: Env;
  /** Whether it has no login and no settings of its own. */
  readonly isPlain: boolean;
}

/** The services that a process with an engine provides to hook event handlers. */
export function hostOf(
  engine: Engine,
  { log, captureSoon, defer, session, now = () => new Date() }:
    & Pick<EventHost, "captureSoon" | "defer" | "log">
    & Partial<Pick<EventHost, "now">>
    & {
      /** The session that asks; without it, no language model is asked. */
      readonly session?: SessionEnv | undefined;
    },
): EventHost {
  const { paths, prefetches, tasks, told, branches, features } = engine;
  return {
    ...{ paths, log, now, captureSoon, defer, prefetches, tasks, told, branches },
    configFor: (place) => engine.config(place, session?.env),
    isPlain: session?.isPlain ?? false,
    isAttended: isAttended(session?.env ?? {}),
    withIndex: engine.withIndex.bind(engine),
    embed: engine.embedWithin.bind(engine),
    async redact(text, own) {
      const { redact } = await import("../redact/redact.ts"); // its rules load slowly
      return (await redact(text, own)).text;
    },
    askFor: (place) => session && engine.askFor(session.env, place, "recall"),
    answers: features.answers ?? {},
    arrive: features.arrive && ((place) => features.arrive!(engine, place)),
    async sync(folder) {
      if ((await engine.current([folder])).length === 0) await engine.sync(folder);
    },
    follow: engine.follow.bind(engine),
    freshen: engine.freshen.bind(engine),
    warm: (folders) => engine.withIndex((index) => index.warm(folders)),
  };
}
