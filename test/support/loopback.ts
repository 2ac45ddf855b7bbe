import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as it arrived. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** A loopback server, and everything it was asked. */
export interface Loopback extends AsyncDisposable {
  readonly url: string;
  readonly received: readonly Received[];
  readonly server: Server;
}

/** Starts an HTTP server on this machine that answers with `answer`. */
export async function serveLoopback(
  answer: (request: Received, response: ServerResponse) => unknown,
): Promise<Loopback> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    if (body === undefined) return;
    const { method = "", url: path = "", headers } = request;
    const whole = { method, path, headers, body };
    received.push(whole);
    await answer(whole, response);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ received, server },
    [Symbol.asyncDispose]: () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/** What a request has; undefined if its client has gone, which a daemon that is ended does. */
export async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  request.on("error", () => {});
  try {
    for await (const part of request) parts.push(part as Buffer);
  } catch {
    return undefined;
  }
  return Buffer.concat(parts).toString("utf8");
}

/** Sends JSON. */
export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(value));
}
