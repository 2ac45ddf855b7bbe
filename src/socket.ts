import { connect } from "node:net";
import { type ErrorKind, MemoError } from "./errors.ts";
import { encode, MessageReader, type Reply, request } from "./protocol.ts";

export interface CallOptions {
  readonly socket: string;
  /** Longest wait for the whole exchange, in milliseconds. */
  readonly timeoutMs: number;
}

/** One exchange with the daemon. Rejects with the system's error when none listens, or a `timeout` MemoError. */
export function exchange(method: string, params: unknown, options: CallOptions): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const socket = connect(options.socket);
    const reader = new MessageReader();
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      socket.destroy();
      settle();
    };
    const timer = setTimeout(() =>
      finish(() =>
        reject(
          new MemoError(
            "timeout",
            `The daemon did not answer \`${method}\` within ${options.timeoutMs} ms`,
            {
              hint: "Run `memo daemon restart`",
            },
          ),
        )
      ), options.timeoutMs);
    socket.on("connect", () => socket.write(encode(request(method, params))));
    socket.on("data", (bytes) => {
      try {
        const reply = reader.push(bytes);
        if (reply !== undefined) finish(() => resolve(reply as Reply));
      } catch (error) {
        finish(() => reject(error));
      }
    });
    socket.on("error", (error) => finish(() => reject(error)));
    socket.on(
      "close",
      () =>
        finish(() =>
          reject(
            new MemoError("daemon", "The daemon hung up before it answered", {
              hint: "Run `memo daemon logs`",
            }),
          )
        ),
    );
  });
}

/** The result of a request; an error that the daemon reports is thrown here. */
export async function call(
  method: string,
  params: unknown,
  options: CallOptions,
): Promise<unknown> {
  const reply = await exchange(method, params, options);
  if (reply.ok) return reply.result;
  throw new MemoError(reply.error.kind as ErrorKind, reply.error.message, {
    hint: reply.error.hint,
  });
}
