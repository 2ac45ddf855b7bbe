import { messageOf } from "../../errors.ts";
import type { Log } from "../files/log.ts";

/** Work that runs once an answer is out, and learns whether the client took it. */
export type Deferred = (isTaken: boolean) => unknown;

/** Runs the work that answers have left; what fails is logged, and ends neither the rest nor the daemon. */
export function runDeferred(deferred: readonly Deferred[], isTaken: boolean, log: Log): void {
  for (const work of deferred) {
    Promise.resolve().then(() => work(isTaken))
      .catch((error) => log("defer", { failed: messageOf(error) }));
  }
}
