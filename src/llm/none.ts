import { llmError, type Provider, type ProviderContext } from "./provider.ts";

/** No language model: callers go on without one. */
export const none: Provider = {
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
