import type { Span } from "./spans.ts";

/** Digits as printed on a card, in groups or not. */
const DIGITS = /(?<![\w.+-])(?<!\d[ ,])\d(?:[ -]?\d){12,18}(?![\w-]|[.,]\d)/g;
/** The prefixes and lengths of each network's numbers (ISO/IEC 7812). */
const NETWORKS: readonly RegExp[] = [
  /^4(?:\d{12}|\d{15}|\d{18})$/, // Visa
  /^(?:5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12})$/, // Mastercard
  /^3[47]\d{13}$/, // American Express
  /^6(?:011|5\d\d|4[4-9]\d)\d{12}$/, // Discover
  /^3(?:0[0-5]|[68]\d)\d{11}$/, // Diners Club
  /^35(?:2[89]|[3-8]\d)\d{12}$/, // JCB
  /^62\d{14,17}$/, // UnionPay
];

/** Payment card numbers: a network's prefix and length, and a valid check digit. */
export function cardNumbers(text: string): Span[] {
  return [...text.matchAll(DIGITS)].flatMap(({ 0: number, index }) => {
    const digits = number.replace(/\D/g, "");
    const isCard = NETWORKS.some((network) => network.test(digits)) && hasCheckDigit(digits);
    return isCard && !/^(\d)\1+$/.test(digits)
      ? [{ kind: "card", start: index, end: index + number.length }]
      : [];
  });
}

/** Luhn's check (ISO/IEC 7812-1, annex B). */
function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (const [place, digit] of [...digits].toReversed().entries()) {
    const value = Number(digit) * (place % 2 === 1 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}
