import { complete, type LlmContext } from "./mod.ts";
import { brief, type Completion, UnusableAnswer } from "./provider.ts";

/** A question whose answer is JSON. */
export type Question = Completion & Required<Pick<Completion, "schema">>;

/**
 * Asks the language model of the settings and returns the JSON answer, whose shape the caller checks; rejects if there
 * is none.
 */
export async function askModel(question: Question, context: LlmContext): Promise<unknown> {
  const { json, text } = await complete(question, context);
  if (json === undefined) {
    throw new UnusableAnswer(`The language model's answer is not JSON: \`${brief(text, 80)}\``);
  }
  return json;
}
