// JSON schemas of answers, written short.

type Schema = Readonly<Record<string, unknown>>;

export const TEXT = { type: "string" } as const;
export const WHOLE = { type: "integer" } as const;

/** An object with these properties, which has all of them but the optional ones. */
export function object(properties: Readonly<Record<string, Schema>>, ...optional: string[]) {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", properties, required };
}

/** The same with nothing else in it. */
export function only(properties: Readonly<Record<string, Schema>>) {
  return { ...object(properties), additionalProperties: false };
}

/** A list of at most so many items. */
export function list(items: Schema, maxItems?: number) {
  return { type: "array", ...maxItems !== undefined && { maxItems }, items };
}

/** One of some words. */
export function oneOf(words: readonly string[]) {
  return { ...TEXT, enum: words };
}
