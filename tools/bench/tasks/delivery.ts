import type { Share } from "../../../bench/share.ts";
import { KEYS, type Part, statesPart } from "./keys.ts";

/** What the model has in context when a task's request is typed. */
export interface Delivered {
  /** The session's start, or the text of a file that it begins with. */
  readonly start: string;
  /** The texts that came with the request. */
  readonly given: readonly string[];
}

/** Which parts of a task's rule a session got. */
export interface Delivery {
  readonly parts: Share;
  /** The same, of those added to the request; the others are in the session's start. */
  readonly withRequest: Share;
  readonly missing: readonly string[];
  /** Parts of an earlier rule in context without their replacement. */
  readonly outdated: readonly string[];
}

/** Judges a context; undefined where nobody has written down the parts of the task's rule. */
export function deliveryOf(task: string, { start, given }: Delivered): Delivery | undefined {
  const key = KEYS[task];
  if (key === undefined) return undefined;
  const units = [...start.split("\n"), ...given];
  const isIn = (texts: readonly string[]) => (part: Part) =>
    texts.some((text) => statesPart(text, part));
  const missing = key.parts.filter((part) => !isIn(units)(part));
  const stale = (key.outdated ?? []).filter((part) => {
    const newer = partOf(key.parts, part.replacedBy);
    return units.some((unit) => statesPart(unit, part) && !statesPart(unit, newer));
  });
  return {
    parts: { n: key.parts.length - missing.length, of: key.parts.length },
    withRequest: { n: key.parts.filter(isIn(given)).length, of: key.parts.length },
    missing: missing.map(({ name }) => name),
    outdated: stale.map(({ name }) => name),
  };
}

function partOf(parts: readonly Part[], name: string): Part {
  return parts.find((part) => part.name === name)!;
}
