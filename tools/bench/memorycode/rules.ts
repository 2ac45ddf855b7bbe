// The rules of MemoryCode's dialogues as patterns: whether a line or a memory states one, in whatever words. A topic is
// the rule in the words of the data ("always end method names with '_x'").

/** What a rule is about; a text states it where it matches all of the first and none of the second. */
export interface Patterns {
  readonly says: readonly RegExp[];
  readonly not: readonly RegExp[];
}

const NEVER =
  /\b(never|not|n't|avoid|no|without|stop|forbidden|prohibited|off[- ]limits)\b|n['’]t\b/i;

/** What names are of, the longer term first. */
const SUBJECTS: readonly (readonly [topic: RegExp, says: RegExp])[] = [
  [/function argument/, /\b(arguments?|args?|parameters?|params?)\b/i],
  [/\bmethods?\b/, /\bmethods?\b/i],
  [/\bfunctions?\b/, /\bfunctions?\b(?!['’]?s?[- ]+(argument|parameter|arg\b|param\b))/i],
  [/\bvariable\b/, /\bvariables?\b/i],
  [/\battribute\b/, /\battributes?\b/i],
  [/\bclass(es)?\b/, /\bclass(es)?\b/i],
];

/** What is to be done, and how it may be told. */
const ACTS: readonly (readonly [topic: RegExp, says: RegExp])[] = [
  [/^always start /, /\b(start|begin|prefix)/i],
  [/^always end /, /\b(end|suffix|finish)/i],
  [/single digit/, /\b(digit|number|numeral)/i],
  [/\bimport\b/, /\bimport/i],
  [/docstrings/, /\bdocstring/i],
  [/annotations/, /\bannotat|\btype[- ]hint/i],
  [/assert statements/, /\bassert/i],
  [/try statements/, /\btry\b|try[/-]/i],
  [/add comments/, /\bcomment/i],
  [/snake_case/, /snake[_ -]?case/i],
  [/CamelCase/, /(camel|pascal)[_ -]?case/i],
];

/** Rules about work that is not code: the pattern of the topic, what says it, and whether that is with a `not`. */
const CUSTOMS: readonly (readonly [topic: RegExp, says: RegExp, isNever?: boolean])[] = [
  [/never use a profiler/, /profil/i, true],
  [/always use a profiler/, /profil/i, false],
  [/^Commit directly/, /\bdev\b.*|\bcommit.*\bdev\b/i, false],
  [/^Do not commit directly/, /\bdev\b/i, true],
  [/never use a debugger/, /\bprint\b/i],
  [/always use a debugger/, /debugger/i, false],
  [/never use the ticketing/, /ticket/i, true],
  [/always use the ticketing/, /ticket/i, false],
  [/IT room/, /\bIT room/],
  [/common area/, /common area/i],
  [/third floor/, /third[- ]floor|3rd floor/i],
  [/work from home/, /\bhome\b.*\b(three|3)\b|\b(three|3)\b.*\b(home|remote)/i],
  [/never set up CI/, /CI\/CD/i, true],
  [/always set up CI/, /CI\/CD/i, false],
  [/three or more monitors/, /\b(three|3)\b.*\bmonitors?\b|\bmonitors?\b.*\b(three|3)\b/i],
  [/two monitors/, /\b(two|2|dual)\b.*\bmonitors?\b|\bmonitors?\b.*\b(two|2)\b/i],
  [/pair programming/, /pair[- ]program/i, true],
  [/formatter/, /formatt/i, true],
  [/only when asked/, /\bteam\b.*\basked\b|\basked\b.*\bteam\b|speak when spoken/i],
  [/only when necessary/, /\bteam\b.*\bnecessary\b|\bnecessary\b.*\bteam\b/i],
  [/never write long/, /\bcommit messages?\b/i, true],
  [/always write long/, /\bcommit messages?\b.*|\blong\b.*\bcommit/i, false],
];

/** How a text states the rule of a topic; throws for one that is not known here. */
export function patternsOf(topic: string): Patterns {
  const custom = CUSTOMS.find(([pattern]) => pattern.test(topic));
  if (custom !== undefined) {
    const [, says, isNever] = custom;
    if (isNever === undefined) return { says: [says], not: [] };
    return isNever ? { says: [says, NEVER], not: [] } : { says: [says], not: [NEVER] };
  }
  const [, tool] = /^use (.+?) (?:as|for) /i.exec(topic) ?? [];
  if (tool !== undefined) return { says: [new RegExp(`\\b${escape(tool)}\\b`, "i")], not: [] };
  const act = ACTS.find(([pattern]) => pattern.test(topic));
  const subject = SUBJECTS.find(([pattern]) => pattern.test(topic));
  const quoted = [...topic.matchAll(/'([^']+)'/g)].map(([, text]) => text!)
    .filter((text) => text !== "pedantic").map((text) =>
      new RegExp(`(?<![A-Za-z0-9_])${escape(text).replace(/^@/, "@?")}(?![A-Za-z0-9_])`)
    );
  const says = [
    ...act === undefined ? [] : [act[1]],
    ...subject === undefined ? [] : [subject[1]],
    ...quoted,
  ];
  if (says.length === 0) throw new Error(`Unknown topic: ${topic}`);
  return { says, not: [] };
}

/** Begins the words about what a rule took the place of. */
const FORMER =
  /\(?(takes? the place|took the place|\breplac|\b(former|earlier|previous)(ly)?\b|\brevers|instead of|\bnot\b|no longer).*/i;

/** Whether one sentence of a text states a rule, before the words about what it took the place of. */
export function statesRule(text: string, { says, not }: Patterns): boolean {
  return text.split(/(?<=[.;!?])\s+|\n/).some((sentence) =>
    !not.some((pattern) => pattern.test(sentence.replace(/\(?\bno longer\b.*/i, ""))) &&
    (says.every((pattern) => pattern.test(sentence.replace(FORMER, ""))) ||
      (says.includes(NEVER) && says.every((pattern) => pattern.test(sentence))))
  );
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
