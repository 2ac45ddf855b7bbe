import { createHash } from "node:crypto";

/** Whose hooks sent an event: the settings', or those of memo as a plugin. */
export type HookOrigin = "settings" | "plugin";

/** Both hooks of an event start at the same moment. */
const TWINS_MS = 10_000;

/** Tells an event that settings and plugin both send, of which the first is answered; of one sender, all are. */
export class Served {
  readonly #now: () => number;
  readonly #last = new Map<string, { readonly origin: HookOrigin; readonly at: number }>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Whether the other sender's hook has brought this very input already. */
  isTwin(input: unknown, origin: HookOrigin): boolean {
    const now = this.#now();
    for (const [key, { at }] of this.#last) if (now - at > TWINS_MS) this.#last.delete(key);
    const key = createHash("sha256").update(JSON.stringify(input) ?? "").digest("hex");
    const before = this.#last.get(key);
    if (before !== undefined && before.origin !== origin) return true;
    this.#last.set(key, { origin, at: now });
    return false;
  }
}
