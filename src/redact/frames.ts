// Secrets recognized by the call or the sentence around them: `btoa("a:X")`, "melde dich mit root / X an". To add a
// form, add a row.

import { CLAUSE_END, FRAME_END, isLikelySecret, isOdd } from "./likely.ts";
import { lowerCase, MultiSearch } from "./multi_search.ts";
import { isPhrase } from "./phrase.ts";
import type { Span } from "./spans.ts";
import { SECRET_WORDS } from "./words.ts";

/** Words for a password as prose has them. */
const PASSWORDS = SECRET_WORDS.filter(({ isPassword }) => isPassword).map(({ word }) => word)
  .filter((word) => !/[_.]/.test(word));

/** What the patterns below are made of. */
const PARTS: Readonly<Record<string, string>> = {
  /** The secret, as one word. */
  value: String.raw`["'\x60“„«‘(]{0,2}(?<secret>[^\s"'\x60“”„«»‘]{4,100})`,
  /** The secret, as one or more words. */
  words: String
    .raw`["'\x60“„«‘]?(?<secret>[^\s"'\x60“”„«»‘]{3,60}(?: [\p{L}\d]{2,20}){0,7}?)["'\x60”“»’]?`,
  /** The secret in quotation marks. */
  quoted: String.raw`["'](?<secret>[^"'\n]{1,200})["']`,
  user: String.raw`["'\x60“„«‘]?[\p{L}\d][\w.@-]{1,40}["'\x60”“»’]?`,
  /** Between a user's name and the password. */
  and: String
    .raw`(?: ?[/|:] ?|,? (?:and|with|using|und|mit|y|con|et|avec|e|com) |, )(?:(?:the|la|el|das|dem|le|o|a) )?(?:(?<named>{word}):? )?`,
  /** The same with the word for a password. */
  andWord: String
    .raw`(?:,| /|,? (?:and|with|und|mit|y|con|et|avec|e|com)) (?:(?:the|la|el|das|dem|le|o|a) )?(?<named>{word}):? `,
  /** An argument of a call, and the comma after it. */
  arg: String.raw`\s{0,8}(?:["'][^"'\n]{1,200}["']|[^"'\n,()]{1,60}),\s{0,8}`,
  /** A few words. */
  gap: String.raw`(?:[ -][\p{L}'’]{1,20}){0,5}?`,
  word: `(?:${PASSWORDS.join("|")})`,
  /** The end of a clause, or what a password is for. */
  end: String
    .raw`(?=[.,;:!?)\]]|\s*$|\s*\n| (?:for|in|on|to|until|para|en|für|beim|pour|dans|sur) )`,
};

interface Frame {
  /** Beginnings, in lower case, separated by commas; no letter or digit comes before one. */
  readonly cues: string;
  /** What follows, with the secret as the group `secret`. */
  readonly rest: string;
}

/** Calls and statements: the value is the secret unless it is a placeholder. */
const CALLS: readonly Frame[] = [
  {
    cues: "btoa(, b64encode(, base64.encode(",
    rest: String.raw`b?["'][^:"'\n]{0,60}:(?<secret>[^"'\n]{3,200})["']`,
  },
  { cues: "wifi:", rest: String.raw`[^\n]{0,80}?\bP:(?<secret>[^;\n]{4,63});` },
  { cues: "identified ", rest: String.raw`(?:with \S{1,40} )?(?:by|as) (?:password )?{quoted}` },
  {
    cues: "--from-literal",
    rest: String.raw`[= ]["']?[\w.-]{1,100}=["']?(?<secret>[^\s"']{3,300})`,
  },
  {
    cues: "convertto-securestring , bcrypt.hash(, bcrypt.hashsync(, = password(",
    rest: "(?:-string )?{quoted}",
  },
  {
    cues: "echo , printf ",
    rest: String
      .raw`(?:-\w{1,4} |["']%s(?:\\n)?["'] )?["']?(?:[\w.-]{1,60}:)?(?<secret>[^\s"'|]{3,200}?)(?:\\n)?["']?[ ]{0,2}\|[ ]{0,2}(?:sudo -k?S|gcloud secrets|(?:docker|podman) secret|(?:npx )?wrangler|(?:sudo )?chpasswd|passwd --stdin|docker login|gh auth|cryptsetup|openssl|kinit|vault|faillock|base64\b(?! -d))`,
  },
  {
    cues:
      "networkcredential(, basicauth(, httpbasicauth(, setbasicauth(, basic_auth(, credentials.basic(, username_pw_set(, usernamepasswordcredentials(, passwordauthentication(, begin(, login(, auth=(, jwt.sign(, jwt.verify(",
    rest: "{arg}{quoted}",
  },
  {
    cues: "mysqli_connect(, mysqli(, pdo(, getconnection(, pymysql.connect(, mysqldb.connect(",
    rest: "{arg}{arg}{quoted}",
  },
  {
    cues: "send , send -- , exp_send ",
    rest: String
      .raw`(?:(?<=assw[^]{0,60}send (?:-- )?)|(?=["'][^\s"']{0,100}\d))["'](?<secret>[^\s"'\\]{4,100})\\{1,4}[rn]["']`,
  },
  {
    cues:
      "requirepass , masterauth , rootpw --plaintext , insecure-password , rootpw , secret 0 , password 0 ",
    rest: String.raw`["']?(?<secret>(?!-)[^\s"']{4,200})`,
  },
  {
    cues: "expect, send, fill, type, sendkeys, setvalue",
    rest: String.raw`\(?[^\n]{0,80}passw[^\n]{0,40}?[,(] ?{quoted}\)`,
  },
];

