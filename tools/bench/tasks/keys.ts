// The parts of each task's rule, written by hand: how a text says them, in whatever words. `policy` of the task states
// each of them, and no other policy all of one task's.

/** A part of a rule; a text states it where it matches all of `says` and none of `not`. */
export interface Part {
  readonly name: string;
  readonly says: readonly RegExp[];
  readonly not?: RegExp;
}

/** The rule of a task. */
export interface Key {
  readonly parts: readonly Part[];
  /** What an earlier conversation had decided; a text that also states what replaced it is not out of date. */
  readonly outdated?: readonly (Part & { readonly replacedBy: string })[];
}

/** By the name of the task. */
export const KEYS: Readonly<Record<string, Key>> = {
  cachekey: {
    parts: [
      { name: "stable sort by name", says: [/\bsort/i, /\bname/i, /stable|preserv|value order/i] },
      { name: "dropped parameters", says: [/utm_/, /gclid/, /fbclid/, /msclkid/] },
      { name: "utm_content kept", says: [/utm_content/, /kept|keep|except|stays|part of/i] },
      { name: "empty values dropped", says: [/empty/i, /drop|remove|gone|leave/i] },
      { name: "even utm_content", says: [/empty/i, /utm_content/] },
      { name: "scheme and host lowercased", says: [/lower-?case/i, /host/i, /scheme/i] },
      {
        name: "path keeps its case",
        says: [/path/i, /case/i, /keep|preserv|exact|untouch|never/i],
      },
      { name: "path keeps its slash", says: [/slash/i, /keep|preserv|exact|untouch|never|strip/i] },
    ],
  },
  csvquote: {
    parts: [
      { name: "formula for leading zeros", says: [/leading[- ]zero/i, /="/] },
      { name: "minimal quoting", says: [/minimal|only (if|when|where)|need/i, /quot/i] },
      { name: "CRLF", says: [/CRLF|\\r\\n/] },
    ],
  },
  deploywave: {
    parts: [
      { name: "by depth", says: [/deep|depth/i, /dep(endenc|s\b|th)/i] },
      { name: "tier, then name", says: [/\btier/i, /\bname|a-z|alphabet/i] },
      { name: "canaries first", says: [/canar/i, /wave 0|first|front|before everything/i] },
      {
        name: "canaries' dependencies are live",
        says: [/canar/i, /live|whatever|ignor|regardless/i],
      },
    ],
  },
  discount: {
    parts: [
      { name: "percent before fixed", says: [/percent/i, /fixed/i, /before|first|then|after/i] },
    ],
  },
  drainplan: {
    parts: [
      { name: "running by remaining", says: [/running|in-flight/i, /remaining/i] },
      { name: "requeue in original order", says: [/queue/i, /original/i, /order/i] },
      { name: "idempotent within the window", says: [/idempotent/i, /deadline/i, /window/i] },
      { name: "window inclusive", says: [/window/i, /inclusive|<=|≤/i] },
      {
        name: "those by deadline, then id",
        says: [/idempotent/i, /deadline[^.;]{0,40}\bids?\b|\bid\b[^.;]{0,25}tie/i],
      },
      { name: "expired ones dropped", says: [/deadline/i, /drop/i] },
      {
        name: "even idempotent ones",
        says: [/drop/i, /idempotent/i, /even|never|too|includ|any/i],
      },
      {
        name: "dropped ones returned",
        says: [/drop/i, /third|list|returned/i, /queued|deadline|expired/i],
      },
    ],
  },
  featflag: {
    parts: [
      { name: "hash of user and flag", says: [/user_?id/i, /flag/i, /:|colon/] },
      { name: "crc32 modulo 100", says: [/crc32|crc/i, /100/] },
      {
        name: "strictly below",
        says: [/percent/i, /strict|<|less than|below/i, /bucket|crc|roll-?out/i],
      },
      { name: "corp users in beta flags", says: [/corp\.example/i, /beta-/i] },
      { name: "nowhere else", says: [/corp/i, /only|non-beta|other flag|normal/i, /beta/i] },
    ],
  },
  hostallow: {
    parts: [
      {
        name: "exact without case",
        says: [/case-?\s?insensitiv|lower-?case/i, /entr(y|ies)|allow|egress/i],
      },
      { name: "exact covers no subdomain", says: [/exact/i, /suffix|subdomain/i] },
      { name: "wildcard is one label", says: [/wildcard|\*\./i, /one|single/i, /label|level/i] },
      { name: "wildcard not bare", says: [/wildcard|\*\./i, /bare|apex/i] },
      { name: "addresses exact only", says: [/\bIP/, /exact|never|only/i] },
      { name: "trailing dot stripped", says: [/trailing[- ]dot|rooted/i, /strip|normali|remov/i] },
    ],
  },
  listmerge: {
    parts: [
      { name: "union of lists", says: [/list/i, /union/i] },
      { name: "no duplicates", says: [/de-?dup|duplicat|unique|repeat/i, /list|overlay|merge/i] },
      { name: "base first", says: [/base/i, /first|order|before|then/i, /list|overlay|merge/i] },
    ],
  },
  parseflag: {
    parts: [
      { name: "exactly true and on", says: [/\btrue\b/, /\bon\b/, /exact|only/i] },
    ],
  },
  redact: {
    parts: [
      { name: "the set", says: [/password/, /token/, /api_?key/i, /ssn/i, /card_?number/i] },
      { name: "by suffix", says: [/suffix|end(s|ing)? (with|in)/i, /password|token|key|field/i] },
      {
        name: "at any depth",
        says: [/recurs|nested|depth|nesting/i, /mask|redact|password|secret|sensitive/i],
      },
      { name: "card keeps four digits", says: [/card/i, /last[- ]?(4|four)/i] },
      { name: "email stays", says: [/email/i, /stay|not|never|visible|untouched|unmasked|leave/i] },
    ],
  },
  rounding: {
    parts: [{ name: "half-cents down", says: [/half/i, /down/i] }],
  },
  sched: {
    parts: [
      { name: "highest priority", says: [/priorit/i, /desc|high|first/i, /tenant|runtime|job/i] },
      { name: "then shorter runtime", says: [/runtime/i, /short/i] },
      {
        name: "never the same tenant twice",
        says: [/tenant/i, /back-to-back|twice|consecutive|in a row|just ran|last[- ]run/i],
      },
    ],
  },
  trimstats: {
    parts: [
      { name: "the top two dropped", says: [/(top|largest|highest)[- ](2|two)/i] },
      { name: "nearest rank", says: [/nearest[- ]rank/i] },
    ],
  },
  archivename: {
    parts: [
      { name: "INV or CRN", says: [/\bINV\b/, /\bCRN\b/] },
      {
        name: "credit note below zero",
        says: [/negative|below zero|less than zero|< ?0/i, /credit|CRN/],
      },
      { name: "eight digits", says: [/\b(8|eight)[- ]digit|\b(8|eight) /i, /digit/i] },
      { name: "customer's id", says: [/customer/i, /\bids?\b/i] },
    ],
    outdated: [
      {
        name: "six digits",
        says: [/\b(6|six)[- ]digit/i],
        replacedBy: "eight digits",
      },
      {
        name: "slug of the name",
        says: [/slug/i],
        not: /no slug|not (a|the) slug|instead of|in place of|never/i,
        replacedBy: "customer's id",
      },
    ],
  },
  quiethours: {
    parts: [
      { name: "from 21 to 8", says: [/21:00|9 ?pm/i, /\b0?8:00/] },
      { name: "local time", says: [/local/i, /recipient|quiet/i] },
      { name: "only security", says: [/security/i, /only|alone/i] },
      { name: "to 10 on weekends", says: [/weekend|\bsat(urday)?\b/i, /\b10:00/] },
    ],
    outdated: [
      { name: "from 22 to 7", says: [/22:00/, /\b0?7:00/], replacedBy: "from 21 to 8" },
      {
        name: "outage exempt",
        says: [/outage/i, /exempt|both|two/i],
        not: /no longer|not exempt|outage[^.]{0,30}(waits?|held|quiet|not)/i,
        replacedBy: "only security",
      },
    ],
  },
  retrypause: {
    parts: [
      { name: "3 seconds, doubled", says: [/\b3\b|three/i, /doubl|6, ?12|\b6\b.*\b12\b/i] },
      { name: "at most 45", says: [/\b45\b/, /cap|most|max/i] },
      { name: "no jitter", says: [/jitter/i, /\bno\b|without|never|not/i] },
      {
        name: "Retry-After is a floor",
        says: [/retry-after/i, /floor|longer|larger|greater|max/i],
      },
      {
        name: "above the cap too",
        says: [/retry-after/i, /exceed|not capped|uncapped|own series|90/i],
      },
    ],
    outdated: [
      {
        name: "2 seconds",
        says: [/\b2 ?s(ec|\b)|base (is |of )?2\b/i],
        replacedBy: "3 seconds, doubled",
      },
      { name: "at most 120", says: [/\b120\b/], replacedBy: "at most 45" },
      {
        name: "Retry-After replaces",
        says: [/retry-after/i, /replac|overrid|instead of our|wins/i],
        not: /no longer|not replac|never replac|does not/i,
        replacedBy: "Retry-After is a floor",
      },
    ],
  },
};

/** What a task's policy says of an earlier rule stands behind this. */
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
export function statesPart(text: string, { says, not }: Part): boolean {
  return says.every((pattern) => pattern.test(text)) && !(not?.test(text) ?? false);
}
