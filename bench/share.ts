/** A share and its total. */
export interface Share {
  readonly n: number;
  readonly of: number;
}

/** A share as people read it. */
export function percent({ n, of }: Share): string {
  return of === 0 ? "–" : `${Math.round(100 * n / of)} %`;
}
