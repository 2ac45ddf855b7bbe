import { statSync } from "node:fs";
import { type Config, sourceOf } from "../settings/config.ts";
import { MemoError, messageOf } from "../errors.ts";
import { adoptJobs, readJobs } from "../capture/queue.ts";
import { llmError } from "../llm/provider.ts";
import { loginOf } from "../llm/providers.ts";
import { openLog } from "../files/log.ts";
import { memoryFolders, placeIn } from "../memory/scopes.ts";
import type { Env, Paths } from "../paths.ts";
import { spawnDaemon } from "../link/spawn.ts";
import { BUILD } from "../version.ts";
import { CaptureWorker } from "./capture_worker.ts";
import { capturePipeline } from "../engine/capture_pipeline.ts";
import { Engine } from "../engine/engine.ts";
import { refreshBriefing } from "../engine/refresh_briefing.ts";
import { dreamStore } from "../engine/dream_store.ts";
import { enrichStore } from "../engine/enrich_store.ts";
import { HttpService } from "./http.ts";
import { forgetCrashes, noteCrash } from "./crashes.ts";
import { claim, notePid } from "./lifecycle.ts";
import { type MethodContext, METHODS } from "./methods.ts";
import { Rest } from "./rest.ts";
import { Served } from "./served.ts";
import { Sessions } from "./sessions.ts";
import { sweep } from "./sweep.ts";
import { syncLater } from "./sync_later.ts";
import { serve } from "./server.ts";

/** Maximum wait for the current step of capture when the daemon ends. */
const CAPTURE_MS = 500;

/** Delay from the start to loading the model, unless a hook is answered before. */
const READY_MS = 300;

/** Interval of the checks whether the daemon is still needed. */
const WATCH_MS = 2000;

/** A daemon that holds too much is replaced when it has served this long: the prompt that finds none waits longer. */
const REPLACE_MS = 3_600_000;

/** Interval of the sweeps. */
const SWEEP_MS = 86_400_000;

/** With http hooks, every prompt prints an error if the daemon has ended, so it stays for a working day. */
const HTTP_IDLE_MINUTES = 720;

/**
 * Runs the daemon until it is asked to stop, has been idle for `daemon.idle_minutes`, or loses its socket to another.
 * Returns at once if another daemon serves already.
 */
