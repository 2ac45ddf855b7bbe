import { MemoError } from "../../../errors.ts";
import { secretsIn } from "../../../core/redact/mod.ts";
import type { CliContext } from "./command.ts";
import { configHere } from "../config.ts";

/** Throws a `usage` MemoError for a text with a secret in it: a memory is a file, and files are shared and copied. */
export async function refuseSecrets(text: string, context: CliContext): Promise<void> {
  const kinds = await secretsIn(text, configHere(context)["redact.patterns"]);
  if (kinds.length === 0) return;
  throw new MemoError(
    "usage",
    `Cannot keep this memory: it holds what looks like a secret (${kinds.join(", ")})`,
    { hint: "Say where the secret is instead of what it is, or add `--anyway`" },
  );
}
