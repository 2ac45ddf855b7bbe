/**
 * How people describe themselves and their preferences. Only phrases that are hardly ever about a project: a preference
 * that stays in one project is a nuisance; a project's fact that is recalled in all of them is a leak.
 * So "call me Ana" is here, and "ask me before you deploy" is not.
 */
const PERSONAL: readonly RegExp[] = [
  // English
  /\bI(?:'m| am) (?:an? |the |from |based |living |called |new to |bad at |good at |colou?r.?blind|left.handed|dyslexic)/i,
  /\bI (?:\w+ )?(?:prefer|like|love|hate|dislike|want you|don't (?:like|want)|do not (?:like|want)|speak|live)\b/i,
  /\b(?:call|answer|reply to|address|talk to|speak to|write to|explain to|give|spare) me\b/i,
  /\bmy (?:name|preference|favou?rite|native language|pronouns|time ?zone|timezone|birthday|job|role|editor|shell|dotfiles)\b/i,
  // Spanish
  /\b(?:prefiero|odio|detesto|me (?:gustan?|llamo|encantan?|molestan?)|no me gustan?)\b/i,
  /(?:^|[^\p{L}])(?:resp[oó]ndeme|contést[ae]me|contestame|háblame|hablame|llámame|llamame|expl[ií]came|escríbeme|tutéame|trátame)/iu,
  /\bmi (?:nombre|idioma|editor|zona horaria|cumpleaños|trabajo|puesto)\b/i,
  /(?:^|[^\p{L}])soy (?:un|una|el|la|de|desarrollador|desarrolladora|programador|programadora)(?!\p{L})/iu,
  // French
  /(?:^|[^\p{L}])(?:je préfère|je n'aime pas|j'aime|je déteste|je m'appelle|je suis (?:une? |dév))/iu,
  /(?:^|[^\p{L}])(?:réponds|parle|écris|explique|appelle|dis|tutoie)[- ]moi(?!\p{L})/iu,
  /(?:^|[^\p{L}])mon (?:nom|prénom|éditeur|fuseau)(?!\p{L})/iu,
  // German
  /(?:^|[^\p{L}])ich (?:bevorzuge|mag|hasse|heiße|bin (?:ein|eine|der|die)|möchte|arbeite lieber)(?!\p{L})/iu,
  /(?:^|[^\p{L}])(?:antworte|antworten sie|schreib|schreibe|erkläre|sag|nenn|nenne|duz|duze) (?:mir|mich)(?!\p{L})/iu,
  /(?:^|[^\p{L}])mein (?:name|editor)(?!\p{L})/iu,
  // Portuguese, Italian
  /(?:^|[^\p{L}])(?:prefiro|odeio|eu gosto|não gosto|me chamo|me responda|responda-me|preferisco|odio|mi piace|mi chiamo|rispondimi|chiamami)(?!\p{L})/iu,
  // Chinese, Japanese, Korean
  /我(?:喜欢|喜歡|偏好|更喜欢|更喜歡|不喜欢|不喜歡|讨厌|討厭|叫|是)|(?:回答|叫|称呼|告诉)我|私(?:は|の名前)|私に|나는|저는|내 이름/u,
];

/** Whether a text is about its writer, and so applies in every project. */
export function isPersonal(text: string): boolean {
  return PERSONAL.some((pattern) => pattern.test(text.replaceAll("’", "'")));
}