export async function runDaemon(paths: Paths, env: Env): Promise<void> {
  const log = openLog(paths.logs);
  const release = await claim(paths);
  if (release === undefined) return log("daemon", { found: "another one; this one is not needed" });

  const engine = new Engine({ paths, env, log, background: true });
  const sessions = new Sessions(env, paths);
  const served = new Served();
  const capture = new CaptureWorker({
    folder: paths.capture,
    pipeline: capturePipeline(engine, log, {
      envFor: (where) => sessions.envFor(where) ?? sessionHasGone(),
    }),
    log,
    envFor: (job) => sessions.envFor(job),
    loginOf: ({ claude, cwd, projectDir = cwd }, env) =>
      loginOf({
        paths,
        env,
        cwd,
        config: engine.config(placeIn({ ...paths, claude }, cwd, projectDir), env),
      }),
    isEnabled: ({ claude, cwd, projectDir = cwd }, env) =>
      engine.config(placeIn({ ...paths, claude }, cwd, projectDir), env)["capture.enabled"],
    afterCapture: async ({ claude, cwd, projectDir = cwd }, env, signal) => {
      const place = placeIn({ ...paths, claude }, cwd, projectDir);
      await engine.syncHistory(place, memoryFolders(place), env).catch(() => {}); // logged
      await refreshBriefing(engine, place, { env, log, now: new Date() });
      await enrichStore(engine, place, { env, log, now: new Date(), signal });
      await dreamStore(engine, place, { env, log, now: new Date(), signal });
      if (engine.config(place, env)["sync.auto"]) syncLater({ env, cwd, log });
    },
    yieldToPrompts: () => engine.yieldToPrompts(),
    now: () => new Date(),
  });
  const startedAt = Date.now();
  let requests = 0;
  let busy = 0;
  let lastRequest = startedAt;
  let sweptAt = 0;
  let isReplaced = false;
  const rest = new Rest({
    held: () => ({ process: process.memoryUsage().rss, vectors: engine.vectorBytes }),
  });
  let stop = (_why: string) => {};
  const stopped = new Promise<string>((resolve) => stop = resolve);

  const answer = async (
    method: string,
    params: unknown,
    afterwards: MethodContext["afterwards"],
  ): Promise<unknown> => {
    const handler = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined;
    if (handler === undefined) throw new MemoError("daemon", `Unknown method \`${method}\``);
    const isLook = method === "ping" || method === "status";
    if (!isLook) requests++;
    busy++;
    try {
      return await handler(params, {
        engine,
        log,
        capture,
        sessions,
        served,
        startedAt,
        requests: () => requests,
        isAtRest: () => rest.isAtRest,
        followHttp,
        stop: () => stop("asked to"),
        afterwards,
      });
    } finally {
      if (method === "hook") afterwards(makeReady);
      busy--;
      if (!isLook) {
        lastRequest = Date.now();
        rest.disturb();
      }
    }
  };

  // A cold model would cost the first prompt its embedding, but loading one blocks everything else for a moment, so
  // the `SessionStart` that has started this daemon is answered first.
  const makeReady = once(() => {
    // A failure to load is logged, and recall continues by keyword.
    void engine.embedder().catch(() => {}).then(() => import("../redact/redact.ts"))
      .then(({ redact }) => redact("the rules are loaded with the first text"));
  });

  const http = new HttpService({
    path: paths.http,
    log,
    answer: (params, afterwards) => answer("hook", params, afterwards),
  });
  const followHttp = () => http.follow(engine.config()["http.enabled"]);

  const server = await serve({
    socket: paths.socket,
    log,
    answer: ({ method, params }, afterwards) => answer(method, params, afterwards),
  }).catch((error) => {
    log("daemon", { failed: messageOf(error) });
    release();
    throw error;
  });
  noteCrash(paths, { log, now: new Date() });
  const pid = notePid(paths);
  const socket = inode(paths.socket);
  const isOurs = () => process.platform === "win32" || inode(paths.socket) === socket;
  await followHttp();
  release();
  log("daemon", { started: BUILD, socket: paths.socket });
  setTimeout(makeReady, READY_MS);

  const watch = setInterval(() => {
    const now = Date.now(), idleMs = now - lastRequest;
    const isIdle = idleMs > idleMinutes(engine.config()) * 60_000 && !sessions.isAnyOpen();
    const isCapturing = capture.isBusy(); // before it is woken, which begins a round even where there is nothing to do
    if (busy === 0 && !isCapturing && isIdle) stop("idle");
    const jobs = readJobs(paths.capture);
    const waiting = new Set(jobs.map(({ transcript }) => transcript));
    sessions.sweep((transcript) => transcript !== undefined && waiting.has(transcript));
    adoptJobs(paths.spareCapture, paths.capture);
    capture.wake(); // hooks without a daemon have left work, and failed jobs are due again
    const isWorking = busy > 0 || isCapturing || engine.isEmbedding;
    const rested = rest.look({ isWorking, quietMs: idleMs });
    if (rested !== undefined) {
      const holdsNoLogin = jobs.every((job) => job.isPlain);
      if (rested.isBloated && now - startedAt > REPLACE_MS && holdsNoLogin) {
        isReplaced = true;
        stop("it holds too much memory; a fresh one takes its place");
      }
      if (now - sweptAt > SWEEP_MS) {
        sweptAt = now;
        sweep(engine, { log, now: new Date() })
          .catch((error) => log("sweep", { failed: messageOf(error) }));
      }
    }
    void followHttp();
    if (!isOurs()) stop("the socket has gone");
  }, WATCH_MS);
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => stop(signal));
  process.on("SIGHUP", () => {}); // the terminal that started it has closed
  for (const kind of ["uncaughtException", "unhandledRejection"] as const) {
    process.on(kind, (error) => {
      log("daemon", { failed: messageOf(error), kind }); // its stderr is not shown
      stop("a failure that nobody expected");
    });
  }

  const why = await stopped;
  clearInterval(watch);
  isOurs() ? server.close() : server.unref(); // `close` deletes the file on its path, even another daemon's socket
  await http.follow(false);
  pid.remove();
  forgetCrashes(paths);
  log("daemon", { stopped: why });
  await capture.close(CAPTURE_MS);
  await engine.close();
  if (isReplaced) spawnDaemon(paths, env);
}

function sessionHasGone(): never {
  throw llmError("The session whose login this conversation needs has ended");
}

/** Identifies a file among others on the same path; undefined if there is none. */
function inode(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

function idleMinutes(config: Config): number {
  const key = "daemon.idle_minutes";
  const isSet = sourceOf(config, key) !== undefined;
  return config["http.enabled"] && !isSet ? HTTP_IDLE_MINUTES : config[key];
}

/** Runs work on the first call only. */
function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}
