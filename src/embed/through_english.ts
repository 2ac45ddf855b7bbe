import { shortHash } from "../paths.ts";
import { inEnglish } from "../text/language/english.ts";
import { GLOSSARY } from "../text/language/glossary.ts";
import type { Embedder } from "./embedder.ts";

/**
 * A model that knows English alone, given what of a text can be said in English: a Spanish question and an English
 * passage then meet. English texts are embedded as they are. Another glossary is another model.
 */
export function throughEnglish(model: Embedder): Embedder {
  return {
    ...model,
    id: `${model.id}+${shortHash(GLOSSARY)}`,
    embed: (text, role) => model.embed(inEnglish(text)?.text ?? text, role),
  };
}
