// The server of the page: on 127.0.0.1 at a port of the system's choice, from `memo ui` until the page has not been
// heard of for a while. The address has a token in its fragment, which no browser sends anywhere; the page exchanges it
// once for another one, which the browser keeps for that tab and port.

import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { MemoError, messageOf } from "../../errors.ts";
import { parseBounded } from "../../core/link/parse.ts";
import { within } from "../../core/link/within.ts";
import { ASSETS } from "./assets.ts";
import { type CallContext, type PageCall, PageListing } from "./calls/call.ts";
import { CALLS } from "./calls/mod.ts";
import { now } from "./calls/given.ts";
import { check, digestOf, HEADERS, isToken, type RequestRefusal } from "./checks.ts";
import { isWithin } from "../../core/memory/project.ts";
import { tilde } from "../../paths.ts";

/** The only address that is listened on. */
const LOOPBACK = "127.0.0.1";
/** The server closes when the page has not been heard of for this long. */
export const IDLE_MS = 15 * 60_000;
/** Maximum time for a client to send its request; after it the connection is closed. */
const SILENCE_MS = 10_000;
/** Maximum bytes of a call: a memory of a megabyte, escaped. */
export const MAX_BODY = 4 * 1024 * 1024;
/** The page has a few connections at a time; of more that ask nothing, the one that has been silent longest is closed. */
const MAX_IDLE = 64;
const MAX_CONNECTIONS = 512;

export interface PageServerOptions {
  readonly context: Omit<CallContext, "listed">;
  /** Called when the page has come, and when the server has closed by itself. */
  readonly onEvent: (event: "came" | "closed") => void;
  /** Milliseconds of a clock that is never set back; default: the system's. */
  readonly clock?: () => number;
  /** Interval of the looks whether the page has been left. */
  readonly lookMs?: number;
}

/** Serves the page at an address that opens it once; rejects with the system's error if no port can be had. */
export async function servePage(options: PageServerOptions) {
  const page = new PageState(options);
  const idle = new Set<Socket>();
  const server = createServer((request, response) => {
    const { socket } = request;
    idle.delete(socket);
    response.once("finish", () => !socket.destroyed && idle.add(socket));
    void page.respond(request, response);
  });
  server.on("connection", (socket) => {
    idle.add(socket);
    socket.once("close", () => idle.delete(socket));
    const [oldest] = idle;
    if (idle.size > MAX_IDLE) oldest?.destroy();
  });
  server.headersTimeout = server.requestTimeout = server.keepAliveTimeout = SILENCE_MS;
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(0, LOOPBACK);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  page.host = `${LOOPBACK}:${port}`;
  const close = () => {
    clearInterval(timer);
    page.revoke();
    return new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  };
  const timer = setInterval(() => {
    if (!page.isLeft) return;
    options.context.log("page", { closed: "the page is no longer open" });
    options.onEvent("closed");
    void close();
  }, options.lookMs ?? 15_000);
  timer.unref();
  server.on("error", (error) => options.context.log("page", { failed: messageOf(error) }));
  return { address: `http://${page.host}/#${page.invite()}`, close };
}

/** What the page may do now, and when it was last heard of. */
class PageState {
  host = "";
  readonly #options: PageServerOptions;
  readonly #clock: () => number;
  readonly #listed = new PageListing();
  /** Digests of the token in the address, until it is exchanged, and of the one that the page got for it. */
  #invitation: Uint8Array | undefined;
  #session: Uint8Array | undefined;
  #heardAt: number;

  constructor(options: PageServerOptions) {
    this.#options = options;
    this.#clock = options.clock ?? (() => performance.now());
    this.#heardAt = this.#clock();
  }

  /** Makes the token of the address. */
  invite(): string {
    const token = newToken();
    this.#invitation = digestOf(token);
    return token;
  }

  revoke(): void {
    this.#invitation = this.#session = undefined;
  }

  /** Whether the page has not been heard of for so long that the server may close. */
  get isLeft(): boolean {
    return this.#clock() - this.#heardAt > IDLE_MS;
  }

