// Words that oblige: a text with one of them is a rule, which a later prompt may need without resembling it.

/** Whole words and phrases of languages that put spaces between them, as regular expressions. */
const WORDS: Readonly<Record<string, string>> = {
  english:
    "never|always|must(?:n['’]t)?|shall|should(?:n['’]t)?|do not|don['’]t|may not|cannot be|not allowed|only|have to|" +
    "has to|required|forbidden|prohibited|make sure|ensure|avoid|refuse|at all costs",
  german:
    "nie|niemals|immer|muss|müssen|muß|darf|dürfen|soll|sollen|sollte|nur|stets|unbedingt|verboten|keine?[mnrs]?|" +
    "zwingend",
  spanish:
    "nunca|jamás|siempre|debe[ns]?|debemos|hay que|tienen? que|s[oó]lo|solamente|únicamente|prohibido|obligatorio|" +
    "evit(?:a|ar|e)",
  french:
    "jamais|toujours|doit|doivent|dois|devez|devons|il faut|interdit|obligatoire|uniquement|seulement|évite[rz]?",
  portuguese:
    "sempre|deve[m]?|devemos|tem que|têm que|proibido|obrigatório|somente|apenas|evit(?:ar|e)|não (?:use|faça|altere)",
  italian:
    "non (?:\\p{L}+ )?mai|deve|devono|bisogna|vietato|obbligatorio|soltanto|evita(?:re)?|non (?:usare|fare|toccare)",
  dutch: "nooit|altijd|moet(?:en)?|mag niet|mogen niet|alleen|verplicht|geen|vermijd",
  nordic: "aldrig|aldri|alltid|altid|måste|får inte|må ikke|må aldri|skal|ska|bara|endast",
  polish: "nigdy|zawsze|musi|muszą|trzeba|należy|nie wolno|tylko|zabronione",
  czech: "nikdy|vždy|musí|nesmí|pouze",
  russian:
    "никогда|всегда|долж(?:ен|на|но|ны)|нельзя|обязательно|только|надо|нужно|запрещено|не использ\\p{L}+",
  ukrainian: "ніколи|завжди|повин(?:ен|на|ні)|не можна|обов['’]язково|тільки|заборонено",
  turkish: "asla|her zaman|daima|mutlaka|yasak|sadece|\\p{L}+m[ae]l[ıi]",
  indonesian: "jangan|selalu|harus|wajib|dilarang|hanya",
  vietnamese: "không được|luôn|phải|đừng|cấm|chỉ",
  greek: "ποτέ|πάντα|πρέπει|μόνο|απαγορεύεται|μην",
  arabic: "يجب|دائما|دائمًا|أبدا|أبدًا|ممنوع|فقط|لا (?:ت\\p{L}+)",
  hebrew: "תמיד|לעולם לא|חייב|חייבים|אסור|רק",
  hindi: "हमेशा|कभी|चाहिए|ज़रूरी|केवल",
};

/** The same of languages without spaces, or with endings glued to the word. */
const GLUED: Readonly<Record<string, string>> = {
  chinese:
    "不要|不得|不能|不可|不准|不許|不许|必须|必須|务必|務必|禁止|总是|總是|始终|始終|永远|永遠|绝不|絕不|切勿|请勿|請勿|" +
    "应该|應該|应当|應當|只能|只用|一定要|严禁|嚴禁|别用|別用",
  japanese:
    "必ず|常に|絶対|決して|しないで|しないこと|してはいけない|してはならない|なければならない|べき|のみ|使わない|ください",
  korean: "항상|절대|반드시|하지 ?마|금지|해야|말 것|말아|않는다|만 사용",
};

/** What an order begins with. */
const ORDERS: Readonly<Record<string, string>> = {
  english:
    "use|prefer|favou?r|avoid|keep|ask|run|write|put|add|wrap|follow|stick to|leave|treat|stop|remember to|no|not",
  german:
    "verwende|verwenden sie|nutze|benutze|benutzt|vermeide|schreibe?|lass|frage?|führe|halte|keine?n?",
  spanish: "usa|use|usad|usar|utiliza|utilizar|prefiere|ejecuta|pon|escribe|mantén|pregunta|no",
  french: "utilise[rz]?|préfère[rz]?|écri[st]|garde[rz]?|demande[rz]?|lance[rz]?|ne|n['’]",
  portuguese: "usa|usar|utilize|prefira|execute|escreva|mantenha|pergunte|não",
  italian: "usa|usare|utilizza|mai|preferisci|esegui|scrivi|chiedi|non",
  dutch: "gebruik|schrijf|vraag|houd",
  polish: "używaj|pisz|pytaj|nie",
  russian: "используй(?:те)?|пиши(?:те)?|спрашивай(?:те)?|не",
};

const alternatives = (table: Readonly<Record<string, string>>) => Object.values(table).join("|");

const RULE = new RegExp(
  `(?<![\\p{L}\\p{N}_-])(?:${alternatives(WORDS)})(?![\\p{L}\\p{N}_-])|${alternatives(GLUED)}|` +
    `^[^\\p{L}\\p{N}]*(?:please |please, )?(?:${
      alternatives(ORDERS)
    })(?<=['’]|(?![\\p{L}\\p{N}_-]))`,
  "iu",
);
/** A rule says so at its beginning. */
const READ_CHARS = 300;

/** Whether a text obliges or orders ("never …", "use …"), in any of the languages of the table. */
export function isRule(text: string): boolean {
  return RULE.test(text.trimStart().slice(0, READ_CHARS));
}
