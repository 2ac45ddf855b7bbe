import { isEndpoint } from "../embed/mod.ts";
import { blankBeforeCut, redactBeforeCut } from "../redact/redact.ts";
import { awayFromCut, cutPaste, isCut } from "../text/paste.ts";
import { withoutPrivate } from "../text/private.ts";
import { isFollowUp, type LastTurn, mayRefer } from "./follow_up.ts";
import { PASTE_CHARS } from "./query_text.ts";
import { asksModel, type RetrieveOptions } from "./retrieve.ts";

/** A prompt, and the turn before it if it may refer to that. */
export interface Searchable {
  readonly prompt: string;
  readonly last: LastTurn | undefined;
}

/**
 * What to search for. Where it may go to a language model or an embedding model elsewhere, its secrets go before it is cut
 * to that: half a secret, or one without the tag before it, is not recognized later.
 */
export async function searchable(
  { prompt, before }: {
    readonly prompt: string;
    readonly before?: (() => Promise<LastTurn | undefined>) | undefined;
  },
  options: Pick<RetrieveOptions, "config" | "ask" | "only">,
): Promise<Searchable> {
  const mayLeave = asksModel(options) || isEndpoint(options.config.model);
  const turn = mayRefer(prompt) ? await before?.() : undefined;
  const last = turn && isFollowUp(prompt, turn) ? turn : undefined;
  return {
    prompt: mayLeave ? withoutSecrets(prompt) : prompt,
    last: last && (mayLeave ? redactTurn(last) : { ...last, prompt: cutPaste(last.prompt) }),
  };
}

/** A prompt that is not cut loses its other secrets with the whole question. */
function withoutSecrets(prompt: string): string {
  return prompt.length > PASTE_CHARS ? redactPaste(prompt) : withoutPrivate(prompt);
}

function redactTurn({ prompt, reply }: LastTurn): LastTurn {
  return { prompt: redactPaste(cutPaste(prompt)), reply: redactBeforeCut(reply) };
}

/** A long prompt without its secrets, and without what may be half of one at the cut of a paste. */
function redactPaste(prompt: string): string {
  return isCut(prompt) ? awayFromCut(blankBeforeCut(prompt)) : redactBeforeCut(prompt);
}
