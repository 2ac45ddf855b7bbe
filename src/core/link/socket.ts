import { type ErrorKind, MemoError } from "../../errors.ts";
import { dial, fileStatus } from "./io.ts";
import { dirname } from "./plain_path.ts";
import { type DaemonReply, encode, isReply, MessageReader, request } from "./protocol.ts";

export interface CallOptions {
  readonly socket: string;
  /** Timeout for the whole exchange, in milliseconds. */
  readonly timeoutMs: number;
  /** Timeout for the sign that the daemon has read the request (`ALIVE`); default: `timeoutMs`. */
  readonly aliveMs?: number;
  /** The same for a daemon that is busy; default: `aliveMs`. */
  readonly busyMs?: number;
}

/** Interval at which a daemon that is not blocked touches its socket. */
export const PULSE_MS = 2000;
/** A daemon that has not done so for this long hangs, or its machine has just woken up. */
const STILL_MS = 5 * PULSE_MS;

/** Whether there is a daemon that was not blocked a moment ago: one that does not answer now is busy, and is kept. */
export async function isBusy(socket: string): Promise<boolean> {
  const touched = (await fileStatus(socket).catch(() => undefined))?.mtimeMs ?? 0;
  return Math.abs(Date.now() - touched) < STILL_MS; // the clock may have been set back
}

/**
 * One exchange with the daemon. Rejects with the system's error if no daemon listens, a `timeout` MemoError, or a
 * `daemon` one if the listener is not memo or may belong to another user.
 */
export async function exchange(
  method: string,
  params: unknown,
  options: CallOptions,
): Promise<DaemonReply> {
  // Looked at first: a connection made before could lead to what lay in an open folder that a daemon has replaced since.
  if (!await isOurs(options.socket)) {
    const folder = dirname(options.socket);
    throw new MemoError(
      "daemon",
      `Cannot trust the daemon's socket: \`${folder}\` is accessible to other users`,
      {
        hint:
          `Run \`chmod 700 ${folder}\` if you own the folder, or set \`MEMO_HOME\` to one you own`,
      },
    );
  }
  return await new Promise((resolve, reject) => {
    const reader = new MessageReader();
    const { timeoutMs, aliveMs = Infinity, busyMs = aliveMs } = options;
    let isHeard = false;
    const timers: ReturnType<typeof setTimeout>[] = [];
    const finish = (settle: () => void) => {
      isHeard = true;
      timers.forEach(clearTimeout);
      hangUp();
      settle();
    };
    const fail = (kind: ErrorKind, message: string, hint = "Run `memo daemon restart`") =>
      finish(() => reject(new MemoError(kind, message, { hint })));
    const giveUpAfter = (ms: number) =>
      fail("timeout", `The daemon did not answer \`${method}\` within ${ms} ms`);
    const refuse = () => fail("daemon", "Another program is listening on the daemon's socket");
    const lookForPulse = async () => {
      const mayWait = busyMs > aliveMs && await isBusy(options.socket);
      if (isHeard) return;
      if (!mayWait) return giveUpAfter(aliveMs);
      timers.push(setTimeout(() => isHeard || giveUpAfter(busyMs), busyMs - aliveMs));
    };
    timers.push(setTimeout(() => giveUpAfter(timeoutMs), timeoutMs));
    if (aliveMs < timeoutMs) timers.push(setTimeout(() => isHeard || lookForPulse(), aliveMs));
    const hangUp = dial(options.socket, encode(request(method, params)), {
      received(bytes) {
        isHeard = true;
        try {
          const reply = reader.push(bytes);
          if (reply === undefined) return;
          isReply(reply) ? finish(() => resolve(reply)) : refuse();
        } catch {
          refuse();
        }
      },
      // It may be called before `hangUp` is there.
      ended: (error) =>
        queueMicrotask(() => {
          if (error !== undefined) return finish(() => reject(error));
          const message = "The daemon closed the connection before it answered";
          fail("daemon", message, "Run `memo daemon logs` to see why");
        }),
    });
  });
}

/** Whether no other user can listen there: whoever does gets prompts and logins, and its answers go to the model. */
async function isOurs(socket: string): Promise<boolean> {
  if (process.platform === "win32") return true; // a named pipe has no folder
  const folder = await fileStatus(dirname(socket));
  return folder === undefined || folder.uid === process.getuid?.() && (folder.mode & 0o077) === 0;
}

/** The result of a request; throws the error that the daemon reports. */
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