  async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const wanted = check(request, this.host);
      if (wanted.kind === "refused") return refuse(response, wanted);
      if (wanted.kind === "call") return await this.#call(wanted, request, response);
      const asset = ASSETS.get(wanted.path);
      if (asset === undefined) return refuse(response, NOTHING);
      response.writeHead(200, { ...HEADERS, "content-type": asset.type }).end(asset.body);
    } catch (error) {
      this.#options.context.log("page", { failed: messageOf(error) });
      if (response.headersSent) response.destroy();
      else refuse(response, { status: 500, error: FAILED });
    }
  }

  async #call(
    { name, token }: { readonly name: string; readonly token: string },
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    if (name === "session") return await this.#exchange(token, response);
    if (!isToken(token, this.#session)) return refuse(response, NO_ACCESS);
    this.#heardAt = this.#clock();
    const row = CALLS.get(name);
    if (row === undefined) return refuse(response, NOTHING);
    const text = await within(SILENCE_MS, bodyOf(request));
    if (text === undefined) return refuse(response, TOO_SLOW);
    if (typeof text !== "string") return refuse(response, text);
    const params = row.params.safeParse(jsonIn(text));
    if (!params.success) {
      return refuse(response, { status: 400, error: "Malformed request" });
    }
    const { context } = this.#options;
    try {
      reply(response, 200, await this.#run(row, params.data));
    } catch (error) {
      if (!(error instanceof MemoError)) {
        context.log("page", { call: name, failed: messageOf(error) });
        return refuse(response, { status: 500, error: FAILED, hint: "Run `memo daemon logs`" });
      }
      const { kind, message, hint } = error;
      const told = { error: forPage(message, context), hint: hint && forPage(hint, context) };
      refuse(response, { status: kind === "not-found" ? 404 : 422, ...told });
    }
  }

  async #run(row: PageCall, params: unknown): Promise<unknown> {
    await this.#options.context.engine.yieldToPrompts();
    return await row.run(params as never, { ...this.#options.context, listed: this.#listed });
  }

  /**
   * Gives the page its token for the one in the address, which is worth nothing from then on, and with it what the page
   * begins with.
   */
  async #exchange(token: string, response: ServerResponse): Promise<void> {
    if (!isToken(token, this.#invitation)) return refuse(response, NO_ACCESS);
    const fresh = newToken();
    this.#invitation = undefined;
    this.#session = digestOf(fresh);
    this.#heardAt = this.#clock();
    this.#options.context.log("page", { found: "the page was opened" });
    this.#options.onEvent("came");
    // What fails is said when the page asks for it.
    const first = await this.#run(now, now.params.parse({})).catch(() => undefined);
    reply(response, 200, { token: fresh, first });
  }
}

const NOTHING = { status: 404, error: "Not found" };
const NO_ACCESS = { status: 401, error: "This page has expired; run `memo ui` again" };
const TOO_SLOW = { status: 408, error: "The request timed out" };
const TOO_LARGE = { status: 413, error: "The request is too large" };
const FAILED = "Something went wrong";

/** 256 bits. */
function newToken(): string {
  return randomBytes(32).toString("base64url");
}

function refuse(
  response: ServerResponse,
  { status, error, hint }: Omit<RequestRefusal, "kind"> & { readonly hint?: string | undefined },
): void {
  // What is left of the body is not read.
  response.shouldKeepAlive = false;
  response.setHeader("connection", "close");
  reply(response, status, { error, ...hint === undefined ? {} : { hint } });
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { ...HEADERS, "content-type": "application/json; charset=utf-8" })
    .end(JSON.stringify(body));
}

/** The body of a request as text. */
async function bodyOf(request: IncomingMessage): Promise<string | typeof TOO_LARGE> {
  if (Number(request.headers["content-length"]) > MAX_BODY) return TOO_LARGE;
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of request) {
    length += part.length;
    if (length > MAX_BODY) return TOO_LARGE;
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function jsonIn(text: string): unknown {
  try {
    return parseBounded(text);
  } catch {
    return undefined; // no call takes it
  }
}

/** An absolute path in a message: memo writes paths between backticks, the system between quotes. */
const PATH = /(?<![\w.~/\\-])(?:\/|[A-Za-z]:\\)[^\s`'"“”,;:()<>]*/g;

/** A message for the page: of a path outside the user's memories it keeps the name alone. */
export function forPage(
  message: string,
  { paths, env }: Pick<CallContext, "paths" | "env">,
): string {
  return message.replace(PATH, (path) => {
    if (path.length === 1) return path;
    return isWithin(path, paths.userMemory)
      ? tilde(path, env)
      : path.split(/[\\/]/).findLast((part) => part !== "") ?? path;
  });
}
