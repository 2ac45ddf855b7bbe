import { Presets, SingleBar } from "cli-progress";

/** A bar on stderr when that is a terminal, else nothing; `total` may grow while it runs. */
export interface Progress {
  update(done: number, total: number): void;
  stop(): void;
}

/** Signals that end the process while a bar stands, and the exit codes that shells know them by. */
const ENDS = { SIGINT: 130, SIGTERM: 143 } as const;

/** Shows how far a long piece of work is. Whoever interrupts it gets a cursor and line breaks back. */
export function progressBar(what: string, stream: NodeJS.WriteStream = process.stderr): Progress {
  if (!stream.isTTY) return { update() {}, stop() {} };
  const bar = new SingleBar({
    format: `${what} {bar} {value}/{total} {eta_formatted}`,
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
