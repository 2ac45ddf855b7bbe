import { redactAll, type Redacted, sumOf } from "./redact.ts";

/** A value whose texts hold no secrets, with counts of the removed secrets. */
export type RedactedTexts<Value> = Pick<Redacted, "found"> & { readonly value: Value };

interface MemoryTexts {
  readonly name: string;
  readonly description: string;
  readonly body: string;
  readonly triggers: readonly string[];
  readonly tags?: readonly string[];
}

/** Redacts every string in a value of arrays and objects; they belong together, as in `redactAll`. */
export async function redactTexts<Value>(
  value: Value,
  own: readonly RegExp[] = [],
): Promise<RedactedTexts<Value>> {
  const texts: string[] = [];
  eachText(value, (text) => (texts.push(text), text));
  const redacted = await redactAll(texts, own);
  let next = 0;
  return { value: eachText(value, () => redacted[next++]!.text) as Value, found: sumOf(redacted) };
}

/** Redacts a memory field by field: a mark in the place of a YAML value would be a list. */
export async function redactMemory<Memory extends MemoryTexts>(
  memory: Memory,
  own: readonly RegExp[] = [],
): Promise<RedactedTexts<Memory>> {
  const { value, found } = await redactTexts(textsOf(memory), own);
  return { value: { ...memory, ...value }, found };
}

/** The texts of a memory alone: its dates, folders and sources are memo's own. */
export function textsOf({ name, description, body, triggers, tags }: MemoryTexts): MemoryTexts {
  return { name, description, body, triggers, ...tags !== undefined && { tags } };
}

/** A copy of a value in which every string is replaced, always in the same order. */
function eachText(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === "string") return replace(value);
  if (Array.isArray(value)) return value.map((each) => eachText(each, replace));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, eachText(each, replace)]),
  );
}
