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

/** Words that say what holds in every case, or where something ends or begins, as regular expressions. */
const GENERAL: Readonly<Record<string, string>> = {
  english:
    "every|each|all|any|anything|everything|everyone|anyone|nobody|no one|nothing|none|neither|no|not|\\p{L}+n['’]t|" +
    "without|unless|until|first|before|at most|at least|more than|less than|longer than|instead of|rather than|" +
    "needs?|requires?|rejected",
  german:
    "jede[rmsn]?|alle[smnr]?|niemand|nichts|nicht|ohne|bis|erst|zuerst|vor|vorher|bevor|höchstens|mindestens|statt|" +
    "außer|sobald|braucht|brauchen",
  spanish:
    "tod[oa]s?|cada|cualquiera?|ning[uú]n[oa]?|nadie|nada|no|sin|salvo|hasta|antes|primero|al menos|como m[aá]ximo|" +
    "como mucho|más de|menos de|en vez de|en lugar de|necesitan?",
  french:
    "tous|toutes?|tout|chaque|aucune?|personne|rien|pas|sans|sauf|jusqu['’]|avant|d['’]abord|au moins|au plus|" +
    "au lieu de|plus de",
  portuguese:
    "tod[oa]s?|cada|qualquer|nenhuma?|ninguém|nada|não|sem|salvo|até|antes|primeiro|pelo menos|no máximo|em vez de",
  italian:
    "ogni|tutt[oaie]|qualsiasi|nessun[oa]?|niente|non|senza|salvo|fino a|prima|almeno|al massimo|invece di",
  dutch: "elke?|alle|niemand|niets|niet|zonder|tot|eerst|voor|minstens|hoogstens|in plaats van",
  nordic:
    "alla|alle|allt|alt|varje|hver|hvert|ingen|inte|ikke|utan|uden|uten|först|først|före|før|minst|högst|højst",
  polish:
    "każd[yaeą]|wszystk(?:o|ie|ich)|nikt|nic|bez|dopóki|najpierw|przed|co najmniej|najwyżej|zamiast",
  czech: "každ[ýáéou]|všechn[yao]|nikdo|nic|bez|dokud|nejdříve|před|alespoň|nejvýše|místo",
  russian:
    "кажд(?:ый|ая|ое|ые|ого|ому|ой)|вс[её]|всех|никто|ничего|не|без|пока|сначала|перед|прежде|минимум|максимум|вместо",
  ukrainian:
    "кожн(?:ий|а|е|ого)|всі|усі|ніхто|нічого|не|без|поки|спочатку|перед|щонайменше|замість",
  turkish: "her|tüm|bütün|hiçbir|kimse|değil|önce|kadar|en az|en fazla|yerine",
  indonesian: "setiap|semua|tidak|tanpa|sebelum|dulu|sampai|minimal|maksimal",
  vietnamese: "mọi|tất cả|mỗi|không|trước|cho đến|ít nhất|tối đa|thay vì",
  greek: "κάθε|όλ(?:α|οι|ες)|κανένας|τίποτα|δεν|χωρίς|πριν|πρώτα|μέχρι|τουλάχιστον|αντί",
  arabic: "كل|جميع|لا|ليس|بدون|قبل|حتى|أولا|بدلا من",
  hebrew: "כל|אף|לא|בלי|לפני|עד|קודם|לפחות|במקום",
  hindi: "हर|सभी|कोई नहीं|नहीं|बिना|पहले|तक|बजाय",
};

/** The same of languages without spaces, or with endings glued to the word. */
const GLUED_GENERAL: Readonly<Record<string, string>> = {
  chinese: "每|所有|任何|全部|没有|沒有|无需|不|之前|以前|先|直到|至少|最多|而不是",
  japanese: "すべて|全て|毎|どの|ない|ません|なし|前に|まず|まで|以上|以下|代わりに",
  korean: "모든|모두|매번|없|않|먼저|전에|까지|이상|이하|대신",
};

const alternatives = (table: Readonly<Record<string, string>>) => Object.values(table).join("|");

const RULE = new RegExp(
  `(?<![\\p{L}\\p{N}_-])(?:${alternatives(WORDS)})(?![\\p{L}\\p{N}_-])|${alternatives(GLUED)}|` +
    `^[^\\p{L}\\p{N}]*(?:please |please, )?(?:${
      alternatives(ORDERS)
    })(?<=['’]|(?![\\p{L}\\p{N}_-]))`,
  "iu",
);
const HOLDS_ALWAYS = new RegExp(
  `(?<![\\p{L}\\p{N}_-])(?:${alternatives(GENERAL)})(?![\\p{L}\\p{N}_-])|${
    alternatives(GLUED_GENERAL)
  }`,
  "iu",
);
/** A rule says so at its beginning. */
const READ_CHARS = 300;

/** Whether a text obliges or orders ("never …", "use …"), in any of the languages of the table. */
export function isRule(text: string): boolean {
  return RULE.test(text.trimStart().slice(0, READ_CHARS));
}

/** Whether a text says what holds in every case, or within which limits ("every …", "… before …"): often a rule. */
export function isGeneral(text: string): boolean {
  return HOLDS_ALWAYS.test(text.trimStart().slice(0, READ_CHARS));
}
