import { Presets, SingleBar } from "cli-progress";

/** A bar on stderr when that is a terminal, else nothing; `total` may grow while it runs. */
export interface Progress {
  update(done: number, total: number): void;
  stop(): void;
}

/** Shows how far a long piece of work is. */
export function progressBar(what: string): Progress {
  if (!process.stderr.isTTY) return { update() {}, stop() {} };
  const bar = new SingleBar({
    format: `${what} {bar} {value}/{total} {eta_formatted}`,
    stream: process.stderr,
    clearOnComplete: true,
    hideCursor: true,
  }, Presets.shades_grey);
  let started = false;
  return {
    update(done, total) {
      if (!started) bar.start(total, done);
      started = true;
      bar.setTotal(total);
      bar.update(done);
    },
    stop() {
      if (started) bar.stop();
    },
  };
}
