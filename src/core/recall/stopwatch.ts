/** Measures the steps of one recall, one after the other. */
export interface Stopwatch {
  /** Milliseconds of each step. */
  readonly laps: Record<string, number>;
  lap(name: string): void;
}

/** Starts measuring. */
export function stopwatch(): Stopwatch {
  const laps: Record<string, number> = {};
  let last = performance.now();
  return {
    laps,
    lap(name) {
      const now = performance.now();
      laps[name] = Math.round((now - last) * 100) / 100;
      last = now;
    },
  };
}
