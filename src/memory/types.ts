/** How memo treats memories of one type by default; settings override it. */
export interface TypePolicy {
  readonly name: string;
  /** The contents of memories of this type; used by help and by extraction. */
  readonly keeps: string;
  /** Name of the strategy that ranks them. */
  readonly strategy: string;
  /** Minimum score for recall, 0–1, on the scale that all strategies share. */
  readonly threshold: number;
  /** Days until confidence has faded to 0; null: permanent. */
  readonly lifespanDays: number | null;
  /** Lines in the briefing; null: not in it. */
  readonly briefingLines: number | null;
}

const permanent = { strategy: "hybrid", threshold: 0.35, lifespanDays: null, briefingLines: null };

/** Every type that memo has a policy for, in display order. An unknown type gets the row `*`. */
export const TYPES = [
  { ...permanent, name: "user", keeps: "who the user is, preferences" },
  {
    ...permanent,
    name: "feedback",
    keeps: "corrections and confirmations, with why and how to apply",
  },
  { ...permanent, name: "project", keeps: "ongoing work, decisions, deadlines" },
  { ...permanent, name: "reference", keeps: "where things are outside the repository" },
  { ...permanent, name: "tool", keeps: "a binary or service: install, config path, gotchas" },
  { ...permanent, name: "architecture", keeps: "how the system is built", briefingLines: 25 },
  { ...permanent, name: "decision", keeps: "what was decided and why", briefingLines: 25 },
  { ...permanent, name: "pattern", keeps: "conventions", briefingLines: 25 },
  { ...permanent, name: "gotcha", keeps: "traps", briefingLines: 20 },
  {
    ...permanent,
    name: "progress",
    keeps: "what is in flight",
    strategy: "recency",
    lifespanDays: 7,
    briefingLines: 30,
  },
  {
    ...permanent,
    name: "context",
    keeps: "background of the moment",
    strategy: "recency",
    lifespanDays: 30,
    briefingLines: 15,
  },
  { ...permanent, name: "*", keeps: "anything else" },
] as const satisfies readonly TypePolicy[];

/** The type of a memory without one. */
export const DEFAULT_TYPE = "project";

/** The policy of a type; the row `*` for an unknown type. */
export function policyOf(type: string): TypePolicy {
  return TYPES.find((row) => row.name === type) ?? TYPES[TYPES.length - 1]!;
}
