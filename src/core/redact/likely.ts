// Decides whether a value beside a secret word is the secret, or a type, a placeholder, a variable or a word of prose.

import { isOrdinary, isSecretWord } from "./words.ts";
import { isStopword } from "../text/language/stopwords.ts";

/** The position of a value relative to its secret word. */
export interface ValuePosition {
  /** Whether the word means a password; a key or token must look like one. */
  readonly isPassword?: boolean;
  readonly isQuoted?: boolean;
  /** Whether it is `name=value`, without blanks. */
  readonly isGlued?: boolean;
  /** Whether the value ends a line or clause, so that it need not be code. */
  readonly endsClause?: boolean;
  /** Whether the value is a guess with other words in between; then letters alone are not enough. */
  readonly isFar?: boolean;
}

/** A value that can be nothing but a password, unless it is a placeholder. */
export const SURE = { isPassword: true, isQuoted: true, isGlued: true, endsClause: true };

/** The end of a sentence or of code behind a value; not "!", which can end a password. */
export const FRAME_END = /[.,;:)\]}>*_。、，；）]+$/u;
/** The text behind a value that ends a clause. */
export const CLAUSE_END = /^[.,!?。，]*(?:\s*$|\s*\n|[.,!?。，]\s)/;

const PLACEHOLDERS: readonly RegExp[] = [
  /^\[redacted:/,
  /^[<[(]|^\{(?![A-Za-z0-9+/]{24,}=)/,
  /^\$(?:\{|\(|\w*(?:$|->))/,
  /^%\w+%?$|^#\{|^@\w+@$/,
  /^(.)\1+$/u,
  /^[.*•…_-]+$/u,
  /^(?:your|enter|insert|change|replace)(?:[-_]?\p{L}+)*$/iu,
  /^(?:my|our|the|some|put|tu|mi|su|votre|dein|ihr)(?:[-_]\p{L}+)*$/iu,
  // Variables, members, calls, types.
  /^(?:process|os|env|system|config|settings|this|self|req|request|ctx|context|secrets|vars?|data|module|local|args|opts|options|props|params|import|deno|bun|input|user|event|state|github|inputs|steps|values|e|t|n|r)\??[.[]/i,
  /^!?[\w$.]+(?:\?\.)?[([]/,
  /^\w+<\w|\[\]$/,
  /^[a-z][\w+.-]*:\/\//i,
  /^v?\d+(?:\.\d+){1,3}$/,
  /^(?:\.{1,2}|~)?\/[\w./@-]*$/,
  /^(?:[\w.-]+\/)+[\w.-]+\.[a-z]{1,4}$/i,
  // A fingerprint of a public key.
  /^[\dA-F]{40}$/,
  // Algorithms, encodings, protocols.
  /^(?:aes|argon|ascii|ed|hmac|hs|http|iso|md|oauth|pbkdf|rfc|rs|rsa|saml|sha|ssl|tls|utf|x)-?\d{1,5}(?:[_.-]\w{1,20}){0,3}(?:with\w{1,10})?$|^base\d{2}\w{0,10}$/i,
  /^(?:await|new|return|const|let|function|lambda|async|typeof|yield|if|else|do|not|import|export)$/,
];

/** Base64 that begins like a path or an operator; a path has fewer figures. */
const BASE64 = /^[+/](?=[A-Za-z0-9+/]{15,}={0,2}$)(?=.*[+=]|(?:\D*\d){4})/;

/** Whether a value is likely to be a secret. */
export function isLikelySecret(value: string, standing: ValuePosition): boolean {
  if (BASE64.test(value) && isScrambled(value)) {
    return isLikelySecret(value.replace(/^[+/]+/, ""), standing);
  }
  if (PLACEHOLDERS.some((pattern) => pattern.test(value))) return false;
  return standing.isPassword ? isLikelyPassword(value, standing) : isLikelyKey(value, standing);
}

function isLikelyPassword(value: string, standing: ValuePosition): boolean {
  const { isQuoted = false, isGlued = false, isFar } = standing;
  if (value.length < 4 || namesSecret(value)) return false;
  if (/^\d+$/.test(value)) return !isFar || value.length >= 6;
  if (/^[\p{L}\p{M}]+[?!]?$/u.test(value)) {
    return isLikelyWord(value.replace(/[?!]$/, ""), standing);
  }
  if (isMemberOrName(value) && !isQuoted && !isGlued) return false;
  if (/^\p{L}+(?:[-_']\p{L}+)+$/u.test(value)) {
    const parts = value.split(/[-_']/);
    if (parts.every(isOrdinary) || value.includes("'")) return false;
    return parts.length > 2 || (isQuoted || isGlued) && !parts.some(isOrdinary);
  }
  return /[\p{L}\p{N}]/u.test(value) && !isFraming(value);
}

/** Whether letters alone are a password, because nothing else fits in their position. */
function isLikelyWord(value: string, standing: ValuePosition): boolean {
  const { isQuoted = false, isGlued = false, endsClause = false, isFar } = standing;
  if (isOrdinary(value) || value.length > 40) return false;
  return isQuoted || isGlued || endsClause && !isFar;
}

function isLikelyKey(value: string, standing: ValuePosition): boolean {
  const { isQuoted = false, isGlued = false, endsClause = false, isFar } = standing;
  if (value.length < 8 || isMemberOrName(value) && !/\d/.test(value) || isFraming(value)) {
    return false;
  }
  if (/^\d+$/.test(value)) return (isQuoted || isGlued) && value.length >= 10;
  if (/\p{L}/u.test(value) && /\d/.test(value)) {
    if (!isQuoted && /^[A-Z][a-z]+\d{0,3}(?:[A-Z][a-z]+)+$/.test(value)) return false; // a type
    if (!isQuoted && isMemberOrName(value) && !isScrambled(value)) return false;
    if (namesSecret(value) || /^\p{L}+[-_.]\d{1,2}$/u.test(value)) return false;
    return (isQuoted || isGlued || endsClause) && !isFar || isScrambled(value);
  }
  if (!/^[\w.~+/=-]+$/.test(value)) return false;
  return (isQuoted || isGlued) && value.length >= 12 && isScrambled(value);
}

/** Whether a value is a variable or member named like a secret: `newPassword`, `db.password`. */
function namesSecret(value: string): boolean {
  if (!/^[\p{L}_$.-]+\d?$/u.test(value)) return false;
  const words = value.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2").split(/[\s_$.\d-]+/u);
  return words.some((word) => isSecretWord(word) || /passw|secret|token/i.test(word));
}

/** Whether a value is a name in code: `user.name`, `userName`, `USER_NAME`, `crypto.x2`. */
function isMemberOrName(value: string): boolean {
  return /^[a-z_$][\w$]*(?:[?!]?\.[a-z_$][\w$]*)+$/i.test(value) ||
    /^[a-z_$]+(?:[A-Z][a-z]+)*$/.test(value) || /^[A-Z]+(?:_[A-Z]+)*$/.test(value);
}

function isFraming(value: string): boolean {
  return /^[=!<>|&+?:/\\]|=>|\$\{|\{\{|<\/|&&|\|\||\)\{|;$|\\n$|^\w+[({]/.test(value);
}

/** Whether a value is unlike a word of prose, a name with a number, a file or an address. */
export function isOdd(value: string): boolean {
  if (value.length < 6 || !/\p{L}/u.test(value)) return false;
  if (/^[\w./-]+\.[a-z]{1,4}$/i.test(value) || isAddress(value)) return false;
  return /[\d!#$%^&*?+=~@]/.test(value) || value.length > 10 && /\p{Ll}\p{Lu}\p{Ll}/u.test(value);
}

/** Whether a value is a name in code with a number: `Float16Array`, `result2`. */
export function isNumberedName(value: string): boolean {
  return /^\p{L}+(?:\d{0,2}|\d*(?:\p{Lu}\p{Ll}+)+)$/u.test(value);
}

/** Whether a value is an address for mail, or of a user on a host. */
function isAddress(value: string): boolean {
  return /^[\w.+-]+@[\w.-]+$/.test(value) && (/\.[a-z]+$/i.test(value) || !isScrambled(value));
}

/** Whether letters and digits alternate more than in any word. */
export function isScrambled(value: string): boolean {
  const plain = value.replace(/[^A-Za-z0-9]/g, "");
  if (/^(?=.*\d)(?=.*[a-f])[\da-f]{24,}$/i.test(plain)) return true;
  if (plain.length < 8) return false;
  const kinds = [...plain].map((char) => /[a-z]/.test(char) ? "a" : /[A-Z]/.test(char) ? "A" : "0");
  const changes = kinds.filter((kind, i) => i > 0 && kind !== kinds[i - 1]).length;
  if (changes / plain.length >= 0.25) return true;
  const vowels = plain.match(/[aeiouy]/gi)?.length ?? 0;
  const letters = plain.match(/[a-z]/gi)?.length ?? 0;
  return letters >= 12 && vowels / letters < 0.2;
}

// Passphrases: several words that are not prose.
/** Whether a text is a passphrase as a whole. */
export function isPhrase(text: string): boolean {
  const words = wordsOf(text);
  return words.length >= 3 && /^[\p{L}\d -]+$/u.test(text) && isPhraseOf(words);
}

/** The passphrase at the start of a text, up to the end of the clause, when a word announces one. */
export function phraseAfter(word: string, text: string): string | undefined {
  const [phrase] = /^["'`“«]?\p{L}{2,12}(?:[ -]\p{L}{2,12}){2,11}(?=["'`”».,;!?)\n]| →|$)/u
    .exec(text.slice(0, 200)) ?? [];
  if (phrase === undefined) return undefined;
  const words = wordsOf(phrase);
  if (/phrase|frase|satz/.test(word)) {
    return words.length >= 3 && (isOddPhrase(words) || isPhraseOf(words)) ? phrase : undefined;
  }
  return words.length >= 4 && isPhraseOf(words) ? phrase : undefined;
}

function wordsOf(phrase: string): string[] {
  return phrase.split(/[^\p{L}\d]+/u).filter((word) => word !== "");
}

/** Prose has function words, and says what is required, invalid or stored. */
function isPhraseOf(words: readonly string[]): boolean {
  return words.every((word) => !isStopword(word.toLowerCase()) && !isOrdinary(word)) &&
    new Set(words).size > 2 && words.slice(1).every((word) => word === word.toLowerCase());
}

/** A few function words can be part of a stated passphrase ("harrier over reeds"); many are prose. */
function isOddPhrase([first = "", ...rest]: readonly string[]): boolean {
  const functional = [first, ...rest].filter((word) => isStopword(word.toLowerCase())).length;
  const share = functional / (1 + rest.length);
  return rest.length >= 3 && share < 0.25 && !isStopword(first.toLowerCase()) &&
    (functional === 0 || !isOrdinary(first)) && !rest.some(isOrdinary);
}
