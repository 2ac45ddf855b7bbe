import { InvalidArgumentError } from "commander";

/** An option's value as a whole number of at least 1. */
export function wholeNumber(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1) {
    throw new InvalidArgumentError("It takes a whole number from 1.");
  }
  return number;
}
