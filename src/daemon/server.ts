import { chmodSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { MemoError, messageOf } from "../errors.ts";
import type { Log } from "../files/log.ts";
import {
  encode,
  isRequest,
  isSameBuild,
  MessageReader,
  PROTOCOL_VERSION,
  type Reply,
  type Request,
  type WireError,
} from "../link/protocol.ts";
import { BUILD } from "../version.ts";

export interface ServerOptions {
  /** Path of the Unix socket or named pipe. */
  readonly socket: string;
  readonly log: Log;
  /** Answers a request of this build; what it throws goes back as an error. */
  readonly answer: (request: Request) => Promise<unknown>;
}

/** A client that says nothing for this long is hung up on. */
const SILENCE_MS = 10_000;

/** Serves requests, one a connection, until it is closed. Rejects when the socket cannot be had. */
export function serve(options: ServerOptions): Promise<Server> {
  const server = createServer((socket) => converse(socket, options));
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
  socket.setTimeout(SILENCE_MS, () => socket.destroy());
  socket.on("error", () => socket.destroy()); // the client has gone; nobody is left to tell
  const end = (answer: Reply) => void socket.end(encode(answer));
  socket.on("data", (bytes) => {
    try {
      const message = reader.push(bytes);
      if (message === undefined) return;
      socket.setTimeout(0);
      socket.removeAllListeners("data");
      if (!isRequest(message)) return end(refusal(UNREADABLE));
      void reply(message, options).then(end);
    } catch {
      end(refusal(UNREADABLE));
    }
  });
}

const UNREADABLE: WireError = { kind: "daemon", message: "The request cannot be read" };

async function reply(request: Request, { answer, log }: ServerOptions): Promise<Reply> {
  // `stop` is for everybody: it is how a client of another build gets its own daemon.
  if (!isSameBuild(request) && request.method !== "stop") {
    return refusal({
      kind: "daemon",
      message: `The daemon is build ${BUILD}, the request came from build ${request.build}`,
      hint: "Run `memo daemon restart`",
    });
  }
  try {
    return { protocol: PROTOCOL_VERSION, build: BUILD, ok: true, result: await answer(request) };
  } catch (error) {
    log("request", { method: request.method, failed: messageOf(error) });
    const known = error instanceof MemoError
      ? { kind: error.kind, hint: error.hint }
      : { kind: "daemon" };
    return refusal({ message: messageOf(error), ...known });
  }
}

function refusal(error: WireError): Reply {
  return { protocol: PROTOCOL_VERSION, build: BUILD, ok: false, error };
}
