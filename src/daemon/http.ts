// Hooks over http (opt in): the handlers of the socket on 127.0.0.1. Any user of the machine may connect to that
// address, so every request must carry the token, and name this machine as its host: a web page whose own name points
// here (DNS rebinding) cannot.

import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { isAbsolute } from "node:path";
import { type Endpoint, LOOPBACK, readEndpoint } from "../install/endpoint.ts";
import { messageOf } from "../errors.ts";
import type { Log } from "../files/log.ts";
import { MAX_MESSAGE } from "../link/protocol.ts";
import { within } from "../link/within.ts";
import { type Later, runLater } from "./later.ts";
import type { HookParams } from "./methods.ts";

/** Maximum time for an answer, in milliseconds; after it the hook gets `{}`. */
const ANSWER_MS = 1200;
/** Maximum time for a client to send its request; after it the connection is closed. */
const SILENCE_MS = 10_000;

const LOCAL_HOST = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i;

export interface HttpOptions {
  /** The file that `ensureEndpoint` wrote. */
  readonly path: string;
  readonly log: Log;
  /** Answers a hook. */
  readonly answer: (
    params: HookParams,
    afterwards: (work: Later) => void,
  ) => Promise<unknown>;
}

/** The http server, which starts and stops with the settings. */
export class HttpService {
  readonly #options: HttpOptions;
  #open: { readonly endpoint: Endpoint; readonly server: Server } | undefined;
  #failure: string | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: HttpOptions) {
    this.#options = options;
  }

  /** Starts or stops the server to match the settings, and returns the port; undefined if it does not serve. */
  follow(enabled: boolean): Promise<number | undefined> {
    const step = this.#last.then(() => this.#follow(enabled));
    this.#last = step;
    return step;
  }

  async #follow(enabled: boolean): Promise<number | undefined> {
    const { path, log } = this.#options;
    const wanted = enabled ? readEndpoint(path) : undefined;
    const { endpoint, server } = this.#open ?? {};
    if (endpoint?.port === wanted?.port && endpoint?.token === wanted?.token) return wanted?.port;
    this.#open = undefined;
    if (server !== undefined) await closed(server);
    if (wanted === undefined) return undefined;
    try {
      this.#open = { endpoint: wanted, server: await listen(wanted, this.#options) };
      this.#failure = undefined;
      log("http", { port: wanted.port });
      return wanted.port;
    } catch (error) {
      const failed = messageOf(error);
      if (failed !== this.#failure) log("http", { failed, port: wanted.port });
      this.#failure = failed; // each call retries; the log has it once
      return undefined;
    }
  }
}

function listen(endpoint: Endpoint, options: HttpOptions): Promise<Server> {
  const token = digest(`Bearer ${endpoint.token}`);
  const server = createServer((request, response) => {
    respond(request, response, { ...options, token }).catch((error) => {
      options.log("http", { failed: messageOf(error) });
      if (!response.headersSent) refuse(response, 500, "memo failed");
    });
  });
  server.requestTimeout = SILENCE_MS;
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(endpoint.port, LOOPBACK, () => {
      server.off("error", reject);
      server.on("error", (error) => options.log("http", { failed: messageOf(error) }));
      resolve(server);
    });
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Checks a request by its headers, before any of the body is read. */
async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { token, answer, log }: HttpOptions & { readonly token: Uint8Array },
): Promise<void> {
  const { headers, method } = request;
  if (!LOCAL_HOST.test(headers.host ?? "")) return refuse(response, 403, "Not for this host");
  // Claude Code sends none; a browser sends that of the page which asks.
  if (headers.origin !== undefined) return refuse(response, 403, "Not for web pages");
  const url = new URL(request.url ?? "/", `http://${LOOPBACK}`);
  if (method !== "POST" || url.pathname !== "/hook") return refuse(response, 404, "POST /hook");
  if (!timingSafeEqual(digest(headers.authorization ?? ""), token)) {
    return refuse(response, 401, "Not this token; run `memo install --transport http` again");
  }
  const body = await readBody(request);
  if (body === undefined) return refuse(response, 413, "Too large");
  const claude = url.searchParams.get("claude") ?? "";
  let output: unknown;
  const later: Later[] = [];
  let isOut = false;
  try {
    if (!isAbsolute(claude)) throw new Error("the address names no folder of Claude Code's");
    if (!isGuarded(headers)) {
      // The work that a late answer defers runs at once, because that answer is never delivered.
      const afterwards = (work: Later) =>
        void (isOut ? runLater([work], false, log) : later.push(work));
      output = await within(ANSWER_MS, answer({ input: JSON.parse(body), claude }, afterwards));
    }
  } catch (error) {
    log("http", { failed: messageOf(error) });
  }
  isOut = true;
  const isTaken = output !== undefined && !response.destroyed;
  response.writeHead(200, { "content-type": "application/json" })
    .end(JSON.stringify(output ?? {}));
  setImmediate(() => runLater(later, isTaken, log));
}

function refuse(response: ServerResponse, status: number, text: string): void {
  // The rest of the body is not read, so the connection is closed.
  response.writeHead(status, { "content-type": "text/plain", connection: "close" }).end(
    text + "\n",
  );
}

/** Digests have one length for any input, as the comparison requires. */
function digest(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}

/** The session's own guard variables come in a header; a session that sets one of them gets `{}`. */
function isGuarded(headers: IncomingMessage["headers"]): boolean {
  return String(headers["x-memo-guard"] ?? "").split(",").includes("1");
}

/** The body as text; undefined if it exceeds the limit on messages. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  if (Number(request.headers["content-length"]) > MAX_MESSAGE) return undefined;
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of request) {
    length += part.length;
    if (length > MAX_MESSAGE) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}
