import { BUILD } from "../version.ts";
import { parseBounded } from "./parse.ts";

/** Raised when the meaning of a message changes; a daemon of another one is replaced. */
export const PROTOCOL_VERSION = 1;

/** The longest message that is read, in UTF-16 units: more is no conversation but an accident. */
export const MAX_MESSAGE = 32 * 1024 * 1024;

/** What a client asks the daemon: one line of JSON on the socket. */
export interface Request {
  readonly protocol: number;
  readonly build: string;
  /** A name in the daemon's table of methods. */
  readonly method: string;
  readonly params: unknown;
}

/** What the daemon answers: one line of JSON, then it closes. */
export type Reply =
  & { readonly protocol: number; readonly build: string }
  & (
    | { readonly ok: true; readonly result: unknown }
    | { readonly ok: false; readonly error: WireError }
  );

/** An error as it crosses the socket. */
export interface WireError {
  readonly kind: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

/**
 * What the daemon sends as soon as it has read a request: a client that has not even got this knows that the daemon
 * hangs, long before it would give up on an answer. It is a blank, so that it is part of no message.
 */
export const ALIVE = " ";

/** A request of this build. */
export function request(method: string, params: unknown): Request {
  return { protocol: PROTOCOL_VERSION, build: BUILD, method, params };
}

/** Whether a reply comes from a daemon of this very build; any other one gets replaced. */
export function isSameBuild(reply: { readonly protocol: number; readonly build: string }): boolean {
  return reply.protocol === PROTOCOL_VERSION && reply.build === BUILD;
}

/** Whether a message has the form of a request, of whatever build; its parameters are each method's to check. */
export function isRequest(message: unknown): message is Request {
  const { protocol, build, method } = fieldsOf(message);
  return typeof protocol === "number" && typeof build === "string" && typeof method === "string";
}

/** Whether a message has the form of a reply, of whatever build. */
export function isReply(message: unknown): message is Reply {
  const { protocol, build, ok, error } = fieldsOf(message);
  const isWhole = ok === true || ok === false && typeof fieldsOf(error)["message"] === "string";
  return typeof protocol === "number" && typeof build === "string" && isWhole;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? value as Record<string, unknown> : {};
}

/** One message as it goes over the socket. */
export function encode(message: Request | Reply): string {
  return JSON.stringify(message) + "\n";
}

/**
 * Collects what arrives on a socket until the first line is whole.
 * `push` returns the parsed message, or undefined while it is not complete; it throws on a line that is
 * not JSON, longer than `MAX_MESSAGE` or nested deeper than `MAX_DEPTH`.
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
