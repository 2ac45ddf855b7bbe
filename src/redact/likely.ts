// Whether a value that stands beside a secret word is the secret, or a type, a placeholder, a variable, a word of prose.

import { isOrdinary, isSecretWord } from "./words.ts";

/** How a value stands beside the word that announces it. */
export interface Standing {
  /** Whether the word means a password; a key or token has to look like one. */
  readonly isPassword: boolean;
  readonly isQuoted: boolean;
  /** `name=value`, without blanks. */
  readonly isGlued: boolean;
  /** Whether something other than code may follow: the end of a line or clause. */
  readonly endsClause: boolean;
  /** Whether the value is a guess, with other words in between: letters alone do not do then. */
  readonly isFar?: boolean;
}

const PLACEHOLDERS: readonly RegExp[] = [
  /^\[redacted:/,
  /^[<{[(]/,
  /^\$(?:\{|\(|\w*$)/,
  /^%\w+%?$|^#\{|^@\w+@$/,
  /^(.)\1+$/u,
  /^[.*•…_-]+$/u,
  /^(?:your|my|our|the|some|enter|insert|change|replace|put|tu|mi|su|votre|dein|ihr)(?:[-_]?\p{L}+)*$/iu,
  // Variables, members, calls, types.
  /^(?:process|os|env|system|config|settings|this|self|req|request|ctx|context|secrets|vars?|data|module|local|args|opts|options|props|params|import|deno|bun|input|user|event|state|github|inputs|steps|values|e|t|n|r)\??[.[]/i,
  /^!?[\w$.]+(?:\?\.)?[([]/,
  /^\w+<\w|\[\]$/,
  /^[a-z][\w+.-]*:\/\//i,
  /^v?\d+(?:\.\d+){1,3}$/,
  /^(?:\.{1,2}|~)?\/[\w./@-]*$/,
  /^(?:await|new|return|const|let|function|lambda|async|typeof|yield|if|else|do|not|import|export)$/,
];

/** Whether a value is likely to be a secret. */
export function isLikelySecret(value: string, standing: Standing): boolean {
  if (PLACEHOLDERS.some((pattern) => pattern.test(value))) return false;
  return standing.isPassword ? isLikelyPassword(value, standing) : isLikelyKey(value, standing);
}

function isLikelyPassword(value: string, standing: Standing): boolean {
  const { isQuoted, isGlued, isFar } = standing;
  if (value.length < 4 || namesSecret(value)) return false;
  if (/^\d+$/.test(value)) return !isFar || value.length >= 6;
  if (/^[\p{L}\p{M}]+$/u.test(value)) return isLikelyWord(value, standing);
  if (isMemberOrName(value) && !isQuoted && !isGlued) return false;
  if (/^\p{L}+(?:[-_']\p{L}+)+$/u.test(value)) {
    const parts = value.split(/[-_']/);
    if (parts.every(isOrdinary) || value.includes("'")) return false;
    return parts.length > 2 || (isQuoted || isGlued) && !parts.some(isOrdinary);
  }
  return /[\p{L}\p{N}]/u.test(value) && !isFraming(value);
}

/** Letters alone: a password where nothing else can stand there. */
function isLikelyWord(value: string, { isQuoted, isGlued, endsClause, isFar }: Standing): boolean {
  if (isOrdinary(value) || value.length > 40) return false;
  if (isQuoted || isGlued) return true;
  return endsClause && !isFar;
}

function isLikelyKey(value: string, { isQuoted, isGlued, endsClause, isFar }: Standing): boolean {
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

/** Whether a value is a variable or member whose name says secret: `newPassword`, `db.password`. */
function namesSecret(value: string): boolean {
  if (!/^[\p{L}_$.-]+\d?$/u.test(value)) return false;
  const words = value.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2").split(/[\s_$.\d-]+/u);
  return words.some((word) => isSecretWord(word) || /passw|secret|token/i.test(word));
}

/** `user.name`, `userName`, `USER_NAME`, `crypto.x2`: names that code gives to things. */
function isMemberOrName(value: string): boolean {
  return /^[a-z_$][\w$]*(?:[?!]?\.[a-z_$][\w$]*)+$/i.test(value) ||
    /^[a-z_$]+(?:[A-Z][a-z]+)*$/.test(value) || /^[A-Z]+(?:_[A-Z]+)*$/.test(value);
}

/** Markup and code that a value was cut out of. */
function isFraming(value: string): boolean {
  return /^[=!<>|&+?:/\\]|=>|\$\{|\{\{|<\/|&&|\|\||\)\{|;$|\\n$|^\w+[({]/.test(value);
}

/** Whether letters and digits change places as no word does. */
export function isScrambled(value: string): boolean {
  const plain = value.replace(/[^A-Za-z0-9]/g, "");
  if (plain.length < 8) return false;
  const kinds = [...plain].map((char) => /[a-z]/.test(char) ? "a" : /[A-Z]/.test(char) ? "A" : "0");
  const changes = kinds.filter((kind, i) => i > 0 && kind !== kinds[i - 1]).length;
  if (changes / plain.length >= 0.25) return true;
  const vowels = plain.match(/[aeiouy]/gi)?.length ?? 0;
  const letters = plain.match(/[a-z]/gi)?.length ?? 0;
  return letters >= 12 && vowels / letters < 0.2;
}
