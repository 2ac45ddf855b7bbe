/** Programs that run their input … */
const SHELL = String
  .raw`(?:sudo\s+)?(?:(?:ba|z|da|k|c|tc|fi|a|pw)?sh|powershell|iex|invoke-expression)\b`;
/** … and those that do so without arguments. */
const INTERPRETER = String.raw`(?:sudo\s+)?(?:python3?|perl|ruby|node)\b`;
/** Before a pipe, outside table rows. */
const PIPED = String.raw`(?<=^(?!\s*\|)[^\n]{0,300})\|\s*`;
/** Files that hold keys, in any project. */
const KEYS = String
  .raw`(?:\.ssh\b|id_rsa|id_ed25519|\.aws\b|\.netrc|\.npmrc|\.pypirc|\.env\b|\$\((?:env|printenv)\b)`;
const SENDER = String.raw`(?:curl|wget|nc|ncat|scp|rsync)\b`;

/** Commands that no memory needs, the same in every language. */
const COMMANDS: readonly RegExp[] = [
  new RegExp(String.raw`${PIPED}${SHELL}`, "im"),
  new RegExp(String.raw`${PIPED}${INTERPRETER}\s*-?\s*(?=$|[\`'").,;&])`, "im"),
  new RegExp(
    String.raw`\b(?:curl|wget|iwr|invoke-webrequest)\b[^\n]{0,300}\|\s*(?:${SHELL}|${INTERPRETER})`,
    "i",
  ),
  /\b(?:\w*sh|eval|source)\b[^\n]{0,40}[<$]\(\s*(?:curl|wget)\b/i,
  /\b(?:pip3?|pipx|uvx?|npm|npx|pnpm|yarn|bunx?|gem|deno|(?:ba|z)?sh)\s+(?:[\w-]+\s+){0,4}(?:git\+)?https?:\/\//i,
  new RegExp(String.raw`\b${SENDER}[^\n]{0,300}${KEYS}`, "i"),
  new RegExp(String.raw`${KEYS}[^\n]{0,100}\|[^\n]{0,100}${SENDER}`, "i"),
  /https?:\S{0,300}\$\(\s*(?:env|printenv|cat)\b/i,
  /\brm\s+-\w*[rf]\w*\s+(?:~|\/|\$HOME)/i,
  /\bdangerously-?skip-?permissions\b|\bbypassPermissions\b/i,
  // Encoded data; a key's digest is shorter.
  /(?<![\w+/])(?=[a-z0-9+/]*[A-Z])(?=[A-Z0-9+/]*[a-z])(?=[a-zA-Z+/]*\d)[\w+/]{100,}={0,2}/,
];

/** Requests to forget instructions, by language: verb, determiner and object. */
const FORGET: readonly (readonly [verb: string, which: string, what: string])[] = [
  [
    "(?:ignore|disregard|forget|override)",
    String.raw`\b(?:previous|prior|earlier|above|all|other)\b`,
    "(?:instruction|rule|prompt|memor|guideline)",
  ],
  [
    "(?:ignor|olvid|descart)(?:a|e|ar|en|ad|es)",
    "(?:anterior|previ|tod[ao]s|demás)",
    "(?:instruccion|regla|indicacion|memoria)",
  ],
  [
    "(?:ignor|oubli)(?:e|es|er|ez)",
    "(?:précédent|antérieur|tout|ci-dessus|autres)",
    "(?:instruction|consigne|règle|directive|mémoire)",
  ],
  [
    "(?:ignorier|vergiss|vergesst|missacht)\\p{L}*",
    "(?:vorherig|bisherig|früher|obig|vorig|alle|ander)",
    "(?:anweisung|regel|vorgabe|instruktion|erinnerung)",
  ],
  [
    "(?:ignor|esqueç|desconsider)(?:a|e|ar|em|as)",
    "(?:anterior|prévi|tod[ao]s|demais|acima)",
    "(?:instruç|regra|orientaç|memória)",
  ],
  [
    "(?:忽略|无视|無視|忘记|忘記|忘掉)",
    "(?:之前|以前|先前|前面|上述|以上|所有|一切|其他)",
    "(?:指令|指示|规则|規則|提示|说明|說明|记忆|記憶)",
  ],
];

/** Requests to hide something from the user. */
const CONCEAL: readonly string[] = [
  String
    .raw`(?:do not|don't|never|without)\s+(?:tell|inform|ask|mention\w*\s+(?:it\s+)?to|telling|asking|informing)\s+the\s+user`,
  String
    .raw`(?:no\s+(?:se\s+lo\s+|le\s+)?(?:digas?|menciones?|informes?|cuentes?|preguntes?|avises?)|sin\s+(?:avisar|decir|preguntar|informar))\b[^\n.]{0,30}\busuari`,
  String
    .raw`(?:ne\s+(?:le\s+)?(?:dis|dites|mentionne\w*|informe\w*|demande\w*|préviens|prévenez)\s+(?:pas|rien|jamais)|sans\s+(?:le\s+)?(?:dire|informer|prévenir|demander))[^\n.]{0,30}\butilisat`,
  String
    .raw`(?:nutzer|anwender)\p{L}*[^\n.]{0,20}\b(?:nicht|nichts|nie)\b[^\n.]{0,20}\b(?:sag|erzähl|frag|informier|erwähn|mitteil)`,
  String
    .raw`(?:sag|erzähl|frag|informier|erwähn)\p{L}*[^\n.]{0,20}(?:nutzer|anwender)\p{L}*[^\n.]{0,20}\b(?:nicht|nichts)\b`,
  String
    .raw`(?:não\s+(?:o\s+|lhe\s+)?(?:diga|conte|mencione|informe|pergunte|avise)\w*|sem\s+(?:avisar|dizer|perguntar|informar))\b[^\n.]{0,30}\b(?:usuári|utilizador)`,
  "(?:不要|别|別|勿|不得|不能)(?:告诉|告訴|告知|通知|询问|詢問|提及)[^\\n。]{0,10}(?:用户|用戶|使用者)",
];

/** Behind a verb that may be a noun ("upload key in the CI secret"): it is one if something is said of it, and no place follows. */
const NOUN = String
  .raw`\s+(?!(?:all|any|anything|both|everything|it|that|them|these|this|those|whatever|what)\b)[\w-]*[^\Ws]\s+(?:in|is|on|for)\b(?![^\n.]*(?:\b(?:in)?to\b|https?:|@))`;

/** Instructions that no memory needs. */
const ORDERS: readonly RegExp[] = [
  ...COMMANDS,
  ...FORGET.map(([verb, which, what]) =>
    new RegExp(`${verb}(?=[^\\n.。]{0,80}${which})[^\\n.。]{0,60}${what}`, "iu")
  ),
  ...CONCEAL.map((order) => new RegExp(order, "iu")),
  new RegExp(
    String.raw`\b(?:send|upload|post(?!\s+\/)|exfiltrate|forward)\b(?!${NOUN})[^\n.]{0,80}` +
      String.raw`\b(?:secret|credential|token|password|api key|\.env|ssh key|private key)`,
    "i",
  ),
];

/**
 * Whether a text asks for something that the user has not asked for. The text of a web page or file is not the user's
 * wish, and the model may have mistaken it for one.
 */
export function isSuspect(text: string, typed = ""): boolean {
  const said = plain(typed);
  return ORDERS.some((order) => {
    const found = order.exec(text)?.[0];
    return found !== undefined && !said.includes(plain(found));
  });
}

function plain(text: string): string {
  return text.toLowerCase().replace(/\s+/g, " ");
}
