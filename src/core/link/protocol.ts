import { BUILD } from "../../version.ts";
import { fieldsOf, parseBounded } from "./parse.ts";

/** Raised when the meaning of a message changes: a daemon answers requests of its own protocol, from any build. */
export const PROTOCOL_VERSION = 1;

/** The maximum message length, in UTF-16 units; a longer one is a mistake. */
export const MAX_MESSAGE = 32 * 1024 * 1024;

/** The maximum length of a prompt in a message, in UTF-16 units; a longer one is cut (`src/core/text/paste.ts`). */
export const MAX_PROMPT = 64 * 1024;

/** A client's request to the daemon: one line of JSON on the socket. */
export interface Request {
  readonly protocol: number;
  readonly build: string;
  /** A name in the daemon's table of methods. */
  readonly method: string;
  readonly params: unknown;
}

/** The daemon's answer: one line of JSON, after which it closes the connection. */
export type DaemonReply =
  & { readonly protocol: number; readonly build: string }
  & (
    | { readonly ok: true; readonly result: unknown }
    | { readonly ok: false; readonly error: WireError }
  );

/** An error as sent over the socket. */
export interface WireError {
  readonly kind: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** Sent once a request is read: a client without it knows that the daemon hangs. A blank is part of no message. */
export const ALIVE = " ";

/** Makes a request of this build. */
export function request(method: string, params: unknown): Request {
  return { protocol: PROTOCOL_VERSION, build: BUILD, method, params };
}

/** Whether a message is of this protocol, so that its sender may be of another build. */
export function isSameProtocol({ protocol }: { readonly protocol: number }): boolean {
  return protocol === PROTOCOL_VERSION;
}

/** Whether a reply comes from a daemon of this build. */
export function isSameBuild(reply: { readonly protocol: number; readonly build: string }): boolean {
  return reply.protocol === PROTOCOL_VERSION && reply.build === BUILD;
}

/** Whether a message has the form of a request, from any build; each method checks its own parameters. */
export function isRequest(message: unknown): message is Request {
  const { protocol, build, method } = fieldsOf(message);
  return typeof protocol === "number" && typeof build === "string" && typeof method === "string";
}

/** Whether a message has the form of a reply, from any build. */
export function isReply(message: unknown): message is DaemonReply {
  const { protocol, build, ok, error } = fieldsOf(message);
  const isWhole = ok === true || ok === false && typeof fieldsOf(error)["message"] === "string";
  return typeof protocol === "number" && typeof build === "string" && isWhole;
}

/** Encodes a message for the socket. */
export function encode(message: Request | DaemonReply): string {
  return JSON.stringify(message) + "\n";
}

/**
 * Collects socket data until the first line is complete. `push` returns the parsed message, or undefined until it is
 * complete; it throws on a line that is not JSON, longer than `MAX_MESSAGE` or nested deeper than `MAX_DEPTH`.
 */
export class MessageReader {
  #decoder = new TextDecoder();
  #parts: string[] = [];
  #length = 0;

  push(received: Uint8Array | string): unknown | undefined {
    const text = typeof received === "string"
      ? received
      : this.#decoder.decode(received, { stream: true });
    const end = text.indexOf("\n");
    this.#parts.push(end < 0 ? text : text.slice(0, end));
    this.#length += text.length;
    if (this.#length > MAX_MESSAGE) {
      throw new Error(`Message is longer than ${MAX_MESSAGE} characters`);
    }
    return end < 0 ? undefined : parseBounded(this.#parts.join(""));
  }
}
