import { MemoError } from "../errors.ts";
import { isAllRedacted } from "../redact/spans.ts";
import { ownPatterns } from "../redact/own_patterns.ts";
import type { ToolContext } from "./tool.ts";

/** A value without secrets, and how many were taken out of it. */
export interface Cleaned<Value> {
  readonly value: Value;
  readonly redacted: number;
}

/** Takes secrets out of every text in some arguments: a memory is a file, and files are copied. */
export async function withoutSecrets<Value extends object>(
  value: Value,
  { config }: Pick<ToolContext, "config">,
): Promise<Cleaned<Value>> {
  const { countOf, redactAll } = await import("../redact/redact.ts"); // its rules load slowly
  const texts: string[] = [];
  eachText(value, (text) => (texts.push(text), text));
  const redacted = await redactAll(texts, ownPatterns(config["redact.patterns"]));
  let next = 0;
  return {
    value: eachText(value, () => redacted[next++]!.text) as Value,
    redacted: countOf(redacted),
  };
}

/** Throws if nothing is left of the text of a memory: a mark alone says nothing, and all of them look the same. */
export function refuseRedacted(text: string | undefined): void {
  if (text === undefined || !isAllRedacted(text)) return;
  throw new MemoError(
    "usage",
    "Cannot save this text: it is a secret, or private, and nothing else",
    {
      hint: "Say where the secret is instead of what it is",
    },
  );
}

/** A copy of a value in which every text is replaced, always in the same order. */
function eachText(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === "string") return replace(value);
  if (Array.isArray(value)) return value.map((each) => eachText(each, replace));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, eachText(each, replace)]),
  );
}
