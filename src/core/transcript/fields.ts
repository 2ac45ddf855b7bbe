// Lines of transcripts are JSON of other programs: every field may be missing or of another type.

/** The fields of a line or of a part of it, unchecked. */
export type Fields = Readonly<Record<string, unknown>>;

/** A line's fields; undefined if it is not JSON, or still being written. */
export function parse(text: string): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Throws that a line has no fields; what it has may be a secret. */
export function broken(): never {
  throw new SyntaxError("a line is damaged, or longer than 16 MB");
}

/** The texts of a message's content, which is one text or a list of blocks. */
export function textsOf(content: unknown): string[] {
  if (typeof content === "string") return [content];
  return blocksOf(content).filter((block) => block["type"] === "text").map((block) =>
    String(block["text"] ?? "")
  );
}

/** A list's items that are objects. */
export function blocksOf(content: unknown): Fields[] {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  return blocks.map(fieldsOf).filter((block) => block !== undefined);
}

/** The fields of a value; undefined if it has none. */
export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null ? value as Fields : undefined;
}

/** A time of the transcript; the earliest possible one if it has none. */
export function timeOf(value: unknown): string {
  const time = typeof value === "string" ? Date.parse(value) : NaN;
  return new Date(Number.isNaN(time) ? 0 : time).toISOString();
}

/** The value if it is a text that is not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
