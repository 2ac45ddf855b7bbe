import { shortHash } from "../paths.ts";
import { inEnglish } from "../text/language/english.ts";
import { GLOSSARY } from "../text/language/glossary.ts";
import type { Embedder } from "./embedder.ts";

/**
 * Wraps an English-only model so that it embeds a text's English translation, as far as the glossary has one: a
 * Spanish question then matches an English passage. English texts are unchanged. Another glossary is another model.
 */
export function throughEnglish(model: Embedder): Embedder {
  const { inBulk } = model;
  return {
    ...model,
    ...inBulk && {
      async inBulk() {
        const { embedder, atOnce } = await inBulk();
        return { embedder: throughEnglish(embedder), atOnce };
      },
    },
    id: `${model.id}+${shortHash(GLOSSARY)}`,
    embed: (text, role) => model.embed(inEnglish(text)?.text ?? text, role),
  };
}
