import { analyze } from "../text/analyze.ts";
import { isStopword } from "../text/language/stopwords.ts";

/** Words that only tell the model to continue, in the languages of the stop words. */
const GOING_ON = new Set(
  analyze(
    "yes yeah yep okay ok sure continue next proceed stop done great good right thanks " +
      "sigue continua vale bien hecho gracias oui continue bien merci weiter gut danke ja " +
      "avanti continua grazie bene да дальше спасибо 继续 可以 好的 谢谢 はい 続けて お願い",
  ),
);

/** The terms of a text that say what it is about. */
export function topicTerms(text: string): string[] {
  return analyze(text).filter((term) => !isStopword(term) && !GOING_ON.has(term));
}
