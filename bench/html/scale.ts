/** From values to places in a plot, with the values to mark. */
export interface Scale {
  readonly ticks: readonly number[];
  (value: number): number;
}

export interface ScaleOptions {
  /** Smallest and largest value. */
  readonly domain: readonly [number, number];
  /** Where they are in the plot. */
  readonly range: readonly [number, number];
}

/** Equal steps in the plot for equal differences; the domain is widened to round values. */
export function linear({ domain: [low, high], range: [start, end] }: ScaleOptions): Scale {
  const step = roundStep((high - low || 1) / 5);
  const from = Math.floor(low / step) * step;
  const to = Math.max(from + step, Math.ceil(high / step - 1e-9) * step);
  const ticks = Array.from(
    { length: Math.round((to - from) / step) + 1 },
    (_, i) => Number((from + i * step).toPrecision(12)),
  );
  const place = (value: number) => start + (value - from) / (to - from) * (end - start);
  return Object.assign(place, { ticks });
}

/** Equal steps in the plot for equal ratios. */
export function logarithmic({ domain: [low, high], range: [start, end] }: ScaleOptions): Scale {
  const from = Math.log10(low), to = Math.max(Math.log10(high), from + 0.1);
  const place = (value: number) => start + (Math.log10(value) - from) / (to - from) * (end - start);
  const ticks: number[] = [];
  for (let power = Math.floor(from); power <= to; power++) {
    for (const digit of [1, 2, 5]) {
      const tick = digit * 10 ** power;
      if (tick >= low * 0.999 && tick <= high * 1.001) ticks.push(Number(tick.toPrecision(3)));
    }
  }
  return Object.assign(place, { ticks });
}

/** 1, 2 or 5 times a power of ten, at least as large. */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  return power * [1, 2, 5, 10].find((digit) => digit * power >= step * 0.999)!;
}
