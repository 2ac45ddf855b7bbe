import { chmodSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { MemoError, messageOf } from "../errors.ts";
import type { Log } from "../files/log.ts";
import {
  ALIVE,
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
  readonly answer: (
    request: Request,
    /** Does work once the reply is out; the work learns if the client took it. */
    afterwards: (work: (isTaken: boolean) => unknown) => void,
  ) => Promise<unknown>;
}

/** A client that says nothing for this long is hung up on. */
const SILENCE_MS = 10_000;

/** Serves requests, one a connection, until it is closed. Rejects when the socket cannot be had. */
export function serve(options: ServerOptions): Promise<Server> {
  // A client may close its own side once it has asked, and is answered all the same.
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
  const client = watch(socket);
  socket.setTimeout(SILENCE_MS, () => socket.destroy());
  const end = (answer: Reply) => void socket.end(encode(answer));
  const giveUp = () => void socket.end(); // it has ended before it asked
  const hear = (bytes: Uint8Array) => {
    try {
      const message = reader.push(bytes);
      if (message === undefined) return;
      socket.setTimeout(0);
      socket.off("data", hear).off("end", giveUp);
      socket.on("data", () => {}); // so that its end is noticed
      socket.write(ALIVE);
      if (!isRequest(message)) return end(refusal(UNREADABLE));
      void converseAbout(message, { ...options, client, end });
    } catch {
      end(refusal(UNREADABLE));
    }
  };
  socket.on("data", hear).on("end", giveUp);
}

const UNREADABLE: WireError = { kind: "daemon", message: "The request cannot be read" };

/** Replies to a request, and then does what was left for afterwards. */
async function converseAbout(
  request: Request,
  { client, end, ...options }: ServerOptions & {
    readonly client: Client;
    readonly end: (answer: Reply) => void;
  },
): Promise<void> {
  const later: ((isTaken: boolean) => unknown)[] = [];
  const answer = await reply(request, options, (work) => void later.push(work));
  await client.settled();
  const isTaken = !client.isGone;
  end(answer);
  setImmediate(() => later.forEach((work) => work(isTaken)));
}

interface Client {
  /** Whether it has hung up. */
  readonly isGone: boolean;
  /** Resolves when all that has happened on the socket so far is known. */
  settled(): Promise<void>;
}

/** Watches whether a client is still there: one that had no answer in time has hung up. */
function watch(socket: Socket): Client {
  let isGone = false;
  const gone = () => void (isGone = true);
  socket.on("end", gone).on("close", gone);
  socket.on("error", () => socket.destroy()); // it has gone; nobody is left to tell
  return {
    get isGone() {
      return isGone || socket.destroyed;
    },
    async settled() {
      // A daemon that was stopped finds the request and the hang-up at the same time.
      for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

async function reply(
  request: Request,
  { answer, log }: ServerOptions,
  afterwards: (work: (isTaken: boolean) => unknown) => void,
): Promise<Reply> {
  // `stop` is for everybody: it is how a client of another build gets its own daemon.
  if (!isSameBuild(request) && request.method !== "stop") {
    return refusal({
      kind: "daemon",
      message: `The daemon is build ${BUILD}, the request came from build ${request.build}`,
      hint: "Run `memo daemon restart`",
    });
  }
  try {
    return {
      protocol: PROTOCOL_VERSION,
      build: BUILD,
      ok: true,
      result: await answer(request, afterwards),
    };
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
