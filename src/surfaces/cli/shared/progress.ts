/** A progress bar; `total` may grow while it runs. */
export interface Progress extends Disposable {
  readonly update: (done: number, total: number) => void;
  readonly stop: () => void;
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
  const started = performance.now();
  let drawn = -Infinity;
  const update = (done: number, total: number) => {
    const now = performance.now();
    if (!stream.isTTY || now - drawn < PACE) return;
    drawn = now;
    const size = Math.max(MIN_BAR, Math.min(MAX_BAR, stream.columns - what.length - FIGURES));
    const full = total === 0 ? 0 : Math.round(Math.min(1, done / total) * size);
    const bar = "█".repeat(full) + "░".repeat(size - full);
    const left = done === 0 ? "" : ` ${formatTime((now - started) * (total - done) / done)}`;
    stream.write(`\r${what} ${bar} ${done}/${total}${left}\x1b[K`);
  };
  const stop = () => {
    if (drawn !== -Infinity) stream.write("\r\x1b[K");
    drawn = -Infinity;
  };
  return { update, stop, [Symbol.dispose]: stop };
}

/** The first line of work that takes long, and the time between two. */
const FIRST_LINE_MS = 1000, LINE_MS = 10_000;

/** Progress of work of minutes: a bar on a terminal, and elsewhere a line on stderr now and then. */
export function progressOrLines(what: string, stream = process.stderr): Progress {
  const bar = progressBar(what, stream);
  let next = performance.now() + FIRST_LINE_MS;
  return stream.isTTY ? bar : {
    ...bar,
    update(done, total) {
      if (performance.now() < next) return;
      next = performance.now() + LINE_MS;
      stream.write(`${what}: ${done} of ${total}\n`);
    },
  };
}

/** Runs work, and shows how far each of its stages is. */
export async function withBars<T>(
  work: (onProgress: (what: string, done: number, total: number) => void) => Promise<T>,
): Promise<T> {
  let current: { readonly what: string; readonly bar: Progress } | undefined;
  try {
    return await work((what, done, total) => {
      if (current?.what !== what) {
        current?.bar.stop();
        current = { what, bar: progressOrLines(what) };
      }
      current.bar.update(done, total);
    });
  } finally {
    current?.bar.stop();
  }
}

function formatTime(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}
