import { llmError, type Provider } from "./provider.ts";

const BECAUSE = "no language model may be asked";

/** Nobody: whatever would ask a language model does without. */
export const none: Provider = {
  name: "none",
  summary: "Nobody is asked",
  available: () => BECAUSE,
  complete: () => Promise.reject(llmError(`There is no answer: ${BECAUSE}`)),
};
