import type { SecretSpan } from "./spans.ts";

/** The prefixes and lengths of each card network's numbers (ISO/IEC 7812). */
const NETWORKS: readonly RegExp[] = [
  /^4(?:\d{12}|\d{15}|\d{18})$/, // Visa
  /^(?:5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12})$/, // Mastercard
  /^3[47]\d{13}$/, // American Express
  /^6(?:011|5\d\d|4[4-9]\d)\d{12}$/, // Discover
  /^3(?:0[0-5]|[68]\d)\d{11}$/, // Diners Club
  /^35(?:2[89]|[3-8]\d)\d{12}$/, // JCB
  /^62\d{14,17}$/, // UnionPay
];

/** The kinds of numbers that carry their own check, so that few others pass for one. */
const NUMBERED: readonly {
  readonly kind: string;
  /** As it is printed, in groups or not. */
  readonly pattern: RegExp;
  /** Whether the digits and letters, without what groups them, are one. */
  readonly isOne: (number: string) => boolean;
}[] = [
  {
    kind: "card",
    pattern: /(?<![\w.+-])(?<!\d[ ,])\d(?:[ -]?\d){12,18}(?![\w-]|[.,]\d)/g,
    isOne: (digits) =>
      NETWORKS.some((network) => network.test(digits)) && !/^(\d)\1+$/.test(digits) && luhn(digits),
  },
  {
    kind: "iban",
    pattern: /(?<![\w-])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![\w-])/g,
    isOne: (iban) => iban.length >= 15 && mod97(iban) === 1,
  },
  {
    kind: "national-id", // Spain's DNI and NIE; other countries' numbers carry too weak a check
    pattern: /(?<![\w-])(?:\d{8}|[XYZ]-?\d{7})-?[A-HJ-NP-TV-Z](?![\w-])/g,
    isOne: (id) =>
      "TRWAGMYFPDXBNJZSQVHLCKE"[
        Number(id.slice(0, -1).replace(/^[XYZ]/, (c) => `${"XYZ".indexOf(c)}`)) % 23
      ] === id.at(-1),
  },
];

/** Numbers of cards, bank accounts and persons, known by their form and a valid check digit. */
export function checkedNumbers(text: string): SecretSpan[] {
  return NUMBERED.flatMap(({ kind, pattern, isOne }) =>
    [...text.matchAll(pattern)].flatMap(({ 0: match, index }) => {
      let number = match; // "12" of "4111 1111 1111 1111 12/29" is none of its groups
      while (number !== "" && !isOne(number.replace(/[ -]/g, ""))) {
        number = number.replace(/(?:^|[ -])[^ -]*$/, "");
      }
      return number === "" ? [] : [{ kind, start: index, end: index + number.length }];
    })
  );
}

/** Luhn's check (ISO/IEC 7812-1, annex B). */
function luhn(digits: string): boolean {
  let sum = 0;
  for (const [place, digit] of [...digits].toReversed().entries()) {
    const value = Number(digit) * (place % 2 === 1 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

/** The remainder of an account number with its check digits moved behind, letters as 10 to 35 (ISO 13616). */
function mod97(iban: string): number {
  const moved = iban.slice(4) + iban.slice(0, 4);
  return [...moved].reduce((rest, char) => {
    const value = parseInt(char, 36);
    return (rest * (value > 9 ? 100 : 10) + value) % 97;
  }, 0);
}
