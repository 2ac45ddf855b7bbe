import { createHash } from "node:crypto";
import { sessionVariables } from "../link/session_env.ts";
import { anthropic } from "./anthropic.ts";
import { claude } from "./claude.ts";
import { type PurposeName, whyNotSent } from "../settings/purposes.ts";
import { llmError, type Provider, type ProviderContext } from "./provider.ts";

/** No language model: callers go on without one. */
const none: Provider = {
  name: "none",
  summary: "No LLM calls",
  available: because,
  complete: (_, context) =>
    Promise.reject(llmError(`Cannot ask a language model: ${because(context)}`)),
};

function because({ config }: ProviderContext): string {
  return config["llm.provider"] === "none"
    ? "`llm.provider` is `none`"
    : "neither an API key nor `claude` is available";
}

/** Every LLM provider; with `llm.provider` at `auto`, the first available one is used. */
export const PROVIDERS = [anthropic, claude, none] as const satisfies readonly Provider[];

/** The provider that the settings choose. */
export function chooseProvider(context: ProviderContext): Provider {
  const name = context.config["llm.provider"];
  return PROVIDERS.find((provider) =>
    name === "auto" ? provider.available(context) === undefined : provider.name === name
  ) ?? none;
}

/** Where programs are, which no login depends on. */
const PLACES: ReadonlySet<string> = new Set(["PATH", "SSH_AUTH_SOCK"]);

/**
 * Identifies a login, that is the provider, its server and model, and the keys and settings of a session, by a digest:
 * what fails with a login fails for everything that has the same one.
 */
export function loginOf(context: ProviderContext): string {
  const { config, env } = context;
  const variables = Object.entries(sessionVariables(env)).filter(([name]) => !PLACES.has(name));
  const keys = ["llm.base_url", "llm.key_file", "llm.claude_path", "llm.model"] as const;
  const parts = [chooseProvider(context).name, keys.map((key) => config[key]), variables.sort()];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 16);
}

/** Why no language model is available, or may be asked for some purpose; undefined if one is. */
export function whyUnavailable(
  context: ProviderContext,
  purpose?: PurposeName,
): string | undefined {
  const { config } = context;
  const refused = purpose === undefined ? config.muted : whyNotSent(purpose, config);
  return refused ?? chooseProvider(context).available(context);
}
