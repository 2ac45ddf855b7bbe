import { TYPES } from "../memory/types.ts";
import { nearest } from "../text/nearest.ts";

const KNOWN: readonly string[] = TYPES.map(({ name }) => name).filter((name) => name !== "*");

/** What there is to say of a type that no memory found has: types are an open set, and a new one is often a slip. */
export function ofType(type: string): string {
  const near = KNOWN.includes(type) ? undefined : nearest(type, KNOWN);
  return near === undefined ? "" : `did you mean the type \`${near}\`? `;
}
