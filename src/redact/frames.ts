// Secrets recognized by the call or the sentence around them: `btoa("a:X")`, "melde dich mit root / X an". To add a
// form, add a row.

import { CLAUSE_END, FRAME_END, isLikelySecret, isOdd } from "./likely.ts";
import { lowerCase, MultiSearch } from "./multi_search.ts";
import { isPhrase } from "./phrase.ts";
import type { Span } from "./spans.ts";
import { SECRET_WORDS } from "./words.ts";

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
  /** A few words. */
  gap: String.raw`(?:[ -][\p{L}'’]{1,20}){0,5}?`,
  word: `(?:${SECRET_WORDS.filter((each) => each.isPassword).map(({ word }) => word).join("|")})`,
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
  { cues: "identified ", rest: String.raw`(?:with \S{1,40} )?(?:by|as) (?:password )?{quoted}` },
  {
    cues: "--from-literal",
    rest: String.raw`[= ]["']?[\w.-]{1,100}=["']?(?<secret>[^\s"']{3,300})`,
  },
  { cues: "convertto-securestring ", rest: "(?:-string )?{quoted}" },
  {
    cues: "echo , printf ",
    rest: String
      .raw`(?:-\w{1,4} )?["']?(?:[\w.-]{1,60}:)?(?<secret>[^\s"'|]{3,200})["']?[ ]{0,2}\|[ ]{0,2}(?:sudo -k?S|(?:sudo )?chpasswd|passwd --stdin|docker login|gh auth|cryptsetup|openssl|kinit|vault|faillock|base64\b(?! -d))`,
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
    cues: "log in, logs in, login, logged in, logging in, log into, log on, sign in, signed in",
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
      "credentials, creds, login, logins, credenciales, credenciais, zugangsdaten, anmeldedaten, identifiants, credenziali",
    rest: "{gap}(?: ?:| =| is| are| son| são| sind| lauten| sont| sono) {user}{and}{value}",
  },
  { cues: "admin, root, administrator", rest: " / {value}" },
  { cues: "user, username", rest: ":? {user},? pass:? {value}" },
  { cues: "pass", rest: " is {value}" },
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
  { cues: "ändere, setze, setz, stelle, stell", rest: "{gap} {word}{gap} auf {value}" },
  { cues: "cambiato, cambiata, impostato, impostata", rest: "{gap} {word}{gap} (?:in|a) {value}" },
  { cues: "mudei, troquei, alterei, mudou", rest: "{gap} {word}{gap} (?:para|por) {value}" },
  // The value first.
  {
    cues: "use, using, set, usa, utiliza, pon, nimm, nehme, verwende, nutze, utilise, mets, prends",
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
    const isSecret = isCall ? isLikelySecret(value, QUOTED) : isTold(value, {
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

function isTold(
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
