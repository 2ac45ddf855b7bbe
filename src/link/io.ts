// How a process reads its stdin, prints, and reaches the daemon. The executable has `tools/compile/bun_io.ts` in its
// place: loading `node:fs` and `node:net` takes a hook longer than all that it does with them.

import { read, statSync, writeSync } from "node:fs";
import { connect } from "node:net";

/** What comes of a connection. */
export interface Listener {
  received(bytes: Uint8Array | string): void;
  /** It is over; with the system's error where it broke, or was never made. */
  ended(error?: unknown): void;
}

/** Everything on stdin up to its end; what has come by then when the end takes longer than `ms`. */
export function readStdin(ms: number): Promise<string> {
  return new Promise((resolve) => {
    const parts: Uint8Array[] = [];
    const finish = () => resolve(Buffer.concat(parts).toString("utf8"));
    const timer = setTimeout(finish, ms);
    const buffer = Buffer.allocUnsafe(64 * 1024);
    const next = () =>
      read(0, buffer, 0, buffer.length, null, (error, bytes) => {
        if (error?.code === "EAGAIN") return void setTimeout(next, 1);
        if (error === null && bytes > 0) {
          parts.push(Uint8Array.prototype.slice.call(buffer, 0, bytes));
          return next();
        }
        clearTimeout(timer);
        finish();
      });
    next();
  });
}

/** Prints a line on stdout, which has it when this returns. */
export function print(line: string): void {
  writeSync(1, line + "\n");
}

/** Whose a folder is, and what others may do in it. */
export interface Ownership {
  readonly uid: number;
  readonly mode: number;
}

/** Who owns what a path leads to; undefined where there is nothing. */
export function ownershipOf(path: string): Ownership | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

/** Connects to a Unix socket or named pipe and sends a text; returns what hangs up, after which nothing is heard. */
export function dial(path: string, text: string, listener: Listener): () => void {
  const socket = connect(path);
  socket.on("connect", () => socket.write(text));
  socket.on("data", (bytes) => listener.received(bytes));
  socket.on("error", (error) => listener.ended(error));
  socket.on("close", () => listener.ended());
  return () => {
    socket.removeAllListeners().on("error", () => {});
    socket.destroy();
  };
}
