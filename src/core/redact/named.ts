// Secrets recognized only by their surroundings: `password=…`, "la contraseña es …", `<password>…</password>`.

import {
  CLAUSE_END,
  FRAME_END,
  isLikelySecret,
  isNumberedName,
  isPhrase,
  isScrambled,
  phraseAfter,
  type ValuePosition,
} from "./likely.ts";
import { lowerCase, matchAt, MultiSearch, type SecretSpan } from "./spans.ts";
import { NEXT_CODE, NEXT_ITEM, operatorAt } from "./operators.ts";
import { otherSecrets } from "./other_secrets.ts";
import { type SecretWordPlace, tableSecrets } from "./tables.ts";
import { COMPOUNDS, IS, SECRET_WORDS, type SecretWord } from "./words.ts";

/** The maximum distance between a word and its value, in either direction. */
const REACH = 700, REACH_BACK = 120;

/** Endings of a name that still means a secret: `DB_PASSWORD_PROD`, `passwords`. */
const TAIL =
  /(?:s|(?:[_-]?(?:\d{1,3}|old|new|dev|prod|production|staging|live|test|local|value|base|base64|b64|hash|key|string|text|main|admin|root))?)(?![\p{L}\d_])/iuy;
/** Inflections in some languages: "lösenordet", "des Passwortes". */
const INFLECTION = /(?:e[tnsr]?|em|ul|om)(?![\p{L}\d_])/iuy;
const FLAG = /(?<![\w-])--?[\w-]{0,40}$/;
/** The start of the next value, in a list of them. */
const NEXT_NAME = String.raw`[,;&][ \t]?["']?[\w.-]{1,40}["']?[ \t]?(?::|=(?![=\s]|$))`;
/** Codes, numbers of persons and keys that are written in groups. */
const GROUPS = String
  .raw`\d{3,4}[ -]\d{3,4}|\d{3}[ -]\d\d[ -]\d{4}|(?=[A-Za-z -]{0,80}[2-7])[A-Za-z2-7]{4}(?:[ -][A-Za-z2-7]{4}){3,15}`;
