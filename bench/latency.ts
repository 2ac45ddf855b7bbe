/** How a series of times is spread, in milliseconds. */
export interface Spread {
  readonly n: number;
  readonly min: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** The spread of a series; percentiles are values that were measured (nearest rank). */
export function spreadOf(samples: readonly number[]): Spread {
  const sorted = [...samples].sort((a, b) => a - b);
  return {
    n: sorted.length,
    min: sorted[0] ?? NaN,
    p50: percentile(sorted, 50),
    p95: percentile(sorted, 95),
    p99: percentile(sorted, 99),
    max: sorted.at(-1) ?? NaN,
  };
}

function percentile(sorted: readonly number[], percent: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * percent / 100) - 1)] ?? NaN;
}

/** Equal bins from the minimum to the 99th percentile, and one for larger values. */
export function binsOf(samples: readonly number[], count: number) {
  const { min, p99, max } = spreadOf(samples);
  const width = (p99 - min) / count;
  if (!(width > 0)) {
    return samples.length === 0 ? [] : [{ from: min, to: max, count: samples.length }];
  }
  const bins = Array.from({ length: count }, (_, i) => ({
    from: min + i * width,
    to: min + (i + 1) * width,
    count: 0,
  }));
  const above = { from: p99, to: max, count: 0 };
  for (const value of samples) {
    (value > p99 ? above : bins[Math.min(count - 1, Math.floor((value - min) / width))]!).count++;
  }
  return above.count === 0 ? bins : [...bins, above];
}

/** Milliseconds as people read them. */
export function formatMs(ms: number): string {
  return ms < 100 ? ms.toFixed(1) : ms.toFixed(0);
}
