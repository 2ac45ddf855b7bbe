// The words of rules, in one table: a row for each language, a column for what its words do in a sentence. Who reads rules
// takes the columns that it needs.

/** What words do in a rule; of each language a regular expression, without boundaries. */
interface Words {
  /** Forbid, by which a text is a rule … */
  readonly never?: string;
  /** … and do so in a rule alone: elsewhere they say too little. */
  readonly not?: string;
  /** Oblige, and say that something is wanted. */
  readonly always?: string;
  /** Oblige alone. */
  readonly must?: string;
  /** Begin an order, and say that something is wanted. */
  readonly use?: string;
  /** Begin an order alone. */
  readonly order?: string;
  /** Say that something is wanted, and oblige to nothing. */
  readonly wanted?: string;
  /** Say what holds in every case, or where something ends or begins. */
  readonly every: string;
}

type Column = keyof Words;

/** Languages that put spaces between words. */
const SPACED: Readonly<Record<string, Words>> = {
  english: {
    never: "never|do not|may not|forbidden|prohibited|avoid|refuse",
    not:
      "don['’]?t|must(?: not|n['’]t)|should(?: not|n['’]t)|shall not|cannot|can['’]t|no|not|stop|off[- ]limits|" +
      "hands off|stay away|keep away|keep .{1,60} out of|reserved for|is mine",
    always: "always|only",
    must:
      "must(?:n['’]t)?|shall|should(?:n['’]t)?|don['’]t|cannot be|not allowed|have to|has to|required|make sure|" +
      "ensure|at all costs",
    use: "use|prefer|run|stick to",
    order: "favou?r|avoid|keep|ask|write|put|add|wrap|follow|leave|treat|stop|remember to|no|not",
    wanted: "go through",
    every:
      "every|each|all|any|anything|everything|everyone|anyone|nobody|no one|nothing|none|neither|no|not|" +
      "\\p{L}+n['’]t|without|unless|until|first|before|at most|at least|more than|less than|longer than|instead of|" +
      "rather than|needs?|requires?|rejected",
  },
  german: {
    never: "nie|niemals|verboten|keine?[mnrs]?",
    not: "nicht|tabu|vermeide",
    always: "immer|nur",
    must: "muss|müssen|muß|darf|dürfen|soll|sollen|sollte|stets|unbedingt|zwingend",
    order:
      "verwende|verwenden sie|nutze|benutze|benutzt|vermeide|schreibe?|lass|frage?|führe|halte|keine?n?",
    wanted: "verwende[nt]?|benutze[nt]?|nutze[nt]?|nimm|bevorzuge",
    every:
      "jede[rmsn]?|alle[smnr]?|niemand|nichts|nicht|ohne|bis|erst|zuerst|vor|vorher|bevor|höchstens|mindestens|" +
      "statt|außer|sobald|braucht|brauchen",
  },
  spanish: {
    never: "nunca|jamás",
    not: "no|prohibid[oa]s?|evita|evitar|nada de",
    always: "siempre",
    must:
      "debe[ns]?|debemos|hay que|tienen? que|s[oó]lo|solamente|únicamente|prohibido|obligatorio|evit(?:a|ar|e)",
    use: "usa|usar|utiliza|prefiere",
    order: "use|usad|utilizar|ejecuta|pon|escribe|mantén|pregunta|no",
    wanted: "solo|sólo",
    every:
      "tod[oa]s?|cada|cualquiera?|ning[uú]n[oa]?|nadie|nada|no|sin|salvo|hasta|antes|primero|al menos|" +
      "como m[aá]ximo|como mucho|más de|menos de|en vez de|en lugar de|necesitan?",
  },
  french: {
    never: "jamais|interdit",
    not: "ne|n['’]\\p{L}+|pas|évite|évitez|aucun|aucune",
    always: "toujours|uniquement",
    must: "doit|doivent|dois|devez|devons|il faut|obligatoire|seulement|évite[rz]?",
    use: "utilise[rz]?",
    order: "préfère[rz]?|écri[st]|garde[rz]?|demande[rz]?|lance[rz]?|ne|n['’]",
    wanted: "préfère|passe[rz]? par",
    every:
      "tous|toutes?|tout|chaque|aucune?|personne|rien|pas|sans|sauf|jusqu['’]|avant|d['’]abord|au moins|au plus|" +
      "au lieu de|plus de",
  },
  portuguese: {
    not: "jamais|não|proibid[oa]s?|evite|evitar|nada de",
    always: "sempre",
    must:
      "deve[m]?|devemos|tem que|têm que|proibido|obrigatório|somente|apenas|evit(?:ar|e)|não (?:use|faça|altere)",
    use: "usa|usar|utilize|prefira",
    order: "execute|escreva|mantenha|pergunte|não",
    wanted: "use|só",
    every:
      "tod[oa]s?|cada|qualquer|nenhuma?|ninguém|nada|não|sem|salvo|até|antes|primeiro|pelo menos|no máximo|" +
      "em vez de",
  },
  italian: {
    never: "vietato",
    not: "mai|non|evita|evitare",
    must:
      "non (?:\\p{L}+ )?mai|deve|devono|bisogna|obbligatorio|soltanto|evita(?:re)?|non (?:usare|fare|toccare)",
    use: "usa|usare|preferisci",
    order: "utilizza|mai|esegui|scrivi|chiedi|non",
    wanted: "sempre|solo",
    every:
      "ogni|tutt[oaie]|qualsiasi|nessun[oa]?|niente|non|senza|salvo|fino a|prima|almeno|al massimo|invece di",
  },
  dutch: {
    never: "nooit|geen|vermijd",
    not: "niet|verboden",
    always: "altijd|alleen",
    must: "moet(?:en)?|mag niet|mogen niet|verplicht",
    use: "gebruik",
    order: "schrijf|vraag|houd",
    every: "elke?|alle|niemand|niets|niet|zonder|tot|eerst|voor|minstens|hoogstens|in plaats van",
  },
  nordic: {
    never: "aldrig|aldri|får inte|må ikke",
    not: "inte|ikke",
    must: "alltid|altid|måste|må aldri|skal|ska|bara|endast",
    every:
      "alla|alle|allt|alt|varje|hver|hvert|ingen|inte|ikke|utan|uden|uten|först|først|före|før|minst|högst|højst",
  },
  polish: {
    never: "nigdy|nie wolno|zabronione",
    not: "nie",
    always: "zawsze|tylko",
    must: "musi|muszą|trzeba|należy",
    use: "używaj",
    order: "pisz|pytaj|nie",
    every:
      "każd[yaeą]|wszystk(?:o|ie|ich)|nikt|nic|bez|dopóki|najpierw|przed|co najmniej|najwyżej|zamiast",
  },
  czech: {
    never: "nikdy|nesmí",
    not: "ne\\p{L}{4,}",
    must: "vždy|musí|pouze",
    every: "každ[ýáéou]|všechn[yao]|nikdo|nic|bez|dokud|nejdříve|před|alespoň|nejvýše|místo",
  },
  russian: {
    never: "никогда|нельзя|запрещено",
    not: "не",
    always: "всегда|только",
    must: "долж(?:ен|на|но|ны)|обязательно|надо|нужно|не использ\\p{L}+",
    use: "используй(?:те)?",
    order: "пиши(?:те)?|спрашивай(?:те)?|не",
    every:
      "кажд(?:ый|ая|ое|ые|ого|ому|ой)|вс[её]|всех|никто|ничего|не|без|пока|сначала|перед|прежде|минимум|максимум|" +
      "вместо",
  },
  ukrainian: {
    never: "ніколи|заборонено",
    must: "завжди|повин(?:ен|на|ні)|не можна|обов['’]язково|тільки",
    every: "кожн(?:ий|а|е|ого)|всі|усі|ніхто|нічого|не|без|поки|спочатку|перед|щонайменше|замість",
  },
  turkish: {
    never: "asla|yasak",
    not: "hiçbir zaman",
    must: "her zaman|daima|mutlaka|sadece|\\p{L}+m[ae]l[ıi]",
    every: "her|tüm|bütün|hiçbir|kimse|değil|önce|kadar|en az|en fazla|yerine",
  },
  indonesian: {
    never: "jangan|dilarang",
    must: "selalu|harus|wajib|hanya",
    every: "setiap|semua|tidak|tanpa|sebelum|dulu|sampai|minimal|maksimal",
  },
  vietnamese: {
    never: "đừng|cấm",
    not: "không",
    must: "không được|luôn|phải|chỉ",
    every: "mọi|tất cả|mỗi|không|trước|cho đến|ít nhất|tối đa|thay vì",
  },
  greek: {
    must: "ποτέ|πάντα|πρέπει|μόνο|απαγορεύεται|μην",
    every: "κάθε|όλ(?:α|οι|ες)|κανένας|τίποτα|δεν|χωρίς|πριν|πρώτα|μέχρι|τουλάχιστον|αντί",
  },
  arabic: {
    must: "يجب|دائما|دائمًا|أبدا|أبدًا|ممنوع|فقط|لا (?:ت\\p{L}+)",
    every: "كل|جميع|لا|ليس|بدون|قبل|حتى|أولا|بدلا من",
  },
  hebrew: {
    must: "תמיד|לעולם לא|חייב|חייבים|אסור|רק",
    every: "כל|אף|לא|בלי|לפני|עד|קודם|לפחות|במקום",
  },
  hindi: { must: "हमेशा|कभी|चाहिए|ज़रूरी|केवल", every: "हर|सभी|कोई नहीं|नहीं|बिना|पहले|तक|बजाय" },
};

