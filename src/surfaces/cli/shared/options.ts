import { InvalidArgumentError } from "commander";

/** Parses an option as an integer of at least 1. */
export function wholeNumber(value: string): number {
  return atLeast(1, value);
}

/** Parses an option as an integer of at least 0. */
export function wholeNumberOrNone(value: string): number {
  return atLeast(0, value);
}

function atLeast(least: number, value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < least || value.trim() === "") {
    throw new InvalidArgumentError(`Expected a whole number of at least ${least}.`);
  }
  return number;
}
