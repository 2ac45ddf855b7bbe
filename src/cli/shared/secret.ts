import { ownPatterns } from "../../redact/own_patterns.ts";
import { MemoError } from "../../errors.ts";
import type { CliContext } from "./command.ts";
import { configHere } from "../config.ts";

/** Throws a `usage` MemoError for a text with a secret in it: a memory is a file, and files are shared and copied. */
export async function refuseSecrets(text: string, context: CliContext): Promise<void> {
  const { redact } = await import("../../redact/redact.ts"); // its rules are slow to load
  const { found } = await redact(text, ownPatterns(configHere(context)["redact.patterns"]));
  const kinds = Object.keys(found);
  if (kinds.length === 0) return;
  throw new MemoError(
    "usage",
    `Cannot keep this memory: it holds what looks like a secret (${kinds.join(", ")})`,
    { hint: "Say where the secret is instead of what it is, or add `--anyway`" },
  );
}
