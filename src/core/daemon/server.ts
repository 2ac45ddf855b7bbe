import { chmodSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { MemoError, messageOf } from "../../errors.ts";
import type { Log } from "../files/log.ts";
import {
  ALIVE,
  type DaemonReply,
  encode,
  isRequest,
  isSameProtocol,
  MessageReader,
  PROTOCOL_VERSION,
  type Request,
  type WireError,
} from "../link/protocol.ts";
import { BUILD } from "../../version.ts";

/** Work that runs once an answer is out, and learns whether the client took it. */
export type Deferred = (isTaken: boolean) => unknown;

export interface ServerOptions {
  /** Path of the Unix socket or named pipe. */
  readonly socket: string;
  readonly log: Log;
  /** Answers a request; an error that it throws is sent back. */
  readonly answer: (
    request: Request,
    /** Runs work after the reply; the work learns whether the client took it. */
    defer: (work: Deferred) => void,
  ) => Promise<unknown>;
}

/** Maximum silence of a client; after it the connection is closed. */
const SILENCE_MS = 10_000;

/** Serves requests, one per connection, until it is closed; rejects if it cannot bind the socket. */
export function serve(options: ServerOptions): Promise<Server> {
  // A client may close its own side after its request, and is still answered.
  const server = createServer({ allowHalfOpen: true }, (socket) => converse(socket, options));
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.socket, () => {
      server.off("error", reject);
      server.on("error", (error) => options.log("server", { failed: messageOf(error) }));
      if (process.platform !== "win32") chmodSync(options.socket, 0o600);
      resolve(server);
    });
  });
}

function converse(socket: Socket, options: ServerOptions): void {
  const reader = new MessageReader();
  const client: Client = { isGone: () => hasEnded || socket.destroyed, isBroken: false };
  let hasEnded = false;
  socket.on("end", () => hasEnded = true);
  socket.on("error", () => {
    client.isBroken = true;
    socket.destroy(); // the client has gone, so the error has no reader
  });
  socket.setTimeout(SILENCE_MS, () => socket.destroy());
  const end = (answer: DaemonReply) => void socket.end(encode(answer));
  const giveUp = () => void socket.end(); // the client closed before it sent a request
  const hear = (bytes: Uint8Array) => {
    try {
      const message = reader.push(bytes);
      if (message === undefined) return;
      socket.setTimeout(0);
      socket.off("data", hear).off("end", giveUp);
      socket.on("data", () => {}); // so that its end is noticed
      socket.write(ALIVE);
      if (!isRequest(message)) return end(refusal(UNREADABLE));
      void converseAbout(message, { ...options, client, settled: turns(2), end });
    } catch {
      end(refusal(UNREADABLE));
    }
  };
  socket.on("data", hear).on("end", giveUp);
}

const UNREADABLE: WireError = { kind: "daemon", message: "Cannot read the request" };

/** Replies to a request, and then runs the deferred work. */
async function converseAbout(
  request: Request,
  { client, settled, end, ...options }: ServerOptions & {
    readonly client: Client;
    /** A daemon that was suspended sees the request and the hang-up at the same time; after this it has seen both. */
    readonly settled: Promise<void>;
    readonly end: (answer: DaemonReply) => void;
  },
): Promise<void> {
  const deferred: Deferred[] = [];
  const answer = await reply(request, options, (work) => void deferred.push(work));
  // Counted from the request on: turns after the answer would have it wait for the answers to other sessions.
  await settled;
  const isTaken = !client.isGone();
  end(answer);
  setImmediate(() => runDeferred(deferred, isTaken && !client.isBroken, options.log));
}

/** Runs the work that answers have left; what fails is logged, and ends neither the rest nor the daemon. */
export function runDeferred(deferred: readonly Deferred[], isTaken: boolean, log: Log): void {
  for (const work of deferred) {
    Promise.resolve().then(() => work(isTaken))
      .catch((error) => log("hook", { failed: messageOf(error) }));
  }
}

/** Resolves when all events that are pending now, and those that they lead to, are handled. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

interface Client {
  /** Whether the client has hung up: one that timed out has closed its connection. */
  isGone(): boolean;
  /** Whether something could not be sent to it. */
  isBroken: boolean;
}

async function reply(
  request: Request,
  { answer, log }: ServerOptions,
  defer: (work: Deferred) => void,
): Promise<DaemonReply> {
  // Every build may send `stop`: with it a client of another protocol gets its own daemon.
  if (!isSameProtocol(request) && request.method !== "stop") {
    return refusal({
      kind: "daemon",
      message: `The daemon is build ${BUILD}, which does not understand build ${request.build}`,
      hint: "Run `memo daemon restart`",
    });
  }
  try {
    const result = await answer(request, defer);
    return { protocol: PROTOCOL_VERSION, build: BUILD, ok: true, result };
  } catch (error) {
    log("request", { method: request.method, failed: messageOf(error) });
    const known = error instanceof MemoError
      ? { kind: error.kind, hint: error.hint }
      : { kind: "daemon" };
    return refusal({ message: messageOf(error), ...known });
  }
}

function refusal(error: WireError): DaemonReply {
  return { protocol: PROTOCOL_VERSION, build: BUILD, ok: false, error };
}
