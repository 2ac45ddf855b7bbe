import { InvalidArgumentError } from "commander";

/** An option's value as a whole number of at least 1. */
export function wholeNumber(value: string): number {
  return atLeast(1, value);
}

/** An option's value as a whole number, or 0. */
export function wholeNumberOrNone(value: string): number {
  return atLeast(0, value);
}

function atLeast(least: number, value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < least || value.trim() === "") {
    throw new InvalidArgumentError(`It takes a whole number from ${least}.`);
  }
  return number;
}
