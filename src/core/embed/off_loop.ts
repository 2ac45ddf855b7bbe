// The runtime of a model elsewhere: ONNX Runtime blocks the thread that it computes in, and the daemon's is to answer
// others meanwhile. What somebody waits for is computed in a thread; for many texts there are processes, since Linux lets
// only a process of a session of its own give way to everybody else's.

import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { Worker } from "node:worker_threads";
import { codeOf, MemoError } from "../../errors.ts";
import type { BulkOptions } from "./embedder.ts";
import { selfCommand } from "../link/self.ts";
import { ALLOCATOR, HEAP, TELEMETRY_OFF } from "../link/spawn.ts";
import type { ModelRuntime, RuntimeSource } from "./transformers.ts";

/** What `embed_worker.ts` is sent: first a source to load, then a text; without one it closes what it holds. */
export interface EmbedRequest {
  readonly id: number;
  readonly source?: RuntimeSource;
  readonly tokens?: readonly number[];
  /** The states of the tokens are asked for, not their vector. */
  readonly asStates?: true;
}

/** What it answers. */
export interface EmbedReply {
  readonly id: number;
  readonly vector?: Float32Array;
  /** Why there is no vector. */
  readonly failed?: string;
}

/** Where a runtime is. */
interface WorkerHost {
  post(order: EmbedRequest): unknown;
  on(event: "message", hear: (answer: EmbedReply) => void): unknown;
  on(event: "error", hear: (error: Error) => void): unknown;
  on(event: "exit", hear: (code: number | null) => void): unknown;
  ref(): void;
  unref(): void;
  /** Whether what it holds outlives it, such as an open file, unless it is asked to close it. */
  readonly isThread: boolean;
  end(): unknown;
}

function openThread(): WorkerHost {
  const worker = new Worker(new URL("./embed_worker.ts", import.meta.url));
  return Object.assign(worker, {
    post: (order: EmbedRequest) => worker.postMessage(order),
    isThread: true,
    end: () => worker.terminate(),
  });
}

/** A process, at the lowest priority unless somebody waits for it. */
export function openProcess({ isUrgent, signal }: BulkOptions): WorkerHost {
  const { command, args } = selfCommand();
  // All that it frees goes to the system when it ends: text by text, as the daemon has it, takes a fifth of the time.
  const env = Object.entries(process.env).filter(([name]) => !Object.hasOwn(ALLOCATOR, name));
  const child = spawn(command, [...args, "daemon", "embed"], {
    detached: !isUrgent,
    signal,
    killSignal: "SIGKILL", // it may not get the processor for a while, and keeps nothing
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    serialization: "advanced",
    windowsHide: true,
    env: { ...Object.fromEntries(env), ...TELEMETRY_OFF, ...HEAP },
  });
  if (!isUrgent && child.pid !== undefined) giveWay(child.pid);
  return Object.assign(child, {
    post: (order: EmbedRequest) => child.send(order),
    isThread: false,
    end: () => child.kill("SIGKILL"),
  });
}

const { PRIORITY_LOW } = constants.priority;

/**
 * Gives a process that was started detached the lowest priority. Linux with `autogroup`, the default of most
 * distributions, divides the processor between sessions first, and compares processes only within one: so the session
 * that it leads gets the same.
 */
function giveWay(pid: number): void {
  try {
    setPriority(pid, PRIORITY_LOW);
  } catch {
    return; // it has ended
  }
  if (process.platform === "linux") groupGivesWay(pid);
}

/** Linux lets all users but root change one group in a tenth of a second, whoever asks. */
const AGAIN_MS = 150, MOST_TRIES = 20;

function groupGivesWay(pid: number, tries = 1): void {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(PRIORITY_LOW));
  } catch (error) {
    // It has ended, or the system has no such file: then it runs like any other.
    if (codeOf(error) !== "EAGAIN" || tries === MOST_TRIES) return;
    setTimeout(() => groupGivesWay(pid, tries + 1), AGAIN_MS).unref();
  }
}

/** Loads the weights elsewhere, several times for many texts, or rejects; what has died is replaced with the next text. */
export async function startRuntime(
  source: RuntimeSource,
  { open = openThread, count = 1 }: { readonly open?: () => WorkerHost; readonly count?: number } =
    {},
): Promise<ModelRuntime> {
  const starting = Array.from({ length: count }, () => start(source, open));
  const workers = (await Promise.all(starting)).map((remote) => ({ remote, texts: 0 }));
  let isClosed = false;
  const compute = async (what: "vectorOf" | "statesOf", tokens: readonly number[]) => {
    const worker = workers.reduce((least, each) => each.texts < least.texts ? each : least);
    worker.texts++;
    try {
      if (worker.remote.isOver() && !isClosed) worker.remote = await start(source, open);
      return await worker.remote[what](tokens);
    } finally {
      worker.texts--;
    }
  };
  return {
    vectorOf: (tokens) => compute("vectorOf", tokens),
    statesOf: (tokens) => compute("statesOf", tokens),
    async close() {
      isClosed = true;
      await Promise.all(workers.map(({ remote }) => remote.close()));
    },
  };
}

type WaitingVector = PromiseWithResolvers<Float32Array | undefined>;

async function start(
  source: RuntimeSource,
  open: () => WorkerHost,
): Promise<ModelRuntime & { isOver(): boolean }> {
  const host = open();
  const waiting = new Map<number, WaitingVector>();
  let count = 0;
  let failure: MemoError | undefined;
  const end = (reason: string) => {
    failure ??= new MemoError("model", `Cannot embed: the embedding worker exited (${reason})`, {
      hint: "Run `memo daemon restart`",
    });
    for (const { reject } of waiting.values()) reject(failure);
    waiting.clear();
  };
  host.on("message", ({ id, vector, failed }: EmbedReply) => {
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (failed === undefined) resolve?.(vector);
    else reject?.(new Error(failed));
  });
  host.on("error", (error: Error) => end(error.message));
  host.on("exit", (code) => end(`code ${code}`));
  const ask = async (order: Omit<EmbedRequest, "id">) => {
    if (failure !== undefined) throw failure;
    const id = ++count, answer: WaitingVector = Promise.withResolvers();
    waiting.set(id, answer);
    host.ref(); // Bun's main thread spins, for as long as the text takes, while it waits for what holds no process
    host.post({ id, ...order });
    try {
      return await answer.promise;
    } finally {
      if (waiting.size === 0) host.unref();
    }
  };
  try {
    await ask({ source });
  } catch (error) {
    await host.end();
    throw error;
  }
  return {
    isOver: () => failure !== undefined,
    vectorOf: async (tokens) => (await ask({ tokens }))!,
    statesOf: async (tokens) => (await ask({ tokens, asStates: true }))!,
    async close() {
      if (host.isThread) await ask({}).catch(() => {}); // it has exited, or will
      end("closed");
      await host.end();
    },
  };
}
