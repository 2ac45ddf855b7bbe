import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "../../src/core/settings/config.ts";
import type { Completion, LlmContext } from "../../src/core/llm/mod.ts";
import { pathsFor } from "../../src/paths.ts";
import { type Home, settle } from "../support/home.ts";

/** A question that any provider can be asked. */
export const QUESTION = {
  purpose: "extract",
  system: "You pick.",
  prompt: "Which ones?",
  schema: {
    type: "object",
    properties: { picks: { type: "array", items: { type: "string" }, maxItems: 5 } },
    required: ["picks"],
  },
  maxTokens: 256,
} as const satisfies Completion;

/** What a question is asked with in a home, with these variables besides. */
export function contextOf(home: Home, variables: Record<string, string> = {}): LlmContext {
  const env = { ...home.env, ...settle(home, variables) };
  const paths = pathsFor(env);
  return { env, paths, config: loadConfig(paths.config, env) };
}

/** Puts a shell script in the home and returns what makes it be taken for `claude`. */
export function fakeClaude(home: Home, script: string): Record<string, string> {
  const path = join(home.root, "claude");
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return { MEMO_LLM_PROVIDER: "claude", MEMO_LLM_CLAUDE_PATH: path };
}
