import { TYPES } from "../memory/types.ts";
import { nearest } from "../text/nearest.ts";

const KNOWN: readonly string[] = TYPES.map(({ name }) => name).filter((name) => name !== "*");

/** Suggests the known type that a misspelt one probably meant. */
export function ofType(type: string): string {
  const near = KNOWN.includes(type) ? undefined : nearest(type, KNOWN);
  return near === undefined ? "" : `did you mean the type \`${near}\`? `;
}
