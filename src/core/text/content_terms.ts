import { analyze } from "./analyze.ts";
import { isStopword } from "./language/stopwords.ts";

/** The terms of a text but for function words. */
export function contentTerms(text: string): Set<string> {
  return new Set(analyze(text).filter((term) => !isStopword(term)));
}
