import { patternsIn } from "../text/tables.ts";
import personal from "./personal.tsv" with { type: "text" };

/** What memories of a type are taken for, each with what follows from it and why others are not. */
export const TRAITS = {
  rule: "its title is a rule, listed before facts at session start",
  work:
    "it applies to whoever does the work: it is shown with a file and to subagents; facts about the user are not",
  order: "it says what to do, so it is never a fact, however it is worded",
  wish:
    "the user's own words: it ranks above what is only about the same thing, and is never taken from a tool's output",
  replaceable: "a newer one replaces an older one",
  private: "how a person works: `capture.scope=shared` does not put it into a repository",
  aside: "it is never shown with an error",
} as const;
export type Trait = keyof typeof TRAITS;

/** How memo treats memories of one type by default; settings override it. */
export interface TypePolicy {
  readonly name: string;
  /** The contents of memories of this type; used by help and by extraction. */
  readonly keeps: string;
  /** One of them, as it would be said. */
  readonly example: string;
  /** Name of the strategy that ranks them. */
  readonly strategy: string;
  /** Minimum score for recall, 0–1, on the scale that all strategies share. */
  readonly threshold: number;
  /** Days until confidence has faded to 0; null: permanent. */
  readonly lifespanDays: number | null;
  /** Lines in the briefing; null: not in it. */
  readonly briefingLines: number | null;
  /** Place at a session's start, the most binding first. */
  readonly binding: number;
  readonly traits: readonly Trait[];
}

/** Every type that memo has a policy for, in display order. An unknown type gets the row `*`. */
export const TYPES = withDefaults([
  {
    name: "user",
    keeps: "who the user is, preferences",
    example: "I prefer tabs, and short answers",
    binding: 1,
    traits: ["rule", "wish", "replaceable", "aside"],
  },
  {
    name: "feedback",
    keeps: "corrections and confirmations, with why and how to apply",
    example: "Never push to main; open a pull request",
    binding: 2,
    traits: ["rule", "work", "order", "wish", "replaceable", "private"],
  },
  {
    name: "project",
    keeps: "ongoing work, decisions, deadlines",
    example: "The invoice export must be live by March 1",
    binding: 7,
    traits: ["replaceable"],
  },
  {
    name: "reference",
    keeps: "where things are outside the repository",
    example: "Errors are in Sentry, project shop-web",
    binding: 9,
  },
  {
    name: "tool",
    keeps: "a binary or service: install, config path, gotchas",
    example: "just is in ~/.cargo/bin; it reads .env by itself",
    binding: 8,
    traits: ["private"],
  },
  {
    name: "architecture",
    keeps: "how the system is built",
    example: "Orders reach billing through a queue, never by a call",
    briefingLines: 20,
    binding: 6,
  },
  {
    name: "decision",
    keeps: "what was decided and why",
    example: "SQLite, not Postgres: one file, no server to run",
    briefingLines: 20,
    binding: 3,
    traits: ["rule", "work", "order", "replaceable"],
  },
  {
    name: "pattern",
    keeps: "conventions",
    example: "Each handler validates its input with zod",
    briefingLines: 20,
    binding: 4,
    traits: ["rule", "work", "order"],
  },
  {
    name: "gotcha",
    keeps: "traps",
    example: "The local database listens on 5433, not 5432",
    briefingLines: 20,
    binding: 5,
    traits: ["rule", "work"],
  },
  {
    name: "progress",
    keeps: "what is in flight",
    example: "The migration of carts is half done; tests are next",
    strategy: "recency",
    lifespanDays: 7,
    briefingLines: 30,
    binding: 10,
    traits: ["aside"],
  },
  {
    name: "context",
    keeps: "background of the moment",
    example: "Ada is away this week; Bo reviews",
    strategy: "recency",
    lifespanDays: 30,
    briefingLines: 15,
    binding: 11,
    traits: ["aside"],
  },
  {
    name: "*",
    keeps: "anything else",
    example: "a type of your own, such as `recipe`",
    binding: 12,
  },
]);

/** Rows with what holds for most types: they are permanent, and found by words and meaning. */
function withDefaults(
  rows:
    readonly (Partial<TypePolicy> & Pick<TypePolicy, "name" | "keeps" | "example" | "binding">)[],
): readonly TypePolicy[] {
  const usual = { strategy: "hybrid", threshold: 0.35, lifespanDays: null, briefingLines: null };
  return rows.map((row) => ({ ...usual, traits: [], ...row }));
}

/** The names of the types with a policy; others are the user's own. */
export const KNOWN_TYPES: readonly string[] = TYPES.map(({ name }) => name).filter((name) =>
  name !== "*"
);

/** The policy of a type; the row `*` for an unknown type. */
export function policyOf(type: string): TypePolicy {
  return TYPES.find((row) => row.name === type) ?? TYPES[TYPES.length - 1]!;
}

/** Whether memories of a type are taken for something. */
export function hasTrait(type: string, trait: Trait): boolean {
  return policyOf(type).traits.includes(trait);
}

/** The types whose memories are taken for something. */
export function typesThat(trait: Trait): string[] {
  return TYPES.filter(({ name }) => hasTrait(name, trait)).map(({ name }) => name);
}

/** The type of a memory without one. */
export const DEFAULT_TYPE = "project";

const PERSONAL = patternsIn(personal);

/** Whether a text is about its writer, and so applies in every project. */
export function isPersonal(text: string): boolean {
  return PERSONAL.some((pattern) => pattern.test(text.replaceAll("’", "'")));
}
