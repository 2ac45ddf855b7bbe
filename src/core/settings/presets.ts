/** A named trade-off between quality and cost of recall; per-type settings override it. */
export interface Preset {
  readonly name: string;
  /** The strategy of every type; undefined: each type's own row. */
  readonly strategy: string | undefined;
  readonly summary: string;
  /** What its questions cost; undefined: it asks nobody. */
  readonly asks?: Asks | undefined;
}

/** Tokens per prompt, measured by `memo bench`: `retention` for a small store, `coding-agent` for a large one. */
export interface Asks {
  /** Read, with some twenty memories in a project. */
  readonly small: number;
  /** Read, with 266 memories, where lists of titles are cut. */
  readonly large: number;
  readonly output: number;
}

/** Every preset, cheapest first. */
export const PRESETS = [
  { name: "local", strategy: undefined, summary: "nothing is sent anywhere" },
  {
    name: "balanced",
    strategy: "verify",
    summary: "an LLM judges likely hits",
    asks: { small: 485, large: 650, output: 75 },
  },
  {
    name: "best",
    strategy: "sidequery",
    summary: "an LLM picks from all titles",
    asks: { small: 1240, large: 3000, output: 80 },
  },
] as const satisfies readonly Preset[];

/** The strategy that a preset puts in the place of a type's own. */
export function presetStrategy(name: string): string | undefined {
  return PRESETS.find((preset) => preset.name === name)?.strategy;
}