/** Languages without spaces, or with endings glued to the word. */
const GLUED: Readonly<Record<string, Words>> = {
  chinese: {
    never: "不要|不得|不能|不可|不准|不許|不许|禁止|绝不|絕不|切勿|请勿|請勿|严禁|嚴禁",
    not: "不允许|勿|别(?:用|动|改|碰)",
    always: "只用",
    must:
      "必须|必須|务必|務必|总是|總是|始终|始終|永远|永遠|应该|應該|应当|應當|只能|一定要|别用|別用",
    wanted: "^\\s*用|使用|统一用|一律用|请用|改用",
    every: "每|所有|任何|全部|没有|沒有|无需|不|之前|以前|先|直到|至少|最多|而不是",
  },
  japanese: {
    never: "使わない",
    not:
      "しない|ないこと|せず|いけない|ならない|触らない|使うな|するな|触るな|しては|使わず|変更しない|編集しない",
    must:
      "必ず|常に|絶対|決して|しないで|しないこと|してはいけない|してはならない|なければならない|べき|のみ|ください",
    wanted: "使って|使う|使用する",
    every: "すべて|全て|毎|どの|ない|ません|なし|前に|まず|まで|以上|以下|代わりに",
  },
  korean: {
    never: "하지 ?마|금지|말 것|말아|않는다",
    not: "쓰지|안 ?된다|마세요",
    must: "항상|절대|반드시|해야|만 사용",
    wanted: "사용",
    every: "모든|모두|매번|없|않|먼저|전에|까지|이상|이하|대신",
  },
};

/** What stands where no word goes on. */
export const WORD_END = "(?![\\p{L}\\p{N}_-])";

/** The words of some columns in all languages with spaces, without boundaries. */
export function spaced(...columns: readonly Column[]): string {
  return alternatives(SPACED, columns);
}

/** Whole words of some columns in any language, as a regular expression. */
export function anyOf(...columns: readonly Column[]): string {
  const words = `(?<![\\p{L}\\p{N}_-])(?:${spaced(...columns)})${WORD_END}`;
  const glued = alternatives(GLUED, columns);
  return glued === "" ? words : `${words}|${glued}`;
}

function alternatives(
  languages: Readonly<Record<string, Words>>,
  columns: readonly Column[],
): string {
  const words = Object.values(languages).flatMap((row) => columns.map((column) => row[column]));
  return words.filter((word) => word !== undefined).join("|");
}
