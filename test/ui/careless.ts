// A server that makes every mistake: any host, any origin, any method and type of content, nothing said to the browser.
// An attack that fails here would prove nothing when it fails on memo's page.

import { createHash } from "node:crypto";
import type { Duplex } from "node:stream";
import { serveLoopback } from "../support/loopback.ts";

const FILES: Readonly<Record<string, readonly [type: string, text: string]>> = {
  "/": ["text/html", "<!doctype html><p id=secret>a secret</p><iframe></iframe>"],
  "/main.js": ["text/javascript", "export const secret = 'a secret';"],
  "/plain.js": ["text/javascript", "self.secret = 'a secret';"],
  "/style.css": ["text/css", "p { color: red }"],
  "/icon.svg": ["image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg'/>"],
  "/events": ["text/event-stream", "data: a secret\n\n"],
};

/** Starts it. */
export async function serveCarelessly() {
  const written: string[] = [];
  const upgraded = new Set<Duplex>(); // the server no longer counts them among its connections
  const loopback = await serveLoopback(({ method, path, headers: { origin }, body }, response) => {
    const { pathname, searchParams } = new URL(`http://x${path.replace(/^\/+/, "/")}`);
    response.setHeader("access-control-allow-origin", origin ?? "*");
    response.setHeader("access-control-allow-credentials", "true");
    response.setHeader("access-control-allow-headers", "authorization, content-type");
    const isCall = pathname.startsWith("/api/") && method !== "OPTIONS";
    if (isCall) written.push(searchParams.get("name") ?? body);
    const [type, text] = isCall
      ? ["application/json", '{"token":"a secret"}']
      : FILES[pathname] ?? ["text/plain", ""];
    response.setHeader("content-type", type);
    if (type === "text/event-stream") response.write(text);
    else response.end(text);
  });
  loopback.server.on("upgrade", (request, socket) => {
    const accept = createHash("sha1")
      .update(`${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest("base64");
    upgraded.add(socket);
    socket.on("error", () => {});
    socket.write(
      "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n" +
        `sec-websocket-accept: ${accept}\r\n\r\n`,
    );
  });
  return {
    at: loopback.url,
    /** Whether an attack's write has come through. */
    wrote: (name: string) =>
      written.some((text) =>
        [text, decodeURIComponent(text.replaceAll("+", " "))].join().includes(name)
      ),
    async [Symbol.asyncDispose]() {
      for (const socket of upgraded) socket.destroy();
      await loopback[Symbol.asyncDispose]();
    },
  };
}
