import { spreadOf } from "../../../bench/latency.ts";
import type { Share } from "../../../bench/share.ts";
import type { Context as Served } from "../sessions/serve.ts";
import { type Fact, type LaterPrompt, type RetentionSuite, states } from "./suite.ts";

/** The context that one later prompt had. */
export type Context = Served<LaterPrompt>;

/** What extraction left behind. */
export interface Kept {
  /** The text of every live memory. */
  readonly memories: readonly string[];
  /** Every text that was written: memories, archive, journal. */
  readonly written: readonly string[];
  /** Every text that was sent to the language model. */
  readonly sent: readonly string[];
}

/** A share, and the same of what was given in full. */
export interface Shares {
  readonly all: Share;
  readonly inFull: Share;
}

/** Quality of extraction. */
export interface KeptScore {
  readonly memories: number;
  /** Facts that must be kept, and are. */
  readonly kept: Share;
  readonly missing: readonly string[];
  /** Facts that must never be written down, and are. */
  readonly wronglyKept: readonly string[];
  /** Secrets that reached the language model. */
  readonly leaked: readonly string[];
  /** Facts that are out of date but still in a live memory that does not say so. */
  readonly stale: readonly string[];
}

/** How well later prompts were served. */
export interface ServedScore {
  readonly prompts: number;
  /** Needed facts that extraction kept: the upper bound of the figures below. */
  readonly available: Share;
  /** Needed facts in the context, as a title or with the prompt. */
  readonly inContext: Share;
  readonly asTitle: Share;
  /** Needed facts that a memory given with the prompt states. */
  readonly withPrompt: Shares;
  /** Memories given with prompts that state a fact the prompt needs. */
  readonly precision: Shares;
  /** Memories given with prompts that state a fact which is out of date. */
  readonly stale: Share;
  /** Prompts without a needed fact that got a block, by category. */
  readonly falseBlocks: Readonly<Record<string, Shares>>;
  /** Median characters of the session start and of a block. */
  readonly startChars: number;
  readonly blockChars: number;
  /** Needed facts that were kept and did not reach the context: prompt and fact. */
  readonly missed: readonly string[];
}

/** Judges what extraction left behind. */
export function scoreKept({ facts }: RetentionSuite, { memories, written, sent }: Kept): KeptScore {
  const must = facts.filter(({ keep }) => keep === "must");
  const never = facts.filter(({ keep }) => keep === "never");
  const isIn = (texts: readonly string[]) => (fact: Fact) =>
    texts.some((text) => states(text, fact));
  const kept = must.filter(isIn(memories));
  const outdated = facts.filter((fact) => facts.some(({ replaces }) => replaces === fact.id));
  return {
    memories: memories.length,
    kept: { n: kept.length, of: must.length },
    missing: must.filter((fact) => !kept.includes(fact)).map(({ id }) => id),
    wronglyKept: never.filter(isIn(written)).map(({ id }) => id),
    leaked: never.filter(({ id }) => id.startsWith("secret-")).filter(isIn(sent)).map(({ id }) =>
      id
    ),
    stale: outdated.filter(isIn(memories.filter((text) => !mendsItself(text, facts))))
      .map(({ id }) => id),
  };
}

/** Judges what later prompts had before the model. */
export function scoreServed(
  { facts, memories }: Pick<RetentionSuite, "facts"> & Pick<Kept, "memories">,
  contexts: readonly Context[],
): ServedScore {
  const byId = new Map(facts.map((fact) => [fact.id, fact]));
  const needs = contexts.flatMap((context) =>
    context.prompt.needs.map((id) => ({ context, fact: byId.get(id)! }))
  );
  const count = <T>(all: readonly T[], test: (one: T) => boolean): Share => ({
    n: all.filter(test).length,
    of: all.length,
  });
  const isTitle = ({ context, fact }: typeof needs[number]) =>
    context.start.split("\n").some((line) => states(line, fact));
  const isGiven = (inFull: boolean) => ({ context, fact }: typeof needs[number]) =>
    context.given.some((one) => (one.isInFull || !inFull) && states(one.text, fact));
  const isKept = ({ fact }: typeof needs[number]) => memories.some((text) => states(text, fact));
  const given = contexts.flatMap(({ prompt, given }) => given.map((one) => ({ prompt, ...one })));
  const inFull = given.filter(({ isInFull }) => isInFull);
  const isWanted = ({ prompt, text }: typeof given[number]) =>
    prompt.needs.some((id) => states(text, byId.get(id)!));
  const outdated = facts.filter((fact) => facts.some(({ replaces }) => replaces === fact.id));
  const idle = contexts.filter(({ prompt }) => prompt.needs.length === 0);
  return {
    prompts: contexts.length,
    available: count(needs, isKept),
    inContext: count(needs, (need) => isTitle(need) || isGiven(false)(need)),
    asTitle: count(needs, isTitle),
    withPrompt: { all: count(needs, isGiven(false)), inFull: count(needs, isGiven(true)) },
    precision: { all: count(given, isWanted), inFull: count(inFull, isWanted) },
    stale: count(
      given,
      ({ text }) => outdated.some((fact) => states(text, fact)) && !mendsItself(text, facts),
    ),
    falseBlocks: Object.fromEntries(
      [...Map.groupBy(idle, ({ prompt }) => prompt.category)].map((
        [category, its],
      ) => [category, {
        all: count(its, ({ given }) => given.length > 0),
        inFull: count(its, ({ given }) => given.some(({ isInFull }) => isInFull)),
      }]),
    ),
    startChars: spreadOf(contexts.map(({ start }) => start.length)).p50,
    blockChars: spreadOf(contexts.map(({ blockChars }) => blockChars)).p50,
    missed: needs.filter((need) => isKept(need) && !isTitle(need) && !isGiven(false)(need))
      .map(({ context, fact }) => `${context.prompt.id} ${fact.id}`),
  };
}

/** States that something no longer applies. */
const OVER = /\b(gone|no longer|not any more|removed|dropped|ya no|nicht mehr)\b/i;

/** Whether a text states the newer fact too, or says that the older one is over: then it is not out of date. */
function mendsItself(text: string, facts: readonly Fact[]): boolean {
  return OVER.test(text) || facts.some((fact) => fact.replaces !== undefined && states(text, fact));
}
