import { anthropic } from "./anthropic.ts";
import { claude } from "./claude.ts";
import { none } from "./none.ts";
import type { Provider, ProviderContext } from "./provider.ts";

/** Every LLM provider; with `llm.provider` at `auto`, the first available one is used. */
export const PROVIDERS = [anthropic, claude, none] as const satisfies readonly Provider[];

/** The provider that the settings choose. */
export function chooseProvider(context: ProviderContext): Provider {
  const name = context.config["llm.provider"];
  return PROVIDERS.find((provider) =>
    name === "auto" ? provider.available(context) === undefined : provider.name === name
  ) ?? none;
}

/** Why no language model is available; undefined if one is. */
export function hindranceOf(context: ProviderContext): string | undefined {
  return context.config.muted ?? chooseProvider(context).available(context);
}
