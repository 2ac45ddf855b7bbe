import { INTERRUPTED } from "../shared/interrupted.ts";

/** Keeps Ctrl-C from stopping within a change. */
export interface Interrupts {
  /** Runs a change; an interrupt takes effect after it. */
  whole<T>(change: () => T | Promise<T>): Promise<T>;
  /** Ends the watch: all is done, or the caller says what is not. */
  end(): void;
}

/** Watches for an end of the process before all is done; `report` then says how far it came. */
export function watchInterrupts(report: () => void): Interrupts {
  let [isChanging, isAsked] = [false, false];
  const stop = () => {
    if (isChanging) isAsked = true;
    else process.exit(INTERRUPTED);
  };
  process.on("SIGINT", stop);
  process.on("exit", report);
  return {
    async whole(change) {
      isChanging = true;
      try {
        return await change();
      } finally {
        isChanging = false;
        if (isAsked) process.exit(INTERRUPTED);
      }
    },
    end() {
      process.off("SIGINT", stop);
      process.off("exit", report);
    },
  };
}
