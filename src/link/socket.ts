import { type ErrorKind, MemoError } from "../errors.ts";
import { dial } from "./io.ts";
import { encode, MessageReader, type Reply, request } from "./protocol.ts";

export interface CallOptions {
  readonly socket: string;
  /** Longest wait for the whole exchange, in milliseconds. */
  readonly timeoutMs: number;
}

/** One exchange with the daemon. Rejects with the system's error when none listens, or a `timeout` MemoError. */
export function exchange(method: string, params: unknown, options: CallOptions): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const reader = new MessageReader();
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      hangUp();
      settle();
    };
    const timer = setTimeout(
      () => finish(() => reject(lateness(method, options.timeoutMs))),
      options.timeoutMs,
    );
    const hangUp = dial(options.socket, encode(request(method, params)), {
      received(bytes) {
        try {
          const reply = reader.push(bytes);
          if (reply !== undefined) finish(() => resolve(reply as Reply));
        } catch (error) {
          finish(() => reject(error));
        }
      },
      ended: (error) => finish(() => reject(error ?? silence())),
    });
  });
}

function lateness(method: string, ms: number): MemoError {
  return new MemoError("timeout", `The daemon did not answer \`${method}\` within ${ms} ms`, {
    hint: "Run `memo daemon restart`",
  });
}

function silence(): MemoError {
  return new MemoError("daemon", "The daemon closed the connection before it answered", {
    hint: "Run `memo daemon logs` to see why",
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
