import { MemoError } from "../../errors.ts";
import { ownPatterns } from "../../core/redact/mod.ts";
import type { ToolContext } from "./tool.ts";

/** Takes secrets out of every text in some arguments: a memory is a file, and files are copied. */
export async function withoutSecrets<Value extends object>(
  value: Value,
  { config }: Pick<ToolContext, "config">,
) {
  const { countOf } = await import("../../core/redact/redact.ts"); // its rules load slowly
  const { redactTexts } = await import("../../core/redact/texts.ts");
  const redacted = await redactTexts(value, ownPatterns(config["redact.patterns"]));
  return { value: redacted.value, redacted: countOf([redacted]) };
}

/** Throws if nothing is left of the text of a memory: a mark alone says nothing, and all of them look the same. */
export async function refuseRedacted(text: string | undefined): Promise<void> {
  const { isAllRedacted } = await import("../../core/redact/redact.ts");
  if (text === undefined || !isAllRedacted(text)) return;
  throw new MemoError(
    "usage",
    "Cannot save this text: without what is secret or private it says nothing",
    { hint: "Say where the secret is instead of what it is" },
  );
}
