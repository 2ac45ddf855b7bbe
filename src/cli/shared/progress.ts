/** A progress bar; `total` may grow while it runs. */
export interface Progress {
  update(done: number, total: number): void;
  stop(): void;
}

/** Width of the bar, and of the figures behind it. */
const MIN_BAR = 4, MAX_BAR = 40, FIGURES = 22;
/** Least milliseconds between two drawings. */
const PACE = 100;

/**
 * Shows a progress bar on stderr if it is a terminal. It is one line that is written again, and leaves the cursor and the
 * signals of the terminal alone, so that an interrupt has nothing to restore.
 */
export function progressBar(what: string, stream: NodeJS.WriteStream = process.stderr): Progress {
  if (!stream.isTTY) return { update() {}, stop() {} };
  const started = performance.now();
  let drawn = -Infinity;
  return {
    update(done, total) {
      const now = performance.now();
      if (now - drawn < PACE) return;
      drawn = now;
      const size = Math.max(MIN_BAR, Math.min(MAX_BAR, stream.columns - what.length - FIGURES));
      const full = total === 0 ? 0 : Math.round(Math.min(1, done / total) * size);
      const bar = "█".repeat(full) + "░".repeat(size - full);
      const left = done === 0 ? "" : ` ${sayTime((now - started) * (total - done) / done)}`;
      stream.write(`\r${what} ${bar} ${done}/${total}${left}\x1b[K`);
    },
    stop() {
      if (drawn !== -Infinity) stream.write("\r\x1b[K");
      drawn = -Infinity;
    },
  };
}

/** The first line of work that takes long, and the time between two. */
const FIRST_LINE_MS = 1000, LINE_MS = 10_000;

/** Progress of work of minutes: a bar on a terminal, and elsewhere a line on stderr now and then. */
export function progressOrLines(what: string, stream = process.stderr): Progress {
  if (stream.isTTY) return progressBar(what, stream);
  let next = performance.now() + FIRST_LINE_MS;
  return {
    update(done, total) {
      if (performance.now() < next) return;
      next = performance.now() + LINE_MS;
      stream.write(`${what}: ${done} of ${total}\n`);
    },
    stop() {},
  };
}

function sayTime(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}
