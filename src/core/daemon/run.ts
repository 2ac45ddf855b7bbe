import { statSync, utimesSync } from "node:fs";
import { messageOf } from "../../errors.ts";
import { type Log, openLog } from "../files/log.ts";
import type { Env, Paths } from "../../paths.ts";
import { HEAP, spawnDaemon } from "../link/spawn.ts";
import { BUILD } from "../../version.ts";
import { Engine } from "../engine/engine.ts";
import { type Features, runJobs } from "../engine/jobs.ts";
import { SYSTEM_WATCH } from "../engine/watched_folders.ts";
import { claim, forgetCrashes, noteCrash, notePid } from "./lifecycle.ts";
import { type Method, METHODS } from "./methods.ts";
import { OpenPage, type PageModule } from "./page.ts";
import { Requests } from "./requests.ts";
import { Rest, shrink } from "./rest.ts";
import { Served } from "./served.ts";
import { Sessions } from "./sessions.ts";
import { serve } from "./server.ts";
import { watch } from "./watch.ts";
import type { CaptureJob } from "../capture/queue.ts";
import { capturePipeline } from "../engine/surroundings.ts";
import { llmError, loginOf } from "../llm/mod.ts";
import { offAt } from "../memory/off.ts";
import { placeIn } from "../memory/scopes.ts";
import { isCapturing } from "../settings/purposes.ts";
import { CaptureWorker } from "./capture_worker.ts";

/** Maximum wait for the current step of capture when the daemon ends. */
const CAPTURE_MS = 500;

/** Delay of loading the model, which blocks all else for a moment: the `SessionStart` that began this goes first. */
const READY_MS = 300;

/** What features add to the daemon. */
export interface DaemonFeatures extends Features {
  /** The requests that they answer. */
  readonly methods: Readonly<Record<string, Method>>;
  /** Loads what serves the page. */
  loadPage(): Promise<PageModule>;
}

/** Runs the daemon until it is asked to stop, is idle for long, or loses its socket; returns if another one serves. */
export async function runDaemon(
  paths: Paths,
  env: Env,
  features: DaemonFeatures,
): Promise<void> {
  for (const name of Object.keys(HEAP)) delete process.env[name]; // a `claude` that it runs is Bun's too
  const log = openLog(paths.logs), startedAt = Date.now();
  const release = await claim(paths);
  if (release === undefined) return log("daemon", { found: "another daemon is running; exiting" });

  const ending = Promise.withResolvers<{ readonly why: string; readonly isReplaced: boolean }>();
  const stop = (why: string, { isReplaced } = { isReplaced: false }) =>
    ending.resolve({ why, isReplaced });

  const engine = new Engine({ paths, env, log, background: true, features, watch: SYSTEM_WATCH });
  let rules: Promise<unknown> | undefined;
  /** Loads the model at the start, and again after sleep. */
  const makeReady = async () => {
    await engine.model.embedder().catch(() => {}); // logged, and recall continues by keyword
    rules ??= import("../redact/redact.ts").then(({ redact }) => redact("with it, they load"));
  };
  const sessions = new Sessions(env, paths);
  const capture = captureFor(engine, sessions, log);
  const rest = new Rest({
    held: () => ({ process: process.memoryUsage().rss, vectors: engine.vectorBytes }),
    sleep: () => void engine.model.drop().then(shrink),
  });
  const page = new OpenPage({ load: features.loadPage, engine, sessions, log });
  const requests: Requests = new Requests({
    context: {
      ...{ engine, log, capture, sessions, served: new Served(), page, startedAt },
      isAtRest: () => rest.isAtRest,
      stop: () => stop("requested"),
    },
    methods: { ...METHODS, ...features.methods },
    onDone: () => rest.disturb(),
    onHook: makeReady,
  });

  const server = await serve({
    socket: paths.socket,
    log,
    answer: ({ method, params }, defer) => requests.answer(method, params, defer),
  }).catch((error) => {
    log("daemon", { failed: messageOf(error) });
    release();
    throw error;
  });
  noteCrash(paths, { log, now: new Date() });
  const removePid = notePid(paths);
  const isOurs = ownership(paths.socket);
  release();
  log("daemon", { started: BUILD, socket: paths.socket });
  setTimeout(makeReady, READY_MS);
  const unwatch = watch({
    ...{ engine, sessions, capture, requests, rest, page, log, startedAt, stop },
    onLook() {
      if (isOurs()) showPulse(paths.socket);
      else stop("the socket is gone");
    },
  });
  stopOnSignals(stop, log);

  const { why, isReplaced } = await ending.promise;
  unwatch();
  isOurs() ? server.close() : server.unref(); // `close` deletes the file on its path, even another daemon's socket
  await page.close();
  removePid();
  forgetCrashes(paths);
  log("daemon", { stopped: why });
  await capture.close(CAPTURE_MS);
  await engine.close();
  if (isReplaced) spawnDaemon(paths, env);
}

/** Tells whether a socket is still the one that is there now: another daemon may put its own on the path. */
function ownership(socket: string): () => boolean {
  const inode = () => statSync(socket, { throwIfNoEntry: false })?.ino;
  const own = inode();
  return () => process.platform === "win32" || inode() === own;
}

/** Touches the socket: a client that gets no answer in time knows that the daemon is busy, and does not hang. */
function showPulse(socket: string): void {
  if (process.platform === "win32") return; // a named pipe has no time
  const now = new Date();
  try {
    utimesSync(socket, now, now);
  } catch {
    // A file system that has become read-only: clients take the daemon for one that hangs where it is busy.
  }
}

function stopOnSignals(stop: (why: string) => void, log: Log): void {
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => stop(signal));
  process.on("SIGHUP", () => {}); // the terminal that started it has closed
  for (const kind of ["uncaughtException", "unhandledRejection"] as const) {
    process.on(kind, (error) => {
      log("daemon", { failed: messageOf(error), kind }); // its stderr is not shown
      stop("unexpected error");
    });
  }
}

/** The worker that captures with an engine, each conversation with the login of its session. */
function captureFor(engine: Engine, sessions: Sessions, log: Log): CaptureWorker {
  const { paths } = engine;
  const placeOf = ({ claude, cwd, projectDir = cwd }: CaptureJob) =>
    placeIn({ ...paths, claude }, cwd, projectDir);
  return new CaptureWorker({
    folder: paths.capture,
    off: paths,
    pipeline: capturePipeline(engine, log, {
      envFor: (where) => sessions.envFor(where) ?? sessionHasGone(),
    }),
    log,
    envFor: (job) => sessions.envFor(job),
    loginOf: (job, env) =>
      loginOf({ paths, env, cwd: job.cwd, config: engine.config(placeOf(job), env) }),
    isEnabled: (job, env) =>
      offAt(placeOf(job)) === undefined && isCapturing(engine.config(placeOf(job), env)),
    afterCapture: (job, env, signal) =>
      runJobs({
        ...{ engine, env, log, signal, now: new Date(), after: "capture" },
        place: placeOf(job),
      }),
    yieldToPrompts: () => engine.yieldToPrompts(),
    now: () => new Date(),
  });
}

function sessionHasGone(): never {
  throw llmError("The session whose credentials this conversation needs has ended");
}
