import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { type Fact, states } from "../retention/suite.ts";

/** A part of a rule; a text states it where it matches all of `says` and not `not`. */
export interface Part extends Pick<Fact, "says"> {
  readonly name: string;
  readonly not?: string;
}

/** The rule of a task. */
export interface Key {
  readonly parts: readonly Part[];
  /** What an earlier conversation had decided; a text that also states what replaced it is not out of date. */
  readonly outdated?: readonly (Part & { readonly replacedBy: string })[];
}

/** By the name of the task: memo's own, and those of sde-bench. */
export const KEYS: Readonly<Record<string, Key>> = parse(
  readFileSync(new URL("../../../bench/suites/tasks/keys.yaml", import.meta.url), "utf8"),
);

/** Introduces what a task's policy says about an earlier rule. */
const SUPERSEDED = "; superseded:";

/** A task's rule as it is now, in the words of its judge, and what was decided before. */
export function ruleOf(policy: string): { readonly now: string; readonly before: string } {
  const [now = "", before = ""] = policy.split(SUPERSEDED);
  return { now, before };
}

/** The parts of a key that the policy of its task does not state: then one of the two is wrong. */
export function strangeParts({ parts, outdated = [] }: Key, policy: string): string[] {
  const { now, before } = ruleOf(policy);
  return [
    ...parts.filter((part) => !statesPart(now, part)),
    ...outdated.filter((part) => !statesPart(before, part)),
  ].map(({ name }) => name);
}

/** Whether a text states a part of a rule. */
export function statesPart(text: string, part: Part): boolean {
  return states(text, part) && !(part.not !== undefined && states(text, { says: [part.not] }));
}
