/** Words that limit where a statement holds. */
const LIMITS =
  /(?<![\p{L}\p{N}])(?:only (?:for|in|on|when|if|with|at|to)|except|unless|apart from|nur (?:für|in|im|bei|wenn|an|am)|außer|ausgenommen|sofern|(?:solo|sólo|solamente) (?:para|en|si|cuando)|salvo|excepto|(?:seulement|uniquement) (?:pour|dans|si|en)|sauf|solo (?:per|in|se)|tranne|somente (?:para|em|se)|exceto)(?![\p{L}\p{N}])|仅限|只在|除了/iu;
const LONGEST = 160;

/** The sentence of a note's first paragraph that limits where it holds; undefined where what is shown of it says so. */
export function limitOf({ body }: { readonly body: string }, shown: string): string | undefined {
  if (LIMITS.test(shown)) return undefined;
  const [rule = ""] = body.trim().split(/\n\s*\n/, 1);
  const sentence = rule.split(/(?<=[.!?。])\s+|\n/u).find((each) => LIMITS.test(each));
  if (sentence === undefined || sentence.length <= LONGEST) return sentence;
  const at = LIMITS.exec(sentence)!.index;
  return `…${sentence.slice(at, at + LONGEST).toWellFormed()}`;
}
