import { MemoError } from "../../errors.ts";
import type { Deferred } from "./server.ts";
import type { Method, MethodContext } from "./methods.ts";
import { isAbsolute } from "node:path";

interface RequestsOptions {
  /** What methods work with, but for what is known of a request. */
  readonly context: Omit<MethodContext, "defer" | "requests">;
  readonly methods: Readonly<Record<string, Method>>;
  /** Called after each request that asks for more than how the daemon is. */
  readonly onDone: () => void;
  /** Called after each hook's answer. */
  readonly onHook: () => void;
}

/** Methods that only look at the daemon, and do not keep it alive. */
const LOOKS: ReadonlySet<string> = new Set(["ping", "status"]);
/** Methods that are the same for everybody; others act for whoever asks. */
const FOR_ALL: ReadonlySet<string> = new Set([...LOOKS, "stop"]);

/** Answers requests, and counts them. */
export class Requests {
  readonly #options: RequestsOptions;
  #count = 0;
  #busy = 0;
  #lastAt = Date.now();

  constructor(options: RequestsOptions) {
    this.#options = options;
  }

  /** Whether one is being answered. */
  get isBusy(): boolean {
    return this.#busy > 0;
  }

  /** Time since the last one. */
  get quietMs(): number {
    return Date.now() - this.#lastAt;
  }

  async answer(
    method: string,
    params: unknown,
    defer: (work: Deferred) => void,
  ): Promise<unknown> {
    const { context, methods, onDone, onHook } = this.#options;
    const handler = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (handler === undefined) throw new MemoError("daemon", `Unknown method \`${method}\``);
    if (!FOR_ALL.has(method)) checkCaller(params);
    const isLook = LOOKS.has(method);
    if (!isLook) this.#count++;
    this.#busy++;
    try {
      return await handler(params, { ...context, requests: () => this.#count, defer });
    } finally {
      if (method === "hook") defer(onHook);
      this.#busy--;
      if (!isLook) {
        this.#lastAt = Date.now();
        onDone();
      }
    }
  }
}

/** What the fields of a request that say who asks must be, if they are there. */
const FIELDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  claude: (value) => typeof value === "string" && isAbsolute(value),
  cwd: (value) => typeof value === "string",
  projectDir: (value) => typeof value === "string",
  session: (value) => typeof value === "string",
  pid: (value) => typeof value === "number",
  variables: (value) => typeof value === "object" && value !== null,
};

/** Checks who asks, or throws a `daemon` MemoError: a session with a wrong folder would fail at every later look. */
export function checkCaller(params: unknown): void {
  const fields = (params ?? {}) as Readonly<Record<string, unknown>>;
  const wrong = Object.entries(FIELDS).find(([name, isRight]) =>
    fields[name] === undefined ? name === "claude" : !isRight(fields[name])
  );
  if (wrong !== undefined) {
    throw new MemoError("daemon", `Invalid request: \`${wrong[0]}\` is missing or malformed`);
  }
}
