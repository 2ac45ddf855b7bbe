/** Shorter words are left as they are: `bus`, `does`, `tags` but for the plural. */
const MIN_PLURAL = 4, MIN_STEM = 5, MIN_ING = 6;

/**
 * An index term without its ending, so that `migrations`, `migrating` and `migrate` are one term. Made for English
 * (the plurals of Spanish, French and Portuguese come out right as well) and cautious: a fuller stemmer
 * (Porter's) measured no better, and joined words that have nothing to do with each other.
 */
export function stem(term: string): string {
  if (!/^[a-z]+$/.test(term)) return term;
  const single = singular(term);
  if (single.length < MIN_STEM) return single;
  const bare = withoutVerbEnding(single);
  if (bare.length < MIN_PLURAL) return bare;
  if (bare.endsWith("e")) return bare.slice(0, -1);
  return bare.endsWith("y") ? bare.slice(0, -1) + "i" : bare;
}

function singular(word: string): string {
  if (word.length < MIN_PLURAL) return word;
  if (word.endsWith("ies") && word.length > MIN_PLURAL) return word.slice(0, -3) + "y";
  if (/(ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2);
  return /[^sui]s$/.test(word) ? word.slice(0, -1) : word;
}

function withoutVerbEnding(word: string): string {
  const ending = /(ing|ed)$/.exec(word)?.[0];
  if (ending === undefined || (ending === "ing" && word.length < MIN_ING)) return word;
  const bare = word.slice(0, -ending.length);
  if (!/[aeiouy]/.test(bare)) return word; // `string`, `shred`
  return /([bdfgkmnprtv])\1$/.test(bare) ? bare.slice(0, -1) : bare; // `stopped`, `running`
}
