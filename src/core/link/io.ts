// How a process reads its stdin, prints, and reaches the daemon. The executable uses `tools/compile/bun_io.ts` instead:
// loading `node:fs` and `node:net` takes longer than everything a hook does with them.

import { read, readFile, statSync, writeSync } from "node:fs";
import { connect } from "node:net";
import { IncomingJson } from "./long_strings.ts";

/** Handlers for a connection. */
export interface Listener {
  received(bytes: Uint8Array | string): void;
  /** The connection is closed; with the system's error if it broke or was never made. */
  ended(error?: unknown): void;
}

/** Reads JSON on stdin to its end, or until nothing has come for `ms`: megabytes take a while on a busy machine. */
export function readStdin(ms: number): Promise<Buffer> {
  return new Promise((resolve) => {
    const json = new IncomingJson();
    const finish = () => resolve(json.bytes);
    let timer = setTimeout(finish, ms);
    const buffer = Buffer.allocUnsafe(64 * 1024);
    const next = () =>
      read(0, buffer, 0, buffer.length, null, (error, bytes) => {
        if (error?.code === "EAGAIN") return void setTimeout(next, 1);
        if (error === null && bytes > 0) {
          json.add(Uint8Array.prototype.slice.call(buffer, 0, bytes));
          clearTimeout(timer);
          timer = setTimeout(finish, ms);
          return next();
        }
        clearTimeout(timer);
        finish();
      });
    next();
  });
}

/** Prints a line on stdout, written when this returns. */
export function print(line: string): void {
  writeSync(1, line + "\n");
}

/** The owner of a file or folder, what it is, what others may do with it, and its last change. */
export interface FileStatus {
  readonly uid: number;
  readonly mode: number;
  readonly mtimeMs: number;
  isFile(): boolean;
}

/** The status of a path's target; undefined if it does not exist. */
export function fileStatus(path: string): Promise<FileStatus | undefined> {
  return Promise.resolve(statSync(path, { throwIfNoEntry: false }));
}

/** The text of a file; undefined if it is missing, unreadable, or a pipe, which takes for ever to read. */
export async function fileText(path: string): Promise<string | undefined> {
  if ((await fileStatus(path))?.isFile() !== true) return undefined;
  return await new Promise((resolve) =>
    readFile(path, "utf8", (_, text?: string) => resolve(text))
  );
}

/** Connects to a socket or named pipe and sends a text; returns what hangs up, after which the listener is not called. */
export function dial(path: string, text: string, listener: Listener): () => void {
  const socket = connect(path);
  socket.write(text);
  socket.on("data", (bytes) => listener.received(bytes));
  socket.on("error", (error) => listener.ended(error));
  socket.on("close", () => listener.ended());
  return () => {
    socket.removeAllListeners().on("error", () => {});
    socket.destroy();
  };
}