/** A value in quotation marks, or up to a blank or the start of the next value. */
const VALUE = new RegExp(
  [
    String.raw`(?:"""|''')\s{0,20}(?<long>[^\n]{1,300}?)\s{0,20}(?:"""|''')`,
    String.raw`["'\x60“”„«‘「『](?<quoted>[^\n]{0,300}?)["'\x60”“»’」』]`,
    String
      .raw`(?<plain>(?:${GROUPS})(?![\w-])|(?:(?!${NEXT_NAME}|\[redacted:|</|\\n)[^\s"'\x60“”«»「」『』]){1,500})`,
  ].join("|"),
  "uy",
);
/** "4711", "123 456", "4821#". */
const CODE = /^[*#]?\d(?:[ -]?\d){3,9}[*#]?$/;
/** What a password is for, between its word and "is". */
const PURPOSE =
  /^\s*(?:of|for|to|de|del|da|do|du|des|von|vom|zum|zur|für|para|pour|per|di|van|voor|dla|от|для|new|old|root|admin|nuev[ao]|temporal|actual|antes|früher|provisoire)\b/iu;
/** Makes a compound with the word before it: a password manager is not a password. */
const COMPOUND = new RegExp(`[ -](?:${COMPOUNDS.join("|")})\\b`, "iy");
const ARTICLES =
  "the|our|my|your|his|her|its|their|la|el|mi|nuestra|tu|su|das|dein|mein|unser|le|ma|votre|notre|minha|nossa|il|lo|de|het|mijn|den|det|это|мой|наш";

const IS_WORDS = IS.filter((word) => /^[\p{L}\p{M}—–]/u.test(word)).join("|");
/** "is", between a word and its value. */
const COPULA = new RegExp(
  String.raw`(?<=^|[\s)"'’])(?:${IS_WORDS})(?![\p{L}\p{M}\d_-])[ \t]*[:：]?`,
  "giu",
);
/** To a value on the same line, or alone on a next one, as an item of a list. */
const INDENT =
  /(?:[ \t]*(?:\r?\n[ \t]{0,20}){1,2}(?:(?:[-*•]|\d{1,2}[.):])[ \t]{1,3})?(?=[^\s"'`]{6,64}[ \t]*(?:\n|$)))|[ \t]*/y;
/** Fillers between "is" and the value. */
const FILLER =
  /[ \t]*(?:(?:now|still|set|changed|currently|simply|just|always|to|as|ahora|todavía|siempre|jetzt|immer|maintenant|toujours|agora|sempre|теперь)[ \t]+){0,3}["'`(]?/iuy;
/** Between a value and the word that follows it: " is the admin ". */
const BACKWARDS = new RegExp(
  String
    .raw`[ \t](?:${IS_WORDS}|como|als|comme)[ \t]+(?:(?:${ARTICLES})[ \t]+)?(?:\p{L}{1,30}[ \t]+){0,2}$`,
  "iu",
);

const WORDS = new MultiSearch(SECRET_WORDS.map((word) => [word.word, word] as const));

/** Every secret in a text that a word announces. */
export function namedSecrets(text: string): SecretSpan[] {
  const places: SecretWordPlace[] = [];
  let last = -1;
  for (const { at, needle, value: word } of WORDS.in(lowerCase(text))) {
    const end = at + needle.length;
    // The longest word matches first; a shorter one at its end is skipped.
    if (end <= last || !standsAlone(text, at, word)) continue;
    last = end;
    places.push({ at, end, word });
  }
  return [...places.flatMap((place) => secretsNear(text, place)), ...tableSecrets(text, places)];
}

/** "clave" in "enclave" does not count; a long word can be the end of a compound, as in "Datenbankpasswort". */
function standsAlone(text: string, at: number, { word, isUnspaced, isPart }: SecretWord): boolean {
  const before = text[at - 1] ?? " ";
  if (word === "password" && before === "1") return false; // 1Password
  const isHump = /\p{Lu}/u.test(text[at]!) && /[\p{Ll}\d]/u.test(before);
  if (isPart) {
    const isInName = isHump || /[ _.-]/.test(before) && /[\p{L}\d]/u.test(text[at - 2] ?? " ");
    return isInName || /^[A-Z]+[:=]$/.test(text.slice(at, at + word.length + 1));
  }
  if (isUnspaced || !/[\p{L}\d]/u.test(before)) return true;
  return isHump || (word.length >= 8 && !word.includes(" ")) ||
    isRunOn(text, at, at + word.length);
}

function secretsNear(text: string, place: SecretWordPlace): SecretSpan[] {
  const { end, word } = place;
  const { isPassword, isCode, isPart, isUnspaced } = word;
  const after = text.slice(end, end + REACH);
  const tail = matchAt(TAIL, after, 0) ??
    (isPassword && word.word.length > 4 ? matchAt(INFLECTION, after, 0) : undefined);
  if (tail === undefined && !isUnspaced) return [];
  const spans = valuesBehind(text, after, { ...place, from: tail?.[0].length ?? 0 });
  const others = isCode || isPart ? [] : otherSecrets(text, place, spans);
  if (spans.length > 0 || others.length > 1) return [...spans, ...others];
  return isPassword ? valueBefore(text, place) : [];
}

function valuesBehind(text: string, after: string, place: After): SecretSpan[] {
  const { at, end, word } = place;
  const isInName = isRunOn(text, at, end);
  const found = assignedValue(text, after, place) ??
    (isInName ? undefined : valueInProse(after, place));
  if (found === undefined) return [];
  const value = after.slice(found.start, found.end);
  const isRandom = /^(?=.*\d)[\w!#%&*+/:=@^~-]{12,}$/.test(value) && isScrambled(value) &&
    !isNumberedName(value.replace(/^_/, ""));
  // "The sort key is …" is said, too.
  if (word.isPart && (!isRandom || text[at - 1] === " " && value.length < 20)) return [];
  if (word.isCode && !CODE.test(value) && !isRandom) return []; // a pin of a chip, or to pin
  if (isInName && /^\p{L}+$/u.test(value)) return []; // BYPASS=all
  // A test's outcome is called so, too: then it is a sentence.
  const isSentence = /[^!-~]/.test(value) ||
    /^['’]?[ \p{L}]/u.test(after.slice(found.end)) && !isScrambled(value);
  if (word.word === "pass" && isSentence) return [];
  return [found, ...itemsAfter(after, found, word)]
    .map((each) => ({ kind: "assigned", start: end + each.start, end: end + each.end }));
}

/** Whether a word in capitals is the end of a name in capitals without a sign between: `SSHPASS=`. */
function isRunOn(text: string, at: number, end: number): boolean {
  return /^[A-Z]{2}$/.test(text.slice(at - 1, at + 1)) && /[=: ]/.test(text[end] ?? "") &&
    end - at > 2 && end - at < 8 && /^[A-Z]+$/.test(text.slice(at, end));
}

/** The other items of a list that begins with a secret. */
function itemsAfter(after: string, first: Range, { isPassword }: SecretWord): Range[] {
  const items: Range[] = [];
  for (let last: SecretRange = first; last !== undefined;) {
    const between = matchAt(NEXT_ITEM, after, last.end);
    last = between === undefined
      ? codeAfter(after, last, items.length > 0)
      : valueAt(after, endOf(between), { isPassword });
    if (last !== undefined) items.push(last);
  }
  return items;
}

/** The first of several codes, if it has letters alone. */
function firstCodeAt(after: string, start: number): SecretRange {
  const [code = ""] = matchAt(/[\w-]{8,40}/y, after, start) ?? [];
  const first = { start, end: start + code.length };
  return codeAfter(after, first, false) && first;
}

/** The next of several codes: it has the form of the one before, and figures or signs. */
function codeAfter(after: string, last: Range, isSure: boolean): SecretRange {
  const formOf = (value: string) => value.replace(/[\p{L}\d]/gu, "x");
  const code = after.slice(last.start, last.end);
  const between = matchAt(NEXT_CODE, after, last.end);
  if (code.length < 6 || between === undefined) return undefined;
  const start = endOf(between);
  const next = after.slice(start, start + code.length);
  const isCode = formOf(next) === formOf(code) &&
    (isSure || /\d/.test(code + next) && /[^\p{L}]/u.test(next));
  return isCode && !/[\p{L}\d_]/u.test(after[start + code.length] ?? " ")
    ? span(start, next)
    : undefined;
}

type Range = Pick<SecretSpan, "start" | "end">;
type SecretRange = Range | undefined;

/** A place, and the start of the text after its name. */
type After = SecretWordPlace & { readonly from: number };

/** `name = value`, `"name": "value"`, `--name value`, `<name>value`. */
function assignedValue(text: string, after: string, { at, word, from }: After): SecretRange {
  const { isPassword } = word;
  const before = text.slice(Math.max(0, at - 120), at);
  const operator = operatorAt(before, after, from);
  if (operator === undefined) {
    return FLAG.test(before) ? flagged(after, from, isPassword) : undefined;
  }
  const { length, isGlued, isFar } = operator;
  const line = before.slice(before.lastIndexOf("\n") + 1) + /^[^\n]*/.exec(after)![0];
  const isCode = /[({;]|=>|\)\s*$/.test(line);
  return valueAt(after, from + length, { isPassword, isGlued, isFar, isCode }) ??
    phraseAt(after, from + length, word) ??
    (isFar && isPassword ? firstCodeAt(after, from + length) : undefined);
}

/** `--password value`, if the command ends there or another option follows. */
function flagged(after: string, from: number, isPassword: boolean): SecretRange {
  const [blank] = matchAt(/[ \t]{1,4}(?!-)/y, after, from) ?? [];
  if (blank === undefined) return undefined;
  const start = from + blank.length;
  const isCommand = /^\S+(?:\s+-|\s*$|\s*\n|\s*[|;&>"'`\\→])/.test(after.slice(start));
  return valueAt(after, start, { isPassword, isGlued: isCommand });
}

/** "the password for the database is …", "contraseña del wifi: …". */
function valueInProse(after: string, { word, from }: After): SecretRange {
  const { isPassword, isUnspaced } = word;
  if (word.word === "pass") return undefined; // a verb
  if (matchAt(COMPOUND, after, from) !== undefined) return undefined;
  const sentence = /^\??[^\n.;!?]{0,100}/.exec(after.slice(from))![0];
  if (isUnspaced) {
    const value = /^[^\n!-~。]{0,12}["'`“「『]?(?=[!-~]{4})(?!\[redacted)/u.exec(after.slice(from));
    const found = value &&
      valueAt(after, from + value[0].length, { isPassword, isGlued: isPassword });
    if (found) return found;
  }
  const quoted = matchAt(/[ \t]{1,2}(?=["'`“«])/y, after, from);
  if (quoted !== undefined && isPassword) {
    const found = valueAt(after, from + quoted[0].length, { isPassword });
    if (found !== undefined) return found;
  }
  for (const { 0: copula, index } of sentence.matchAll(COPULA)) {
    const filler = matchAt(FILLER, after, from + index + copula.length);
    const isFar = /\p{L}/u.test(sentence.slice(0, index)) && !PURPOSE.test(sentence);
    for (const start of [from + index + copula.length, filler && endOf(filler)]) {
      if (start === undefined) continue;
      const blanks = /^[ \t]{0,4}/.exec(after.slice(start))![0].length;
      const found = valueAt(after, start + blanks, { isPassword, isFar }) ??
        (isFar ? undefined : phraseAt(after, start + blanks, word));
      if (found !== undefined) return found;
    }
  }
  const colon = sentence.search(/[:：=](?:[ \t]|$)/);
  if (colon < 0 || colon > 40 || !/^[\p{L}\p{M}\d ()]*$/u.test(sentence.slice(0, colon))) {
    return isPassword || word.isPart ? besideIt(after, { word, from }) : undefined;
  }
  const start = from + colon + 1 + (matchAt(INDENT, after, from + colon + 1)?.[0].length ?? 0);
  return valueAt(after, start, { isPassword, isFar: !PURPOSE.test(sentence) });
}

/** "with password hunter2": nothing between, so the value must look like a secret. */
function besideIt(after: string, { word, from }: Pick<After, "word" | "from">): SecretRange {
  const [blank] = matchAt(/\??[ \t]{1,2}(?:[-–] )?/y, after, from) ??
    matchAt(INDENT, after, from) ?? [];
  if (blank === undefined || blank === "") return undefined;
  const found = valueAt(after, from + blank.length, { isPassword: true, isFar: true });
  if (found === undefined) return undefined;
  const value = after.slice(found.start, found.end);
  if (word.isCode || /^\d{6}$|^\d{4} ?\d{4}$/.test(value)) return found;
  return /\p{L}/u.test(value) && /\d/.test(value) && value.length >= 6 ? found : undefined;
}

/** "hunter2 is the password". */
function valueBefore(text: string, { at, end, word }: SecretWordPlace): SecretSpan[] {
  if (!/\s/.test(text[at - 1] ?? "x") || matchAt(COMPOUND, text, end) !== undefined) return [];
  const window = text.slice(Math.max(0, at - REACH_BACK), at);
  const copula = BACKWARDS.exec(window);
  const value = copula && /[^\s"'\x60“”«»]{4,100}(?=["'\x60”»]?$)/u
    .exec(window.slice(0, copula.index))?.[0].replace(/^.*\/(?=.)|^[("'*]+/, "");
  if (copula === null || value === null) return [];
  if (value === undefined || !/\d|[^\w\s.,-]/.test(value)) return [];
  if (word.isCode ? !/^(?:G-)?\d{4,8}$/.test(value) : !/\p{L}/u.test(value)) return [];
  if (!isLikelySecret(value, { isPassword: true }) || value.length < 6) return [];
  const start = at - window.length + window.lastIndexOf(value, copula.index);
  return [{ kind: "assigned", start, end: start + value.length }];
}

/** The value that begins at a position, if it is likely to be a secret. */
function valueAt(
  after: string,
  start: number,
  { isCode = false, ...standing }: Omit<ValuePosition, "isQuoted" | "endsClause"> & {
    readonly isCode?: boolean;
  },
): SecretRange {
  const match = matchAt(VALUE, after, start);
  if (match === undefined) return undefined;
  const { long, quoted = long, plain } = match.groups!;
  if (quoted !== undefined) {
    const value = quoted.trim();
    const from = start + match[0].indexOf(quoted) + quoted.indexOf(value);
    const isSecret = /\s/.test(value)
      ? isPhrase(value)
      : isLikelySecret(value, { ...standing, isQuoted: true, endsClause: true });
    return isSecret ? span(from, value) : undefined;
  }
  const value = plain!.replace(FRAME_END, "");
  const endsClause = !isCode && CLAUSE_END.test(after.slice(start + value.length));
  if (!isLikelySecret(value, { ...standing, endsClause })) return undefined;
  return span(start, value);
}

function phraseAt(after: string, start: number, { word, isPassword }: SecretWord): SecretRange {
  const phrase = isPassword ? phraseAfter(word, after.slice(start)) : undefined;
  return phrase === undefined ? undefined : span(start, phrase);
}

function span(start: number, value: string): SecretRange {
  return { start, end: start + value.length };
}

function endOf(match: RegExpExecArray): number {
  return match.index + match[0].length;
}
