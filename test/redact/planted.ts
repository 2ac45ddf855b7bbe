// Made-up secrets, read from `test/fixtures/redact/`, where they stand as what they are made of: no scanner takes those
// files for a leak. In a cell, line breaks, backslashes and the like are written as in JSON.

import { readRows } from "../support/fixtures.ts";

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const UPPER = LOWER.toUpperCase();
const DIGITS = "0123456789";
const ALNUM = LOWER + UPPER + DIGITS;
const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const NOISE = ALNUM + "-!@#$%^&*()_[]{}~+=,.;:/?| ";

/** A text with secrets in it, none of which may stay. */
export interface Planted {
  readonly what: string;
  readonly text: string;
  readonly secrets: readonly string[];
}

/** So many characters of an alphabet, none of them a real secret. */
export function chars(count: number, alphabet = "aZ3kL9mQ2xR7tB5nV1cD8fG4hJ6pS0wY"): string {
  return alphabet.repeat(Math.ceil(count / alphabet.length)).slice(0, count);
}

export const HEX = "0123456789abcdef";
export const LETTERS = "aZkLmQxRtBnVcDfGhJpSwY";

/** The alphabets of `{40 hex}`; `{16..36}` is what 36 characters have beyond the first 16. */
const ALPHABETS: Readonly<Record<string, string>> = {
  hex: HEX,
  hex2: "f0e1d2c3b4a59687",
  upper: "A3KD9MQ2XR7TB5NV1C",
  letters: LETTERS,
  bech: "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
  xprv: "9s21ZrQH143K",
};

const WORDS: Readonly<Record<string, string>> = {
  word: "Tr0ub4dor" + "&3x",
  plain: "Zwiebel" + "Kuchen",
  digits: "83920" + "174650193",
};

/** How `⟨b64 text⟩` is written. */
const WRITTEN: Readonly<Record<string, (text: string) => string>> = {
  b64: btoa,
  b64url: (text) => btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", ""),
  dec: (text) => text.replace(/./g, (char) => `&#${char.charCodeAt(0)};`),
  hex: (text) => text.replace(/./g, (char) => `&#x${char.charCodeAt(0).toString(16)};`),
  wide: (text) =>
    text.replace(/[!-~]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0)),
  nfd: (text) => text.normalize("NFD"),
};

function filled(cell: string): string {
  return cell
    .replace(
      /\{(?:(\d+)\.\.)?(\d+)(?: (\w+))?\}/g,
      (_, from = 0, to, name) => chars(Number(to), ALPHABETS[name]).slice(Number(from)),
    )
    .replace(/\{(\w+)\}/g, (all, name) => WORDS[name] ?? all)
    .replace(/⟨(\w+) (.*?)⟩/gs, (_, name, text) => WRITTEN[name]!(text));
}

/** Kinds that are known to have passed a redaction, or could. The secret stands in ⟦⟧, or is the whole text. */
export const PLANTED: readonly Planted[] = readRows("redact/planted.tsv").map(([what, cell]) => {
  const text = filled(cell!);
  const secret = /⟦(.*)⟧/s.exec(text)?.[1] ?? text;
  return { what: what!, text: text.replace(/[⟦⟧]/g, ""), secrets: [secret] };
});

/** What looks like a secret to a careless pattern, and is what a developer talks about. */
export const HARMLESS: readonly string[] = readRows("redact/harmless.txt").map(([cell]) =>
  filled(cell!)
);

type Draw = (count: number, alphabet: string) => string;

/** What an everyday secret is drawn from: `{hex 32}` is 32 hexadecimal digits. */
const MADE_OF: Readonly<Record<string, (draw: Draw, count: number) => string>> = {
  /** Letters and digits, or a made-up word with a number and a sign. */
  password: (draw) =>
    draw(1, DIGITS) < "5"
      ? draw(1, UPPER) + draw(9, ALNUM) + draw(2, DIGITS) + draw(1, LOWER)
      : word(draw) + draw(1, "-_!+") + draw(3, DIGITS) + draw(2, LOWER),
  /** A made-up word of letters alone. */
  letters: (draw) => word(draw) + word(draw).toLowerCase(),
  alnum: (draw, count) => draw(count - 2, ALNUM) + draw(1, DIGITS) + draw(1, LOWER),
  lower: (draw, count) => draw(count - 1, LOWER + DIGITS) + draw(1, DIGITS),
  hex: (draw, count) => draw(count, "0123456789abcdef"),
  digits: (draw, count) => draw(1, "123456789") + draw(count - 1, DIGITS),
  base32: (draw, count) => draw(count - 2, UPPER + "234567") + draw(2, "234567"),
  /** A key of an authenticator as it is shown, in groups of four. */
  groups: (draw, count) =>
    Array.from({ length: count }, () => draw(3, LOWER) + draw(1, "234567")).join(" "),
  /** A code for the day that the second factor is lost. */
  code: (draw) => draw(4, LOWER + DIGITS) + draw(1, DIGITS) + "-" + draw(5, LOWER + DIGITS),
  ssn: (draw) => [3, 2, 4].map((count) => draw(count, DIGITS)).join("-"),
  base58: (draw, count) => draw(count, BASE58),
  base64: (draw, count) => btoa(draw(Math.floor(count * 3 / 4) - 1, ALNUM + "~^\x7f\x10\x05")),
  /** Base64 that begins as a path or a sum does. */
  slashed: (draw, count) => draw(1, "/+") + draw(count - 5, ALNUM + "/+") + draw(4, DIGITS),
  /** Base64 of a user and a password. */
  login: (draw) => btoa("deploy:" + draw(14, ALNUM)),
  noise: (draw, count) => draw(count - 2, NOISE).replace(/^\W/, "x") + draw(2, ALNUM),
  uuid: (draw) => [8, 4, 4, 4, 12].map((count) => draw(count, "0123456789abcdef")).join("-"),
};

function word(draw: Draw): string {
  return draw(1, "BKMRTZ") + draw(1, "aeou") + draw(1, "lnrst") + draw(1, "kdbgv") +
    draw(1, "aou") + draw(1, "lnrkm");
}

/**
 * Every form of every kind that people paste every day, with secrets that follow from a number: drawn anew for every
 * form, so that no rule can know them.
 */
export function everyday(seed: number): Planted[] {
  let state = seed * 2654435761 + 1;
  const next = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor(state / 2 ** 32 * below);
  };
  const draw: Draw = (count, alphabet) =>
    Array.from({ length: count }, () => alphabet[next(alphabet.length)]).join("");
  return readRows("redact/everyday.tsv").map(([what, form]) => {
    const secrets: string[] = [];
    const text = form!.replace(/\{([a-z]+\d*)(?: (\d+))?\}/g, (_, name, count) => {
      secrets.push(MADE_OF[name]!(draw, Number(count)));
      return secrets.at(-1)!;
    });
    return { what: `${what}: ${form}`, text, secrets };
  });
}