/** Sentences: a word of letters alone is the secret only beside a word for it. */
const SENTENCES: readonly Frame[] = [
  // Logins: English, Spanish and Portuguese, German, French, Italian.
  {
    cues:
      "log in, logs in, login, logged in, logging in, log into, log on, sign in, signed in, ssh in",
    rest: "{gap} (?:as|with|using) {user}{and}{value}",
  },
  {
    cues: "entra, entrar, inicia, conéctate, conectate, conectar, accede, acceder, entre, acesse",
    rest: "{gap} (?:con|com|como) (?:(?:el|o) usu[aá]rio )?{user}{and}{value}",
  },
  {
    cues: "melde, meld, anmelden, logge, einloggen, verbinde",
    rest: "{gap} (?:mit|als) {user}{and}{value}",
  },
  {
    cues: "connecte, connectez, connecter, identifie",
    rest: "{gap} (?:avec|comme|en tant que) {user}{and}{value}",
  },
  { cues: "accedi, entra", rest: "{gap} (?:con|come) {user}{and}{value}" },
  {
    cues:
      "user, username, usuario, usuário, benutzer, benutzername, utilisateur, identifiant, utente",
    rest: "(?: is| es| ist| est| é| è)?:? {user}{andWord}{value}",
  },
  {
    cues:
      "credentials, creds, basic auth, login, logins, account, zugang, acceso, accès, credenciales, credenciais, zugangsdaten, anmeldedaten, identifiants, credenziali",
    rest:
      "{gap}(?: ?:| =| is| are| son| são| ist| lautet| sind| lauten| est| sont| sono) {user}{and}{value}",
  },
  { cues: "admin, root, administrator", rest: "(?: / |:(?![x*!]:)){value}" },
  { cues: "user, username, u:", rest: ":? {user},? (?:pass:?|p:) {value}" },
  { cues: "pass, la contra", rest: String.raw`(?: \p{L}{1,20}){0,4}? (?:is|es) {value}` },
  { cues: "la pass, mi pass, tu pass, su pass", rest: "(?<named>){gap}(?: es|:) {value}" },
  {
    cues: "wifi, wi-fi, wlan, ssid",
    rest: "(?: is| es| ist| est)?:? {user}(?:(?<named>) ?/ |, ){value}",
  },
  {
    cues: "asks, asked, prompts, prompted, wants, pide, pida, fragt, demande",
    rest: String
      .raw`{gap} (?<named>{word})[,:]?(?: [\p{L}]{1,12}){0,2}? (?:type|enter|use|give it|pon|escribe|gib|nimm|tippe|tape|mets) {value}`,
  },
  // Changes: Spanish, French, German, Italian, Portuguese, Dutch; the English "to" is in the table of words.
  {
    cues:
      "cambia, cambié, cambiado, cambiamos, pon, puse, puesto, actualizado, actualiza, modificado",
    rest: "{gap} {word}{gap} (?:a|por) {value}",
  },
  {
    cues: "changé, change, changer, mis, modifié, remplacé",
    rest: "{gap} {word}{gap} (?:en|par|à|pour) {value}",
  },
  {
    cues: "passwort, kennwort",
    rest: "(?<named>){gap} auf {value} (?:geändert|gesetzt|umgestellt|ändern|setzen|gestellt)",
  },
  {
    cues: "key is, schlüssel ist, schlüssel lautet, clave es, clé est",
    rest: String.raw` (?=["'\x60]?[\w-]{24})(?=["'\x60]?[\w-]{0,80}\d){value}`,
  },
  {
    cues: "my code is, your code is, der code ist, el código es, mi código es, le code est",
    rest: String.raw` (?<named>)(?<secret>\d{6}){end}`,
  },
  { cues: "passwort, kennwort", rest: "(?<named>) (?:fragt|will), (?:gib|nimm|tippe) {value}" },
  { cues: "ändere, setze, setz, stelle, stell", rest: "{gap} {word}{gap} auf {value}" },
  { cues: "cambiato, cambiata, impostato, impostata", rest: "{gap} {word}{gap} (?:in|a) {value}" },
  { cues: "mudei, troquei, alterei, mudou", rest: "{gap} {word}{gap} (?:para|por) {value}" },
  // The value first.
  {
    cues:
      "use, using, used, set, try, tried, enter, type, usa, utiliza, pon, prueba, prueba con, nimm, nehme, verwende, nutze, probier, probiere, utilise, mets, prends, essaie, essaye",
    rest: String.raw` {words} (?:as|como|als|comme)(?: \p{L}{1,20}){0,4}? (?<named>{word}){end}`,
  },
  // To be written down.
  {
    cues: "apunta, anota, recuerda, note, notiere, merk, remember, write down, noter, retiens",
    rest: "{gap} {word}:?{gap}[,:] {value}",
  },
];

