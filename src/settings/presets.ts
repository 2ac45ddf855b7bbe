/** A named trade-off between quality and cost of recall; per-type settings override it. */
export interface Preset {
  readonly name: string;
  /** The strategy of every type; undefined: each type's own row. */
  readonly strategy: string | undefined;
  readonly summary: string;
}

/** Every preset, cheapest first. */
export const PRESETS = [
  { name: "local", strategy: undefined, summary: "nothing is sent anywhere" },
  { name: "balanced", strategy: "verify", summary: "an LLM judges likely hits" },
  { name: "best", strategy: "sidequery", summary: "an LLM picks from all titles" },
] as const satisfies readonly Preset[];

/** The strategy that a preset puts in the place of a type's own. */
export function presetStrategy(name: string): string | undefined {
  return PRESETS.find((preset) => preset.name === name)?.strategy;
}
