import { Presets, SingleBar } from "cli-progress";

/** A progress bar; `total` may grow while it runs. */
export interface Progress {
  update(done: number, total: number): void;
  stop(): void;
}

/** Signals that end the process while a bar is shown, with their exit codes. */
const ENDS = { SIGINT: 130, SIGTERM: 143 } as const;

/** Width of the bar, and of the figures behind it. */
const MIN_BAR = 4, MAX_BAR = 40, FIGURES = 22;

/** Shows a progress bar on stderr if it is a terminal. An interrupt restores the cursor. */
export function progressBar(what: string, stream: NodeJS.WriteStream = process.stderr): Progress {
  if (!stream.isTTY) return { update() {}, stop() {} };
  const bar = new SingleBar({
    format: `${what} {bar} {value}/{total} {eta_formatted}`,
    barsize: Math.max(MIN_BAR, Math.min(MAX_BAR, stream.columns - what.length - FIGURES)),
    stream,
    clearOnComplete: true,
    hideCursor: true,
  }, Presets.shades_grey);
  let started = false;
  const end = (signal: NodeJS.Signals) => {
    bar.stop();
    process.exit(ENDS[signal as keyof typeof ENDS]);
  };
  const signals = Object.keys(ENDS) as (keyof typeof ENDS)[];
  return {
    update(done, total) {
      if (!started) {
        for (const signal of signals) process.once(signal, end);
        bar.start(total, done);
      }
      started = true;
      bar.setTotal(total);
      bar.update(done);
    },
    stop() {
      if (!started) return;
      for (const signal of signals) process.off(signal, end);
      bar.stop();
    },
  };
}