interface Form {
  readonly pattern: RegExp;
  readonly isCall: boolean;
}

const FORMS = new MultiSearch<Form>([...formsOf(CALLS, true), ...formsOf(SENTENCES, false)]);

function formsOf(frames: readonly Frame[], isCall: boolean) {
  return frames.flatMap(({ cues, rest }) => {
    const form = { pattern: new RegExp(filled(rest), "iuy"), isCall };
    return cues.split(", ").map((cue) => [cue, form] as const);
  });
}

/** A pattern with its parts in place of their names. */
function filled(rest: string): string {
  return rest.replace(
    /\{([a-z]+)\}/gi,
    (name, part) => part in PARTS ? filled(PARTS[part]!) : name,
  );
}

/** Every secret in a text that a call or a sentence gives away. */
export function framedSecrets(text: string): Span[] {
  const spans: Span[] = [];
  for (const { at, needle, value: { pattern, isCall } } of FORMS.in(lowerCase(text))) {
    if (/[\p{L}\d]/u.test(text[at - 1] ?? " ")) continue;
    pattern.lastIndex = at + needle.length;
    const match = pattern.exec(text);
    if (match === null) continue;
    const { secret = "", named } = match.groups!;
    const start = match.index + match[0].lastIndexOf(secret);
    const value = isCall ? secret : secret.replace(FRAME_END, "");
    const isSecret = isCall ? isLikelySecret(value, QUOTED) : isStatedSecret(value, {
      isNamed: named !== undefined,
      isQuoted: /["'`“„«‘]/.test(text[start - 1]!),
      endsClause: CLAUSE_END.test(text.slice(start + value.length, start + value.length + 20)),
      isEnclosed: pattern.lastIndex > start + secret.length + 1,
    });
    if (isSecret) spans.push({ kind: "assigned", start, end: start + value.length });
  }
  return spans;
}

const QUOTED = { isPassword: true, isQuoted: true, isGlued: true, endsClause: true } as const;

interface Surroundings {
  /** Whether a word for a password stands in the sentence. */
  readonly isNamed: boolean;
  readonly isQuoted: boolean;
  readonly endsClause: boolean;
  /** Whether the form goes on behind the value. */
  readonly isEnclosed: boolean;
}

function isStatedSecret(
  value: string,
  { isNamed, isQuoted, endsClause, isEnclosed }: Surroundings,
): boolean {
  if (/\s/.test(value)) return isPhrase(value);
  const isStrange = isOdd(value);
  return (isNamed || isQuoted || isStrange) && isLikelySecret(value, {
    isPassword: true,
    isQuoted,
    isGlued: false,
    endsClause: endsClause || isEnclosed && isStrange,
  });
}
